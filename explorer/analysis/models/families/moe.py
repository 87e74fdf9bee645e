"""Families of mixtures of experts as a table, each by how it differs from the plainest decoder.

Field names, class defaults and module structure: the transformers library, version 5.24; MiniCPM: its own code.
"""

from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.asymmetric import Asymmetric
from explorer.analysis.models.blocks.attention import GroupedQuery
from explorer.analysis.models.blocks.chunked import Chunked
from explorer.analysis.models.blocks.indexed import IndexedLatent, Indexer
from explorer.analysis.models.blocks.mixture import WithSharedExpert, within
from explorer.analysis.models.blocks.mla import Latent
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.config.drafts import note_drafts
from explorer.analysis.models.config.feedforward import dense, silu
from explorer.analysis.models.config.fields import Fields, shown
from explorer.analysis.models.config.layer_lists import kinds_of, switches_of
from explorer.analysis.models.config.sparse import deepseek_experts, mixtral_experts, qwen_experts, routed_of
from explorer.analysis.models.config.windows import Windows, by_type, full
from explorer.analysis.models.families.decoders import BASE, BIASED, QWEN, Family, grouped_query, latent
from explorer.analysis.models.parts import Cache, Op, elementwise
from explorer.analysis.models.transformer import Decoder, Half, Mixer
from explorer.analysis.problem import Value

SPARSE = ("dense", "sparse")


