"""Run by the Python with torch: the worker's own functions, checked against plain torch. Prints what does not hold."""

import runpy
import sys

import torch

worker = runpy.run_path(sys.argv[1], run_name="worker")
worker["import_torch"].__globals__["torch"] = torch
Machine, Arena, Formats, plan_of = (worker[n] for n in ("Machine", "Arena", "Formats", "plan_of"))
machine = Machine("cpu", 1)


def bound(kind: str, name: str = "fp32", **dims: float):
    """A plan bound to operands of its own: the call, what it reads and what it writes."""
    formats = dict.fromkeys(("activations", "weights", "output", "kv"), name)
    plan = plan_of({"kind": kind, "dims": dims, "formats": formats}, "cpu")
    arena = Arena(machine)
    read = arena.cut("read", plan.inputs, 1)[0]
    written = arena.cut("written", plan.outputs, 1)[0] if plan.outputs else []
    return plan.bind(*read, *written), read, written


def check(name: str, found: torch.Tensor, wanted: torch.Tensor) -> None:
    if not torch.allclose(found.float(), wanted.float(), rtol=1e-3, atol=1e-3):
        print(f"{name}: {(found.float() - wanted.float()).abs().max()}")


def matmuls() -> None:
    call, (x, w), (y,) = bound("matmul", m=7, n=5, k=9)
    call()
    check("matmul", y, x @ w.T)
    call, (x, w), (y,) = bound("absorbed_matmul", heads=3, m=7, n=5, k=9)
    call()
    check("absorbed", y, x @ w)
    call, (x, w), (y,) = bound("grouped_matmul", groups=3, m=7, n=5, k=9)
    call()
    check("grouped", y, torch.cat([x[:3] @ w[0].T, x[3:5] @ w[1].T, x[5:] @ w[2].T]))


def attention() -> None:
    sizes = {"b": 2, "heads": 4, "kv_heads": 2, "S_q": 6, "S_k": 6, "D_qk": 8, "D_v": 8, "shared_kv": 0, "causal": 1}
    call, (q, k, v), _ = bound("attention", **sizes, window=1e18)
    k, v = (t.repeat_interleave(2, 1) for t in (k, v))
    at = torch.arange(6)[:, None] - torch.arange(6)[None, :]
    reference = torch.nn.functional.scaled_dot_product_attention
    check("causal", call(), reference(q, k, v, attn_mask=at >= 0))
    call, (q, k, v), _ = bound("attention", **sizes, window=3)
    k, v = (t.repeat_interleave(2, 1) for t in (k, v))
    check("window", call(), reference(q, k, v, attn_mask=(at >= 0) & (at < 3)))
    call, (q, k, v), _ = bound("attention", **sizes, window=3, both_ways=1)
    k, v = (t.repeat_interleave(2, 1) for t in (k, v))
    check("both ways", call(), reference(q, k, v, attn_mask=at.abs() < 3))
    call, (q, k, v), _ = bound("attention", **{**sizes, "S_q": 1, "shared_kv": 0}, window=1e18)
    check("decode", call(), reference(q, k.repeat_interleave(2, 1), v.repeat_interleave(2, 1)))
    call, (q, k, v), (_, _, y) = bound("attention_standard", **sizes)
    call()
    check("standard", y, torch.softmax(q @ k.transpose(1, 2), -1) @ v)


def elementwise() -> None:
    functions = torch.nn.functional
    wanted = {
        "relu": functions.relu,
        "silu": functions.silu,
        "gelu": lambda x: functions.gelu(x, approximate="tanh"),
        "relu2": lambda x: functions.relu(x) ** 2,
        "softmax": lambda x: torch.softmax(x, -1),
    }
    for kind, function in wanted.items():
        call, (x,), (y,) = bound(kind, values=8192)
        call()
        check(kind, y, function(x))
    call, (x, z), (y,) = bound("gated_silu", values=8192)
    call()
    check("gated_silu", y, functions.silu(x) * z)
    call, (x, cos, sin), (y,) = bound("rotary", tokens=6, positions=3, heads=2, dim=8)
    call()
    turned = torch.cat([-x[..., 4:], x[..., :4]], -1)
    check("rotary", y, x * cos.repeat(1, 1, 2) + turned * sin.repeat(1, 1, 2))
    call, (x,), (y,) = bound("transpose", values=12)
    call()
    check("transpose", y, x.t())


def operands() -> None:
    """Random, finite in every format, unlike each other, and never written by a call."""
    for name in ("float32", "bfloat16", "float16", "float64"):
        wanted = [worker["Tensor"]((1000,), getattr(torch, name))]
        one, two = (cut[0] for cut in Arena(machine).cut("read", wanted, 2))
        if not torch.isfinite(one).all() or one.unique().numel() < 100 or torch.equal(one, two) or (one == 0).all():
            print(f"operands of {name}: {one}")
    call, (x, w), _ = bound("matmul", m=7, n=5, k=9)
    before = x.clone(), w.clone()
    call()
    check("unwritten", torch.cat([x.flatten(), w.flatten()]), torch.cat([b.flatten() for b in before]))
    if torch.equal(Arena(machine).part("read", 100)[:100], Arena(machine).part("read", 100)[:100]):
        print("the same operands twice")


with torch.no_grad():
    matmuls()
    attention()
    elementwise()
    operands()
print("checked")
