"""DeepSeek-V4, in the older spelling (`compress_ratios`) and the newer (`layer_types`)."""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.compressed import CompressedAttention, Compression, Index
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.blocks.streams import StreamedMixer, StreamedMlp, Streams
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.feedforward import silu
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.config.layer_lists import kinds_of
from explorer.analysis.models.config.sparse import routed_of
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.parts import Architecture
from explorer.analysis.models.transformer import Decoder, assemble
from explorer.analysis.problem import Value

NEAR, SPARSE, HEAVY = "sliding_attention", "compressed_sparse_attention", "heavily_compressed_attention"
BY_RATIO = {0: NEAR, 4: SPARSE, 128: HEAVY}
NORMS = NormScheme("", "", "", "")
DEFAULTS: Mapping[str, Value | None] = {
    "tie_word_embeddings": False,
    "hidden_act": "silu",
    "head_dim": 512,
    "q_lora_rank": 1024,
    "o_lora_rank": 1024,
    "o_groups": 8,
    "sliding_window": 128,
    "index_n_heads": 64,
    "index_head_dim": 128,
    "index_topk": 512,
    "hc_mult": 4,
    "hc_sinkhorn_iters": 20,
    "n_shared_experts": 1,
    "mlp_bias": False,
}


class DeepSeekV4(msgspec.Struct, frozen=True):
    """Each layer attends to a window, most also to compressed keys; every layer has experts."""

    label: str = "DeepSeek-V4"
    defaults: Mapping[str, Value | None] = msgspec.field(default_factory=lambda: DEFAULTS)

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        hidden, layers = fields.size("hidden_size"), fields.size("num_hidden_layers", limit=LAYER_LIMIT)
        streams = Streams(hidden, fields.size("hc_mult", limit=64), fields.size("hc_sinkhorn_iters", limit=1000))
        made = self._mixers(fields, hidden)
        kinds = _kinds(fields, layers)
        decoder = Decoder(
            hidden=hidden,
            vocab=fields.size("vocab_size"),
            tied=fields.flag("tie_word_embeddings"),
            mixers=tuple(StreamedMixer(made[kind], streams) for kind in kinds),
            mlps=tuple(StreamedMlp(half, streams, note) for half, note in _mlps(fields, hidden, layers)),
            norms=NORMS,
            residuals=False,
        )
        self._notes(fields)
        fields.refuse_faults()
        whole = assemble(decoder, storage)
        head = streams.collapse("hc_head", streams.count, 1, ("hc_fn", "hc_base", "hc_scale"))
        return replace(whole, after=(*head, *whole.after))

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        return fields.size("max_position_embeddings") if fields.has("max_position_embeddings") else None

    def _notes(self, fields: Fields) -> None:
        mtp = fields.config.get("num_nextn_predict_layers")
        if isinstance(mtp, int) and mtp > 0:
            fields.note("model.mtp_left_out", layers=int(mtp))
        fields.note("model.compressed_attention", tokens=fields.size("index_topk"))

    def _mixers(self, fields: Fields, hidden: int) -> dict[str, CompressedAttention]:
        heads, size, groups = fields.size("num_attention_heads"), fields.size("head_dim"), fields.size("o_groups")
        divides = heads * size % groups == 0
        fields.check(divides, "model.heads_not_divisible", "o_groups", heads=heads * size, kv=groups)
        if fields.has("num_key_value_heads"):
            one = fields.size("num_key_value_heads") == 1
            fields.check(
                one, "model.not_of_this_family", "num_key_value_heads", value=fields.size("num_key_value_heads")
            )
        near = CompressedAttention(
            hidden,
            heads,
            size,
            self._rope(fields, size),
            fields.size("q_lora_rank"),
            fields.size("o_lora_rank"),
            groups,
            fields.size("sliding_window"),
        )
        index = Index(fields.size("index_n_heads"), fields.size("index_head_dim"), fields.size("index_topk"))
        rates = fields.part("compress_rates")
        sparse = Compression(_rate(fields, rates, SPARSE, "compress_rate_csa", 4), overlap=True)
        heavy = Compression(_rate(fields, rates, HEAVY, "compress_rate_hca", 128))
        return {
            NEAR: near,
            SPARSE: replace(near, compression=sparse, index=index),
            HEAVY: replace(near, compression=heavy),
        }

    def _rope(self, fields: Fields, size: int) -> int:
        if fields.has("qk_rope_head_dim"):
            return fields.size("qk_rope_head_dim")
        return max(int(size * fields.fraction("partial_rotary_factor", otherwise=0.125)), 1)


def _rate(fields: Fields, rates: Fields, kind: str, old: str, otherwise: int) -> int:
    if fields.has(old):
        return fields.size(old)
    return rates.size(kind) if rates.has(kind) else otherwise


def _kinds(fields: Fields, layers: int) -> tuple[str, ...]:
    """What each layer attends to: `layer_types`, else `compress_ratios`, whose last entries may be draft layers'."""
    stated = kinds_of(fields, "layer_types", layers, (NEAR, SPARSE, HEAVY))
    if stated is not None:
        return stated
    ratios = fields.items("compress_ratios", lambda item: isinstance(item, int) and item in BY_RATIO)
    if ratios is not None:
        enough = len(ratios) >= layers
        fields.check(enough, "model.layer_types_count", "compress_ratios", count=len(ratios), layers=layers)
        return tuple(BY_RATIO[ratio] for ratio in ratios[:layers]) if enough else (NEAR,) * layers
    return tuple(HEAVY if i < 2 or i % 2 == 0 else SPARSE for i in range(layers))


def _mlps(fields: Fields, hidden: int, layers: int) -> list[tuple[Experts, str]]:
    """The same experts in every layer; the first ones choose them by a table instead of a router's scores."""
    routed = routed_of(fields, "n_routed_experts", "num_local_experts")
    inner, shared = fields.size("moe_intermediate_size", "intermediate_size"), fields.natural("n_shared_experts")
    fields.check(shared == 1, "model.not_of_this_family", "n_shared_experts", value=brief(shared))
    bias = fields.flag("mlp_bias")
    experts = Experts(hidden, inner, routed.experts, routed.top_k, shared=1, shared_bias=bias, activation=silu(fields))
    kinds = kinds_of(fields, "mlp_layer_types", layers, ("hash_moe", "moe"))
    hashed = fields.natural("num_hash_layers") if fields.has("num_hash_layers") else 3
    kinds = kinds or tuple("hash_moe" if i < hashed else "moe" for i in range(layers))
    return [(experts, ", by token" if kind == "hash_moe" else "") for kind in kinds]


FAMILIES: Final = (Family(("deepseek_v4",), DeepSeekV4()),)
