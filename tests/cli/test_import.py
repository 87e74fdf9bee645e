"""`roofline-explorer import FILE [--json]`."""

import json
from pathlib import Path

import pytest

TABLE = """| model | size | test | t/s |
|-|-|-|-|
| x 7B Q4_0 | 3.56 GiB | pp512 | 2000.00 ± 20.00 |
| x 7B Q4_0 | 3.56 GiB | tg128 | 125.00 ± 1.00 |
| x 7B Q4_0 | 3.56 GiB | tg128 | oom |
"""


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "notes.txt"
    path.write_text(TABLE)
    return path


def test_json_has_the_published_shape_in_base_units(run, table):
    found = json.loads(run("import", str(table), "--json").out)
    assert {"tool", "kind", "points", "ceilings", "skipped"} <= found.keys()
    assert (found["tool"], found["kind"]) == ("llama-bench", "points")
    decode = found["points"][1]
    assert {k: decode[k] for k in ("name", "calls", "time_s", "flops", "bytes", "tokens_per_s")} == {
        "name": "x 7B Q4_0 tg128", "calls": 128, "time_s": 0.008, "flops": None, "bytes": None, "tokens_per_s": 125,
    }  # fmt: skip
    assert found["skipped"] == [
        {"where": "line 5", "why": "No tokens per second over zero: “x 7B Q4_0 | 3.56 GiB | tg128 | oom”.", "count": 1}
    ]


def test_ceilings_are_bytes_or_operations_per_second(run, tmp_path):
    path = tmp_path / "x"
    path.write_text("  100.5 GFLOPs\n\n  900.0 L1\n  950.0 DRAM\n")
    found = json.loads(run("import", str(path), "--json").out)
    assert [{k: v for k, v in c.items() if k != "name"} for c in found["ceilings"]] == [
        {"format": "fp64", "unit": "vector", "rate_flop_per_s": 100_500_000_000},
        {"level": "L1", "rate_byte_per_s": 900_000_000_000},
        {"level": "DRAM", "rate_byte_per_s": 950_000_000_000},
    ]
    assert found["notes"] == ["L1 was measured slower than DRAM, which lies outside it: one of them is wrong."]


def test_text_tells_what_was_found_and_what_was_left_out(run, table):
    text = run("import", str(table)).out
    assert "llama-bench. Measurements: 2." in text
    assert "125 tok/s" in text
    assert "Left out, line 5: No tokens per second over zero" in text


@pytest.mark.parametrize("content", ["", "hello\n", '{"a": 1}'])
def test_a_file_of_no_known_tool_is_answered_in_one_line(run, tmp_path, content):
    path = tmp_path / "x"
    path.write_text(content)
    done = run("import", str(path), "--json")
    assert (done.code, done.out, done.err.count("\n")) == (2, "", 1)


def test_a_missing_file_is_answered_in_one_line(run, tmp_path):
    done = run("import", str(tmp_path / "gone.csv"))
    assert done.code == 2
    assert "gone.csv" in done.err
