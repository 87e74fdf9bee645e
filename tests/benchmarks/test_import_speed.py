"""Importing against only parsing the same file: at most 1.5 times as long, in little memory.

100,000 rows of counters, and a tenth of the largest trace users bring; ROOFLINE_FULL_SIZE=1 takes all 200 MB.
"""

import csv
import gc
import os
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import msgspec
import pytest

from explorer.files.importers import read_measurements
from tests.benchmarks.import_files import LAYERS, METRICS, write_details, write_trace

FULL = os.environ.get("ROOFLINE_FULL_SIZE") == "1"
TRACE_BYTES = 200_000_000 if FULL else 20_000_000
ROWS = 100_000
MOST = 1.5


def best(function: Callable[[], object], rounds: int = 7) -> float:
    times = []
    for _ in range(rounds):
        gc.collect()
        started = time.process_time()  # both sides run in this process alone: other programs should not count
        function()
        times.append(time.process_time() - started)
    return min(times)


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


@pytest.mark.benchmark(group="import")
def test_a_trace_takes_at_most_half_as_long_again_as_parsing_it(benchmark, trace):
    found = benchmark.pedantic(lambda: read_measurements(trace), rounds=1)
    assert len(found.points) == 2 * len(LAYERS)
    ratio = best(lambda: read_measurements(trace)) / best(lambda: parsed_json(trace))
    benchmark.extra_info["ratio to parsing"] = round(ratio, 2)
    assert ratio <= MOST


@pytest.mark.benchmark(group="import")
def test_a_page_of_counters_takes_at_most_half_as_long_again_as_parsing_it(benchmark, details):
    found = benchmark.pedantic(lambda: read_measurements(details), rounds=1)
    assert len(found.points) == -(-ROWS // len(METRICS))
    ratio = best(lambda: read_measurements(details)) / best(lambda: parsed_csv(details))
    benchmark.extra_info["ratio to parsing"] = round(ratio, 2)
    assert ratio <= MOST


def test_a_trace_is_read_in_a_fraction_of_its_size(trace):
    tracemalloc.start()
    try:
        read_measurements(trace)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak <= 0.4 * TRACE_BYTES + 20_000_000
