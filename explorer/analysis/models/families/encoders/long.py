"""Encoders of long texts: Longformer and BigBird."""

from collections.abc import Mapping
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.in_blocks import in_chunks, in_random_blocks
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.families.encoders.encoder import EncoderReader, Stack
from explorer.analysis.models.families.encoders.plain import Plain
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.heads import encoders as heads
from explorer.analysis.models.parts import Tensor
from explorer.analysis.problem import Value


def _longformer(fields: Fields, stack: Stack) -> Stack:
    """Windows layer by layer; projections of global tokens are there, and idle while no token is global."""
    body, plain = stack.decoder, stack.decoder.mixers[0]
    windows = windows_of(fields, len(body.mixers))
    if not isinstance(plain, Bidirectional) or fields.problems:
        return stack
    idle = idle_projections(plain, len(body.mixers))
    fields.note("model.global_tokens")
    mixers = tuple(in_chunks(plain, window // 2, max(windows)) for window in windows)
    return replace(stack, decoder=replace(body, mixers=mixers, extra=idle), filled=max(windows))


def idle_projections(plain: Bidirectional, count: int) -> tuple[Tensor, ...]:
    """Projections of global tokens in so many layers."""
    width, parent = plain.heads * plain.head_dim, plain.names.parent
    return tuple(
        tensor
        for side in ("query", "key", "value")
        for tensor in (
            Tensor(f"{parent}.{side}_global.weight", plain.hidden * width, "attention", "linear", count, count),
            Tensor(f"{parent}.{side}_global.bias", width, "bias", "wide", count, count),
        )
    )


def windows_of(fields: Fields, layers: int) -> tuple[int, ...]:
    """One window for all layers, or one for each; even ones."""
    stated = fields.config.get("attention_window")
    if not isinstance(stated, list):
        windows = (fields.size("attention_window"),) * layers
    else:
        listed = fields.items("attention_window", lambda item: isinstance(item, int) and not isinstance(item, bool))
        windows = tuple(listed or ())
        fields.check(
            len(windows) == layers, "model.layer_types_count", "attention_window", count=len(windows), layers=layers
        )
    longest = max(windows, default=0)
    sound = all(window > 0 and window % 2 == 0 and longest % window == 0 for window in windows)
    fields.check(
        sound,
        "model.variant_unread",
        "attention_window",
        value=brief(str(stated)),
        known="even windows that divide the longest",
    )
    return windows


def _big_bird(fields: Fields, stack: Stack) -> Stack:
    """Blocks, or every pair where the config asks for it."""
    kind = fields.text("attention_type")
    if kind not in {"block_sparse", "original_full"}:
        fields.fault("model.variant_unread", "attention_type", value=brief(kind), known="block_sparse, original_full")
    body, plain = stack.decoder, stack.decoder.mixers[0]
    if not isinstance(plain, Bidirectional):
        return stack
    size, drawn = fields.size("block_size"), fields.size("num_random_blocks")
    mixer = in_random_blocks(plain, size, drawn) if kind == "block_sparse" else plain
    only("use_bias", be=True)(fields)
    scaled = fields.flag("rescale_embeddings")
    return replace(
        stack,
        decoder=replace(body, mixers=(mixer,) * len(body.mixers), scaled_embedding=scaled),
        inner=fields.size("intermediate_size"),
    )


LONGFORMER = Plain(heads.ROBERTA, rules=(), finish=_longformer)
BIG_BIRD = Plain(heads.BIG_BIRD, pooler="pooler", rules=(only("add_cross_attention", be=False),), finish=_big_bird)
BASE: Mapping[str, Value | None] = {"type_vocab_size": 2, "tie_word_embeddings": True}
FAMILIES: Final = (
    Family(
        ("longformer",),
        EncoderReader(
            "Longformer",
            LONGFORMER,
            {**BASE, "hidden_act": "gelu", "max_position_embeddings": 512, "attention_window": 512},
        ),
    ),
    Family(
        ("big_bird",),
        EncoderReader(
            "BigBird",
            BIG_BIRD,
            {
                **BASE,
                "hidden_act": "gelu_new",
                "max_position_embeddings": 4096,
                "attention_type": "block_sparse",
                "use_bias": True,
                "block_size": 64,
                "num_random_blocks": 3,
                "rescale_embeddings": False,
            },
        ),
    ),
)
