"""Several streams, of which one is worked on and the others are predicted (AltUp, arXiv 2301.13310): Gemma 3n.

Halves bring their norms and add themselves to the stream. Module structure: the transformers library, version 5.24
(gemma3n).
"""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.gemma4 import Gemma4Attention
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.parts import TOKENS, Cache, Op, Per, Tensor, elementwise, linear, residual

ALTUP, LAUREL = "altup", "laurel"
TWICE = Per("tokens", 2.0)
CUT_OFF = 7.0  # of a value: its part of mean (1) and deviation (4), difference, ReLU
MAGNITUDE = 5.0  # of a value: its square and sum, twice (of two streams), product


class AltUp(msgspec.Struct, frozen=True):
    """`count` streams of `hidden` values: all are predicted from each other, then corrected by what one has learnt."""

    hidden: int
    count: int
    scaled: bool = True

    def predict(self) -> tuple[Op, ...]:
        """All streams from all streams, by weights that the active one gives."""
        n = float(self.count)
        mixed = Op(
            "predict",
            "batched_matmul",
            (("b", TOKENS), ("m", float(self.hidden)), ("n", n), ("k", n)),
            "residual",
            parent=ALTUP,
        )
        weights = self._linear("prediction_coefs", self.count, self.count**2)
        return (*self._routed(), weights, mixed, residual(self.count * self.hidden, f"{ALTUP}.predict"))

    def correct(self) -> tuple[Op, ...]:
        """What the active stream has learnt, weighted, into all; the active one is scaled."""
        wide = self.count * self.hidden
        change = elementwise("innovation", "residual_add", self.hidden, "residual", parent=ALTUP)
        added = elementwise("correct", "scale", wide, "residual", parent=ALTUP)
        scale = Tensor(f"{ALTUP}.correct_output_scale", self.hidden, "bias")
        out = elementwise("correct_output_scale", "scale", self.hidden, "residual", parent=ALTUP)
        return (
            self._linear("correction_coefs", self.count, self.count),
            change,
            replace(added, dims=(*added.dims, ("per_value", 2.0)), tensors=() if self.scaled else (scale,)),
            *([replace(out, tensors=(scale,))] if self.scaled else []),
        )

    def _routed(self) -> tuple[Op, ...]:
        """The active stream, normed, as a few weights: before the layer and after it, by the same modules."""
        router = linear(
            "modality_router", self.hidden, self.count, "projection", parent=ALTUP, storage="wide", group="residual",
            rows=TWICE,
        )  # fmt: skip
        return (
            norm("router_norm", self.hidden, parent=ALTUP, rows=2.0),
            router,
            elementwise("router_tanh", "scale", self.count, "activation", parent=ALTUP, rows=TWICE),
        )

    def _linear(self, name: str, inputs: int, outputs: int) -> Op:
        return linear(name, inputs, outputs, "projection", parent=ALTUP, storage="wide", group="residual")


class AlternatingAttention(msgspec.Struct, frozen=True):
    """Prediction, then attention beside a residual of low `rank`."""

    attention: Gemma4Attention
    altup: AltUp
    rank: int

    @property
    def code(self) -> str:
        return self.attention.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        return self.attention.caches

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order, norms and residual included; `mixed` where layers differ."""
        first, *others = self.attention.ops(mixed=mixed)
        joined = elementwise("add", "residual_add", self.attention.hidden, "residual", parent=LAUREL)
        return (*self.altup.predict(), first, *self._laurel(), *others, joined)

    def _laurel(self) -> tuple[Op, ...]:
        hidden = self.attention.hidden
        return (
            linear("linear_left", hidden, self.rank, "projection", parent=LAUREL, group="residual"),
            linear("linear_right", self.rank, hidden, "projection", parent=LAUREL, group="residual"),
            norm("post_laurel_norm", hidden, parent=LAUREL),
            residual(hidden, LAUREL),
        )


class AlternatingMlp(msgspec.Struct, frozen=True):
    """A gated block, then correction of all streams and the layer's own input (`extra` values wide).

    In `sparse` layers values of the gate below a cut-off, some deviations above the mean, are nothing.
    """

    inner: int
    altup: AltUp
    extra: int
    sparse: bool = False

    @property
    def code(self) -> str:
        return "dense"

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - every layer is dense
        """Operators in execution order, norms and residuals included."""
        hidden = self.altup.hidden
        return (
            norm("pre_feedforward_layernorm", hidden),
            *self._block(),
            norm("post_feedforward_layernorm", hidden),
            residual(hidden, "mlp"),
            *self.altup.correct(),
            linear("per_layer_input_gate", hidden, self.extra, "mlp", parent=""),
            elementwise("per_layer_input", "gated_gelu", self.extra, "activation"),
            linear("per_layer_projection", self.extra, hidden, "mlp", parent=""),
            norm("post_per_layer_input_norm", hidden),
            residual((self.altup.count - 1) * hidden, "per_layer_input"),
        )

    def _block(self) -> tuple[Op, ...]:
        label = str(self.inner) if self.sparse else ""
        made = GatedMlp(self.altup.hidden, self.inner, "gelu").ops(mixed=False)
        cut = elementwise("gate_cutoff", "scale", self.inner, "activation", parent="mlp", label=label)
        kept = replace(cut, dims=(*cut.dims, ("per_value", CUT_OFF)))
        return tuple(part for op in made for part in ((op, kept) if self.sparse and op.name == "gate_proj" else (op,)))


def widened(hidden: int, count: int, name: str) -> tuple[Op, ...]:
    """A stream into the others, or the others into one, each by a projection, to the magnitude of the first."""
    scaled = elementwise(f"{name}.magnitude", "scale", (count - 1) * hidden, "residual")
    return (
        *(linear(f"{name}.{i}", hidden, hidden, "projection", parent="", group="residual") for i in range(count - 1)),
        replace(scaled, dims=(*scaled.dims, ("per_value", MAGNITUDE))),
    )
