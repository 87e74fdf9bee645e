"""Assembling a decoder: embedding, layers of two halves with norms and residuals, head."""

from collections.abc import Sequence
from typing import Protocol

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.norms import PRE, NormScheme, norms
from explorer.analysis.models.checkpoint.layout import WeightLayout
from explorer.analysis.models.checkpoint.storage import Storage, packed_as
from explorer.analysis.models.parts import (
    TOKENS,
    Architecture,
    Cache,
    Layer,
    Op,
    Per,
    Tensor,
    elementwise,
    linear,
    residual,
)

LOGIT_ROWS = Per("logit_rows")
TANH_CAP = 3.0  # divide, tanh, multiply


class Half(Protocol):
    """One half of a layer: attention or feed-forward."""

    @property
    def code(self) -> str: ...
    def ops(self, *, mixed: bool) -> tuple[Op, ...]: ...


class Mixer(Half, Protocol):
    """The half that looks at other tokens, and what it caches of them."""

    @property
    def caches(self) -> tuple[Cache, ...]: ...


class Decoder(msgspec.Struct, frozen=True):
    """A decoder-only transformer; `mixers` and `mlps` hold one entry per layer, equal ones where layers are alike.

    A half without operators is no half at all; without `residuals` the halves add themselves to the stream.
    `parallel` layers feed both halves from the same stream and add both to it. `embedding_width` is the width of the
    table where it is not `hidden` (0: it is), which two projections then bridge. `spare_positions` are rows of the
    position table beyond the positions; `capped_logits` and `scaled_logits` are what happens to the head's output,
    `before_head` to its input.
    `owners` layers have weights of their own, which all others share.
    """

    hidden: int
    vocab: int
    tied: bool
    mixers: Sequence[Mixer]
    mlps: Sequence[Half]
    norms: NormScheme = PRE
    embedding: str = "embed_tokens"
    positions: int = 0
    scaled_embedding: bool = False
    capped_logits: bool = False
    scaled_logits: bool = False
    scaled_output: bool = False
    parallel: bool = False
    residuals: bool = True
    head: str = "lm_head"
    head_bias: bool = False
    embedding_width: int = 0
    embedding_norm: str = ""
    position_table: str = "wpe"
    owners: int | None = None
    spare_positions: int = 0
    parents: tuple[str, str] = ("self_attn", "mlp")
    before_head: tuple[Op, ...] = ()
    extra: tuple[Tensor, ...] = msgspec.field(default=())


def assemble(decoder: Decoder, storage: Storage) -> Architecture:
    """The architecture of a decoder, with the modules its checkpoint leaves unquantised."""
    return Architecture(
        before=_before(decoder), layers=layers_of(decoder, storage), after=_after(decoder), extra=decoder.extra,
        tied=decoder.tied,
    )  # fmt: skip


def lookup(name: str, rows: int, width: int, *, tied: bool = False) -> Op:
    table = Tensor(f"{name}.weight", rows * width, "embedding")
    dims = (("tokens", TOKENS), ("hidden", float(width)), ("vocab", float(rows)), ("tied", float(tied)))
    return Op(name, "embedding", dims, "embedding", tensors=(table,))


def _before(decoder: Decoder) -> tuple[Op, ...]:
    width = decoder.embedding_width or decoder.hidden
    ops = [lookup(decoder.embedding, decoder.vocab, width, tied=decoder.tied)]
    if width != decoder.hidden:
        ops.append(linear("project_in", width, decoder.hidden, "projection", parent="", group="embedding"))
    if decoder.scaled_embedding:
        ops.append(elementwise("embed_scale", "scale", decoder.hidden, "embedding"))
    if decoder.positions:
        rows = decoder.positions + decoder.spare_positions
        ops.append(lookup(decoder.position_table, rows, decoder.hidden))
        ops.append(elementwise(f"{decoder.position_table}.add", "residual_add", decoder.hidden, "embedding"))
    ops += norms(decoder.norms, decoder.embedding_norm, decoder.hidden)
    return tuple(ops)


