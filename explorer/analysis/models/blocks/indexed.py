"""Sparse attention over an index (DeepSeek-V3.2, arXiv 2512.02556): latent attention to the tokens an indexer chose."""

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import rotary
from explorer.analysis.models.blocks.mla import Latent
from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.parts import Cache, Dim, Op, Per, linear

PARENT = "self_attn.indexer"


def index_scores(heads: int, size: int, topk: int, *, parent: str = PARENT, rate: int = 1) -> Op:
    """Scores of every key held, of which the `topk` best are kept; one key stands for `rate` tokens."""
    dims: tuple[tuple[str, Dim], ...] = (
        ("b", Per("batch")),
        ("heads", float(heads)),
        ("S_q", Per("queries")),
        ("S_k", Per("keys")),
        ("D", float(size)),
        ("rate", float(rate)),
        ("topk", float(topk)),
        ("causal", Per("masked")),
        ("cached", Per("cached")),
    )
    return Op("index_scores", "index_scores", dims, "attention", parent=parent)


class Indexer(msgspec.Struct, frozen=True):
    """Picks `topk` tokens by `heads` index heads of `size`; its queries come from the latent queries."""

    hidden: int
    q_rank: int
    heads: int
    size: int
    topk: int
    rope: int

    def ops(self) -> tuple[Op, ...]:
        """Operators in execution order."""
        return (
            linear("wq_b", self.q_rank, self.heads * self.size, "attention", parent=PARENT),
            linear("wk", self.hidden, self.size, "attention", parent=PARENT, output="kv"),
            norm("k_norm", self.size, kind="layer_norm", parent=PARENT),
            rotary(self.heads + 1, self.rope, PARENT),
            linear("weights_proj", self.hidden, self.heads, "attention", parent=PARENT, storage="wide"),
            index_scores(self.heads, self.size, self.topk),
        )


class IndexedLatent(msgspec.Struct, frozen=True):
    """Latent attention to at most `topk` tokens; without an `indexer` to those that an earlier layer chose."""

    latent: Latent
    topk: int
    indexer: Indexer | None = None

    @property
    def code(self) -> str:
        return f"mla, sparse {self.topk}" if self.indexer else f"mla, sparse {self.topk}, shared index"

    @property
    def caches(self) -> tuple[Cache, ...]:
        own = (Cache(self.indexer.size),) if self.indexer else ()
        return (*self.latent.caches, *own)

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order, both phases."""
        made: list[Op] = []
        for op in self.latent.ops(mixed=mixed):
            made.append(limited(op, self.topk) if op.name == "attention" else op)
            if op.name == "rotary_emb" and self.indexer:
                made += self.indexer.ops()
        return tuple(made)


def limited(op: Op, keys: int) -> Op:
    """The same attention, each query of which sees at most that many keys."""
    return replace(op, dims=tuple((name, _limited(name, value, keys)) for name, value in op.dims))


def _limited(name: str, value: Dim, keys: int) -> Dim:
    if isinstance(value, Per) and name in {"S_k", "cached"}:
        return replace(value, limit=float(keys))
    return float(keys) if name == "window" else value
