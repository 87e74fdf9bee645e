"""Mixers of one layer side by side: all are fed from the same stream, what they say is added up."""

import msgspec

from explorer.analysis.models.parts import Cache, Op, State, elementwise
from explorer.analysis.models.transformer import Mixer


class SideBySide(msgspec.Struct, frozen=True):
    """A state-space mixer and attention, fed alike."""

    hidden: int
    first: Mixer
    second: Mixer

    @property
    def code(self) -> str:
        return f"{self.first.code} + {self.second.code}"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return (*self.first.caches, *self.second.caches)

    @property
    def states(self) -> tuple[State, ...]:
        return (*getattr(self.first, "states", ()), *getattr(self.second, "states", ()))

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        add = elementwise("mixers.add", "residual_add", self.hidden, "residual", parent="self_attn")
        return (*self.first.ops(mixed=mixed), *self.second.ops(mixed=mixed), add)
