"""Plain decoders with experts, one entry each: which of their fields says what, and where the experts are."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.mixture import WithSharedExpert
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.blocks.norms import POST, NormScheme
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.config.layer_lists import kinds_of
from explorer.analysis.models.config.sparse import Mixture, sparse_from
from explorer.analysis.models.config.windows import beyond, every, everywhere
from explorer.analysis.models.families.decoder import BASE, BIASED, DecoderReader, as_is
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import (
    attention,
    multiplied,
    rotary_part,
    square,
    windowed,
    windowed_if_any,
)
from explorer.analysis.models.transformer import Decoder, Half

NORMS_OF_AFMOE: Final = NormScheme(
    "input_layernorm", "post_attention_layernorm", "pre_mlp_layernorm", "post_mlp_layernorm"
)
FIRST_DENSE: Final = sparse_from("first_k_dense_replace")
GRANITE_EXPERTS: Final = Mixture(
    ("num_local_experts",),
    inner="intermediate_size",
    block={"parent": "block_sparse_moe", "router": "router", "fused": True},
)


def _granite_shared(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Granite's experts, beside one of `shared_intermediate_size` values that always works, unless that is 0."""
    inner = fields.natural("shared_intermediate_size")
    found = GRANITE_EXPERTS(fields, hidden, layers)
    if not inner:
        return found
    return tuple(
        WithSharedExpert(half, inner, parent=half.parent, name="shared_mlp", fused="input_linear", down="output_linear")
        for half in found
        if isinstance(half, Experts)
    )


