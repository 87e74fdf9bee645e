"""A half of a layer with norms of its own, where layers of one model have them at different places."""

import msgspec

from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.parts import Cache, Op, State
from explorer.analysis.models.transformer import Half


class NormedHalf(msgspec.Struct, frozen=True):
    """A half between the norms of these names; "" where there is none."""

    half: Half
    hidden: int
    before: str = ""
    after: str = ""

    @property
    def code(self) -> str:
        return self.half.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        found: tuple[Cache, ...] = getattr(self.half, "caches", ())
        return found

    @property
    def states(self) -> tuple[State, ...]:
        found: tuple[State, ...] = getattr(self.half, "states", ())
        return found

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        sides = (self.before,), (self.after,)
        first, last = (tuple(norm(name, self.hidden) for name in side if name) for side in sides)
        return (*first, *self.half.ops(mixed=mixed), *last)
