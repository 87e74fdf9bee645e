"""Charts against batch, point by point: curves, ticks, marks, walls, and what stands under the pointer."""

import math

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.analysis.ask.batch_sweep import GRID, LARGEST_BATCH, sweep_batches
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import View
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.views.batch_chart import batch_ticks, rate_tick, time_tick, value_ticks
from explorer.presentation.views.batch_trail import batch_trail
from explorer.presentation.views.decode import (
    METRICS,
    BatchMark,
    Knee,
    Spot,
    batch_chart,
    context_mark,
    decode_view,
    figure_text,
    knee_list,
    rate_text,
    read_out,
    shown_batch,
    spots_of,
)
from tests.presentation.llama import catalogue, device, evaluated, study

SMALL = device("Other", bandwidth=1e12, peak=5e13, capacity=20e9)


@pytest.fixture(scope="module")
def case() -> Evaluation:
    return evaluated(device(), SMALL)


def test_the_view_has_three_charts_with_their_points_and_a_legend(case: Evaluation) -> None:
    view = decode_view(case, sweep_batches(case))
    assert view.title == "Llama-3.1-8B, decode at context 4,096: what a larger batch brings"
    assert view.legend == (("Round", 0), ("Other", 1))
    assert [c.title for c in view.charts] == [
        "All tokens/s against batch", "Tokens/s of one request against batch", "Step time against batch, at least"
    ]  # fmt: skip
    assert {c.x_title for c in view.charts} == {"batch"}
    totals = [d.totals for d in (case.devices[1], case.devices[0])]
    for spots, values in zip(
        view.spots,
        (
            [t.tokens_per_s for t in totals],
            [t.tokens_per_s_per_request for t in totals],
            [t.floor_s for t in totals],
        ),
        strict=True,
    ):
        wanted = zip(values, (1, 0), ("", "1×"), strict=True)  # the other has no room
        assert spots == tuple(Spot(3.0, float(v), c, c == 0, r) for v, c, r in wanted)  # type: ignore[arg-type]


def test_curves_are_the_sweeps_with_walls_where_memory_is_full(case: Evaluation) -> None:
    sweep = sweep_batches(case)
    swept = {s.key: s for s in sweep.devices}
    for metric, field in zip(METRICS, ("all_per_s", "each_per_s", "step_s"), strict=True):
        chart = batch_chart(case, sweep, metric)
        assert [(c.key, c.name, c.colour, c.active) for c in chart.curves] == [
            ("other", "Other", 1, False), ("round", "Round", 0, True)
        ]  # fmt: skip
        assert [c.full_at for c in chart.curves] == [math.log2(7), math.log2(119)]
        for curve in chart.curves:
            assert np.array_equal(curve.xs, np.log2(GRID))
            assert np.array_equal(curve.ys, getattr(swept[curve.key], field))
        inside = GRID <= 256
        assert chart.y_max == pytest.approx(1.05 * max(float(c.ys[inside].max()) for c in chart.curves))
        assert chart.value_at(chart.curves[1], 3.0) == pytest.approx(float(chart.curves[1].ys[GRID == 8][0]))


def test_a_model_that_does_not_fit_at_all_is_full_before_the_first_batch() -> None:
    case = evaluated(device(capacity=1e9))
    assert batch_chart(case, sweep_batches(case), "all").curves[0].full_at == -1.0
    unknown = evaluated(device(capacity=None))
    assert batch_chart(unknown, sweep_batches(unknown), "all").curves[0].full_at is None


def test_a_compact_chart_has_few_ticks_no_axis_title_and_only_the_wall(case: Evaluation) -> None:
    chart = batch_chart(case, sweep_batches(case), "all", compact=True)
    assert (chart.title, chart.x_title) == ("All tokens/s by batch", "")
    assert chart.x_ticks == ((0.0, "1"), (3.0, "8"), (6.0, "64"))
    assert [t for _, t in chart.y_ticks] == ["0", "1k", "2k", "3k"]
    assert chart.marks == (BatchMark(math.log2(119), "full", 0, wall=True),)
    full = batch_chart(case, sweep_batches(case), "all")
    assert [t for _, t in full.x_ticks] == ["1", "2", "4", "8", "16", "32", "64", "128", "256"]
    assert [(m.text, round(2**m.x, 1), m.wall) for m in full.marks] == [
        ("KV half", 28.0, False), ("knee", 14.0, False), ("Round full", 119.0, True)
    ]  # fmt: skip


