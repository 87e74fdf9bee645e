"""Decoders of the first years, one entry each: GPT and GPT-Neo, CodeGen, CTRL, Persimmon, XGLM, BioGPT, TrOCR."""

from collections.abc import Mapping
from typing import Any, Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.mlp import PlainMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import ACTIVATIONS, DENSE, FC, PlainNames, activation, plain
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.config.windows import Windows
from explorer.analysis.models.families.classic.gpt2 import GPT2
from explorer.analysis.models.families.classic.gptj import GPTJ
from explorer.analysis.models.families.decoder import DecoderReader, grouped_query
from explorer.analysis.models.families.dense.phi import qk_layernorm
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import attention, only, rotary_part, rotary_share, shaped
from explorer.analysis.models.parts import Tensor
from explorer.analysis.models.transformer import Decoder, Half, Mixer

ALTERNATES: Final = ("global", "local")
BEFORE: Final = NormScheme("self_attn_layer_norm", "", "final_layer_norm", "", "layer_norm", "layer_norm")
BEHIND: Final = NormScheme("", "self_attn_layer_norm", "", "final_layer_norm", "", "layer_norm", on_sum=True)
OF_FAIRSEQ: Final[Mapping[str, Any]] = {
    "qkv_bias": "always", "out_bias": "always", "multi_head": True, "rotary": "none", "names": Names(out="out_proj"),
}  # fmt: skip
IN_LAYER: Final = replace(FC, parent="")


def _alternating(fields: Fields, layers: int) -> Windows:
    """GPT-Neo: `attention_types` lists patterns of global and local layers and how often each stands."""
    stated = fields.config.get("attention_types")
    kinds = [kind for item in stated for kind in _repeated(item)] if isinstance(stated, list) else []
    if stated is None:
        kinds = [ALTERNATES[i % 2] for i in range(24)]
        fields.assumed[f"{fields.path}attention_types"] = "global, local, 12 times"
    sound = all(kind in ALTERNATES for kind in kinds) and len(kinds) == layers
    fields.check(sound, "model.layer_types_count", "attention_types", count=len(kinds), layers=layers)
    window = fields.size("window_size")
    return tuple(window if kind == ALTERNATES[1] else None for kind in kinds) if sound else (None,) * layers


def _repeated(item: object) -> list[object]:
    """One pattern of `attention_types` as often as it stands, up to a length that no model has."""
    if isinstance(item, list) and len(item) == 2 and isinstance(item[0], list) and isinstance(item[1], int):
        return item[0] * min(max(item[1], 0), 2000)
    return [brief(item)]


