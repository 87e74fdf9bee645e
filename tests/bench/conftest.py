"""Workers to talk to: made-up ones for every way of going wrong, and a Python with torch where there is one."""

import os
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import OwnRow, Study
from explorer.bench.interpreter import Interpreter
from explorer.bench.jobs import Job, measure_job
from explorer.files.catalogue import load_catalogue

# What a made-up worker can say; the test adds what it does.
OPENING = """
import json, os, signal, sys, time
def say(kind, **values): print(json.dumps({"type": kind, **values}), flush=True)
def row(n): say("row", id=str(n), median_s=0.5, low_s=0.4, high_s=0.6, min_s=0.4, runs=9)
job = json.loads(sys.stdin.buffer.readline())
"""
HELLO = 'say("hello", protocol=1, python="3.11", torch="2.13", host="here", threads=2, devices=[{"id": "cpu"}])\n'


def script(body: str, *, hello: bool = True) -> bytes:
    return (OPENING + (HELLO if hello else "") + body).encode()


@pytest.fixture
def here() -> Interpreter:
    """This very Python, which runs made-up workers; it has no torch."""
    return Interpreter(sys.executable)


@pytest.fixture(scope="session")
def torch_python(root: Path) -> str:
    """A Python with torch: the one that ROOFLINE_TORCH_PYTHON names, or that of .venv-torch."""
    named = os.environ.get("ROOFLINE_TORCH_PYTHON")
    beside = root / ".venv-torch" / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    if named:
        return named
    if not beside.is_file():
        pytest.skip("no Python with torch: neither ROOFLINE_TORCH_PYTHON nor .venv-torch")
    return str(beside)


@pytest.fixture(scope="session")
def catalogue() -> Catalogue:
    return load_catalogue(devices=False)


@pytest.fixture
def evaluated(catalogue: Catalogue) -> Callable[..., Evaluation]:
    """A study of own rows, evaluated."""

    def made(*rows: OwnRow, **fields: object) -> Evaluation:
        evaluation = evaluate(Study(operators=rows, **fields), catalogue)
        assert evaluation.problems == ()
        return evaluation

    return made


@pytest.fixture
def two_rows(evaluated: Callable[..., Evaluation]) -> Job:
    """A job of two small operators."""
    rows = [OwnRow(id=n, name=n, kind="matmul", dims={"m": 8, "n": 16, "k": 32}) for n in ("first", "second")]
    return measure_job(evaluated(*rows))
