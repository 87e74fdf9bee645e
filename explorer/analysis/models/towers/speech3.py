"""What speaks in Qwen3-Omni: a talker with experts, a predictor of the other codes, and a decoder to a wave."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.parts import Tensor
from explorer.analysis.models.towers.parts import Parts, affine, gated, mlp, resident, whole_numbers
from explorer.analysis.problem import Value

LONG, UNITS = 7, 3  # a kernel of the decoder; its residual units in each block
TALKER: Final[Mapping[str, Value | None]] = {
    "vocab_size": 3072, "hidden_size": 1024, "intermediate_size": 2048, "num_hidden_layers": 20,
    "num_attention_heads": 16, "num_key_value_heads": 2, "attention_bias": False, "moe_intermediate_size": 384,
    "num_experts_per_tok": 8, "num_local_experts": 128, "shared_expert_intermediate_size": 768,
}  # fmt: skip
PREDICTOR: Final[Mapping[str, Value | None]] = {
    "vocab_size": 2048, "hidden_size": 1024, "intermediate_size": 3072, "num_hidden_layers": 5,
    "num_attention_heads": 16, "num_key_value_heads": 8, "head_dim": 128, "attention_bias": False,
    "num_code_groups": 32,
}  # fmt: skip
WAVE: Final[Mapping[str, Value | None]] = {
    "codebook_size": 2048, "hidden_size": 1024, "num_attention_heads": 16, "num_key_value_heads": 16,
    "attention_bias": False, "intermediate_size": 3072, "num_hidden_layers": 8, "num_quantizers": 16,
    "decoder_dim": 1536,
}  # fmt: skip


def spoken3(whole: Fields) -> tuple[Tensor, ...]:
    """All that speaks beside the thinker, with the defaults of the classes where the config says nothing."""
    outer = whole.part("talker_config")
    own, other = _part(outer, "text_config", TALKER), _part(outer, "code_predictor_config", PREDICTOR)
    parts = {**_talker(own, outer), **_predictor(other), **_wave(_part(whole, "code2wav_config", WAVE))}
    return (*resident("", parts), _experts(own))


def _part(fields: Fields, name: str, defaults: Mapping[str, Value | None]) -> Fields:
    part = fields.part(name)
    part.defaults = defaults
    return part


def _layer(own: Fields, *, normed: bool) -> int:
    """Attention and the norms of one layer."""
    width, heads, kv_heads = (own.size(n) for n in ("hidden_size", "num_attention_heads", "num_key_value_heads"))
    size, biased = own.size("head_dim", otherwise=max(width // heads, 1)), own.flag("attention_bias")
    projections = affine(width, heads * size, bias=biased) + 2 * affine(width, kv_heads * size, bias=biased)
    return projections + affine(heads * size, width, bias=biased) + 2 * size * normed + 2 * width


def _talker(own: Fields, outer: Fields) -> Parts:
    width, vocab, inner = own.size("hidden_size"), own.size("vocab_size"), own.size("intermediate_size")
    layers, count = own.size("num_hidden_layers", limit=LAYER_LIMIT), own.size("num_local_experts", "num_experts")
    shared = gated(width, own.size("shared_expert_intermediate_size")) + width
    thought = outer.size("thinker_hidden_size", otherwise=2048)
    return {
        "talker.codec_embedding": vocab * width,
        "talker.layers": (_layer(own, normed=True) + count * width + shared, layers),
        "talker.norm": width,
        "talker.projections": 2 * (affine(thought, inner) + affine(inner, width)),
        "talker.codec_head": vocab * width,
    }


def _experts(own: Fields) -> Tensor:
    """The talker's experts, of which some work on a code."""
    layers, count = own.size("num_hidden_layers", limit=LAYER_LIMIT), own.size("num_local_experts", "num_experts")
    chosen = own.size("num_experts_per_tok")
    own.check(chosen <= count, "model.top_k_over_experts", "num_experts_per_tok", top_k=chosen, experts=count)
    (made,) = resident(
        "talker.layers", {"mlp.experts": (gated(own.size("hidden_size"), own.size("moe_intermediate_size")), 1)}
    )
    return replace(made, count=layers * count, active=layers * min(chosen, count))


def _predictor(own: Fields) -> Parts:
    width, vocab, groups = own.size("hidden_size"), own.size("vocab_size"), own.size("num_code_groups")
    layer = _layer(own, normed=True) + gated(width, own.size("intermediate_size"))
    return {
        "talker.code_predictor.layers": (layer, own.size("num_hidden_layers", limit=LAYER_LIMIT)),
        "talker.code_predictor.norm": width,
        "talker.code_predictor.codec_embedding": (vocab * width, groups - 1),
        "talker.code_predictor.lm_head": (vocab * width, groups - 1),
    }


def _wave(own: Fields) -> Parts:
    """Layers over codes, then convolutions that make the sound longer and its channels fewer."""
    width, first = own.size("hidden_size"), own.size("decoder_dim")
    layer = _layer(own, normed=False) + gated(width, own.size("intermediate_size")) + 2 * width
    longer = sum(
        affine(factor * width, width) + width + affine(LONG, width) + 2 * width + mlp(width, 4 * width)
        for factor in whole_numbers(own, "upsampling_ratios", (2, 2))
    )
    rates = whole_numbers(own, "upsample_rates", (8, 5, 4, 3))
    blocks = sum(_block(first >> level, first >> (level + 1), rate) for level, rate in enumerate(rates))
    last = first >> len(rates)
    return {
        "code2wav.code_embedding": own.size("codebook_size") * own.size("num_quantizers") * width,
        "code2wav.pre_transformer.layers": (layer, own.size("num_hidden_layers", limit=LAYER_LIMIT)),
        "code2wav.pre_transformer.norm": width,
        "code2wav.upsample": longer,
        "code2wav.decoder": affine(LONG * width, first) + blocks + 2 * last + affine(LONG * last, 1),
    }


def _block(wide: int, narrow: int, rate: int) -> int:
    unit = 4 * narrow + affine(LONG * narrow, narrow) + affine(narrow, narrow)
    return 2 * wide + affine(2 * rate * wide, narrow) + UNITS * unit
