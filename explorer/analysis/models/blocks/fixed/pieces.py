"""Operators over inputs of a fixed size: each stands for `rows` vectors of one input, whatever the context.

Names are paths within their layer: the last word is the operator's, those before it are its parent's.
"""

from collections.abc import Sequence
from math import floor
from typing import NamedTuple

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import EVERY_KEY
from explorer.analysis.models.parts import Architecture, Dim, Layer, Op, Per, Role, Storage, Tensor, linear, tensors_of
from explorer.analysis.step.phases.ids import PREFILL

Ops = tuple[Op, ...]
Side = tuple[int, int]


def each(count: float) -> Per:
    """`count` for every input of the batch."""
    return Per("batch", float(count))


def split(path: str) -> tuple[str, str]:
    """The parent and the last word of a path."""
    parent, _, leaf = path.rpartition(".")
    return parent, leaf


def dense(
    path: str, inputs: int, outputs: int, rows: float, *, bias: bool = True, role: Role = "projection",
    storage: Storage = "linear",
) -> Op:  # fmt: skip
    """A linear layer."""
    parent, leaf = split(path)
    return linear(leaf, inputs, outputs, role, parent=parent, bias=bias, rows=each(rows), storage=storage)


def product(path: str, batches: float, m: float, n: float, k: float) -> Op:
    """A product of two activations."""
    parent, leaf = split(path)
    dims = (("b", each(batches)), ("m", float(m)), ("n", float(n)), ("k", float(k)))
    return Op(leaf, "batched_matmul", dims, "attention", parent=parent)


def normed(path: str, width: int, rows: float, *, weights: int = 2, rms: bool = False) -> Op:
    """A norm over `width` values of each row; it owns `weights` values per channel."""
    parent, leaf = split(path)
    usual = 1 if rms else 2
    other = (("per_channel", float(weights)),) if weights != usual else ()
    owned = (Tensor(f"{path}.weight", weights * width, "norm"),) if weights else ()
    dims: tuple[tuple[str, Dim], ...] = (("rows", each(rows)), ("channels", float(width)), *other)
    return Op(leaf, "rms_norm" if rms else "layer_norm", dims, "norm", parent=parent, tensors=owned)


def valued(path: str, kind: str, values: float, group: str = "activation") -> Op:
    """An operator over `values` values, without weights."""
    parent, leaf = split(path)
    return Op(leaf, kind, (("values", each(values)),), group, parent=parent)


def learnt(path: str, owned: int, values: float, *, per_value: float = 1.0, group: str = "embedding") -> Op:
    """Learnt values that are added to, or multiply, `values` values: position tables, scales, folded batch norms."""
    parent, leaf = split(path)
    other = (("per_value", per_value),) if per_value != 1.0 else ()
    tensors = (Tensor(path, owned, "bias"),) if owned else ()
    return Op(leaf, "scale", (("values", each(values)), *other), group, parent=parent, tensors=tensors)


def batch_norm(path: str, channels: int, positions: float, *, learns: bool = True) -> Op:
    """A batch norm as inference runs it: a factor and a shift per channel."""
    return learnt(path, 2 * channels * learns, channels * positions, per_value=2.0, group="norm")


def added(path: str, values: float) -> Op:
    """The addition of two streams."""
    return valued(path, "residual_add", values, "residual")


def looked_up(path: str, rows: int, width: int, tokens: float) -> Op:
    """A table that is looked up."""
    parent, leaf = split(path)
    table = Tensor(f"{path}.weight", rows * width, "embedding")
    dims: tuple[tuple[str, Dim], ...] = (
        ("tokens", each(tokens)), ("hidden", float(width)), ("vocab", float(rows)), ("tied", 0.0)
    )  # fmt: skip
    return Op(leaf, "embedding", dims, "embedding", parent=parent, tensors=(table,))


def conv_size(side: Side, kernel: int, stride: int = 1, pad: float = 0) -> Side:
    """Height and width after a convolution."""
    height, width = (floor((n + 2 * pad - kernel) / stride) + 1 for n in side)
    return max(height, 1), max(width, 1)


