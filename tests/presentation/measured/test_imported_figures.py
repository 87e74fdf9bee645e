"""Every key and column of an imported file."""

import pytest

from explorer.analysis.measured.imported import Ceiling, Imported, MeasuredPoint, Skipped
from explorer.analysis.problem import Note
from explorer.presentation.measured.imported import (
    CEILING_COLUMNS,
    POINT_COLUMNS,
    heading,
    imported_json,
    skipped_texts,
    used,
    warnings,
)

FULL = MeasuredPoint(
    name="kernel", calls=3.0, time_s=2e-3, total_s=6e-3, flops=1e10, bytes=1e9, tokens_per_s=12.5,
    quartiles_s=(1e-3, 3e-3), deviation_s=1e-4, phase="decode", batch=8, context=512, depth=4, model="m", file="f",
    size_bytes=5e9, parameters=8e9, format="fp16", kv="fp8", device="card", backend="cuda", threads=4,
    offloaded_layers=33, memory_busy=0.5, compute_busy=0.25, notes=(Note("import.repeated"),),
)  # fmt: skip
BARE = MeasuredPoint(name="bare")
LEVEL = Ceiling(rate=1e12, level="L2", name="read", device="card", low=9e11, high=1.1e12)
LINK, FORMAT = Ceiling(rate=5e10, link="NVLink"), Ceiling(rate=1e14, format="bf16", unit="tensor", doubtful=True)


def test_a_point_with_everything() -> None:
    (point,) = imported_json(Imported(tool="t", kind="points", points=(FULL,)))["points"]
    assert point == {
        "name": "kernel", "calls": 3, "time_s": 2e-3, "flops": 10**10, "bytes": 10**9, "tokens_per_s": 12.5,
        "intensity_flop_per_byte": 10, "rate_flop_per_s": 5 * 10**12, "rate_byte_per_s": 5 * 10**11, "total_s": 6e-3,
        "quartiles_s": [1e-3, 3e-3], "deviation_s": 1e-4, "phase": "decode", "batch": 8, "context": 512, "depth": 4,
        "model": "m", "file": "f", "size_bytes": 5 * 10**9, "parameters": 8 * 10**9, "format": "fp16", "kv": "fp8",
        "device": "card", "backend": "cuda", "threads": 4, "offloaded_layers": 33, "memory_busy": 0.5,
        "compute_busy": 0.25, "notes": ["The row repeats an earlier one."],
    }  # fmt: skip


def test_a_point_with_nothing_has_nulls_for_its_figures_and_no_other_keys() -> None:
    (point,) = imported_json(Imported(tool="t", kind="points", points=(BARE,)))["points"]
    assert point == {
        "name": "bare", "calls": 1, "time_s": None, "flops": None, "bytes": None, "tokens_per_s": None,
        "intensity_flop_per_byte": None, "rate_flop_per_s": None, "rate_byte_per_s": None,
    }  # fmt: skip
    (zero,) = imported_json(
        Imported(tool="t", kind="points", points=(MeasuredPoint(name="z", flops=0.0, bytes=0.0, time_s=0.1 + 0.2),))
    )["points"]
    assert (zero["intensity_flop_per_byte"], zero["rate_flop_per_s"], zero["time_s"]) == (None, 0, 0.3)


def test_ceilings_of_each_kind() -> None:
    found = imported_json(Imported(tool="t", kind="ceilings", ceilings=(LEVEL, LINK, FORMAT), device="card"))
    assert found["ceilings"] == [
        {"level": "L2", "rate_byte_per_s": 10**12, "name": "read", "device": "card", "low": 9 * 10**11,
         "high": 11 * 10**11},
        {"link": "NVLink", "rate_byte_per_s": 5 * 10**10},
        {"format": "bf16", "unit": "tensor", "rate_flop_per_s": 10**14, "doubtful": True},
    ]  # fmt: skip
    assert (found["tool"], found["kind"], found["device"], found["points"]) == ("t", "ceilings", "card", [])
    assert imported_json(Imported(tool="t", kind="points"))["device"] is None


def test_what_was_skipped_and_what_cannot_be_is_said() -> None:
    skipped = (Skipped("line 3", Note("import.repeated")), Skipped("line 5", Note("import.not_measured"), 2))
    odd = (Ceiling(rate=1e12, level="L2"), Ceiling(rate=2e12, level="DRAM"))
    imported = Imported(tool="t", kind="ceilings", ceilings=odd, skipped=skipped, notes=(Note("import.broken_json"),))
    warning = "L2 was measured slower than DRAM, which lies outside it: one of them is wrong."
    assert warnings(imported) == [warning]
    found = imported_json(imported)
    assert found["notes"] == ["The JSON is broken.", warning]
    assert found["skipped"] == [
        {"where": "line 3", "why": "The row repeats an earlier one.", "count": 1},
        {"where": "line 5", "why": "The figures are of a sheet, not measured.", "count": 2},
    ]
    assert skipped_texts(skipped) == [
        "Left out, line 3: The row repeats an earlier one.",
        "Left out, 2 from line 5 on: The figures are of a sheet, not measured.",
    ]


@pytest.mark.parametrize(
    ("imported", "text"),
    [
        (Imported(tool="T", kind="points", points=(FULL, BARE), ceilings=(LINK,)), "T. Measurements: 2."),
        (Imported(tool="T", kind="ceilings", ceilings=(LINK,), device="card"), "T. Ceilings: 1. Device: card."),
    ],
)
def test_the_heading_counts_what_the_file_holds(imported: Imported, text: str) -> None:
    assert heading(imported) == text


def test_every_column_of_points_and_of_ceilings() -> None:
    assert {c.key: c.text(FULL) for c in POINT_COLUMNS} == {
        "name": "kernel", "calls": "3", "time": "2.00 ms", "flops": "10.0 GFLOP", "bytes": "1.00 GB",
        "intensity": "10.0 FLOP/B", "tokens": "12.5 tok/s", "memory_busy": "50 %", "compute_busy": "25 %",
        "device": "card",
    }  # fmt: skip
    assert [c.text(BARE) for c in POINT_COLUMNS] == ["bare", "1", *["–"] * 8]
    assert [c.unit for c in POINT_COLUMNS] == ["", "", "s", "FLOP", "B", "FLOP/B", "tokens/s", "", "", ""]
    assert [c.key for c in (*POINT_COLUMNS, *CEILING_COLUMNS) if not c.right] == [
        "name", "device", "of", "measured", "device"
    ]  # fmt: skip
    assert [[c.text(one) for c in CEILING_COLUMNS] for one in (LEVEL, LINK, FORMAT)] == [
        ["L2", "1.00 TB/s", "–", "read", "card"],
        ["NVLink", "50.0 GB/s", "–", "", "–"],
        ["bf16", "–", "100 TFLOP/s", "", "–"],
    ]
    assert [c.unit for c in CEILING_COLUMNS] == ["", "B/s", "FLOP/s", "", ""]
    assert all("column." not in c.title() for c in (*POINT_COLUMNS, *CEILING_COLUMNS))


def test_columns_in_which_no_row_says_anything_are_not_used() -> None:
    assert [c.key for c in used(POINT_COLUMNS, [BARE])] == ["name", "calls"]
    assert used(POINT_COLUMNS, iter([BARE, FULL])) == list(POINT_COLUMNS)
