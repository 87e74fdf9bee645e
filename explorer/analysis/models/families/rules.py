"""Rules that families share: fields with one readable value, the rotated part of a head, norms of queries and keys."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.families.decoder import DecoderReader, Finish, MixerRule, grouped_query
from explorer.analysis.models.transformer import Decoder, Mixer


def only(name: str, *, be: object) -> Callable[[Fields], None]:
    """A check that a field is absent, null or has the one value this family is exact for."""

    def check(fields: Fields) -> None:
        value = fields.config.get(name)
        if value is not None and not (value == be and isinstance(value, type(be))):
            fields.fault("model.variant_unread", name, value=brief(value), known=str(be).lower())

    return check


def rotary_share(default: float, *names: str) -> Callable[[Fields, int], int]:
    """The rotated size per head from the share of it that `rope_parameters` or the config names."""

    def size(fields: Fields, head_dim: int) -> int:
        rope = fields.part("rope_parameters")
        for stated in (rope, fields):
            for name in ("partial_rotary_factor", *names):
                if stated.has(name):
                    return int(head_dim * stated.fraction(name, otherwise=default))
        fields.assumed[f"{fields.path}partial_rotary_factor"] = default
        return int(head_dim * default)

    return size


def rotary_size(fields: Fields, head_dim: int) -> int:
    """The rotated size per head as `rotary_dim` states it (GPT-J, the first Phi); the whole head where it is null."""
    size = fields.optional_size("rotary_dim")
    fields.check(
        size is None or size <= head_dim, "model.rotary_over_head", "rotary_dim", rotary=size or 0, head=head_dim
    )
    return size or head_dim


def rotary_part(*, otherwise: float) -> Callable[[Fields, int], int]:
    """The rotated size per head from the part that `rope_parameters` or the config names."""

    def size(fields: Fields, head_dim: int) -> int:
        rope = fields.part("rope_parameters")
        stated = rope if rope.has("partial_rotary_factor") else fields
        return int(head_dim * stated.fraction("partial_rotary_factor", otherwise=otherwise))

    return size


def per_head_norms(flag: str) -> MixerRule:
    """Queries and keys under layer norms without shift, one for each head, where the flag says so."""

    def mixers(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
        found = grouped_query(family, fields, hidden, layers)
        return with_norms(found, "each", 1) if fields.flag(flag) else found

    return mixers


def with_norms(mixers: tuple[Mixer, ...], span: str, weights: int) -> tuple[Mixer, ...]:
    """Mixers whose queries and keys go through layer norms: one for all heads (`head`) or one for each."""
    return tuple(
        replace(m, qk_norm="head" if span == "head" else "each", qk_kind="layer_norm", qk_weights=weights)
        if isinstance(m, GroupedQuery)
        else m
        for m in mixers
    )


def shaped(*checks: Callable[[Fields], None], **changes: Any) -> Finish:
    """What a family's decoder is beyond the usual one, after the checks of its fields."""

    def finish(fields: Fields, decoder: Decoder) -> Decoder:
        for check in checks:
            check(fields)
        return replace(decoder, **changes)

    return finish


def attention(turned: Callable[[Fields, int, int | None], bool] | None = None, **changes: Any) -> MixerRule:
    """Grouped-query attention with what sets a family's apart; `turned` says which layers rotate queries and keys.

    It is asked with the number of the layer and its window.
    """

    def mixers(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
        found = [
            replace(mixer, **changes) if isinstance(mixer, GroupedQuery) else mixer
            for mixer in grouped_query(family, fields, hidden, layers)
        ]
        return tuple(
            replace(m, rotary=0) if turned and isinstance(m, GroupedQuery) and not turned(fields, i, m.window) else m
            for i, m in enumerate(found)
        )

    return mixers


def windowed(_fields: Fields, _layer: int, window: int | None) -> bool:
    """Positions are rotated in windowed layers alone."""
    return window is not None


def windowed_if_any(fields: Fields, _layer: int, window: int | None) -> bool:
    """Positions are rotated in windowed layers, in all of them where the config names no window."""
    return window is not None or fields.optional_size("sliding_window") is None


def square(fields: Fields, decoder: Decoder) -> Decoder:
    """Heads as wide together as the stream, for a norm or a projection behind them expects that: others do not run."""
    one, hidden = decoder.mixers[0], decoder.hidden
    if isinstance(one, GroupedQuery):
        alike, size = one.heads * one.head_dim == hidden, one.head_dim
        fields.check(alike, "model.variant_unread", "head_dim", value=str(size), known=str(hidden // one.heads))
    return decoder


def multiplied(fields: Fields, decoder: Decoder) -> Decoder:
    """Embedding and logits are scaled where their multipliers are not 1; the residual's is fused into its addition."""
    names = ("embedding_multiplier", "logits_scaling")
    scaled = [fields.config.get(name) not in (None, 1, 1.0) for name in names]
    return replace(decoder, scaled_embedding=scaled[0], scaled_logits=scaled[1])


def biased_head(_fields: Fields, decoder: Decoder) -> Decoder:
    """Halves side by side, and a head with a bias."""
    return replace(decoder, parallel=True, head_bias=True)