def _hunyuan_experts(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Experts and a shared one of the same size; experts used per token may be listed layer by layer, all alike."""
    listed = fields.config.get("moe_topk")
    if isinstance(listed, list) and listed:
        if any(item != listed[0] for item in listed) or len(listed) < layers:
            fields.fault("model.variant_unread", "moe_topk", value=brief(listed), known=brief(listed[0]))
        fields = fields.restated(moe_topk=listed[0])
    rule = Mixture(("num_experts",), ("moe_topk",), "intermediate_size", block={"router": "gate.wg"})
    found = rule(fields, hidden, layers)
    return tuple(WithSharedExpert(half, half.inner, name="shared_mlp") for half in found if isinstance(half, Experts))


def _between(fields: Fields, layers: int) -> tuple[bool, ...]:
    """Every `moe_layer_interval`-th layer from `moe_layer_start_index` to `moe_layer_end_index` (-1: the last)."""
    stated = fields.config.get("moe_layer_end_index")
    end = layers - 1 if stated in (None, -1) else fields.natural("moe_layer_end_index")
    start, period = fields.natural("moe_layer_start_index"), fields.size("moe_layer_interval")
    return tuple((i + 1) % period == 0 and start <= i <= end for i in range(layers))


def _by_type(fields: Fields, layers: int) -> tuple[bool, ...]:
    """Sparse where `mlp_layer_types` says so, else from `first_k_dense_replace` on."""
    kinds = kinds_of(fields, "mlp_layer_types", layers, ("dense", "sparse"))
    return FIRST_DENSE(fields, layers) if kinds is None else tuple(kind == "sparse" for kind in kinds)


def _headed(fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, head_bias=fields.flag("lm_head_bias"))


def _ernie(fields: Fields, decoder: Decoder) -> Decoder:
    """Its biases are the head's too."""
    return replace(decoder, head_bias=fields.flag("use_bias"))


def _afmoe(fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, scaled_embedding=fields.flag("mup_enabled"))


OLMOE = DecoderReader(
    "OLMoE",
    BIASED,
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    qk_norm="width",
    mlps=Mixture(inner="intermediate_size"),
    finish=square,
)
FLEX_OLMO = replace(OLMOE, finish=as_is, label="FlexOlmo", norms=POST)
ERNIE_MOE = DecoderReader(
    "ERNIE 4.5 MoE",
    {
        **BASE, "tie_word_embeddings": True, "use_bias": False, "num_key_value_heads": 4, "moe_num_shared_experts": 2,
        "moe_layer_start_index": 1, "moe_layer_interval": 1,
    },
    qkv_bias="use_bias",
    out_bias="use_bias",
    mlps=Mixture(
        ("moe_num_experts", "num_experts"),
        ("moe_k", "num_experts_per_tok"),
        shared="moe_num_shared_experts",
        sparse=_between,
        bias="use_bias",
        block={"correction": True, "correction_name": "moe_statics.e_score_correction_bias"},
    ),
    finish=_ernie,
)  # fmt: skip
GRANITE_MOE = DecoderReader(
    "Granite MoE",
    BIASED,
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    mlps=GRANITE_EXPERTS,
    finish=multiplied,
)
PHIMOE = DecoderReader(
    "Phi-3.5 MoE",
    {**BIASED, "num_key_value_heads": 8, "sliding_window": None, "lm_head_bias": False},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    norms=NormScheme(kind="layer_norm"),
    windows=everywhere,
    mlps=Mixture(("num_local_experts",), inner="intermediate_size", block={"router": "router"}),
    finish=_headed,
)
HUNYUAN_MOE = DecoderReader(
    "Hunyuan MoE",
    BIASED,
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    qk_norm="head",
    names=Names(q_norm="query_layernorm", k_norm="key_layernorm"),
    mlps=_hunyuan_experts,
)
DOTS1 = DecoderReader(
    "dots.llm1",
    {**BIASED, "first_k_dense_replace": 0, "sliding_window": 4096, "max_window_layers": 62, "num_key_value_heads": 32},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    qk_norm="head",
    windows=beyond,
    mlps=Mixture(("n_routed_experts", "num_local_experts"), shared="n_shared_experts", sparse=FIRST_DENSE),
)
SOLAR_OPEN = DecoderReader(
    "Solar Open",
    {**BIASED, "head_dim": 128, "num_key_value_heads": 8, "n_shared_experts": 1},
    qkv_bias="attention_bias",
    rotary=rotary_part(otherwise=1.0),
    mlps=Mixture(("n_routed_experts", "num_local_experts"), shared="n_shared_experts"),
)
EXAONE_MOE = DecoderReader(
    "EXAONE MoE",
    {**BASE, "num_key_value_heads": 32, "sliding_window": 4096, "first_k_dense_replace": 1, "num_shared_experts": 1},
    qk_norm="head",
    windows=every(4, stated=True),
    mixers=attention(turned=windowed_if_any),
    mlps=Mixture(("num_experts",), shared="num_shared_experts", sparse=_by_type),
)
AFMOE = DecoderReader(
    "AFMoE",
    {
        **BIASED, "head_dim": 128, "sliding_window": 1024, "num_dense_layers": 1, "num_shared_experts": 2,
        "mup_enabled": False,
    },
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    qk_norm="head",
    norms=NORMS_OF_AFMOE,
    windows=every(4, field="global_attn_every_n_layers"),
    mixers=attention(turned=windowed, gate="gate_proj"),
    mlps=Mixture(
        ("num_experts",),
        shared="num_shared_experts",
        sparse=sparse_from("num_dense_layers"),
        block={"router": "router.gate", "correction": True, "correction_name": "expert_bias"},
    ),
    finish=_afmoe,
)  # fmt: skip

FAMILIES: Final = (
    Family(("olmoe",), OLMOE),
    Family(("flex_olmo",), FLEX_OLMO),
    Family(("ernie4_5_moe",), ERNIE_MOE),
    Family(("granitemoe",), GRANITE_MOE),
    Family(
        ("granitemoeshared",),
        replace(
            GRANITE_MOE,
            label="Granite MoE with a shared expert",
            defaults={**BIASED, "shared_intermediate_size": 0},
            mlps=_granite_shared,
        ),
    ),
    Family(("phimoe",), PHIMOE),
    Family(("hunyuan_v1_moe",), HUNYUAN_MOE),
    Family(("dots1",), DOTS1),
    Family(("solar_open",), SOLAR_OPEN),
    Family(("exaone_moe",), EXAONE_MOE),
    Family(("afmoe",), AFMOE),
)
