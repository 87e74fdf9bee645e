"""MiMo-V2-Flash: keys wider than values, sliding layers with heads of their own."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.asymmetric import Asymmetric
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.config.feedforward import silu
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.config.layer_lists import kinds_of, switches_of
from explorer.analysis.models.config.sparse import routed_of
from explorer.analysis.models.families.decoder import BIASED, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.sparse.deepseek import SPARSE
from explorer.analysis.models.transformer import Half, Mixer


def _mimo_mixers(_family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Keys wider than values; sliding layers have their own number of KV heads, and sinks."""
    heads, kv_heads = fields.size("num_attention_heads"), fields.size("num_key_value_heads")
    sliding_kv = fields.size("swa_num_key_value_heads", otherwise=2 * kv_heads)
    qk_size, v_size = fields.size("head_dim"), fields.size("v_head_dim")
    window = _mimo_window(fields)
    for name, same in (("swa_num_attention_heads", heads), ("swa_head_dim", qk_size), ("swa_v_head_dim", v_size)):
        if fields.has(name):
            fields.check(fields.size(name) == same, "model.sliding_size_differs", name, value=fields.size(name))
    fields.check(heads % kv_heads == 0, "model.heads_not_divisible", "num_attention_heads", heads=heads, kv=kv_heads)
    sinks = fields.flag("add_full_attention_sink_bias"), fields.flag("add_swa_attention_sink_bias")
    rotated = int(qk_size * fields.fraction("partial_rotary_factor", otherwise=0.334))
    everything = Asymmetric(
        hidden, heads, kv_heads, qk_size, v_size, rotated, bias=fields.flag("attention_bias"), sinks=sinks[0]
    )
    near = replace(everything, kv_heads=sliding_kv, window=window, sinks=sinks[1])
    return tuple(near if slides else everything for slides in _mimo_pattern(fields, layers))


def _mimo_window(fields: Fields) -> int:
    """A `sliding_window_size` counts the tokens before the query, which itself is seen too; it comes first."""
    if fields.has("sliding_window_size"):
        return fields.size("sliding_window_size") + 1
    return fields.size("sliding_window")


def _mimo_pattern(fields: Fields, layers: int) -> tuple[bool, ...]:
    kinds = kinds_of(fields, "layer_types", layers, ("full_attention", "sliding_attention"))
    if kinds is not None:
        return tuple(kind == "sliding_attention" for kind in kinds)
    stated = switches_of(fields, "hybrid_layer_pattern", layers)
    return stated or tuple(i != 0 and (i + 1) % 6 != 0 for i in range(layers))


def _mimo_mlps(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    kinds = kinds_of(fields, "mlp_layer_types", layers, SPARSE)
    stated = switches_of(fields, "moe_layer_freq", layers) if kinds is None else None
    if kinds is not None:
        sparse = tuple(kind == "sparse" for kind in kinds)
    else:
        sparse = stated or tuple(i > 0 for i in range(layers))
    routed = routed_of(fields, "n_routed_experts", "num_local_experts")
    if fields.has("n_shared_experts") and fields.natural("n_shared_experts"):
        fields.fault("model.not_of_this_family", "n_shared_experts", value=brief(fields.config["n_shared_experts"]))
    experts = Experts(
        hidden, fields.size("moe_intermediate_size"), routed.experts, routed.top_k, activation=silu(fields)
    )
    plain = GatedMlp(hidden, fields.size("intermediate_size"), silu(fields))
    return tuple(experts if one else plain for one in sparse)


FAMILIES: Final = (
    Family(
        ("mimo_v2_flash",),
        DecoderReader(
            "MiMo-V2-Flash",
            {
                **BIASED,
                "head_dim": 192,
                "v_head_dim": 128,
                "sliding_window": 129,
                "add_swa_attention_sink_bias": True,
                "add_full_attention_sink_bias": False,
            },
            mixers=_mimo_mixers,
            mlps=_mimo_mlps,
        ),
    ),
)