def qwen_with_shared(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Qwen's experts, each mixture with a gated shared expert."""
    inner = fields.size("shared_expert_intermediate_size")
    return tuple(
        WithSharedExpert(half, inner, gated=True) if isinstance(half, Experts) else half
        for half in qwen_experts(fields, hidden, layers)
    )


def _qwen2_windows(fields: Fields, layers: int) -> Windows:
    """Off unless `use_sliding_window`; `layer_types`, else every other layer below `max_window_layers`."""
    if not fields.flag("use_sliding_window"):
        return full(fields, layers)
    window = fields.optional_size("sliding_window")
    if window is None or fields.has("layer_types"):
        return by_type(fields, layers, window)
    last = fields.natural("max_window_layers")
    return tuple(window if i < last and (i + 1) % 2 else None for i in range(layers))


def _normed_where_said(family: Family, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Queries and keys are normed where `use_qk_norm` says so."""
    return grouped_query(replace(family, qk_norm="head" if fields.flag("use_qk_norm") else ""), fields, hidden, layers)


def indexed(family: Family, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
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
        fields.check(sound, "model.pattern_unread", "index_topk_pattern", value=shown(pattern))
        return tuple(letter == "F" for letter in pattern) if sound else (True,) * layers
    period = max(fields.natural("index_topk_freq", otherwise=1), 1) if fields.has("index_topk_freq") else 1
    offset = fields.natural("index_skip_topk_offset", otherwise=2) if fields.has("index_skip_topk_offset") else 2
    return tuple(max(i - offset + 1, 0) % period == 0 for i in range(layers))


def typed_experts(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """DeepSeek's experts where `mlp_layer_types` says sparse, else as `first_k_dense_replace` says."""
    kinds = kinds_of(fields, "mlp_layer_types", layers, SPARSE)
    if kinds is None:
        return deepseek_experts(fields, hidden, layers)
    first = Fields({**fields.config, "first_k_dense_replace": 0, "moe_layer_freq": 1}, fields.path, fields.defaults)
    first.problems, first.notes, first.assumed = fields.problems, fields.notes, fields.assumed
    experts = deepseek_experts(first, hidden, 1)[0]
    plain = GatedMlp(hidden, fields.size("intermediate_size"), silu(fields))
    return tuple(experts if kind == "sparse" else plain for kind in kinds)


def _mimo_mixers(_family: Family, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Keys wider than values; sliding layers have their own number of KV heads, and sinks."""
    heads, kv_heads = fields.size("num_attention_heads"), fields.size("num_key_value_heads")
    sliding_kv = fields.size("swa_num_key_value_heads", otherwise=2 * kv_heads)
    qk_size, v_size = fields.size("head_dim"), fields.size("v_head_dim")
    window = fields.size("sliding_window", "sliding_window_size")
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
        fields.fault("model.not_of_this_family", "n_shared_experts", value=shown(fields.config["n_shared_experts"]))
    experts = Experts(
        hidden, fields.size("moe_intermediate_size"), routed.experts, routed.top_k, activation=silu(fields)
    )
    plain = GatedMlp(hidden, fields.size("intermediate_size"), silu(fields))
    return tuple(experts if one else plain for one in sparse)


def _llama4_mixers(family: Family, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Layers with positions see their chunk; every fourth, without positions, sees everything."""
    made = grouped_query(family, fields, hidden, layers)
    chunk = fields.optional_size("attention_chunk_size")
    normed = fields.flag("use_qk_norm")
    every = fields.size("no_rope_layer_interval")
    rotated = switches_of(fields, "no_rope_layers", layers) if fields.config.get("no_rope_layers") else None
    rotated = rotated or tuple((i + 1) % every != 0 for i in range(layers))
    kinds = kinds_of(fields, "layer_types", layers, ("chunked_attention", "full_attention"))
    chunks = tuple(k == "chunked_attention" for k in kinds) if kinds else rotated
    fields.check(kinds is None or chunk is not None or not any(chunks), "model.window_missing", "attention_chunk_size")
    return tuple(
        Chunked(replace(one, rotary=one.rotary if turns else 0), chunk if cut else None, normed=normed and turns)
        if isinstance(one, GroupedQuery)
        else one
        for one, turns, cut in zip(made, rotated, chunks, strict=True)
    )


def _llama4_mlps(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """Mixtures with a shared expert in `moe_layers` or every `interleave_moe_layer_step`-th layer; dense ones wider."""
    routed = routed_of(fields, "num_local_experts")
    inner, step = fields.size("intermediate_size"), fields.size("interleave_moe_layer_step")
    stated = fields.items("moe_layers", lambda item: isinstance(item, int))
    sparse = set(range(step - 1, layers, step)) if stated is None else set(stated)
    experts = Experts(hidden, inner, routed.experts, routed.top_k, activation=silu(fields), router="router", fused=True)
    mixture = WithSharedExpert(experts, inner, parent="feed_forward")
    if all(i in sparse for i in range(layers)):
        return (mixture,) * layers
    plain = Named(GatedMlp(hidden, fields.size("intermediate_size_mlp"), silu(fields)), "feed_forward")
    return tuple(mixture if i in sparse else plain for i in range(layers))


class Named(msgspec.Struct, frozen=True):
    """A half in a module of another name."""

    inner: Half
    parent: str

    @property
    def code(self) -> str:
        return self.inner.code

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        return within(self.inner.ops(mixed=mixed), self.parent)


def _llama4(_fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, parents=("self_attn", "feed_forward"))


class ScaledMixer(msgspec.Struct, frozen=True):
    """Attention whose output is scaled before it is added."""

    inner: Mixer
    hidden: int

    @property
    def code(self) -> str:
        return self.inner.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        return self.inner.caches

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        scale = elementwise("residual_scale", "scale", self.hidden, "residual", parent="self_attn")
        return (*self.inner.ops(mixed=mixed), scale)


class ScaledMlp(msgspec.Struct, frozen=True):
    """A feed-forward block whose output is scaled before it is added."""

    inner: Half
    hidden: int

    @property
    def code(self) -> str:
        return self.inner.code

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        scale = elementwise("residual_scale", "scale", self.hidden, "residual", parent="mlp")
        return (*self.inner.ops(mixed=mixed), scale)


def _minicpm_mlps(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """`num_experts` of `intermediate_size` in every layer, or dense blocks where there are none."""
    experts = fields.natural("num_experts", otherwise=0) if fields.has("num_experts") else 0
    return (mixtral_experts if experts else dense())(fields, hidden, layers)


def _minicpm(fields: Fields, decoder: Decoder) -> Decoder:
    """Embedding, both halves and logits are scaled."""
    if fields.has("sparse_config"):
        fields.note("model.sparse_config_unread")
    return replace(
        decoder,
        scaled_logits=True,
        mixers=tuple(ScaledMixer(m, decoder.hidden) for m in decoder.mixers),
        mlps=tuple(ScaledMlp(m, decoder.hidden) for m in decoder.mlps),
    )


def _kimi_experts(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """DeepSeek's experts; in Kimi's own code the bias that steers their choice is a parameter."""
    found = deepseek_experts(fields, hidden, layers)
    return tuple(replace(half, correction=True) if isinstance(half, Experts) else half for half in found)


def _minimax_rotary(fields: Fields, head_dim: int) -> int:
    """`rotary_dim` values of a head, else the part that the rope parameters say."""
    if fields.has("rotary_dim"):
        return fields.size("rotary_dim")
    rope = fields.part("rope_parameters")
    return int(head_dim * rope.fraction("partial_rotary_factor", otherwise=1.0))


def _minimax(fields: Fields, decoder: Decoder) -> Decoder:
    if fields.config.get("use_mtp") is True:
        note_drafts(fields, decoder, fields.config.get("num_mtp_modules"))
    return decoder


def _half_rotary(fields: Fields, head_dim: int) -> int:
    """Half of a head is rotated unless the config says another part."""
    rope = fields.part("rope_parameters")
    stated = rope if rope.has("partial_rotary_factor") else fields
    return int(head_dim * stated.fraction("partial_rotary_factor", otherwise=0.5))


DEEPSEEK: Mapping[str, Value | None] = {**BIASED, "mlp_bias": False, "first_k_dense_replace": 3}
LLAMA4_TEXT = Family(
    "Llama 4",
    {
        **BIASED,
        "head_dim": 128,
        "attention_chunk_size": 8192,
        "use_qk_norm": True,
        "no_rope_layer_interval": 4,
        "interleave_moe_layer_step": 1,
        "intermediate_size_mlp": 16_384,
        "num_experts_per_tok": 1,
        "num_local_experts": 16,
    },
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    mixers=_llama4_mixers,
    mlps=_llama4_mlps,
    finish=_llama4,
)
MOE: dict[str, Family] = {
    "qwen2_moe": Family(
        "Qwen2 MoE",
        {**QWEN, "qkv_bias": True, "decoder_sparse_step": 1},
        qkv_bias="qkv_bias",
        windows=_qwen2_windows,
        mlps=qwen_with_shared,
    ),
    "glm4_moe": Family(
        "GLM-4 MoE",
        {**BIASED, "use_qk_norm": False, "first_k_dense_replace": 1, "n_shared_experts": 1},
        qkv_bias="attention_bias",
        rotary=_half_rotary,
        mixers=_normed_where_said,
        mlps=typed_experts,
    ),
    "minimax_m2": Family(
        "MiniMax-M2",
        {**BASE, "head_dim": 128},
        qk_norm="width",
        rotary=_minimax_rotary,
        mlps=mixtral_experts,
        finish=_minimax,
    ),
    "mimo_v2_flash": Family(
        "MiMo-V2-Flash",
        {
            **BIASED,
            "head_dim": 192,
            "v_head_dim": 128,
            "sliding_window": 128,
            "add_swa_attention_sink_bias": True,
            "add_full_attention_sink_bias": False,
        },
        mixers=_mimo_mixers,
        mlps=_mimo_mlps,
    ),
    "llama4_text": LLAMA4_TEXT,
    "deepseek_v32": Family("DeepSeek-V3.2", DEEPSEEK, mixers=indexed, mlps=typed_experts),
    "glm_moe_dsa": Family("GLM MoE with sparse attention", DEEPSEEK, mixers=indexed, mlps=typed_experts),
    "glm4_moe_lite": Family(
        "GLM-4 MoE Lite", {**BIASED, "first_k_dense_replace": 1}, mixers=latent, mlps=typed_experts
    ),
    "kimi_k2": Family("Kimi K2", {**BIASED, "mlp_bias": False}, mixers=latent, mlps=_kimi_experts),
    "minicpm": Family(
        "MiniCPM",
        {**BASE, "tie_word_embeddings": True},
        mlps=_minicpm_mlps,
        scaled_embedding=True,
        finish=_minicpm,
    ),
}
