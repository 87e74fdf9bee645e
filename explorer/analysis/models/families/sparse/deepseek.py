"""DeepSeek-V2 to V3.2: latent attention, later to the tokens that an indexer chose; experts behind dense layers."""

from collections.abc import Mapping
from typing import Final

from explorer.analysis.models.blocks.indexed import IndexedLatent, Indexer
from explorer.analysis.models.blocks.mla import Latent
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.config.feedforward import silu
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.config.layer_lists import kinds_of
from explorer.analysis.models.config.sparse import deepseek_experts
from explorer.analysis.models.families.decoder import BIASED, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.transformer import Half, Mixer
from explorer.analysis.problem import Value

SPARSE = ("dense", "sparse")


def latent(_family: "DecoderReader", fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Multi-head latent attention, alike in every layer."""
    fields.note("model.latent_attention")
    one = Latent(
        hidden=hidden,
        heads=fields.size("num_attention_heads"),
        rank=fields.size("kv_lora_rank"),
        rope=fields.size("qk_rope_head_dim"),
        nope=fields.size("qk_nope_head_dim"),
        v_size=fields.size("v_head_dim"),
        q_rank=fields.optional_size("q_lora_rank"),
        bias=fields.flag("attention_bias"),
    )
    return (one,) * layers


def indexed(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Latent attention to the tokens an indexer chose; `indexer_types` says whose index a layer uses."""
    made = latent(family, fields, hidden, layers)
    topk = fields.size("index_topk")
    heads, size = fields.size("index_n_heads"), fields.size("index_head_dim")
    own = _own_index(fields, layers)
    one = made[0]
    if not isinstance(one, Latent) or one.q_rank is None:
        fields.check(False, "model.missing", "q_lora_rank")  # noqa: FBT003
        return made
    fields.check(own[0], "model.index_missing", "indexer_types")
    fields.note("model.sparse_attention", tokens=topk)
    indexer = Indexer(hidden, one.q_rank, heads, size, topk, min(one.rope, size))
    return tuple(IndexedLatent(one, topk, indexer if has else None) for has in own)


def _own_index(fields: Fields, layers: int) -> tuple[bool, ...]:
    """Which layers have an indexer: all, or as `indexer_types`, a pattern of F and S, or a period says."""
    stated = kinds_of(fields, "indexer_types", layers, ("full", "shared"))
    if stated is not None:
        return tuple(kind == "full" for kind in stated)
    if fields.has("index_topk_pattern"):
        pattern = fields.text("index_topk_pattern")
        sound = len(pattern) == layers and set(pattern) <= {"F", "S"}
        fields.check(sound, "model.pattern_unread", "index_topk_pattern", value=brief(pattern))
        return tuple(letter == "F" for letter in pattern) if sound else (True,) * layers
    period = max(fields.natural("index_topk_freq", otherwise=1), 1) if fields.has("index_topk_freq") else 1
    offset = fields.natural("index_skip_topk_offset", otherwise=2) if fields.has("index_skip_topk_offset") else 2
    return tuple(max(i - offset + 1, 0) % period == 0 for i in range(layers))


def experts_from(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Experts from layer `first_k_dense_replace` on; what else configs say (biases, a period), the library ignores."""
    return deepseek_experts(fields.restated(mlp_bias=False, moe_layer_freq=1), hidden, layers)


def typed_experts(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Experts where `mlp_layer_types` says sparse, else as `first_k_dense_replace` says."""
    kinds = kinds_of(fields, "mlp_layer_types", layers, SPARSE)
    if kinds is None:
        return experts_from(fields, hidden, layers)
    experts = experts_from(fields.restated(first_k_dense_replace=0), hidden, 1)[0]
    plain = GatedMlp(hidden, fields.size("intermediate_size"), silu(fields))
    return tuple(experts if kind == "sparse" else plain for kind in kinds)


def _second(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """DeepSeek-V2's dense blocks and shared experts may have biases."""
    return deepseek_experts(fields.restated(moe_layer_freq=1), hidden, layers, also="num_experts")


DEEPSEEK: Mapping[str, Value | None] = {**BIASED, "first_k_dense_replace": 3}
DEEPSEEK_V3 = DecoderReader("DeepSeek-V3", BIASED, mixers=latent, mlps=experts_from)

FAMILIES: Final = (
    Family(
        ("deepseek_v2",),
        DecoderReader("DeepSeek-V2", {**BIASED, "mlp_bias": False}, mixers=latent, mlps=_second),
    ),
    Family(("deepseek_v3",), DEEPSEEK_V3),
    Family(("deepseek_v32",), DecoderReader("DeepSeek-V3.2", DEEPSEEK, mixers=indexed, mlps=typed_experts)),
)
