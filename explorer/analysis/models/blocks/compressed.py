"""Attention to a window and to compressed keys (DeepSeek-V4).

Module structure: the transformers library, version 5.24 (deepseek_v4).
"""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import EVERY_KEY, attention_dims, rotary
from explorer.analysis.models.blocks.indexed import index_scores
from explorer.analysis.models.blocks.norms import norm, unit_norm
from explorer.analysis.models.parts import TOKENS, Cache, Dim, Op, Per, State, Tensor, linear

PARENT = "self_attn"
COMPRESSOR = f"{PARENT}.compressor"
INDEXER = f"{COMPRESSOR}.indexer"


class Compression(msgspec.Struct, frozen=True):
    """Entries of one vector for `rate` tokens each; `overlap` blends each with the entry before it."""

    rate: int
    overlap: bool = False

    @property
    def series(self) -> int:
        """Vectors each token contributes to."""
        return 2 if self.overlap else 1

    def held(self, size: int) -> State:
        """What waits for an entry to be complete, and what the next entry needs of the last one: values and gates."""
        waiting = 2 * (self.rate - 1) * self.series * size
        return State(waiting + (2 * self.rate * size if self.overlap else 0), fp32=False)

    def ops(self, hidden: int, size: int, rope: int, parent: str) -> tuple[Op, ...]:
        """Operators that make entries of `size` values."""
        width, share = self.series * size, 1 / self.rate
        bias = Tensor(f"{parent}.position_bias", self.rate * width, "attention")
        dims: tuple[tuple[str, Dim], ...] = (
            ("tokens", TOKENS), ("width", float(width)), ("rate", float(self.rate)), ("size", float(size)),
        )  # fmt: skip
        turned: tuple[tuple[str, Dim], ...] = (
            ("tokens", Per("tokens", share)),
            ("positions", Per("positions", share)),
            ("heads", 1.0),
            ("dim", float(rope)),
        )
        return (
            linear("kv_proj", hidden, width, "attention", parent=parent, storage="wide"),
            linear("gate_proj", hidden, width, "attention", parent=parent, storage="wide"),
            Op("compress", "compress_kv", dims, "attention", parent=parent, tensors=(bias,), output="kv"),
            norm("kv_norm", size, parent=parent, rows=share),
            Op("rotary_emb", "rotary", turned, "rotary", parent=parent),
        )


class Index(msgspec.Struct, frozen=True):
    """An indexer over compressed keys of `size` that picks `topk` entries."""

    heads: int
    size: int
    topk: int


class CompressedAttention(msgspec.Struct, frozen=True):
    """Attention of one shared key-value head to the latest `window` tokens and to compressed entries, if any."""

    hidden: int
    heads: int
    size: int
    rope: int
    q_rank: int
    o_rank: int
    o_groups: int
    window: int
    compression: Compression | None = None
    index: Index | None = None

    @property
    def code(self) -> str:
        near = f"sliding {self.window}"
        if self.compression is None:
            return near
        far = f"{near} + compressed {self.compression.rate}"
        return f"{far}, sparse {self.index.topk}" if self.index else far

    @property
    def caches(self) -> tuple[Cache, ...]:
        near = Cache(self.size, self.window)
        if self.compression is None:
            return (near,)
        rate = self.compression.rate
        index = (Cache(self.index.size, rate=rate),) if self.index else ()
        return (near, Cache(self.size, rate=rate), *index)

    @property
    def states(self) -> tuple[State, ...]:
        if self.compression is None:
            return ()
        sizes = (self.size, self.index.size) if self.index else (self.size,)
        return tuple(self.compression.held(size) for size in sizes)

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - layers differ in what they compress
        """Operators in execution order."""
        width = self.heads * self.size
        turn_back = replace(rotary(self.heads, self.rope, PARENT), name="rotary_emb.back")
        return (
            linear("q_a_proj", self.hidden, self.q_rank, "attention", parent=PARENT),
            norm("q_a_norm", self.q_rank, parent=PARENT),
            linear("q_b_proj", self.q_rank, width, "attention", parent=PARENT),
            unit_norm("q_b_norm", width, PARENT),
            linear("kv_proj", self.hidden, self.size, "attention", parent=PARENT, output="kv"),
            norm("kv_norm", self.size, parent=PARENT),
            rotary(self.heads + 1, self.rope, PARENT),
            *self._compressed(),
            self._attention(),
            turn_back,
            self._grouped_out(),
            linear("o_b_proj", self.o_groups * self.o_rank, self.hidden, "attention", parent=PARENT),
        )

    def _compressed(self) -> tuple[Op, ...]:
        if self.compression is None:
            return ()
        made = self.compression.ops(self.hidden, self.size, self.rope, COMPRESSOR)
        label = f"{self.compression.rate}"
        return tuple(replace(op, label=label) for op in (*made, *self._chosen()))

    def _chosen(self) -> tuple[Op, ...]:
        index, compression = self.index, self.compression
        if index is None or compression is None:
            return ()
        rope = min(self.rope, index.size)
        queries = rotary(index.heads, rope, INDEXER)
        return (
            *compression.ops(self.hidden, index.size, rope, INDEXER),
            linear("q_b_proj", self.q_rank, index.heads * index.size, "attention", parent=INDEXER),
            replace(queries, name="rotary_emb.queries"),
            linear("weights_proj", self.hidden, index.heads, "attention", parent=INDEXER, storage="wide"),
            index_scores(index.heads, index.size, index.topk, parent=INDEXER, rate=compression.rate),
        )

    def _attention(self) -> Op:
        sinks = (Tensor(f"{PARENT}.sinks", self.heads, "bias"),)
        if self.compression is None:
            dims = attention_dims(self.heads, 1, self.size, self.size, self.window, shared=True)
            return Op("attention", "attention", dims, "attention", parent=PARENT, tensors=sinks, label="sliding")
        far: tuple[tuple[str, Dim], ...] = (
            ("b", Per("batch")),
            ("heads", float(self.heads)),
            ("S_q", Per("queries")),
            ("S_k", Per("keys")),
            ("D", float(self.size)),
            ("window", float(self.window)),
            ("rate", float(self.compression.rate)),
            ("topk", float(self.index.topk) if self.index else EVERY_KEY),
            ("causal", Per("masked")),
            ("cached", Per("cached")),
        )
        label = f"compressed {self.compression.rate}"
        kind = "compressed_attention"
        return Op("attention", kind, far, "attention", parent=PARENT, tensors=sinks, label=label)

    def _grouped_out(self) -> Op:
        """Each group of heads goes through a matrix of its own."""
        inputs = self.heads * self.size // self.o_groups
        whole = linear("o_a_proj", inputs, self.o_groups * self.o_rank, "attention", parent=PARENT)
        dims: tuple[tuple[str, Dim], ...] = (
            ("heads", float(self.o_groups)), ("m", TOKENS), ("n", float(self.o_rank)), ("k", float(inputs)),
        )  # fmt: skip
        return replace(whole, kind="absorbed_matmul", dims=dims)
