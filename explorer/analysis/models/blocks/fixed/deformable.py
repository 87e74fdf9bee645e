"""Deformable attention (arXiv 2010.04159): queries look at a few points of each picture, between four pixels each."""

from explorer.analysis.models.blocks.fixed.pieces import Ops, dense, learnt, valued


def deformable(path: str, width: int, heads: int, queries: int, keys: int, levels: int, points: int) -> Ops:
    """Its operators: `keys` rows of all `levels` are projected, `points` of each are sampled for every head."""
    seen = heads * levels * points
    sampled = queries * seen * max(width // heads, 1)
    return (
        dense(f"{path}.value_proj", width, width, keys, role="attention"),
        dense(f"{path}.sampling_offsets", width, 2 * seen, queries, role="attention"),
        dense(f"{path}.attention_weights", width, seen, queries, role="attention"),
        valued(f"{path}.softmax", "softmax", queries * seen, "attention"),
        learnt(f"{path}.grid_sample", 0, sampled, per_value=7.0, group="attention"),
        learnt(f"{path}.weighted_sum", 0, sampled, per_value=2.0, group="attention"),
        dense(f"{path}.output_proj", width, width, queries, role="attention"),
    )
