"""Types of tensors in GGUF files: a test holds them against the `gguf` package."""

from functools import cache
from typing import Final, NamedTuple

ALIGNMENT: Final = 32  # bytes that the start of every tensor of a file is a multiple of


class GgmlType(NamedTuple):
    """A type: its id as a number format, and bytes per block of values, scales included."""

    name: str
    block: int
    bytes: int


TYPES: Final[dict[int, GgmlType]] = {
    0: GgmlType("fp32", 1, 4),
    1: GgmlType("fp16", 1, 2),
    2: GgmlType("Q4_0", 32, 18),
    3: GgmlType("Q4_1", 32, 20),
    6: GgmlType("Q5_0", 32, 22),
    7: GgmlType("Q5_1", 32, 24),
    8: GgmlType("Q8_0", 32, 34),
    9: GgmlType("Q8_1", 32, 40),
    10: GgmlType("Q2_K", 256, 84),
    11: GgmlType("Q3_K", 256, 110),
    12: GgmlType("Q4_K", 256, 144),
    13: GgmlType("Q5_K", 256, 176),
    14: GgmlType("Q6_K", 256, 210),
    15: GgmlType("Q8_K", 256, 292),
    16: GgmlType("IQ2_XXS", 256, 66),
    17: GgmlType("IQ2_XS", 256, 74),
    18: GgmlType("IQ3_XXS", 256, 98),
    19: GgmlType("IQ1_S", 256, 50),
    20: GgmlType("IQ4_NL", 32, 18),
    21: GgmlType("IQ3_S", 256, 110),
    22: GgmlType("IQ2_S", 256, 82),
    23: GgmlType("IQ4_XS", 256, 136),
    24: GgmlType("int8", 1, 1),
    25: GgmlType("I16", 1, 2),
    26: GgmlType("I32", 1, 4),
    27: GgmlType("I64", 1, 8),
    28: GgmlType("fp64", 1, 8),
    29: GgmlType("IQ1_M", 256, 56),
    30: GgmlType("bf16", 1, 2),
    34: GgmlType("TQ1_0", 256, 54),
    35: GgmlType("TQ2_0", 256, 66),
    39: GgmlType("mxfp4", 32, 17),
    40: GgmlType("nvfp4", 64, 36),
    41: GgmlType("Q1_0", 128, 18),
}


@cache
def by_name() -> dict[str, GgmlType]:
    """The types by their ids as number formats."""
    return {known.name: known for known in TYPES.values()}


def bits_of(name: str) -> float:
    """Bits of a value of a type, 0 where there is none of that name."""
    kind = by_name().get(name)
    return 0.0 if kind is None else 8 * kind.bytes / kind.block


def tensor_bytes(name: str, rows: int, columns: int) -> int:
    """Bytes of a tensor of a type, with what fills it up to the alignment.

    Rows are stored in whole blocks: rows x (columns / values of a block) x bytes of a block (`ggml_row_size`).
    """
    kind = by_name()[name]
    size = rows * (columns // kind.block) * kind.bytes
    return size + -size % ALIGNMENT
