"""Every column that compares devices, and the database's."""

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.device import Peak
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import OwnRow, Study
from explorer.presentation.look import Look
from explorer.presentation.tables.device_columns import DATABASE_COLUMNS, comparison_columns, device_rows
from tests.presentation.llama import catalogue, device, evaluated, study

ROUND = {
    "Device": "Round", "Bound": "memory", "Bandwidth": "2.00 TB/s", "Peak": "1.00 PFLOP/s", "Ridge": "500",
    "At least": "9.65 ms", "Operator by operator": "9.70 ms", "Expected": "12.1 ms – 16.2 ms",
    "Tokens/s per request": "104", "Tokens/s in all": "829", "Memory": "20.4 GB", "Capacity": "80.0 GB",
    "Fits up to batch": "119",
}  # fmt: skip


def said(case: Evaluation, place: int = 0, look: Look | None = None) -> dict[str, str]:
    columns = comparison_columns(case, look) if look else comparison_columns(case)
    return {c.title(): c.text(device_rows(case)[place]) for c in columns}


def test_every_column_of_a_decode_step() -> None:
    assert said(evaluated()) == ROUND
    found = said(evaluated(), look=Look(unit="GiB"))
    assert (found["Memory"], found["Capacity"]) == ("19.0 GiB", "74.5 GiB")
    units = [c.unit for c in comparison_columns(evaluated())]
    assert units == ["", "", "B/s", "FLOP/s", "FLOP/B", "s", "s", "", "tokens/s", "tokens/s", "B", "B", ""]
    assert [c.key for c in comparison_columns(evaluated()) if not c.right] == ["device", "bound"]
    assert [c.key for c in comparison_columns(evaluated()) if c.words] == ["bound"]


def test_only_what_has_a_meaning_is_compared() -> None:
    prefill = [c.key for c in comparison_columns(evaluated(phase="prefill"))]
    assert prefill == [
        "device", "bound", "bandwidth", "peak", "ridge", "floor", "step", "expected", "per_request", "in_all", "memory",
        "capacity",
    ]  # fmt: skip
    own = evaluate(Study(hardware=study().hardware, operators=(OwnRow(id="1", name="a", kind="matmul"),)), catalogue())
    assert [c.key for c in comparison_columns(own)] == prefill[:8]
    assert said(own)["Operator by operator"] == "16.8 µs"


def test_figures_that_are_not_known_are_left_open() -> None:
    found = said(evaluated(replace(device(capacity=None), peaks=())))
    assert [found[k] for k in ("Peak", "Ridge", "Capacity", "Fits up to batch")] == ["–", "–", "–", "–"]


def test_hidden_devices_are_not_compared() -> None:
    base = study(device(), device("Other"))
    hidden = replace(base, hardware=(replace(base.hardware[0], visible=False), base.hardware[1]))
    assert [r.result.entry.id for r in device_rows(evaluate(hidden, catalogue()))] == ["other"]


@pytest.mark.parametrize(
    ("peaks", "text"),
    [
        ((Peak(format="bf16", accumulate="fp32", unit="tensor", rate=2e14),), "200 TFLOP/s"),
        ((Peak(format="fp16", accumulate="fp32", unit="tensor", rate=3e14),), "300 TFLOP/s"),
        ((Peak(format="fp32", accumulate="fp32", unit="tensor", rate=3e14),), "–"),
        ((Peak(format="fp8", accumulate="fp32", unit="tensor", rate=3e14),), "–"),
        ((), "–"),
    ],
)
def test_the_database_lists_16_bit_peaks_only(peaks: tuple[Peak, ...], text: str) -> None:
    texts = [c.text(replace(device(), peaks=peaks)) for c in DATABASE_COLUMNS]
    assert texts == ["Round accelerator", "2.00 TB/s", text, "74.5 GiB", "round"]
    assert [c.unit for c in DATABASE_COLUMNS] == ["", "B/s", "FLOP/s", "B", ""]
    assert [c.right for c in DATABASE_COLUMNS] == [False, True, True, True, False]
