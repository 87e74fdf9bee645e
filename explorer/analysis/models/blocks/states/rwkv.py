"""RWKV-4 (arXiv 2305.13048) and RWKV-5 (arXiv 2404.05892): time mixing and channel mixing."""

import msgspec

from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.blocks.states.recurrent import recurrent
from explorer.analysis.models.parts import Cache, Op, State, elementwise, linear

TIME = "attention"
CHANNEL = "feed_forward"


def token_shift(hidden: int, mixes: int, parent: str) -> Op:
    """Mixtures of each token with the one before it."""
    weights = {"time_mix": mixes * hidden}
    return recurrent("token_shift", "token_shift", {"hidden": hidden, "mixes": mixes}, parent, weights)


class TimeMixing(msgspec.Struct, frozen=True):
    """Time mixing over `width` channels: RWKV-5 with a matrix per head of `head_size`, RWKV-4 (None) without heads."""

    hidden: int
    width: int
    head_size: int | None = None

    @property
    def code(self) -> str:
        return "rwkv"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    @property
    def states(self) -> tuple[State, ...]:
        per_channel = self.head_size or 3  # RWKV-4: numerator, denominator, maximum
        return (State(self.width * per_channel), State(self.hidden, fp32=False))

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - every layer is alike
        """Operators in execution order."""
        inward = ("receptance", "key", "value", *(["gate"] if self.head_size else []))
        return (
            token_shift(self.hidden, len(inward), TIME),
            *(linear(name, self.hidden, self.width, "attention", parent=TIME) for name in inward),
            *(self._with_matrix(self.head_size) if self.head_size else self._with_maximum()),
            linear("output", self.width, self.hidden, "attention", parent=TIME),
        )

    def _with_matrix(self, head_size: int) -> tuple[Op, ...]:
        dims = {"heads": float(self.width // head_size), "D": float(head_size)}
        return (
            recurrent("wkv", "wkv5", dims, TIME, {"time_decay": self.width, "time_faaaa": self.width}),
            norm("ln_x", self.width, kind="layer_norm", parent=TIME),
            elementwise("gate.act", "gated_silu", self.width, "activation", parent=TIME),
        )

    def _with_maximum(self) -> tuple[Op, ...]:
        weights = {"time_decay": self.width, "time_first": self.width}
        return (
            recurrent("wkv", "wkv4", {"channels": self.width}, TIME, weights),
            elementwise("receptance.act", "gated_sigmoid", self.width, "activation", parent=TIME),
        )


class ChannelMixing(msgspec.Struct, frozen=True):
    """value(relu(key(x)) squared) behind a sigmoid gate."""

    hidden: int
    inner: int

    @property
    def code(self) -> str:
        return "dense"

    @property
    def states(self) -> tuple[State, ...]:
        return (State(self.hidden, fp32=False),)

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - every layer is alike
        """Operators in execution order."""
        return (
            token_shift(self.hidden, 2, CHANNEL),
            linear("key", self.hidden, self.inner, "mlp", parent=CHANNEL),
            elementwise("key.act", "relu2", self.inner, "activation", parent=CHANNEL),
            linear("value", self.inner, self.hidden, "mlp", parent=CHANNEL),
            linear("receptance", self.hidden, self.hidden, "mlp", parent=CHANNEL),
            elementwise("receptance.act", "gated_sigmoid", self.hidden, "activation", parent=CHANNEL),
        )