def _biased_at_last(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Only the last layer's output has a bias."""
    made = grouped_query(family, fields, hidden, layers)
    last = made[-1]
    return (*made[:-1], replace(last, out_bias=True) if isinstance(last, GroupedQuery) else last)


def _multiple(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    inner = hidden * fields.size("intermediate_multiple_size", limit=1000)
    act = activation(fields, "hidden_act", known=ACTIVATIONS)
    return (PlainMlp(hidden, inner, act, False, DENSE.inward, DENSE.act, DENSE.outward),) * layers  # noqa: FBT003


def _scaled(fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, scaled_embedding=fields.flag("scale_embedding"))


def _xglm(fields: Fields, decoder: Decoder) -> Decoder:
    only("add_cross_attention", be=False)(fields)
    return _scaled(fields, decoder)


def _biogpt(fields: Fields, decoder: Decoder) -> Decoder:
    table = {"position_table": "embed_positions", "spare_positions": 2}
    return replace(_scaled(fields, decoder), head="output_projection", **table)


def _trocr(fields: Fields, decoder: Decoder) -> Decoder:
    """Learnt positions or a table that is worked out; cross-attention to an encoder that this config does not name."""
    fields.note("model.cross_attention_idle")
    hidden, count = decoder.hidden, len(decoder.mixers)
    read = fields.size("cross_attention_hidden_size", otherwise=hidden)
    each = 2 * (hidden * hidden + hidden) + 2 * (read * hidden + hidden) + 2 * hidden
    learnt = fields.flag("use_learned_position_embeddings")
    return replace(
        _biogpt(fields, decoder),
        positions=decoder.positions if learnt else 0,
        embedding_norm="layernorm_embedding" if fields.flag("layernorm_embedding") else "",
        extra=(Tensor("encoder_attn", each, "attention", count=count, active=count),),
    )


def _openai(fields: Fields, decoder: Decoder) -> Decoder:
    fields.note("model.no_cache_kept")
    return replace(decoder, position_table="positions_embed")


GPT_NEO = DecoderReader(
    "GPT-Neo",
    {"tie_word_embeddings": True, "activation_function": "gelu_new", "window_size": 256},
    out_bias="always",
    multi_head=True,
    rotary="none",
    names=Names("attn.attention", "out_proj"),
    norms=NormScheme("ln_1", "", "ln_2", "", "ln_f", "layer_norm"),
    windows=_alternating,
    mixers=attention(kept_whole=True),
    mlps=plain(("intermediate_size",), "activation_function"),
    embedding="wte",
    learned_positions=True,
    aliases={
        "num_hidden_layers": ("num_layers", "num_hidden_layers"),
        "num_attention_heads": ("num_heads", "num_attention_heads"),
    },
)
CODEGEN = replace(GPTJ, label="CodeGen", names=Names("attn", "out_proj", "qkv_proj"))
CTRL = DecoderReader(
    "CTRL",
    {"tie_word_embeddings": True},
    qkv_bias="always",
    out_bias="always",
    multi_head=True,
    rotary="none",
    names=Names("multi_head_attention", "dense", q="Wq", k="Wk", v="Wv"),
    norms=NormScheme("layernorm1", "", "layernorm2", "", "layernorm", "layer_norm"),
    mlps=plain(("dff",), "", names=PlainNames("ffn.0", "ffn.1", "ffn.2", ""), derived=False, act="relu"),
    embedding="w",
    scaled_embedding=True,
    aliases=GPT2.aliases,
    finish=shaped(head_bias=True),
)
NEOX_JAPANESE = DecoderReader(
    "GPT-NeoX Japanese",
    {"tie_word_embeddings": True, "hidden_act": "gelu", "intermediate_multiple_size": 4},
    multi_head=True,
    rotary=rotary_share(1.0, "rotary_pct"),
    names=Names("attention", "dense", "query_key_value"),
    norms=NormScheme("input_layernorm", "", "post_attention_layernorm", "", "final_layer_norm", "layer_norm"),
    mixers=_biased_at_last,
    mlps=_multiple,
    embedding="embed_in",
    finish=shaped(head="embed_out"),
)
PERSIMMON = DecoderReader(
    "Persimmon",
    {"tie_word_embeddings": False, "hidden_act": "relu2", "qk_layernorm": True},
    qkv_bias="always",
    out_bias="always",
    multi_head=True,
    rotary=rotary_part(otherwise=0.5),
    names=Names("self_attn", "dense", "query_key_value", q_norm="q_layernorm", k_norm="k_layernorm"),
    norms=NormScheme(final="final_layernorm", kind="layer_norm"),
    mixers=qk_layernorm,
    mlps=plain(("intermediate_size",), "hidden_act", names=DENSE, derived=False),
)
XGLM = DecoderReader(
    "XGLM",
    {"tie_word_embeddings": True, "activation_function": "gelu", "scale_embedding": True},
    norms=BEFORE,
    mlps=plain(("ffn_dim",), "activation_function", names=IN_LAYER, derived=False),
    aliases={
        "hidden_size": ("d_model", "hidden_size"),
        "num_hidden_layers": ("num_layers", "num_hidden_layers"),
        "num_attention_heads": ("attention_heads", "num_attention_heads"),
    },
    finish=_xglm,
    **OF_FAIRSEQ,
)
BIOGPT = DecoderReader(
    "BioGPT",
    {"tie_word_embeddings": True, "hidden_act": "gelu", "scale_embedding": True},
    norms=BEFORE,
    mlps=plain(("intermediate_size",), "hidden_act", names=IN_LAYER, derived=False),
    learned_positions=True,
    finish=_biogpt,
    **OF_FAIRSEQ,
)
TROCR = DecoderReader(
    "TrOCR decoder",
    {
        "tie_word_embeddings": True, "activation_function": "gelu", "scale_embedding": False,
        "use_learned_position_embeddings": True, "layernorm_embedding": True,
    },
    norms=BEHIND,
    mlps=plain(("decoder_ffn_dim",), "activation_function", names=IN_LAYER, derived=False),
    learned_positions=True,
    aliases={
        "hidden_size": ("d_model", "hidden_size"),
        "num_hidden_layers": ("decoder_layers", "num_hidden_layers"),
        "num_attention_heads": ("decoder_attention_heads", "num_attention_heads"),
    },
    finish=_trocr,
    **OF_FAIRSEQ,
)  # fmt: skip
OPENAI_GPT = replace(
    GPT2,
    label="GPT",
    defaults={"tie_word_embeddings": True, "afn": "gelu"},
    norms=NormScheme("", "ln_1", "", "ln_2", "", "layer_norm", on_sum=True),
    mlps=plain((), "afn"),
    embedding="tokens_embed",
    finish=_openai,
)

FAMILIES: Final = (
    Family(("gpt_neo",), GPT_NEO),
    Family(("codegen",), CODEGEN),
    Family(("ctrl",), CTRL),
    Family(("gpt_neox_japanese",), NEOX_JAPANESE),
    Family(("persimmon",), PERSIMMON),
    Family(("xglm",), XGLM),
    Family(("biogpt",), BIOGPT),
    Family(("trocr",), TROCR),
    Family(("openai-gpt",), OPENAI_GPT),
)
