"""Decoders whose flags change their very layers: OPT, Falcon, ChatGLM, InternLM2."""

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import DENSE, FC, plain
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.vision import phi3_tower
from explorer.analysis.models.config.windows import full
from explorer.analysis.models.families.classic import only
from explorer.analysis.models.families.decoders import BASE, FAMILIES, Family, grouped_query
from explorer.analysis.models.transformer import Decoder, Half, Mixer

OPT_PRE = NormScheme("self_attn_layer_norm", "", "final_layer_norm", "", "decoder.final_layer_norm", "layer_norm")
OPT_POST = NormScheme("", "self_attn_layer_norm", "", "final_layer_norm", "", "layer_norm", on_sum=True)
SEPARATE = 2
TWO_NORMS = NormScheme("ln_attn", "", "ln_mlp", "", "ln_f", "layer_norm")
ONE_NORM = NormScheme("input_layernorm", "", "", "", "ln_f", "layer_norm")
IN_TURN = NormScheme("input_layernorm", "", "post_attention_layernorm", "", "ln_f", "layer_norm")


def _opt(fields: Fields, decoder: Decoder) -> Decoder:
    """Norms before or after each half, with or without weights; a table narrower than the stream; 2 spare positions."""
    before = fields.flag("do_layer_norm_before")
    norms = OPT_PRE if before else OPT_POST
    if fields.flag("_remove_final_layer_norm"):
        norms = replace(norms, final="")
    width = fields.size("word_embed_proj_dim", otherwise=decoder.hidden)
    return replace(
        decoder,
        norms=replace(norms, weights=2 if fields.flag("layer_norm_elementwise_affine") else 0),
        embedding_width=width,
        position_table="embed_positions",
        spare_positions=2,
    )


def _falcon_mixers(family: Family, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """KV heads: those stated in the new architecture, else one where `multi_query` says so, else one per head."""
    new = fields.flag("new_decoder_architecture")
    single = not new and fields.flag("multi_query")
    alibi = fields.flag("alibi")
    found = grouped_query(replace(family, multi_head=not new), fields, hidden, layers)
    return tuple(
        replace(m, kv_heads=1 if single else m.kv_heads, rotary=0 if alibi else m.rotary)
        if isinstance(m, GroupedQuery)
        else m
        for m in found
    )


def _falcon(fields: Fields, decoder: Decoder) -> Decoder:
    """Two norms, one or norms in turn, by architecture and `parallel_attn`."""
    if fields.flag("new_decoder_architecture"):
        only("parallel_attn", be=True)(fields)
        separate = fields.natural("num_ln_in_parallel_attn", otherwise=2)
        return replace(decoder, parallel=True, norms=TWO_NORMS if separate == SEPARATE else ONE_NORM)
    if not fields.flag("parallel_attn"):
        return replace(decoder, norms=IN_TURN)
    only("num_ln_in_parallel_attn", be=1)(fields)
    return replace(decoder, parallel=True, norms=ONE_NORM)


def _chatglm_mixers(family: Family, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
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


def _with_images(fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, extra=phi3_tower(fields, decoder.hidden))


def _internlm2(_fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, head="output")


def _internlm2_mlps(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    only("hidden_act", be="silu")(fields)
    block = GatedMlp(hidden, fields.size("intermediate_size"), gate="w1", up="w3", down="w2", parent="feed_forward")
    return (block,) * layers


FALCON = Family(
    "Falcon",
    {
        "tie_word_embeddings": True,
        "new_decoder_architecture": False,
        "multi_query": True,
        "parallel_attn": True,
        "alibi": False,
        "bias": False,
        "activation": "gelu",
    },
    qkv_bias="bias",
    out_bias="bias",
    names=Names("self_attention", "dense", "query_key_value"),
    mixers=_falcon_mixers,
    mlps=plain(("ffn_hidden_size",), "activation", names=DENSE, bias="bias"),
    embedding="word_embeddings",
    aliases={
        "hidden_size": ("hidden_size", "n_embed"),
        "num_hidden_layers": ("num_hidden_layers", "n_layer"),
        "num_attention_heads": ("num_attention_heads", "n_head"),
        "num_key_value_heads": ("num_kv_heads", "n_head_kv"),
    },
    finish=_falcon,
)

VARIANTS: dict[str, Family] = {
    "opt": Family(
        "OPT",
        {
            "tie_word_embeddings": True,
            "activation_function": "relu",
            "enable_bias": True,
            "do_layer_norm_before": True,
            "layer_norm_elementwise_affine": True,
            "_remove_final_layer_norm": False,
        },
        qkv_bias="enable_bias",
        out_bias="enable_bias",
        multi_head=True,
        rotary="none",
        names=Names(out="out_proj"),
        windows=full,
        mlps=plain(
            ("ffn_dim",), "activation_function", names=replace(FC, parent=""), bias="enable_bias", derived=False
        ),
        learned_positions=True,
        finish=_opt,
    ),
    "falcon": FALCON,
    "RefinedWeb": replace(FALCON, defaults={**FALCON.defaults, "new_decoder_architecture": True}),
    "RefinedWebModel": FALCON,
    "chatglm": Family(
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
    "phi3_v": replace(FAMILIES["phi3"], label="Phi-3 vision", finish=_with_images),
    "internlm2": Family(
        "InternLM2",
        {**BASE, "bias": True},
        qkv_bias="bias",
        out_bias="bias",
        names=Names("attention", "wo", "wqkv"),
        norms=NormScheme("attention_norm", "", "ffn_norm"),
        mlps=_internlm2_mlps,
        embedding="tok_embeddings",
        finish=_internlm2,
    ),
}
