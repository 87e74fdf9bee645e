"""What ceiling benchmarks share: names of levels and formats, the caches of the devices that they name."""

from typing import Final

from explorer.analysis.measured.match import device_candidates, sure
from explorer.files.catalogue import load_catalogue

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


def cache_of(device: str) -> float | None:
    """Bytes of the largest cache of the device that a tool's name surely means; None where it is not known."""
    devices = load_catalogue().devices if device else ()
    found = sure(device_candidates(device, devices))
    known = next((d for d in devices if found is not None and d.id == found.id), None)
    sizes = [m.capacity for m in known.inner if m.capacity] if known is not None else []
    return max(sizes, default=None)