def _after(decoder: Decoder) -> tuple[Op, ...]:
    final = norms(decoder.norms, decoder.norms.final, decoder.hidden)
    scaled = (
        (elementwise("output_scale", "scale", decoder.hidden, "head", rows=LOGIT_ROWS),)
        if decoder.scaled_output
        else ()
    )
    return (*final, *scaled, *decoder.before_head, *_head(decoder), *_on_logits(decoder))


def _head(decoder: Decoder) -> tuple[Op, ...]:
    width = decoder.embedding_width or decoder.hidden
    bias = decoder.head_bias
    head = linear(decoder.head, width, decoder.vocab, "head", parent="", rows=LOGIT_ROWS, storage="wide", bias=bias)
    if decoder.tied:  # the table is the embedding's; a bias is its own
        head = replace(head, tensors=head.tensors[1:])
    if width == decoder.hidden:
        return (head,)
    out = linear("project_out", decoder.hidden, width, "projection", parent="", group="embedding")
    return (out, head)


def _on_logits(decoder: Decoder) -> tuple[Op, ...]:
    values = Per("logit_rows", float(decoder.vocab))
    scaled = Op("logit_scale", "scale", (("values", values),), "head")
    capped = Op("final_logit_softcapping", "scale", (("values", values), ("per_value", TANH_CAP)), "head")
    return (*([scaled] if decoder.scaled_logits else []), *([capped] if decoder.capped_logits else []))


class _Likeness(msgspec.Struct, frozen=True):
    """What makes layers alike: their halves, and how the weights of their operators are stored."""

    mixer: Mixer
    mlp: Half
    layouts: tuple[WeightLayout | None, ...] = ()


def layers_of(decoder: Decoder, storage: Storage) -> tuple[Layer, ...]:
    """The layers of a stack, alike ones in one."""
    mixed = len(set(decoder.mixers)) > 1, len({mlp.code == "dense" for mlp in decoder.mlps}) > 1
    made: dict[_Likeness, tuple[Op, ...]] = {}
    alike: dict[_Likeness, list[int]] = {}
    for index, (mixer, mlp) in enumerate(zip(decoder.mixers, decoder.mlps, strict=True)):
        halves = _Likeness(mixer, mlp)
        if halves not in made:
            made[halves] = _layer_ops(decoder, mixer, mlp, *mixed)
        alike.setdefault(replace(halves, layouts=storage.layouts(made[halves], index)), []).append(index)
    return tuple(
        _layer(tuple(indices), likeness, made[_Likeness(likeness.mixer, likeness.mlp)], decoder.owners)
        for likeness, indices in alike.items()
    )


def _layer(indices: tuple[int, ...], like: _Likeness, ops: tuple[Op, ...], owners: int | None) -> Layer:
    mixer, mlp = like.mixer, like.mlp
    states = (*getattr(mixer, "states", ()), *getattr(mlp, "states", ()))
    return Layer(indices, packed_as(ops, like.layouts), mixer.caches, mixer.code, mlp.code, states, owners)


def _layer_ops(decoder: Decoder, mixer: Mixer, mlp: Half, windows_differ: bool, mlps_differ: bool) -> tuple[Op, ...]:
    scheme, width = decoder.norms, decoder.hidden
    attention, feed_forward = (residual(width, parent) for parent in decoder.parents)
    before = norms(scheme, scheme.before_attention, width), norms(scheme, scheme.before_mlp, width)
    after = norms(scheme, scheme.after_attention, width), norms(scheme, scheme.after_mlp, width)
    halves = mixer.ops(mixed=windows_differ), mlp.ops(mixed=mlps_differ)
    if decoder.parallel:
        return (*before[0], *halves[0], *before[1], *halves[1], attention, feed_forward)
    ends = _summed(scheme, after[0], attention), _summed(scheme, after[1], feed_forward)
    if not decoder.residuals:
        ends = after
    first, second = ((*b, *h, *e) if h else () for b, h, e in zip(before, halves, ends, strict=True))
    return (*first, *second)


def _summed(scheme: NormScheme, after: tuple[Op, ...], add: Op) -> tuple[Op, ...]:
    return (add, *after) if scheme.on_sum else (*after, add)