def conv2d(
    path: str, inputs: int, outputs: int, side: Side, kernel: int | Side, *, stride: int = 1, pad: float = 0,
    groups: int = 1, bias: bool = True, images: float = 1,
) -> Op:  # fmt: skip
    """A convolution over pictures of `side`."""
    parent, leaf = split(path)
    high, wide = kernel if isinstance(kernel, tuple) else (kernel, kernel)
    dims: tuple[tuple[str, Dim], ...] = (
        ("N", each(images)), ("C_in", float(inputs)), ("C_out", float(outputs)), ("H", float(side[0])),
        ("W", float(side[1])), ("K_h", float(high)), ("K_w", float(wide)), ("stride", float(stride)),
        ("pad", float(pad)), ("groups", float(groups)),
    )  # fmt: skip
    owned = tensors_of(parent, leaf, outputs * (inputs // groups) * high * wide, outputs * bias, "projection", "wide")
    return Op(leaf, "conv2d", dims, "conv", parent=parent, tensors=owned)


def upsampled(
    path: str, inputs: int, outputs: int, rows: float, kernel: int, *, after: float = 0, groups: int = 1,
    bias: bool = True,
) -> Op:  # fmt: skip
    """A transposed convolution: `rows` positions become `after`, as many as the kernel has each where it says none."""
    parent, leaf = split(path)
    dims: tuple[tuple[str, Dim], ...] = (
        ("N", each(1)), ("C_in", float(inputs)), ("C_out", float(outputs)), ("L", float(rows)),
        ("L_out", float(after or rows * kernel)), ("K", float(kernel)), ("groups", float(groups)),
    )  # fmt: skip
    owned = tensors_of(parent, leaf, inputs * (outputs // groups) * kernel, outputs * bias, "projection", "wide")
    return Op(leaf, "conv_transpose", dims, "conv", parent=parent, tensors=owned)


def conv_length(length: int, kernel: int, stride: int = 1, pad: float = 0) -> int:
    """Positions after a convolution."""
    return max(floor((length + 2 * pad - kernel) / stride) + 1, 1)


def conv1d(
    path: str, inputs: int, outputs: int, length: float, kernel: int, *, stride: int = 1, pad: float = 0,
    groups: int = 1, bias: bool = True,
) -> Op:  # fmt: skip
    """A convolution over `length` positions."""
    parent, leaf = split(path)
    dims: tuple[tuple[str, Dim], ...] = (
        ("N", each(1)), ("C_in", float(inputs)), ("C_out", float(outputs)), ("L", float(length)),
        ("K", float(kernel)), ("stride", float(stride)), ("pad", float(pad)), ("groups", float(groups)),
    )  # fmt: skip
    owned = tensors_of(parent, leaf, outputs * (inputs // groups) * kernel, outputs * bias, "projection", "wide")
    return Op(leaf, "conv1d", dims, "conv", parent=parent, tensors=owned)


def attended(
    path: str, heads: int, size: float, queries: float, keys: float, *, windows: float = 1, value: float = 0,
    causal: bool = False, owned: int = 0,
) -> Op:  # fmt: skip
    """Attention of `queries` rows to `keys` rows in each window; `owned` learnt values bias its scores."""
    parent, leaf = split(path)
    dims: tuple[tuple[str, Dim], ...] = (
        ("b", each(windows)), ("heads", float(heads)), ("kv_heads", float(heads)), ("S_q", float(queries)),
        ("S_k", float(keys)), ("D_qk", float(size)), ("D_v", float(value or size)), ("window", EVERY_KEY),
        ("causal", Per("masked") if causal else 0.0), ("cached", 0.0), ("shared_kv", 0.0),
    )  # fmt: skip
    tensors = (Tensor(f"{path}.bias", owned, "bias"),) if owned else ()
    return Op(leaf, "attention", dims, "attention", parent=parent, tensors=tensors, keys="stored")


def turned(path: str, rows: float, heads: int, size: int) -> Op:
    """The rotary embedding of queries and keys."""
    parent, leaf = split(path)
    dims: tuple[tuple[str, Dim], ...] = (
        ("tokens", each(rows)), ("positions", float(rows)), ("heads", float(heads)), ("dim", float(size))
    )  # fmt: skip
    return Op(leaf, "rotary", dims, "rotary", parent=parent)


class Run(NamedTuple):
    """Operators that run `times` over: alike layers where they have codes, else what stands between layers."""

    ops: Ops
    times: int = 1
    attention: str = ""
    mlp: str = ""


def one_pass(parts: Sequence[Run], tokens: int, extra: Sequence[Tensor] = ()) -> Architecture:
    """An architecture with one pass over an input of a fixed size, and no decode."""
    layers: list[Layer] = []
    first = 0
    for ops, times, attention, mlp in parts:
        if times and ops:
            layers.append(Layer(tuple(range(first, first + times)), ops, (), attention, mlp))
            first += times if attention or mlp else 0
    return Architecture((), tuple(layers), (), tuple(extra), phases=(PREFILL,), encoder_tokens=tokens)


def labelled(ops: Ops, label: str) -> Ops:
    """Operators of one of several towers."""
    return tuple(replace(op, label=op.label or label) for op in ops)


def under(parent: str, ops: Ops) -> Ops:
    """Operators inside an outer module."""
    return tuple(
        replace(
            op,
            parent=f"{parent}.{op.parent}" if op.parent else parent,
            tensors=tuple(replace(t, name=f"{parent}.{t.name}") for t in op.tensors),
        )
        for op in ops
    )
