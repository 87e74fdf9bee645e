"""An operator on several devices side by side, worked out by hand."""

import pytest
from msgspec.structs import replace

from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import View
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation.explain.explain import explain
from explorer.presentation.explain.layout import as_text, lay_out
from tests.presentation.roofline.made import Placed, device, placed

CATALOGUE = load_catalogue(devices=False)
MEMORY: Placed = ("m", 1e9, 1e9, 1.0)  # 1 ms on 1 TB/s


def told(evaluation: Evaluation, row: str) -> list[str]:
    lines = as_text(lay_out(explain(evaluation, rows=(row,)).lines, 200)).split("\n")
    start = next((i for i, line in enumerate(lines) if "ratios to" in line), None)
    if start is None:
        return []
    after = ("Bytes per value", "Dimensions", "FLOPs and bytes by")
    return lines[start : next(i for i, line in enumerate(lines) if line.startswith(after))]


def opened(**view: object) -> Evaluation:
    study = opening_study()
    study = replace(study, workload=replace(study.workload, batch=256, context=1024))
    return evaluate(replace(study, view=replace(study.view, **view)), CATALOGUE)


def test_why_a_matmul_is_slower_than_the_bandwidths_have_it() -> None:
    """8.59 GFLOP over 37.7 MB: 228 FLOP/byte; 37.7 MB / 3.35 TB/s = 11.3 us, 8.59 G / 312 T = 27.5 us."""
    assert told(opened(), "q_proj") == [
        "q_proj on 3 devices, ratios to H100 SXM5:",
        "H100 SXM5 = 228 FLOP/byte < ridge 295: memory = 11.3 µs",
        "A100 SXM4 80GB = 228 FLOP/byte ≥ ridge 153: compute = 11.3 µs → 27.5 µs, 2.44×",
        "  Bandwidth alone would be 1.64×.",
        "MI300X = 228 FLOP/byte < ridge 247: memory = 11.3 µs → 7.12 µs, 0.63×",
    ]


def test_ratios_are_to_the_baseline_that_was_chosen() -> None:
    evaluation = opened()
    second = evaluation.study.hardware[1].id
    lines = told(opened(baseline=second), "q_proj")
    assert lines[0] == "q_proj on 3 devices, ratios to A100 SXM4 80GB:"
    assert lines[1].startswith("A100 SXM4 80GB = 228 FLOP/byte ≥ ridge 153")
    assert "H100 SXM5 = 228 FLOP/byte < ridge 295: memory = 27.5 µs → 11.3 µs, 0.41×" in lines
    assert "  Bandwidth alone would be 0.61×." in lines


def test_one_device_or_hidden_ones_leave_nothing_to_compare() -> None:
    assert told(placed(MEMORY), "m") == []
    case = placed(MEMORY, on=(device(), device("Two")))
    one, two = case.study.hardware
    hidden = replace(case.study, hardware=(one, replace(two, visible=False)))
    assert told(evaluate(hidden, case.catalogue), "m") == []
    assert len(told(case, "m")) == 3


@pytest.mark.parametrize("known", [True, False])
def test_times_without_launches_have_no_ratio(known: bool) -> None:
    other = device("Other", launch=1e-6 if known else None)
    case = placed(MEMORY, on=(device(launch=1e-6), other), launch="eager", view=View(active_hardware="dev"))
    lines = told(case, "m")
    if known:
        assert lines[2] == "Other = 1.00 FLOP/byte < ridge 100: memory = 1.00 ms → 1.00 ms, 1.00×"
    else:
        assert lines[2:] == [
            "Other = 1.00 FLOP/byte < ridge 100: memory = ≥ 1.00 ms",
            "  No ratio: launches are unknown.",
        ]


def test_where_devices_are_compared_they_come_before_the_arithmetic() -> None:
    plain, compared = (
        [line.label or line.source for line in explain(opened(), rows=("q_proj",), compares=c).lines]
        for c in (False, True)
    )
    assert plain[0] == "FLOPs"
    assert compared[0] == "q_proj on 3 devices, ratios to H100 SXM5:"
    assert sorted(plain) == sorted(compared)
