"""T5Gemma: two stacks of Gemma 2's layers, each with sizes of its own."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import dense, gated_activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.config.windows import Windows, by_type
from explorer.analysis.models.families.encoders.two_stacks import Crossed, EncoderDecoderReader, TwoStacks
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.heads.parts import ClassHead, Dense
from explorer.analysis.models.parts import elementwise
from explorer.analysis.models.transformer import Decoder, lookup

NORMS = NormScheme(
    "pre_self_attn_layernorm", "post_self_attn_layernorm", "pre_feedforward_layernorm", "post_feedforward_layernorm"
)
MLP = dense(gate=gated_activation("hidden_activation"))


def _t5gemma(fields: Fields) -> TwoStacks:
    """Both stacks (transformers T5GemmaForConditionalGeneration); each side has a table of its own."""
    tied = fields.flag("tie_word_embeddings")
    seen, written = fields.within("encoder"), fields.within("decoder")
    encoder, attention, windows = _stack(seen)
    mixers = tuple(
        Bidirectional(
            encoder.hidden, attention.heads, attention.head_dim, bias=attention.qkv_bias, reach=window,
            rotary=attention.head_dim, kv_heads=attention.kv_heads,
        )
        for window in windows
    )  # fmt: skip
    encoder = replace(encoder, mixers=mixers)
    decoder, own, reaches = _stack(written)
    across = replace(Names(), parent="cross_attn")
    crossed = Crossed(
        own, NORMS, "pre_cross_attn_layernorm", across, encoded=encoder.hidden, own_after=NORMS.after_attention
    )
    decoder = replace(
        decoder,
        tied=tied,
        mixers=tuple(replace(crossed, own=replace(own, window=window)) for window in reaches),
        norms=replace(NORMS, after_attention="post_cross_attn_layernorm"),
        parents=("cross_attn", "mlp"),
        scaled_embedding=True,
        capped_logits=written.config.get("final_logit_softcapping", CAP) is not None,
        head="lm_head.out_proj",
    )
    front = (
        lookup("embed_tokens", encoder.vocab, encoder.hidden),
        elementwise("embed_scale", "scale", encoder.hidden, "embedding"),
    )
    return TwoStacks(encoder, decoder, front)


def _stack(fields: Fields) -> tuple[Decoder, GroupedQuery, Windows]:
    """One side without its attention, that attention, and how far each layer looks."""
    hidden, layers = fields.size("hidden_size"), fields.size("num_hidden_layers", limit=LAYER_LIMIT)
    heads, kv_heads = fields.size("num_attention_heads"), fields.size("num_key_value_heads")
    fields.check(heads % kv_heads == 0, "model.heads_not_divisible", "num_attention_heads", heads=heads, kv=kv_heads)
    size, bias = fields.size("head_dim"), fields.flag("attention_bias")
    own = GroupedQuery(hidden, heads, kv_heads, size, qkv_bias=bias, out_bias=bias, rotary=size)
    window = fields.optional_size("sliding_window")
    listed = fields.has("layer_types")
    windows = by_type(fields, layers, window) if listed else tuple(None if i % 2 else window for i in range(layers))
    mlps = MLP(fields, hidden, layers)
    vocab = fields.size("vocab_size")
    return Decoder(hidden, vocab, tied=False, mixers=(own,) * layers, mlps=mlps, norms=NORMS), own, windows


CAP: Final = 30.0
HEADS: Final = {
    "EncoderModel": ClassHead(),
    "ForSequenceClassification": ClassHead((Dense("score.out_proj", outputs="labels"),)),
}
FAMILIES: Final = (
    Family(
        ("t5gemma",),
        EncoderDecoderReader(
            "T5Gemma",
            _t5gemma,
            {
                "tie_word_embeddings": True,
                "vocab_size": 256000,
                "hidden_size": 2304,
                "intermediate_size": 9216,
                "num_hidden_layers": 26,
                "num_attention_heads": 8,
                "num_key_value_heads": 4,
                "head_dim": 256,
                "hidden_activation": "gelu_pytorch_tanh",
                "attention_bias": False,
                "sliding_window": 4096,
            },
            heads=HEADS,
        ),
    ),
)
