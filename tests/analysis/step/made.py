"""Small values that tests of this folder are made of."""

from typing import Any

from explorer.analysis.step.costs import Costs
from explorer.analysis.step.rows import Row


def row(name: str = "r", count: float = 1.0, **fields: Any) -> Row:
    return Row(**{"name": name, "kind": "matmul", "dims": {}, "count": count, **fields})


def cost(
    flops: float = 0.0,
    read: float = 0.0,
    written: float = 0.0,
    kernels: float = 1.0,
    weights: float = 0.0,
    kv: float = 0.0,
) -> Costs:
    return Costs(flops, read, written, kernels, weights, kv)


def asked(found: Row) -> Any:
    return ("vector" if found.name.startswith("v") else "tensor", found.activations, None)
