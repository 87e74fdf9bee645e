"""Nsight Compute's console output; the texts are made up in the tool's layout."""

import pytest

from explorer.files.importers import read_measurements
from explorer.files.importers.source import SourceText

NEW = """==PROF== Profiling "some_kernel" - 0: 0%....100% - 9 passes
  some_kernel(float *, int) (8, 16, 1)x(256, 1, 1), Context 1, Stream 13, Device 0, CC 8.9
    Section: GPU Speed Of Light Throughput
    ----------------------- ----------- ------------
    Metric Name             Metric Unit Metric Value
    ----------------------- ----------- ------------
    Elapsed Cycles                cycle       51,058
    Duration                         us        63.58
    DRAM Throughput                   %         9.93
    Compute (SM) Throughput           %        26.78
    ----------------------- ----------- ------------
    INF   This kernel is small.

    Section: Memory Workload Analysis
    -------------------------------------- ----------- ------------
    Metric Name                            Metric Unit Metric Value
    -------------------------------------- ----------- ------------
    Memory Throughput                          Gbyte/s        30.00
    -------------------------------------- ----------- ------------

"""
OLD = """==PROF== Connected to process 1
  old_kernel(int, float *), 2021-Jan-02 10:11:12, Context 1, Stream 7
    Section: GPU Speed Of Light
    ---------------------- --------------- ------------------------
    Duration                       msecond                     1.50
    dram__bytes.sum                  Mbyte                     3.00
    ---------------------- --------------- ------------------------
"""


def test_each_launch_is_a_point_with_time_bytes_and_shares(read):
    (point,) = read(NEW).points
    assert (point.name, point.time_s, point.bytes) == ("some_kernel(float *, int)", 63.58e-6, pytest.approx(1907400.0))
    assert (point.memory_busy, point.compute_busy) == (pytest.approx(0.0993), pytest.approx(0.2678))


def test_older_versions_name_the_time_of_day_and_no_columns(read):
    (point,) = read(OLD).points
    assert (point.name, point.time_s, point.bytes) == ("old_kernel(int, float *)", 1.5e-3, 3e6)


def test_a_launch_without_a_duration_says_so_and_others_are_read(read):
    found = read(NEW.replace("Duration ", "Durative ").replace("Elapsed", "Other") + NEW)
    assert [p.time_s for p in found.points] == [63.58e-6]
    assert [(s.where, s.why.code) for s in found.skipped] == [("line 2", "import.no_time")]


def test_prose_with_the_same_words_is_no_output_of_the_tool(tmp_path):
    from explorer.files.importers.ncu.console import is_console

    path = tmp_path / "a.txt"
    path.write_text("Section: one\nMetric Name is a name, Context 1, Stream 2\n")
    assert not is_console(SourceText(path))


def test_the_collected_console_output_is_read(shared):
    (point,) = read_measurements(shared / "cases" / "failing" / "10_ncu_console_text.txt").points
    assert point.time_s == pytest.approx(63.58e-6)
