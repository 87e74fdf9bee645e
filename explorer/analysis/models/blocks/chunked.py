"""Attention within chunks, beside layers without positions that see everything (Llama 4)."""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery
from explorer.analysis.models.parts import Cache, Op, Per, elementwise

WINDOWED = {"S_k", "cached", "window", "shared_kv"}


class Chunked(msgspec.Struct, frozen=True):
    """Attention that sees the tokens of its own `chunk`, or all (None); `normed` queries and keys have unit length."""

    inner: GroupedQuery
    chunk: int | None = None
    normed: bool = False

    @property
    def code(self) -> str:
        return f"chunked {self.chunk}" if self.chunk else self.inner.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        return tuple(replace(cache, window=self.chunk) for cache in self.inner.caches)

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order; `mixed` where other layers of the model see other chunks."""
        made: list[Op] = []
        for op in self.inner.ops(mixed=False):
            if op.name == "attention":
                made += self._norm()
            made.append(self._within_chunks(op, mixed=mixed) if op.name == "attention" and self.chunk else op)
        return tuple(made)

    def _norm(self) -> tuple[Op, ...]:
        one = self.inner
        width = (one.heads + one.kv_heads) * one.head_dim
        if not self.normed:
            return ()
        unit = elementwise("qk_norm", "scale", width, "norm", parent=one.names.parent)
        return (replace(unit, dims=(*unit.dims, ("per_value", 4.0))),)

    def _within_chunks(self, op: Op, *, mixed: bool) -> Op:
        kept = tuple(dim for dim in op.dims if dim[0] not in WINDOWED)
        dims = (*kept, ("S_k", Per("keys")), ("cached", Per("cached")), ("chunk", float(self.chunk or 1)))
        return replace(op, kind="chunked_attention", dims=dims, label="chunked" if mixed else "")
