"""Run by the Python with torch: the worker's timing over the same calls timed by hand, in turns, as ratios in JSON.

The median of many short pairs: what disturbs the machine for longer than a pair disturbs both sides of it.
"""

import json
import os
import runpy
import statistics
import sys
from typing import Any

import torch
from torch.utils.benchmark import Timer

ROUNDS, LEAST_S = 25, 0.2
CALLS = {
    "matmul": ({"m": 4096, "n": 4096, "k": 4096}, "torch.mm(x, z.t(), out=y)"),
    "copy": ({"values": 1 << 27}, "y.copy_(x)"),
    "residual_add": ({"values": 1 << 27}, "torch.add(x, z, out=y)"),
    "reduction": ({"values": 1 << 28}, "torch.sum(x, dim=0, out=y)"),
}

worker = runpy.run_path(sys.argv[1], run_name="worker")
worker["import_torch"].__globals__["torch"] = torch
machine = worker["Machine"]("cpu", None)
bench = worker["Bench"](machine, {})
os.nice(10)


def operands(plan: Any, sets: int) -> dict[str, torch.Tensor]:
    """The first of the worker's own operands: pages laid out otherwise read up to a fifth faster or slower."""
    inputs = bench.arena.cut("read", plan.inputs, sets)[0]
    outputs = bench.arena.cut("written", plan.outputs, sets)[0]
    return dict(zip("xzy" if len(inputs) > 1 else "xy", (*inputs, *outputs), strict=True))


def ratio(kind: str, dims: dict[str, int], call: str) -> float:
    formats = dict.fromkeys(("activations", "weights", "output", "kv"), "fp32")
    plan = worker["plan_of"]({"kind": kind, "dims": dims, "formats": formats}, "cpu")
    touched = sum(t.bytes for t in (*plan.inputs, *plan.outputs))
    sets = bench._sets(plan, touched)
    calls = bench._calls(plan, sets)
    timer = Timer(call, globals=operands(plan, sets), num_threads=torch.get_num_threads())
    ratios = []
    for turn in range(ROUNDS):
        pair = {}
        for side in ("ours", "theirs") if turn % 2 else ("theirs", "ours"):
            if side == "ours":
                pair[side] = worker["timed"](calls, machine, LEAST_S, LEAST_S).figures()["median_s"]
            else:
                pair[side] = timer.blocked_autorange(min_run_time=LEAST_S).median
        ratios.append(pair["ours"] / pair["theirs"])
    return statistics.median(ratios)


with torch.no_grad():
    print(json.dumps({kind: ratio(kind, *given) for kind, given in CALLS.items()}))
