"""Attention of long encoders, worked out block by block: Longformer and BigBird."""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.parts import Cache, Dim, Op, Per


class Blocks(msgspec.Struct, frozen=True):
    """Which blocks of keys and values a block of queries works with; see the kind `block_attention`."""

    size: int
    scored: int
    unscored: int
    summed: int
    unsummed: int
    step: int = 1
    whole: int = 0
    reach: int | None = None


class InBlocks(msgspec.Struct, frozen=True):
    """Attention of one layer in blocks; all but its product is that of `plain`."""

    plain: Bidirectional
    blocks: Blocks

    @property
    def code(self) -> str:
        reach = self.blocks.reach
        return f"bidirectional {2 * reach + 1}" if reach is not None else f"blocks of {self.blocks.size}"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        return tuple(self._product(op) if op.kind == "attention" else op for op in self.plain.ops(mixed=mixed))

    def _product(self, op: Op) -> Op:
        own, plain = self.blocks, self.plain
        dims: dict[str, Dim] = {
            "b": Per("batch"), "heads": float(plain.heads), "S": Per("queries"), "D": float(plain.head_dim),
            "block": float(own.size), "scored": float(own.scored), "unscored": float(own.unscored),
            "summed": float(own.summed), "unsummed": float(own.unsummed), "step": float(own.step),
            "whole": float(own.whole), "masked": Per("masked"),
        }  # fmt: skip
        if own.reach is not None:
            dims["reach"] = float(own.reach)
        return replace(op, kind="block_attention", dims=tuple(dims.items()))


def in_chunks(plain: Bidirectional, reach: int, filled: int = 0) -> InBlocks:
    """Longformer: keys within reach of either side, scored in chunks that overlap by half.

    Texts are `filled` up to a multiple of so many tokens (0: of a chunk).
    """
    return InBlocks(plain, Blocks(reach, 4, 4, 3, 0, step=filled // reach if filled else 2, reach=reach))


def in_random_blocks(plain: Bidirectional, size: int, drawn: int) -> InBlocks:
    """BigBird: three blocks beside, two at the ends, some drawn at random; every pair in short texts."""
    each, less = 7 + drawn, 12 + 2 * drawn
    return InBlocks(plain, Blocks(size, each, less, each, less, whole=(5 + 2 * drawn) * size))
