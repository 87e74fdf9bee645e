"""Run by the Python with torch: the worker's timing and the same calls timed by hand, in turns; seconds as JSON.

Each is told at its quietest: time that another process took belongs to neither.
"""

import json
import os
import runpy
import sys

import torch
from torch.utils.benchmark import Timer

ROUNDS, LEAST_S = 12, 0.4
CALLS = {
    "matmul": ({"m": 2048, "n": 2048, "k": 2048}, "torch.mm(x, w.t(), out=y)"),
    "copy": ({"values": 1 << 26}, "y.copy_(x)"),
    "residual_add": ({"values": 1 << 26}, "torch.add(x, z, out=y)"),
    "reduction": ({"values": 1 << 27}, "torch.sum(x, dim=0, out=y)"),
}

worker = runpy.run_path(sys.argv[1], run_name="worker")
worker["import_torch"].__globals__["torch"] = torch
machine = worker["Machine"]("cpu", None)
bench = worker["Bench"](machine, {})
os.nice(10)


def operands(dims: dict[str, int]) -> dict[str, torch.Tensor]:
    if "m" in dims:
        shapes = {"x": (dims["m"], dims["k"]), "w": (dims["n"], dims["k"]), "y": (dims["m"], dims["n"])}
        return {n: torch.randn(s) for n, s in shapes.items()}
    values = {n: torch.randn(dims["values"]) for n in "xzy"}
    return values | ({"y": torch.zeros(())} if dims["values"] == 1 << 27 else {})


def both(kind: str, dims: dict[str, int], call: str) -> tuple[float, float]:
    formats = dict.fromkeys(("activations", "weights", "output", "kv"), "fp32")
    plan = worker["plan_of"]({"kind": kind, "dims": dims, "formats": formats}, "cpu")
    touched = sum(t.bytes for t in (*plan.inputs, *plan.outputs))
    calls = bench._calls(plan, bench._sets(plan, touched))
    timer = Timer(call, globals=operands(dims), num_threads=torch.get_num_threads())
    ours, theirs = [], []
    for _ in range(ROUNDS):
        ours.append(worker["timed"](calls, machine, LEAST_S, LEAST_S).figures()["median_s"])
        theirs.append(timer.blocked_autorange(min_run_time=LEAST_S).median)
    return min(ours), min(theirs)


with torch.no_grad():
    print(json.dumps({kind: both(kind, *given) for kind, given in CALLS.items()}))
