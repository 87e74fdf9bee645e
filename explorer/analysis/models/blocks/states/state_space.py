"""State-space layers: Mamba (arXiv 2312.00752) and Mamba-2 (arXiv 2405.21060)."""

import msgspec

from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.blocks.states.recurrent import convolution, convolution_state, per_head, recurrent
from explorer.analysis.models.parts import Cache, Op, State, elementwise, linear

PARENT = "mixer"


class Mamba(msgspec.Struct, frozen=True):
    """A selective scan over `inner` channels with `size` state values each; its steps come from `rank` values.

    `inner_norms` are the norms of what makes its steps, of its inputs and of its read-outs, `weighted` or not. Of
    several `heads` each makes its own of them.
    """

    hidden: int
    inner: int
    size: int
    kernel: int
    rank: int
    bias: bool = False
    conv_bias: bool = True
    parent: str = PARENT
    inner_norms: tuple[str, str, str] | None = None
    weighted: bool = True
    heads: int = 1

    @property
    def code(self) -> str:
        return "mamba"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    @property
    def states(self) -> tuple[State, ...]:
        return (State(self.inner * self.size), convolution_state(self.inner, self.kernel))

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - its names are its own
        """Operators in execution order."""
        inner, chosen, parent = self.inner, self.rank + 2 * self.size, self.parent
        weights = {"A_log": inner * self.size, "D": inner}
        return (
            linear("in_proj", self.hidden, 2 * inner, "attention", parent=parent, bias=self.bias),
            convolution(inner, self.kernel, parent, bias=self.conv_bias),
            elementwise("conv1d.act", "silu", inner, "activation", parent=parent),
            *self._steps(chosen),
            recurrent("scan", "selective_scan", self._sizes(), parent, weights),
            elementwise("gate", "gated_silu", inner, "activation", parent=parent),
            linear("out_proj", inner, self.hidden, "attention", parent=parent, bias=self.bias),
        )

    def _steps(self, chosen: int) -> tuple[Op, ...]:
        """What inputs, read-outs and steps are made of."""
        inner, parent = self.inner, self.parent
        if self.heads > 1:
            each = inner // self.heads
            return (
                per_head("x_proj_weight", self.heads, each, chosen, parent, weight="x_proj_weight"),
                per_head(
                    "dt_proj_weight", self.heads, self.rank, each, parent, weight="dt_proj_weight", bias="dt_proj_bias"
                ),
            )
        return (
            linear("x_proj", inner, chosen, "attention", parent=parent),
            *self._norms(),
            linear("dt_proj", self.rank, inner, "attention", parent=parent, bias=True),
        )

    def _sizes(self) -> dict[str, float]:
        groups = {"groups": float(self.heads)} if self.heads > 1 else {}
        return {"channels": self.inner, "size": self.size, **groups}

    def _norms(self) -> tuple[Op, ...]:
        widths = (self.rank, self.size, self.size)
        named = zip(self.inner_norms, widths, strict=True) if self.inner_norms else ()
        weights = None if self.weighted else 0
        return tuple(norm(name, width, parent=self.parent, weights=weights) for name, width in named)


class Mamba2(msgspec.Struct, frozen=True):
    """A scan of `heads` heads of `head_dim` channels with `size` state values each; `groups` of heads share inputs.

    `out_bias` is that of the projection outward where it is not the one inward's.
    """

    hidden: int
    heads: int
    head_dim: int
    size: int
    groups: int
    kernel: int
    bias: bool = False
    conv_bias: bool = True
    out_bias: bool | None = None
    normed: bool = True
    parent: str = PARENT

    @property
    def code(self) -> str:
        return "mamba2"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    @property
    def states(self) -> tuple[State, ...]:
        return (State(self._inner * self.size), convolution_state(self._channels, self.kernel))

    @property
    def _inner(self) -> int:
        return self.heads * self.head_dim

    @property
    def _channels(self) -> int:
        return self._inner + 2 * self.groups * self.size

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - its names are its own
        """Operators in execution order."""
        inner, inward, parent = self._inner, self._inner + self._channels + self.heads, self.parent
        out_bias = self.bias if self.out_bias is None else self.out_bias
        return (
            linear("in_proj", self.hidden, inward, "attention", parent=parent, bias=self.bias),
            convolution(self._channels, self.kernel, parent, bias=self.conv_bias),
            elementwise("conv1d.act", "silu", self._channels, "activation", parent=parent),
            self._scan(),
            elementwise("gate", "gated_silu", inner, "activation", parent=parent),
            *([norm("norm", inner, parent=parent)] if self.normed else []),
            linear("out_proj", inner, self.hidden, "attention", parent=parent, bias=out_bias),
        )

    def _scan(self) -> Op:
        dims = {"heads": self.heads, "D": self.head_dim, "groups": self.groups, "size": self.size}
        weights = dict.fromkeys(("A_log", "D", "dt_bias"), self.heads)
        return recurrent("scan", "state_space_scan", {k: float(v) for k, v in dims.items()}, self.parent, weights)
