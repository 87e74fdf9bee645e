"""Assembling a decoder: embedding, layers of two halves with norms and residuals, head."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from explorer.analysis.models.norms import PRE, NormScheme, norms
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
from explorer.analysis.models.storage import Storage

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


@dataclass(frozen=True, slots=True)
class Decoder:
    """A decoder-only transformer; `mixers` and `mlps` hold one entry per layer, equal ones where layers are alike."""

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
    parents: tuple[str, str] = ("self_attn", "mlp")
    extra: tuple[Tensor, ...] = field(default=())


def assemble(decoder: Decoder, storage: Storage) -> Architecture:
    """The architecture of a decoder, with the modules its checkpoint leaves unquantised."""
    return Architecture(
        before=_before(decoder), layers=_layers(decoder, storage), after=_after(decoder), extra=decoder.extra,
        tied=decoder.tied,
    )  # fmt: skip


def _lookup(name: str, rows: int, width: int) -> Op:
    table = Tensor(f"{name}.weight", rows * width, "embedding")
    return Op(name, "embedding", (("tokens", TOKENS), ("hidden", float(width))), "embedding", tensors=(table,))


def _before(decoder: Decoder) -> tuple[Op, ...]:
    ops = [_lookup(decoder.embedding, decoder.vocab, decoder.hidden)]
    if decoder.scaled_embedding:
        ops.append(elementwise("embed_scale", "scale", decoder.hidden, "embedding"))
    if decoder.positions:
        ops.append(_lookup("wpe", decoder.positions, decoder.hidden))
        ops.append(elementwise("wpe.add", "residual_add", decoder.hidden, "embedding"))
    return tuple(ops)


def _after(decoder: Decoder) -> tuple[Op, ...]:
    head = linear("lm_head", decoder.hidden, decoder.vocab, "head", parent="", rows=LOGIT_ROWS, storage="wide")
    if decoder.tied:
        head = replace(head, tensors=())
    final = norms(decoder.norms, decoder.norms.final, decoder.hidden)
    if not decoder.capped_logits:
        return (*final, head)
    dims = (("values", Per("logit_rows", float(decoder.vocab))), ("per_value", TANH_CAP))
    return (*final, head, Op("final_logit_softcapping", "scale", dims, "head"))


@dataclass(frozen=True, slots=True)
class _Likeness:
    """What makes layers alike: their halves, and which of their operators stay unquantised."""

    mixer: Mixer
    mlp: Half
    kept: tuple[bool, ...] = ()


def _layers(decoder: Decoder, storage: Storage) -> tuple[Layer, ...]:
    mixed = len(set(decoder.mixers)) > 1, len({mlp.code == "dense" for mlp in decoder.mlps}) > 1
    made: dict[_Likeness, tuple[Op, ...]] = {}
    alike: dict[_Likeness, list[int]] = {}
    for index, (mixer, mlp) in enumerate(zip(decoder.mixers, decoder.mlps, strict=True)):
        halves = _Likeness(mixer, mlp)
        if halves not in made:
            made[halves] = _layer_ops(decoder, mixer, mlp, *mixed)
        kept = _kept(made[halves], index, storage) if storage.kept else ()
        alike.setdefault(replace(halves, kept=kept), []).append(index)
    return tuple(
        _layer(tuple(indices), likeness, made[_Likeness(likeness.mixer, likeness.mlp)])
        for likeness, indices in alike.items()
    )


def _layer(indices: tuple[int, ...], like: _Likeness, ops: tuple[Op, ...]) -> Layer:
    return Layer(indices, _marked(ops, like.kept), like.mixer.caches, like.mixer.code, like.mlp.code)


def _layer_ops(decoder: Decoder, mixer: Mixer, mlp: Half, windows_differ: bool, mlps_differ: bool) -> tuple[Op, ...]:
    scheme, width = decoder.norms, decoder.hidden
    attention, feed_forward = decoder.parents
    return (
        *norms(scheme, scheme.before_attention, width),
        *mixer.ops(mixed=windows_differ),
        *norms(scheme, scheme.after_attention, width),
        residual(width, attention),
        *norms(scheme, scheme.before_mlp, width),
        *mlp.ops(mixed=mlps_differ),
        *norms(scheme, scheme.after_mlp, width),
        residual(width, feed_forward),
    )


def _kept(ops: tuple[Op, ...], index: int, storage: Storage) -> tuple[bool, ...]:
    """Which linear operators of layer `index` the checkpoint leaves unquantised."""
    return tuple(op.storage == "linear" and storage.keeps(f"layers.{index}.{_module(op)}") for op in ops)


def _module(op: Op) -> str:
    name = op.name.split("[")[0]
    return f"{op.parent}.{name}" if op.parent else name


def _marked(ops: tuple[Op, ...], kept: tuple[bool, ...]) -> tuple[Op, ...]:
    return tuple(_unquantised(op) if keep else op for op, keep in zip(ops, kept, strict=True)) if kept else ops


def _unquantised(op: Op) -> Op:
    tensors = tuple(replace(t, storage="kept") if t.storage == "linear" else t for t in op.tensors)
    return replace(op, storage="kept", tensors=tensors)
