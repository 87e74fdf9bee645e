"""Traces in kineto's layout, made up."""

import json
from typing import Any


def op(name: str, start: float, duration: float, dims: Any = None, types: Any = None, **more: Any) -> dict[str, Any]:
    """An operator on the CPU's thread 1."""
    args: dict[str, Any] = {"External id": 1}
    if dims is not None:
        args |= {
            "Input Dims": dims,
            "Input type": types or ["float"] * len(dims),
            "Concrete Inputs": more.pop("concrete", []),
        }
    return {
        "ph": "X",
        "cat": "cpu_op",
        "name": name,
        "pid": 9,
        "tid": more.pop("tid", 1),
        "ts": start,
        "dur": duration,
        "args": args,
    }


def launch(correlation: int, start: float, tid: int = 1) -> dict[str, Any]:
    """A launch on the CPU."""
    args = {"correlation": correlation}
    return {
        "ph": "X",
        "cat": "cuda_runtime",
        "name": "cudaLaunchKernel",
        "pid": 9,
        "tid": tid,
        "ts": start,
        "dur": 1,
        "args": args,
    }


def kernel(correlation: int, duration: float, name: str = "some_kernel", cat: str = "kernel") -> dict[str, Any]:
    """A kernel on the GPU."""
    args = {"correlation": correlation, "grid": [1, 2, 3]}
    return {"ph": "X", "cat": cat, "name": name, "pid": 0, "tid": 7, "ts": 5000.0, "dur": duration, "args": args}


def trace(*events: dict[str, Any], indent: int | None = None, **more: Any) -> str:
    """A whole trace."""
    head = {"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "Example GPU", "numSms": 3}]}
    return json.dumps({**head, "traceEvents": list(events), **more}, indent=indent)
