"""Several residual streams beside each other, collapsed before each half and mixed after it (DeepSeek-V4).

Module structure: the transformers library, version 5.24 (deepseek_v4).
"""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.compressed import CompressedAttention
from explorer.analysis.models.blocks.norms import norm, unit_norm
from explorer.analysis.models.parts import TOKENS, Cache, Dim, Op, State, Tensor, elementwise, linear
from explorer.analysis.models.transformer import Half


class Streams(msgspec.Struct, frozen=True):
    """Hyper-connections of `count` residual streams, mixed with `rounds` of Sinkhorn-Knopp (arXiv 2409.19606)."""

    hidden: int
    count: int
    rounds: int

    def collapse(self, parent: str, outputs: int, scales: int, names: tuple[str, str, str]) -> tuple[Op, ...]:
        """All streams into one, by `outputs` weights computed from them."""
        wide = self.count * self.hidden
        name, base, scale = names
        projected = linear(name, wide, outputs, "attention", parent=parent, storage="wide", group="residual")
        small = (Tensor(f"{parent}.{base}", outputs, "bias"), Tensor(f"{parent}.{scale}", scales, "bias"))
        weighted: tuple[tuple[str, Dim], ...] = (
            ("tokens", TOKENS), ("top_k", float(self.count)), ("hidden", float(self.hidden)),
        )  # fmt: skip
        return (
            unit_norm("input_norm", wide, parent),
            replace(projected, tensors=(*projected.tensors, *small)),
            Op("collapse", "combine", weighted, "residual", parent=parent),
        )

    def before(self, parent: str) -> tuple[Op, ...]:
        """What feeds a half layer, and the matrix that mixes the streams after it."""
        n = self.count
        rounds = elementwise("sinkhorn", "scale", n * n, "residual", parent=parent)
        sinkhorn = replace(rounds, dims=(*rounds.dims, ("per_value", 4.0 * self.rounds)))
        return (*self.collapse(parent, (2 + n) * n, 3, ("fn", "base", "scale")), sinkhorn)

    def after(self, parent: str) -> tuple[Op, ...]:
        """The half layer's output into all streams, which are mixed."""
        dims: tuple[tuple[str, Dim], ...] = (
            ("tokens", TOKENS), ("streams", float(self.count)), ("hidden", float(self.hidden)),
        )  # fmt: skip
        return (Op("mix", "hyper_connection", dims, "residual", parent=parent),)


class StreamedMixer(msgspec.Struct, frozen=True):
    """Attention between a collapse of the streams and their mixing."""

    inner: CompressedAttention
    streams: Streams
    parent: str = "attn_hc"
    before: str = "input_layernorm"

    @property
    def code(self) -> str:
        return self.inner.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        return self.inner.caches

    @property
    def states(self) -> tuple[State, ...]:
        return self.inner.states

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        return streamed(self.streams, self.parent, self.before, self.inner.ops(mixed=mixed))


class StreamedMlp(msgspec.Struct, frozen=True):
    """Experts between a collapse of the streams and their mixing."""

    inner: Half
    streams: Streams
    note: str = ""
    parent: str = "ffn_hc"
    before: str = "post_attention_layernorm"

    @property
    def code(self) -> str:
        return f"{self.inner.code}{self.note}"

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        return streamed(self.streams, self.parent, self.before, self.inner.ops(mixed=mixed))


def streamed(streams: Streams, parent: str, before: str, ops: tuple[Op, ...]) -> tuple[Op, ...]:
    """A half layer among several streams."""
    return (*streams.before(parent), norm(before, streams.hidden), *ops, *streams.after(parent))
