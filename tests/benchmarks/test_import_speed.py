"""Importing against only parsing the same file: at most 1.5 times as long, in little memory.

100,000 rows of counters, and a tenth of the largest trace users bring; ROOFLINE_FULL_SIZE=1 takes all 200 MB.
"""

import csv
import gc
import os
import tracemalloc
from pathlib import Path

import msgspec
import pytest

from explorer.files.importers import read_measurements
from tests.benchmarks.import_files import LAYERS, METRICS, write_details, write_trace
from tests.benchmarks.judged import Floor, Judge

FULL = os.environ.get("ROOFLINE_FULL_SIZE") == "1"
TRACE_BYTES = 200_000_000 if FULL else 20_000_000
ROWS = 100_000
MOST = 1.5


@pytest.fixture(scope="module")
def trace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("import") / "trace.json"
    write_trace(path, TRACE_BYTES)
    read_measurements(path)  # imports and compiles what it needs
    return path


@pytest.fixture(scope="module")
def details(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("import") / "details.csv"
    write_details(path, ROWS)
    read_measurements(path)
    return path


def parsed_json(path: Path) -> None:
    gc.disable()  # the collector would cost the plain parser more than the parsing
    try:
        msgspec.json.decode(path.read_bytes())
    finally:
        gc.enable()


def parsed_csv(path: Path) -> int:
    with path.open(newline="", encoding="utf-8") as file:
        return sum(1 for _ in csv.reader(file))


def test_a_trace_takes_at_most_half_as_long_again_as_parsing_it(judge: Judge, trace: Path) -> None:
    assert len(read_measurements(trace).points) == 2 * len(LAYERS)
    plain = Floor("plain parsing", lambda _: parsed_json(trace))
    judge("import: torch trace", lambda _: read_measurements(trace), plain, goal=MOST, limit=1.7, steps=1)


def test_a_page_of_counters_takes_at_most_half_as_long_again_as_parsing_it(judge: Judge, details: Path) -> None:
    assert len(read_measurements(details).points) == -(-ROWS // len(METRICS))
    plain = Floor("plain parsing", lambda _: parsed_csv(details))
    judge("import: Nsight Compute page", lambda _: read_measurements(details), plain, goal=MOST, limit=2, steps=1)


def test_a_trace_is_read_in_a_fraction_of_its_size(trace):
    tracemalloc.start()
    try:
        read_measurements(trace)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= 0.4 * TRACE_BYTES + 20_000_000
