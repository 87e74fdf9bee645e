"""Positions as learnt biases of the scores."""

from explorer.analysis.models.parts import Dim, Op, Per, Tensor


def relative_bias(heads: int, buckets: int, name: str = "relative_attention_bias", parent: str = "") -> Op:
    """The learnt bias of each head at each distance, bucketed."""
    dims: tuple[tuple[str, Dim], ...] = (
        ("tokens", Per("keys")), ("hidden", float(heads)), ("vocab", float(buckets)),
    )  # fmt: skip
    path = f"{parent}.{name}" if parent else name
    table = Tensor(f"{path}.weight", buckets * heads, "embedding")
    return Op(name, "embedding", dims, "embedding", parent=parent, tensors=(table,))
