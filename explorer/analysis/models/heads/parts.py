"""Heads as declared values: linear layers, norms and activations, by their module names and with named widths."""

from collections.abc import Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.norms import NormKind, norm
from explorer.analysis.models.parts import TOKENS, Op, Per, Tensor, elementwise, linear

FIRST_TOKENS = Per("batch")  # one of each sequence
Width = Literal["hidden", "table", "outer", "vocab", "labels", "inner"] | int


class HeadWidths(msgspec.Struct, frozen=True):
    """Sizes of a head: the stream's, the embedding table's, an outer one's, those of its outputs, an inner one's."""

    hidden: int
    vocab: int
    labels: int
    table: int = 0
    outer: int = 0
    inner: int = 0
    tied: bool = False

    def of(self, width: Width) -> int:
        """A size by its name."""
        if isinstance(width, int):
            return width
        named = {"vocab": self.vocab, "labels": self.labels, "table": self.table, "outer": self.outer}
        return {**named, "inner": self.inner}.get(width) or self.hidden


class Dense(msgspec.Struct, frozen=True):
    """A linear layer; over the `first` token of each sequence, or over all; `tied` to the table where the model ties.

    `spare` ones own a second bias, of the module around them, unless they are tied.
    """

    path: str
    inputs: Width = "hidden"
    outputs: Width = "hidden"
    bias: bool = True
    first: bool = False
    tied: bool = False
    spare: bool = False

    def op(self, widths: HeadWidths) -> Op:
        """Its operator."""
        parent, _, leaf = self.path.rpartition(".")
        rows = FIRST_TOKENS if self.first else TOKENS
        sizes = widths.of(self.inputs), widths.of(self.outputs)
        made = linear(leaf, *sizes, "head", parent=parent, bias=self.bias, rows=rows, storage="wide")
        if self.tied and widths.tied:
            return replace(made, tensors=made.tensors[1:])
        second = (Tensor(f"{parent}.bias", sizes[1], "bias"),) if self.spare else ()
        return replace(made, tensors=(*made.tensors, *second))


class Spliced(msgspec.Struct, frozen=True):
    """Logits from the table and a weight of its own beside it, which make up for the table's narrower rows."""

    path: str
    own: str
    outputs: Width = "vocab"

    def op(self, widths: HeadWidths) -> Op:
        """Its operator."""
        parent, _, leaf = self.path.rpartition(".")
        whole = linear(leaf, widths.hidden, widths.vocab, "head", parent=parent, bias=True, rows=TOKENS, storage="wide")
        beside = Tensor(f"{parent}.{self.own}.weight", (widths.hidden - widths.table) * widths.vocab, "head")
        made = replace(whole, tensors=(beside, whole.tensors[-1]))
        if widths.tied:
            return made
        table = Tensor(f"{self.path}.weight", widths.table * widths.vocab, "head")
        return replace(made, tensors=(table, *made.tensors, Tensor(f"{parent}.bias", widths.vocab, "bias")))


class Norm(msgspec.Struct, frozen=True):
    """A norm."""

    path: str
    width: Width = "hidden"
    kind: NormKind = "layer_norm"
    weights: int | None = None
    first: bool = False

    def op(self, widths: HeadWidths) -> Op:
        """Its operator."""
        parent, _, leaf = self.path.rpartition(".")
        made = norm(leaf, widths.of(self.width), parent=parent, kind=self.kind, weights=self.weights)
        rows = tuple((name, FIRST_TOKENS if self.first and name == "rows" else dim) for name, dim in made.dims)
        return replace(made, dims=rows, group="head")


class Act(msgspec.Struct, frozen=True):
    """An activation function."""

    path: str
    kind: str = "gelu"
    width: Width = "hidden"
    first: bool = False

    def op(self, widths: HeadWidths) -> Op:
        """Its operator."""
        parent, _, leaf = self.path.rpartition(".")
        rows = FIRST_TOKENS if self.first else TOKENS
        return elementwise(leaf, self.kind, widths.of(self.width), "head", parent=parent, rows=rows)


def reads_table(part: "Dense | Spliced | Norm | Act") -> bool:
    """Whether a part reads the embedding table where the model ties."""
    return isinstance(part, Spliced) or (isinstance(part, Dense) and part.tied)


class ClassHead(msgspec.Struct, frozen=True):
    """What a class has behind the layers; `pooled` ones keep the pooler that the base class has."""

    parts: tuple[Dense | Spliced | Norm | Act, ...] = ()
    pooled: bool = False

    def ops(self, widths: HeadWidths) -> tuple[Op, ...]:
        """Its operators in execution order."""
        return tuple(part.op(widths) for part in self.parts)


Heads = Mapping[str, ClassHead]  # by what follows the name of the family in the name of the class