def test_marks_beyond_the_axis_are_not_drawn() -> None:
    huge = evaluated(device(capacity=8e12))
    chart = batch_chart(huge, sweep_batches(huge), "all")
    assert chart.x_max == math.log2(LARGEST_BATCH)
    assert all(m.x <= chart.x_max for m in chart.marks)
    first = evaluated(device(capacity=17e9))
    assert [(m.text, m.x) for m in batch_chart(first, sweep_batches(first), "all").marks if m.wall] == [
        ("Round full", 0.0)
    ]


def test_the_batches_of_note_have_words_and_sentences(case: Evaluation) -> None:
    half, knee, full = knee_list(case, case.devices[1])
    assert half == Knee("kv_half", pytest.approx(27.958449683), "KV half", "Batch 27: half of the traffic is KV cache.")
    assert (knee.text, knee.tip) == ("knee", "Batch 13: past it, doubling the batch gains less than 1.50×.")
    assert full == Knee("fit", 7.0, "full", "Batch 7: the memory of Other is full.")
    short = evaluated(context=1)
    ridge = next(k for k in knee_list(short, short.devices[0]) if k.code == "ridge")
    assert (ridge.text, ridge.tip) == ("ridge", "Batch 499: decode turns compute-bound.")
    assert context_mark(case, case.devices[0], 12345) == (
        "full", "12,345 tokens: the memory of Round is full at this batch.",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("batch", "fit", "shown"),
    [
        (8, None, 8),
        (8, 204, 8),
        (8, 205, 9),
        (8, 0, 8),
        (256, None, 8),
        (257, None, 9),
        (8, 10**9, math.log2(LARGEST_BATCH)),
    ],
)
def test_the_right_end_has_room_for_batch_and_wall(batch: int, fit: int | None, shown: float) -> None:
    assert shown_batch(evaluated(batch=batch), fit) == shown


def test_what_stands_under_the_pointer_is_the_whole_batch_nearest(case: Evaluation) -> None:
    charts = {m: batch_chart(case, sweep_batches(case), m) for m in METRICS}
    assert read_out(charts["all"], "all", 3.1) == ("Batch 9", "Round  908 tok/s", "Other  454 tok/s")
    assert read_out(charts["each"], "each", 3.1) == ("Batch 9", "Round  101 tok/s", "Other  50.4 tok/s")
    assert read_out(charts["step"], "step", 3.1) == ("Batch 9", "Other  19.9 ms", "Round  9.93 ms")
    assert read_out(charts["all"], "all", -5.0)[0] == "Batch 1"
    assert read_out(charts["all"], "all", 10.0)[0] == "Batch 1,024"


def test_rates_and_times_as_texts() -> None:
    assert [rate_text(v) for v in (None, 9.523, 99.94, 99.95, 1388.6)] == [
        "–", "9.52 tok/s", "99.9 tok/s", "100 tok/s", "1,389 tok/s",
    ]  # fmt: skip
    assert (figure_text(0.00576, "step"), figure_text(120.4, "all")) == ("5.76 ms", "120 tok/s")


def test_the_points_of_now_leave_out_what_has_no_rate() -> None:
    assert spots_of(evaluated(batch=1), "all")[0].x == 0.0
    own = evaluate(replace(study(), models=(), active_model=""), catalogue())
    assert spots_of(own, "all") == ()


@pytest.mark.parametrize(
    ("x_max", "most", "ticks"),
    [
        (0.0, 8, "1"),
        (8.0, 8, "1 2 4 8 16 32 64 128 256"),
        (9.0, 8, "1 4 16 64 256"),
        (8.0, 3, "1 8 64"),
        (2.9999999999, 4, "1 2 4 8"),
        (2.9, 4, "1 2 4"),
        (3.0, 0, "1 8"),
        (12.0, 12, "1 2 4 8 16 32 64 128 256 512 1,024 2,048 4,096"),
    ],
)
def test_powers_of_two_with_an_even_stride(x_max: float, most: int, ticks: str) -> None:
    found = batch_ticks(x_max, most)
    assert " ".join(text for _, text in found) == ticks
    assert [2.0**at for at, _ in found] == [float(t.replace(",", "")) for t in ticks.split()]


