"""ChatGLM: flags for the norms, the biases and the KV heads."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.transformer import Decoder, Half, Mixer


def _chatglm_mixers(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Grouped queries over `multi_query_group_num` KV heads where `multi_query_attention` is on; half heads rotated."""
    heads = fields.size("num_attention_heads")
    grouped = fields.flag("multi_query_attention")
    kv_heads = fields.size("multi_query_group_num") if grouped else heads
    fields.check(heads % kv_heads == 0, "model.heads_not_divisible", "num_attention_heads", heads=heads, kv=kv_heads)
    bias = fields.flag("add_bias_linear")
    size = fields.size("kv_channels", otherwise=max(hidden // heads, 1))
    one = GroupedQuery(
        hidden, heads, kv_heads, size, qkv_bias=bias or fields.flag("add_qkv_bias"), out_bias=bias, rotary=size // 2,
        names=family.names,
    )  # fmt: skip
    return (one,) * layers


def _chatglm_mlps(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    block = GatedMlp(
        hidden,
        fields.size("ffn_hidden_size"),
        bias=fields.flag("add_bias_linear"),
        fused="dense_h_to_4h",
        down="dense_4h_to_h",
    )
    return (block,) * layers


def _chatglm(fields: Fields, decoder: Decoder) -> Decoder:
    """RMS norms, or layer norms where `rmsnorm` is off; no final norm where `post_layer_norm` is off."""
    only("pre_seq_len", be=0)(fields)
    norms = replace(
        decoder.norms,
        kind="rms_norm" if fields.flag("rmsnorm") else "layer_norm",
        final="final_layernorm" if fields.flag("post_layer_norm") else "",
    )
    return replace(decoder, norms=norms, head="output_layer")


FAMILIES: Final = (
    Family(
        ("chatglm",),
        DecoderReader(
            "ChatGLM",
            {
                "tie_word_embeddings": False,
                "add_bias_linear": False,
                "add_qkv_bias": False,
                "multi_query_attention": False,
                "rmsnorm": True,
                "post_layer_norm": True,
            },
            names=Names("self_attention", "dense", "query_key_value"),
            norms=NormScheme(final="final_layernorm"),
            mixers=_chatglm_mixers,
            mlps=_chatglm_mlps,
            embedding="word_embeddings",
            aliases={
                "num_hidden_layers": ("num_layers",),
                "vocab_size": ("padded_vocab_size",),
                "max_position_embeddings": ("seq_length",),
            },
            finish=_chatglm,
        ),
    ),
)
