"""The gated short convolution of LFM2: a product, a few tokens, another product."""

import msgspec

from explorer.analysis.models.blocks.states.recurrent import convolution, convolution_state
from explorer.analysis.models.parts import Cache, Op, State, elementwise, linear

PARENT = "conv"


class ShortConvolution(msgspec.Struct, frozen=True):
    """out(C x conv(B x X)) over the latest `kernel` tokens; one projection makes B, C and X."""

    hidden: int
    kernel: int
    bias: bool = False

    @property
    def code(self) -> str:
        return "convolution"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    @property
    def states(self) -> tuple[State, ...]:
        return (convolution_state(self.hidden, self.kernel),)

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - its names are its own
        """Operators in execution order."""
        hidden, bias = self.hidden, self.bias
        return (
            linear("in_proj", hidden, 3 * hidden, "attention", parent=PARENT, bias=bias),
            elementwise("gate_in", "multiply", hidden, "activation", parent=PARENT),
            convolution(hidden, self.kernel, PARENT, bias=bias, name="conv"),
            elementwise("gate_out", "multiply", hidden, "activation", parent=PARENT),
            linear("out_proj", hidden, hidden, "attention", parent=PARENT, bias=bias),
        )
