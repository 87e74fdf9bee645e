"""Numbers that may be arrays."""

import numpy as np

from explorer.analysis.step.rows import Number


def larger(x: Number, y: Number) -> Number:
    """The larger of two numbers or arrays."""
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        return np.maximum(x, y)
    return x if x >= y else y


def smaller(x: Number, y: Number) -> Number:
    """The smaller of two numbers or arrays."""
    if isinstance(x, np.ndarray) or isinstance(y, np.ndarray):
        return np.minimum(x, y)
    return min(x, y)
