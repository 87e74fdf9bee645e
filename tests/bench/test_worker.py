"""The worker under a real torch: every row of every kind or its reason, the right calls, the right refusals."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import explorer.presentation.sentences  # noqa: F401 - the sentences
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import OwnRow, Study
from explorer.bench.drive import drive
from explorer.bench.gathering import Summary
from explorer.bench.interpreter import Interpreter, command, sent
from explorer.bench.jobs import Job, measure_job, sweep_job
from explorer.bench.runner import Runner
from explorer.presentation.words.messages import of_note, render, render_problem

pytestmark = pytest.mark.torch
QUICK = {"least_s": 0.02, "most_s": 0.1}
MODEL = """
import torch
from torch import nn
print("a traced file may print what it likes")

class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm, self.q_proj, self.kv_proj = nn.LayerNorm(64), nn.Linear(64, 64), nn.Linear(64, 128)
        self.up, self.down = nn.Linear(64, 256), nn.Linear(256, 64)

    def forward(self, x):
        h = self.norm(x)
        q = self.q_proj(h).view(2, 16, 4, 16).transpose(1, 2)
        k, v = self.kv_proj(h).view(2, 16, 2, 4, 16).permute(2, 0, 3, 1, 4)
        a = nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)
        x = x + a.transpose(1, 2).reshape(2, 16, 64)
        return x + self.down(nn.functional.gelu(self.up(x)))

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = nn.Embedding(100, 64)
        self.layers = nn.ModuleList(Block() for _ in range(3))

    def forward(self, tokens):
        x = self.embed(tokens).masked_fill(tokens[..., None] == 0, float("-inf"))
        if (tokens == 0).all():
            x = x + 1
        for layer in self.layers:
            x = layer(x)
        return nn.functional.max_pool1d(x, 2)

def model():
    return Model().to(torch.bfloat16), torch.zeros(2, 16, dtype=torch.long)

