"""ALBERT, whose layers share their weights, and EuroBERT, which is built like Llama."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.norms import PRE, NormScheme
from explorer.analysis.models.config.feedforward import PlainNames, dense
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.encoders.encoder import EncoderReader, Stack, attention_of, body_of, sizes_of
from explorer.analysis.models.families.encoders.plain import Plain, Sizes
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.heads import encoders as heads

ALBERT_NORMS = NormScheme("", "attention.LayerNorm", "", "full_layer_layer_norm", "", "layer_norm", on_sum=True)


def _albert(fields: Fields, stack: Stack) -> Stack:
    """Groups of layers run as often as there are layers; each group may hold several."""
    groups, inner = fields.size("num_hidden_groups"), fields.size("inner_group_num")
    body = stack.decoder
    body = replace(body, mixers=tuple(body.mixers) * inner, mlps=tuple(body.mlps) * inner, owners=groups * inner)
    return replace(stack, decoder=body)


def _eurobert(fields: Fields) -> Stack:
    """EuroBERT (transformers EuroBertModel): Llama's layers without a mask."""
    hidden, layers, vocab = sizes_of(fields, "hidden_size", "num_hidden_layers")
    stated = fields.size("head_dim") if fields.has("head_dim") else 0
    plain = attention_of(fields, hidden, "num_attention_heads", Names(), stated)
    kv = fields.size("num_key_value_heads", otherwise=plain.heads)
    fields.check(plain.heads % kv == 0, "model.heads_not_divisible", "num_attention_heads", heads=plain.heads, kv=kv)
    attention = replace(plain, kv_heads=kv, rotary=plain.head_dim, bias=fields.flag("attention_bias"))
    mlp = dense(bias="mlp_bias")(fields, hidden, 1)[0]
    body = body_of(hidden, vocab, attention, mlp, layers, PRE, ("self_attn", "mlp"))
    pooling = fields.text("classifier_pooling")
    return Stack(body, (("embed_tokens", vocab),), (), heads.eurobert(pooling=pooling, bias=fields.flag("mlp_bias")))


ALBERT = Plain(
    heads.ALBERT,
    Sizes(table="embedding_size"),
    names=Names("attention", "dense", "", "query", "key", "value"),
    norms=ALBERT_NORMS,
    mlp=PlainNames("ffn", "activation", "ffn_output", ""),
    parents=("attention", "ffn_output"),
    pooler="pooler",
    bridge="embedding_hidden_mapping_in",
    always_bridged=True,
    rules=(),
    finish=_albert,
)
FAMILIES: Final = (
    Family(
        ("albert",),
        EncoderReader(
            "ALBERT",
            ALBERT,
            {
                "hidden_act": "gelu_new",
                "max_position_embeddings": 512,
                "type_vocab_size": 2,
                "tie_word_embeddings": True,
                "embedding_size": 128,
                "num_hidden_groups": 1,
                "inner_group_num": 1,
            },
        ),
    ),
    Family(
        ("eurobert",),
        EncoderReader(
            "EuroBERT",
            _eurobert,
            {
                "hidden_act": "silu",
                "attention_bias": False,
                "mlp_bias": False,
                "tie_word_embeddings": False,
                "classifier_pooling": "late",
            },
        ),
    ),
)
