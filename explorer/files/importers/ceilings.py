"""Names of levels and formats that ceiling benchmarks share."""

from typing import Final

PRECISIONS: Final = {
    "half": "fp16",
    "single": "fp32",
    "double": "fp64",
    "float": "fp32",
    "integer": "int32",
    "f16": "fp16",
    "f32": "fp32",
    "f64": "fp64",
    "bf16": "bf16",
    "f8": "fp8",
    "f6f4": "fp4",
    "f6": "fp6",
    "f4": "fp4",
    "fp16": "fp16",
    "fp32": "fp32",
    "fp64": "fp64",
    "hp": "fp16",
    "sp": "fp32",
    "dp": "fp64",
    "fp8": "fp8",
    "i8": "int8",
    "int8": "int8",
    "i32": "int32",
    "i64": "int64",
    "int32": "int32",
    "int64": "int64",
}


def precision(text: str) -> str | None:
    """The id of the number format that a benchmark's word for a precision means."""
    return PRECISIONS.get(text.strip().lower())