number = 3
"""


@pytest.fixture
def there(torch_python: str) -> Interpreter:
    return Interpreter(torch_python)


def reasons(summary: Summary) -> dict[str, str]:
    return {s.where: s.why.code for s in summary.skipped}


def small(catalogue: Any, name: str) -> list[OwnRow]:
    """One row of each kind, in small: every dimension that counts many is cut down."""
    rows = []
    for kind in catalogue.kinds:
        dims = {d.name: min(d.default, 64.0) for d in kind.dims if 64.0 < d.default < 1e15}
        rows.append(OwnRow(id=kind.id, name=kind.id, kind=kind.id, dims=dims, activations=name))
    return rows


@pytest.mark.parametrize("name", ["fp32", "bf16"])
def test_every_kind_is_timed_or_says_why(name, there, evaluated, catalogue):
    summary = drive(there, measure_job(evaluated(*small(catalogue, name)), **QUICK))
    assert summary.problem is None
    timed = {r.row.name for r in summary.results}
    assert timed | set(reasons(summary)) == {k.id for k in catalogue.kinds}
    assert set(reasons(summary).values()) == {"measure.skip.kind"}
    wanted = {"matmul", "moe_matmul", "conv2d", "attention", "attention_standard", "layer_norm", "rms_norm", "softmax"}
    wanted |= {"silu", "gated_silu", "residual_add", "embedding", "reduction", "copy", "cast", "transpose", "rotary"}
    assert wanted | {"optimizer_adam", "batched_matmul", "grouped_matmul", "absorbed_matmul", "gelu"} <= timed
    assert all(0 < r.said.low_s <= r.said.median_s <= r.said.high_s for r in summary.results)
    assert summary.done.rows == len(timed)


def test_every_reason_and_remark_is_a_sentence(there, evaluated, catalogue):
    rows = [r for n in ("int8", "fp8", "mxfp4") for r in small(catalogue, n)]
    rows = [
        OwnRow(id=f"{i}", name=f"{i}", kind=r.kind, dims=r.dims, activations=r.activations) for i, r in enumerate(rows)
    ]
    summary = drive(there, measure_job(evaluated(*rows), **QUICK))
    assert summary.problem is None
    notes = [s.why for s in summary.skipped] + [n for r in summary.results for n in r.point.notes]
    assert {"measure.skip.kind", "measure.skip.format", "measure.skip.unsupported"} <= {n.code for n in notes}
    assert [n.code for n in notes if render(of_note(n)).startswith(n.code)] == []


def test_the_calls_compute_what_their_kinds_mean(torch_python, root):
    worker, inside = root / "explorer" / "bench" / "worker.py", Path(__file__).with_name("inside.py")
    done = subprocess.run([torch_python, str(inside), str(worker)], capture_output=True, text=True, check=False)
    assert done.stdout == "checked\n", done.stdout + done.stderr


def test_rows_beyond_memory_or_patience_are_refused_and_the_rest_goes_on(there, evaluated):
    huge = OwnRow(id="a", name="huge", kind="copy", dims={"values": 1e13})
    long = OwnRow(id="b", name="long", kind="matmul", dims={"m": 1e6, "n": 1e5, "k": 1e5})
    mixed = OwnRow(id="c", name="mixed", kind="matmul", dims={"m": 8}, activations="bf16", weights="fp32")
    quantised = OwnRow(id="d", name="quantised", kind="matmul", dims={"m": 8}, activations="bf16", weights="Q4_0")
    good = OwnRow(id="e", name="good", kind="copy", dims={"values": 1e4})
    summary = drive(there, measure_job(evaluated(huge, long, mixed, quantised, good), **QUICK))
    assert reasons(summary) == {
        "huge": "measure.skip.memory",
        "long": "measure.skip.slow",
        "mixed": "measure.skip.mixed",
        "quantised": "measure.skip.format",
    }
    assert [r.row.name for r in summary.results] == ["good"]


def test_small_operands_are_called_cache_resident_where_the_cache_is_known(there, evaluated):
    summary = drive(there, measure_job(evaluated(OwnRow(id="a", name="a", kind="copy", dims={"values": 64})), **QUICK))
    if summary.hello.devices[0].cache is None:
        pytest.skip("the size of the cache is not known here")
    assert summary.results[0].said.resident == "cache"


def test_a_sweep_is_timed_at_each_value(there, evaluated):
    evaluation = evaluated(OwnRow(id="a", name="a", kind="matmul", dims={"n": 512, "k": 512}))
    summary = drive(there, sweep_job(evaluation, "a", "m", [1, 64, 8192], **QUICK))
    times = {r.row.dims["m"]: r.said.min_s for r in summary.results}
    assert set(times) == {1, 64, 8192}
    assert times[8192] > times[1]


def test_a_device_that_torch_lacks_is_named_with_those_it_has(there, two_rows):
    summary = drive(there, msgspec.structs.replace(two_rows, device="cuda:77"))
    assert "has no “cuda:77”; it has: cpu" in render_problem(summary.problem)


def test_ceilings_are_bandwidths_and_peaks(there):
    summary = drive(there, Job(command="ceilings", formats=("fp32", "nonsense")))
    assert summary.problem is None
    assert {c.name for c in summary.ceilings} >= {"memory copy", "memory triad", "memory read", "matmul fp32"}
    assert all(c.rate > 1e8 for c in summary.ceilings)
    assert summary.imported.kind == "ceilings"


def test_a_traced_model_is_rows_with_our_own_products(there, catalogue):
    summary = drive(there, Job(command="trace", source=MODEL, path="model.py", callable="model"))
    assert summary.problem is None
    rows = {r.name: r for r in summary.traced.rows}
    assert {"embed", "norm", "q_proj", "kv_proj", "up", "down"} <= set(rows)
    assert rows["q_proj"].count == 3
    evaluation = evaluate(Study(operators=summary.traced.rows), catalogue)
    flops = {r.name: c.flops for r, c in zip(evaluation.rows, evaluation.costs, strict=True)}
    assert flops["kv_proj"] == 2 * 32 * 64 * 128
    assert [flops[n] for n, r in rows.items() if r.kind == "attention"] == [2 * 2 * 4 * (16 * 17 / 2) * 32]
    assert {u.name for u in summary.traced.unknown} == {"eq", "all", "max_pool2d_with_indices"}
    assert [n.code for n in summary.traced.notes] == ["measure.guessed"]


@pytest.mark.parametrize(
    ("source", "name", "part"),
    [
        (MODEL, "nonsense", "no callable “nonsense”; it has:"),
        ("import a_module_that_is_not_there", "model", "a_module_that_is_not_there"),
        ("def model(:", "model", "SyntaxError"),
        ("def model(): raise SystemExit('bye')", "model", "SystemExit: bye"),
    ],
)
def test_a_file_that_cannot_be_traced_is_a_sentence(source, name, part, there):
    summary = drive(there, Job(command="trace", source=source, path="model.py", callable=name))
    assert part in render_problem(summary.problem)


def test_the_window_sees_rows_come_and_may_pause(qapp, there, two_rows, qtbot):
    runner = Runner()
    runner.row.connect(lambda result: runner.pause() if result.row.name == "first" else None)
    seen: list[str] = []
    runner.row.connect(lambda result: seen.append(result.row.name))
    runner.start(there, two_rows)
    qtbot.waitUntil(lambda: seen == ["first"], timeout=60_000)
    assert runner.paused
    with qtbot.waitSignal(runner.finished, timeout=60_000):
        runner.resume()
    assert seen == ["first", "second"]
    runner.deleteLater()


def test_a_worker_whose_program_is_gone_ends(there, evaluated):
    job = measure_job(evaluated(OwnRow(id="a", name="a", kind="copy", dims={"values": 1e6})), least_s=600, most_s=600)
    program, arguments = command(there)
    worker = subprocess.Popen([program, *arguments], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    worker.stdin.write(sent(job.line()))
    worker.stdin.flush()
    while json.loads(worker.stdout.readline())["type"] != "progress":
        pass
    worker.stdin.close()
    assert worker.wait(30) == 3
    worker.stdout.close()


def test_the_command_line_prints_points_like_an_import(torch_python, tmp_path, root):
    study = tmp_path / "a.roofline.yaml"
    study.write_text(
        "format: 1\noperators:\n- {id: a, name: mine, kind: copy, dims: {values: 1000}}\n", encoding="utf-8"
    )
    line = [sys.executable, "-m", "explorer", "measure", str(study), "--python", torch_python, "--seconds", "0.02"]
    done = subprocess.run([*line, "--json"], cwd=root, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    (point,) = told["points"]
    assert (told["tool"], told["kind"], point["name"], point["row"]) == ("torch", "points", "mine", "mine")
    assert point["bytes"] == 4000
    assert point["time_s"] > 0
    assert told["machine"]["torch"]
