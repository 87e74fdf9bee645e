"""Parts a model is declared in: from them parameters, tensors, rows and KV bytes are all derived."""

from collections.abc import Iterable
from math import inf
from typing import Literal

import msgspec

from explorer.analysis.step.phases.ids import DECODE, PREFILL, PhaseId

Symbol = Literal[
    "tokens", "batch", "queries", "keys", "cached", "positions", "near", "padded", "logit_rows", "masked", "file_bytes"
]
Storage = Literal["linear", "kept", "wide"]  # big weights; those the checkpoint leaves unquantised; all others
Role = Literal[
    "embedding",
    "projection",
    "norm",
    "attention",
    "mlp",
    "experts",
    "shared_experts",
    "router",
    "head",
    "bias",
    "vision",
    "rough",
]


class Per(msgspec.Struct, frozen=True):
    """A dim that follows the step: factor x symbol, the symbol cut at `limit` (a window, in decode).

    `near` is a sequence's tokens up to `limit`; `padded` are all tokens, each sequence filled up to a multiple of it.
    """

    symbol: Symbol
    factor: float = 1.0
    limit: float = inf


Dim = float | Per
TOKENS = Per("tokens")


class Packing(msgspec.Struct, frozen=True):
    """How a quantised weight is stored: a format of `bits` each that computes `like` a known one, and what lies beside.

    `beside` are bytes of one tensor that its format does not count (scales of a whole row or matrix), `input` is the
    format that inputs are quantised to ("": none).
    """

    format: str
    bits: float
    like: str
    beside: float = 0.0
    input: str = ""


class Tensor(msgspec.Struct, frozen=True):
    """`count` tensors of `values` each; `active` of them work on one token."""

    name: str
    values: int
    role: Role
    storage: Storage = "wide"
    count: int = 1
    active: int = 1
    packing: Packing | None = None


class Op(msgspec.Struct, frozen=True):
    """One operator of a layer and the tensors it owns; becomes one row.

    `phase` limits it to one phase ("" for both). `output` and `keys` say whether the KV format or the activation
    format holds what it writes, and the keys and values it reads. `label` sets apart layers that differ.
    """

    name: str
    kind: str
    dims: tuple[tuple[str, Dim], ...]
    group: str
    parent: str = ""
    storage: Storage = "wide"
    tensors: tuple[Tensor, ...] = ()
    phase: PhaseId = ""
    output: Literal["stored", "kv"] = "stored"
    keys: Literal["stored", "kv"] = "kv"
    label: str = ""
    packing: Packing | None = None


class Cache(msgspec.Struct, frozen=True):
    """Values one token leaves in one layer's KV cache, and the most tokens the layer holds.

    `cross`: of the encoder's tokens, written once; `tokens` is their number where the context does not say it.
    `rate`: one entry of `values` stands for that many tokens (compressed keys and values).
    """

    values: int
    window: int | None = None
    cross: bool = False
    tokens: int | None = None
    rate: int = 1


class State(msgspec.Struct, frozen=True):
    """Values one sequence holds in one layer whatever its length; in fp32, else in the activation format."""

    values: int
    fp32: bool = True


class Layer(msgspec.Struct, frozen=True):
    """Identical layers: their numbers, operators in execution order, caches and codes of their two halves.

    `owners` is how many of them own weights, where others run theirs again.
    """

    indices: tuple[int, ...]
    ops: tuple[Op, ...]
    caches: tuple[Cache, ...]
    attention: str
    mlp: str
    states: tuple[State, ...] = ()
    owners: int | None = None

    @property
    def owned(self) -> int:
        """How many sets of weights they have: one each, or fewer that are shared."""
        return len(self.indices) if self.owners is None else self.owners


class Architecture(msgspec.Struct, frozen=True):
    """A whole model; `extra` tensors are resident but take part in no step of plain decoding.

    An `encoder` runs before it, in prefill alone, and takes `encoder_tokens` tokens whatever the context (None: the
    context). `phases` are those whose operators it has.
    """

    before: tuple[Op, ...]
    layers: tuple[Layer, ...]
    after: tuple[Op, ...]
    extra: tuple[Tensor, ...] = ()
    tied: bool = False
    phases: tuple[PhaseId, ...] = (PREFILL, DECODE)
    encoder: "Architecture | None" = None
    encoder_tokens: int | None = None


def filled(ops: tuple[Op, ...], multiple: int) -> tuple[Op, ...]:
    """Operators over sequences that are filled up to a multiple of so many tokens (0: as long as they are)."""
    return tuple(_filled(op, float(multiple)) for op in ops) if multiple else ops


def _filled(op: Op, multiple: float) -> Op:
    dims = tuple((name, _padded(dim, multiple)) for name, dim in op.dims)
    return msgspec.structs.replace(op, dims=dims)


def _padded(dim: Dim, multiple: float) -> Dim:
    return Per("padded", dim.factor, multiple) if isinstance(dim, Per) and dim.symbol == "tokens" else dim


def stacks(architecture: Architecture) -> tuple[Architecture, ...]:
    """The encoder where there is one, and the model itself."""
    return (architecture,) if architecture.encoder is None else (architecture.encoder, architecture)


def tensors_of(parent: str, name: str, weight: int, bias: int, role: Role, storage: Storage) -> tuple[Tensor, ...]:
    """The weight of a module and, where it has one, its bias (which stays wide)."""
    path = f"{parent}.{name}" if parent else name
    own = (Tensor(f"{path}.weight", weight, role, storage),)
    return (*own, Tensor(f"{path}.bias", bias, "bias")) if bias else own


def linear(
    name: str,
    inputs: int,
    outputs: int,
    role: Role,
    *,
    parent: str,
    bias: bool = False,
    group: str = "",
    rows: Per = TOKENS,
    storage: Storage = "linear",
    output: Literal["stored", "kv"] = "stored",
    phase: PhaseId = "",
    label: str = "",
) -> Op:
    """A linear layer: rows x inputs by inputs x outputs."""
    return Op(
        name,
        "matmul",
        (("m", rows), ("n", float(outputs)), ("k", float(inputs))),
        group or role,
        parent=parent,
        storage=storage,
        tensors=tensors_of(parent, name, inputs * outputs, outputs * bias, role, storage),
        output=output,
        phase=phase,
        label=label,
    )


def elementwise(
    name: str, kind: str, width: float, group: str, *, parent: str = "", label: str = "", rows: Per = TOKENS
) -> Op:
    """An operator over rows x width values, without weights."""
    values = Per(rows.symbol, rows.factor * width)
    return Op(name, kind, (("values", values),), group, parent=parent, label=label)


def residual(width: int, parent: str) -> Op:
    """The addition of a half layer's output to the stream."""
    return elementwise("residual_add", "residual_add", width, "residual", parent=parent)


def count_values(tensors: Iterable[Tensor]) -> int:
    """Values of all tensors."""
    return sum(t.values * t.count for t in tensors)
