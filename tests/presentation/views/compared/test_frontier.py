"""Throughput against speed in words: axes, marks, ratios, what a batch says of itself."""

import pytest
from msgspec.structs import replace

from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import Study, View
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import example_path
from explorer.files.study.study import read_study
from explorer.presentation.look import Look
from explorer.presentation.views.compared.frontier import FrontierFigure, FrontierPoint, frontier_figure
from tests.plot.drawing import A100, H100, MI300X, decode_study, device, evaluated, matmul_study


def figure(study: Study, look: Look | None = None) -> FrontierFigure:
    return frontier_figure(evaluated(study), look or Look())


def point(found: FrontierFigure, curve: int, batch: int) -> FrontierPoint:
    return next(p for p in found.curves[curve].points if p.batch == batch)


def test_a_batch_tells_its_whole_configuration() -> None:
    found = figure(decode_study(H100, A100, batch=64))
    assert point(found, 0, 64).tip.splitlines() == [
        "H100, batch 64",
        "4,341 tok/s in all, at most",
        "67.8 tok/s of one request, at most",
        "a step in 14.7 ms, at least",
        "50.4 GB of 80.0 GB held",
        "Waits for memory.",
    ]
    assert (point(found, 0, 64).x, point(found, 0, 64).y) == pytest.approx((67.8, 4341), rel=1e-3)


def test_batches_of_note_are_marked_the_current_one_and_the_last() -> None:
    found = figure(decode_study(H100, A100, batch=16))
    assert {p.batch: p.mark for p in found.curves[0].points if p.mark} == {1: "1", 8: "8", 64: "64", 119: "full"}
    assert [p.batch for p in found.curves[0].points if p.now] == [16]
    assert found.marks_text == "marks: batch 1, 8, 64, full; large: 16"


def test_the_legend_has_throughput_at_the_current_batch_beside_the_baseline() -> None:
    small = replace(A100, name="Small", short="Small", memory=(replace(A100.memory[0], capacity=20e9),))
    found = figure(decode_study(H100, A100, MI300X, small, batch=64))
    assert [c.ratio_text for c in found.curves] == ["1.00×", "0.61×", "1.58×", "up to 7"]
    assert found.legend_title == "batch 64"
    assert found.finding == "At batch 64, MI300X yields 1.58× the tokens/s of H100."


def test_who_has_no_room_or_no_known_capacity_is_said() -> None:
    none = replace(A100, name="None", short="None", memory=(replace(A100.memory[0], capacity=1e9),))
    open_end = replace(A100, name="Open", short="Open", memory=(replace(A100.memory[0], capacity=None),))
    found = figure(decode_study(H100, none, open_end))
    assert found.notes == ("No room: None.", "Capacity not known: Open.")
    assert [c.name for c in found.curves] == ["H100", "Open"]
    assert found.curves[1].points[-1].mark == ""


def test_curves_far_apart_are_drawn_on_log_axes_both() -> None:
    near = figure(decode_study(H100, A100))
    assert (near.x.log, near.y.log) == (False, False)
    assert near.x.low == near.y.low == 0.0
    far = figure(decode_study(H100, device("Slow", 1e12, 0.05e12)))
    assert (far.x.log, far.y.log) == (True, True)
    assert all(far.x.low < p.x < far.x.high and far.y.low < p.y < far.y.high for c in far.curves for p in c.points)
    assert all(far.y.low <= value <= far.y.high for value, _ in far.y.ticks)


def test_axes_are_logarithmic_from_ten_times_on_unless_the_study_says_otherwise() -> None:
    def of(times: float, chosen: bool | None = None) -> bool:
        study = decode_study(H100, device("Slow", H100.peaks[0].rate, H100.memory[0].bandwidth / times), batch=1)
        return figure(replace(study, view=replace(study.view, log_curves=chosen))).x.log

    assert [of(times) for times in (8.0, 12.0)] == [False, True]
    assert [of(8.0, chosen=True), of(12.0, chosen=False)] == [True, False]


def test_prefill_counts_prompt_tokens() -> None:
    found = figure(decode_study(H100, A100, phase="prefill"))
    assert (found.x_title, found.y_title) == (
        "prompt tok/s of one request, at most",
        "prompt tok/s in all, at most",
    )
    assert "prompt tok/s in all" in found.curves[0].points[0].tip


@pytest.mark.parametrize(
    ("study", "says"),
    [
        (matmul_study(64, 64, 64, H100, A100), "Own operators have no batch: choose a model to see its curve."),
        (Study(), "Choose a model and a device to see its batches."),
        (
            decode_study(replace(H100, memory=(replace(H100.memory[0], capacity=1e9),))),
            "Not even one request fits: H100.",
        ),
        (replace(decode_study(H100), view=View(vary="measurements")), "Measurements are compared in the table"),
    ],
)
def test_where_there_is_no_curve_one_sentence_says_why(study: Study, says: str) -> None:
    found = figure(study)
    assert says in found.empty_text
    assert found.curves == ()


def test_one_machine_alone_has_its_curve_and_no_finding() -> None:
    found = figure(decode_study(H100))
    assert len(found.curves) == 1
    assert found.finding == ""


def test_with_experts_chosen_at_random_no_axis_and_no_tip_speaks_of_bounds() -> None:
    found = frontier_figure(evaluate(read_study(example_path("qwen3-30b-home")), load_catalogue()), Look())
    assert (found.x_title, found.y_title) == ("tok/s of one request, about", "tok/s in all, about")
    lines = [line for curve in found.curves for p in curve.points for line in p.tip.splitlines()]
    assert lines
    assert not [line for line in lines if "at most" in line or "at least" in line]