@pytest.mark.parametrize(
    ("top", "most", "ticks"),
    [
        (4.0, 4, [0, 1, 2, 3, 4]),
        (4.1, 4, [0, 2, 4]),
        (8.0, 4, [0, 2, 4, 6, 8]),
        (10.0, 4, [0, 2.5, 5, 7.5, 10]),
        (11.0, 4, [0, 5, 10]),
        (20.0, 4, [0, 5, 10, 15, 20]),
        (21.0, 4, [0, 10, 20]),
        (25.0, 5, [0, 5, 10, 15, 20, 25]),
        (0.3, 3, [0, 0.1, 0.2, 0.3]),
    ],
)
def test_steps_of_an_axis_are_one_two_two_and_a_half_or_five(top: float, most: int, ticks: list[float]) -> None:
    end, found = value_ticks(top, lambda v, step: f"{v:g}/{step:g}", most)
    assert end == pytest.approx(top * 1.05)
    assert [at for at, _ in found] == pytest.approx(ticks)
    assert found[1][1] == f"{ticks[1]:g}/{ticks[1]:g}"


@pytest.mark.parametrize("top", [0.0, -1.0, math.inf, math.nan])
def test_an_axis_of_nothing_ends_at_one(top: float) -> None:
    assert value_ticks(top, rate_tick) == (1.0, ((0.0, "0"),))


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (250, "250"), (999, "999"), (1e3, "1k"), (2500, "2.5k"), (1e6, "1M"), (1e9, "1G"), (1.5e12, "1.5T"),
     (1e15, "1P"), (1e18, "1E"), (1e24, "1e06E")],
)  # fmt: skip
def test_rates_on_an_axis(value: float, text: str) -> None:
    assert rate_tick(value, 1.0) == text


@pytest.mark.parametrize(
    ("value", "text"),
    [(0, "0"), (0.005, "5 ms"), (0.5, "500 ms"), (0.0025, "2.5 ms"), (20.0, "20 s"), (1000.0, "1,000 s")],
)
def test_times_on_an_axis(value: float, text: str) -> None:
    assert time_tick(value, 1.0) == text


def test_the_trail_leads_from_batch_one_to_just_before_the_point() -> None:
    case = evaluated(batch=64)
    figure = build_figure(case)
    trail, moved = batch_trail(case, figure), batch_trail(case, figure, 0.3)
    big = {m.rows[0]: m for m in figure.marks if m.active and m.area >= 0.05}
    assert {m.rows[0] for m in trail[0]} == set(big)
    assert {m.label for step in trail for m in step} == {""}
    one = {m.rows[0]: m for m in build_figure(evaluated(batch=1)).marks}
    for mark in trail[0]:
        at_one = next(m for m in one.values() if mark.rows[0] in m.rows)
        assert (mark.x, mark.y) == (pytest.approx(at_one.x, abs=0.02), pytest.approx(at_one.y, abs=0.02))
        assert mark.area == big[mark.rows[0]].area
    assert [b.x - a.x for a, b in zip(trail[0], moved[0], strict=True)] == pytest.approx([0.3] * len(trail[0]))
    assert [b.y for b in moved[0]] == [a.y for a in trail[0]]
    assert batch_trail(evaluated(batch=1), build_figure(evaluated(batch=1))) == ()


def test_a_knee_below_one_sequence_is_no_mark() -> None:
    fast = evaluated(device(bandwidth=1e17, peak=1e12))
    assert "ridge" not in {k.code for k in knee_list(fast, fast.devices[0])}
    slow = evaluated(device(bandwidth=1e12, peak=1e13))
    assert "ridge" in {k.code for k in knee_list(slow, slow.devices[0])}


def test_the_current_points_bear_their_ratio_to_the_baseline() -> None:
    """2, 3 and 1 TB/s: thrice and half as many tokens; a step takes two thirds and twice as long."""
    on = (device(), device("Fast", bandwidth=3e12), device("Slow", bandwidth=1e12), device("Full", capacity=10e9))
    base = study(*on)
    for metric, ratios in (("all", ["1.50×", "0.50×"]), ("each", ["1.50×", "0.50×"]), ("step", ["0.67×", "2.00×"])):
        spots = spots_of(evaluate(base, catalogue()), metric)  # type: ignore[arg-type]
        assert [s.ratio for s in spots] == [*ratios, "", "1×"]
    chosen = evaluate(replace(base, view=View(baseline="slow")), catalogue())
    assert [s.ratio for s in spots_of(chosen, "all")] == ["3.00×", "1×", "", "2.00×"]
    assert [s.ratio for s in spots_of(evaluated(), "all")] == [""]
