"""The worker's medians against the same calls timed by hand, in turns; and what a job costs beyond its runs."""

import json
import subprocess
from pathlib import Path

import pytest

from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import OwnRow, Study
from explorer.bench.drive import drive
from explorer.bench.interpreter import Interpreter
from explorer.bench.jobs import measure_job
from explorer.files.catalogue import load_catalogue
from tests.bench.conftest import torch_python
from tests.benchmarks.judged import Judge

__all__ = ["torch_python"]

pytestmark = [pytest.mark.torch, pytest.mark.slow]


def test_medians_agree_with_the_same_calls_timed_by_hand(torch_python, root, judge: Judge):
    worker, script = root / "explorer" / "bench" / "worker.py", Path(__file__).with_name("by_hand.py")
    done = subprocess.run([torch_python, str(script), str(worker)], capture_output=True, text=True, check=True)
    ratios = json.loads(done.stdout)
    print({n: round(r, 3) for n, r in ratios.items()})
    judge.ratio("measure: apart", "by hand", max(abs(r - 1) for r in ratios.values()), goal=0.05, limit=0.08)


def test_a_job_costs_little_beyond_its_runs(torch_python, judge: Judge):
    """One row of each kind at its own size: all but the runs that count, and the import of torch."""
    catalogue = load_catalogue(devices=False)
    smaller = {"optimizer_adam": {"params": 5e7}}
    rows = [OwnRow(id=k.id, name=k.id, kind=k.id, dims=smaller.get(k.id, {})) for k in catalogue.kinds]
    done = drive(Interpreter(torch_python), measure_job(evaluate(Study(operators=tuple(rows)), catalogue))).done
    assert done is not None
    beyond, uncounted = (1 - (t + done.import_s) / done.wall_s for t in (done.timed_s, done.counted_s))
    print(
        f"wall {done.wall_s:.1f} s: {beyond:.1%} beyond running operators, {uncounted:.1%} beyond the runs that count"
    )
    judge.ratio("measure: beyond the runs that count", "the whole job", uncounted, goal=0.2, limit=0.3)
