import math

import numpy as np
import pytest
from msgspec.structs import replace

from explorer.analysis.ask.batch_sweep import GRID, same_curves, sweep_batches
from explorer.analysis.ask.capacity import fitting_context
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import OwnRow, Study
from explorer.presentation.views.batch_chart import batch_ticks, rate_tick, time_tick, value_ticks
from explorer.presentation.views.decode import (
    batch_chart,
    decode_view,
    knee_list,
    rate_text,
    read_out,
    shown_batch,
    spots_of,
)
from tests.presentation.llama import KV_SEQUENCE, WEIGHTS, catalogue, device, evaluated, study


@pytest.mark.parametrize("batch", [1, 8, 128, 4096])
def test_a_curve_passes_through_the_step_evaluated_alone(batch: int) -> None:
    swept = sweep_batches(evaluated()).devices[0]
    alone = evaluated(batch=batch).devices[0].totals
    at = int(np.flatnonzero(batch == GRID)[0])
    assert swept.step_s[at] == pytest.approx(alone.floor_s, rel=1e-12)
    assert swept.all_per_s[at] == pytest.approx(alone.tokens_per_s, rel=1e-12)
    assert swept.each_per_s[at] == pytest.approx(alone.tokens_per_s_per_request, rel=1e-12)


def test_curves_include_the_users_own_rows() -> None:
    own = replace(study(), operators=(OwnRow(id="1", name="extra", kind="copy", dims={"values": 1e9}),))
    evaluation = evaluate(own, catalogue())
    swept = sweep_batches(evaluation).devices[0]
    assert swept.step_s[int(np.flatnonzero(GRID == 8)[0])] == pytest.approx(evaluation.devices[0].totals.floor_s)


def test_batch_and_view_leave_the_curves_alone_and_context_does_not() -> None:
    first = study()
    assert same_curves(first, replace(first, workload=replace(first.workload, batch=99)))
    assert same_curves(first, replace(first, view=replace(first.view, selection=("up_proj",))))
    assert not same_curves(first, replace(first, workload=replace(first.workload, context=99)))
    assert not same_curves(first, study(device("Other")))


@pytest.mark.parametrize("batch", [5000, 100_000, 2**20])
def test_curves_reach_a_batch_beyond_the_usual_ones_and_its_dot_lies_on_them(batch: int) -> None:
    evaluation = evaluated(batch=batch)
    sweep = sweep_batches(evaluation)
    assert np.array_equal(sweep.batches[: GRID.size], GRID)
    view = decode_view(evaluation, sweep)
    for chart, (spot,) in zip(view.charts, view.spots, strict=True):
        (curve,) = chart.curves
        assert curve.xs[-1] == chart.x_max == math.ceil(math.log2(batch))
        assert chart.value_at(curve, spot.x) == pytest.approx(spot.y, rel=0.02)
        assert chart.y_min <= spot.y <= chart.y_max


def test_curves_are_others_where_the_batch_reaches_beyond_them() -> None:
    first = study()
    beyond = replace(first, workload=replace(first.workload, batch=5000))
    assert not same_curves(first, beyond)
    assert same_curves(beyond, replace(first, workload=replace(first.workload, batch=8192)))
    assert same_curves(first, replace(first, workload=replace(first.workload, batch=4096)))


def test_hidden_devices_have_no_curve() -> None:
    first = study(device(), device("Second"))
    hidden = replace(first, hardware=(first.hardware[0], replace(first.hardware[1], visible=False)))
    assert [d.key for d in sweep_batches(evaluate(hidden, catalogue())).devices] == ["round"]


def test_marks_stand_at_kv_half_knee_and_the_memory_wall() -> None:
    evaluation = evaluated()
    knees = {k.code: k.batch for k in knee_list(evaluation, evaluation.devices[0])}
    assert knees["fit"] == 119
    assert knees["kv_half"] == pytest.approx(27.96, rel=1e-3)
    assert knees["knee"] == pytest.approx(13.98, rel=1e-3)  # W/(2K): 2(W+BK)/(W+2BK) = 1.5
    assert "ridge" not in knees
    chart = batch_chart(evaluation, sweep_batches(evaluation), "all")
    assert {m.text: m.x for m in chart.marks}["Round full"] == pytest.approx(math.log2(119))


def test_a_model_that_does_not_fit_has_its_wall_at_zero_and_no_mark_in_the_chart() -> None:
    evaluation = evaluated(device(capacity=1e9))
    assert {k.code: k.batch for k in knee_list(evaluation, evaluation.devices[0])}["fit"] == 0
    chart = batch_chart(evaluation, sweep_batches(evaluation), "all")
    assert all("full" not in m.text for m in chart.marks)


def test_prefill_has_curves_and_no_knees() -> None:
    evaluation = evaluated(phase="prefill", context=512)
    assert knee_list(evaluation, evaluation.devices[0]) == ()
    assert len(decode_view(evaluation, sweep_batches(evaluation)).charts) == 3


def test_the_largest_context_that_fits_fills_what_the_weights_leave() -> None:
    evaluation = evaluated()
    per_token = 8 * KV_SEQUENCE / 4096
    assert fitting_context(evaluation, evaluation.devices[0], 131072) == (80e9 - WEIGHTS) // per_token
    assert fitting_context(evaluation, evaluation.devices[0], 4096) is None


def test_the_axis_has_room_for_the_batch_and_the_wall_and_seldom_moves() -> None:
    assert shown_batch(evaluated(), 119) == 8
    assert shown_batch(evaluated(batch=300), 119) == 9
    assert shown_batch(evaluated(), 2000) == 12
    assert shown_batch(evaluated(batch=4096), None) == 12


def test_current_points_are_those_of_the_totals_with_the_active_device_last() -> None:
    evaluation = evaluated(device(), device("Second", bandwidth=4e12))
    spots = spots_of(evaluation, "step")
    assert [s.active for s in spots] == [False, True]
    assert spots[-1].y == pytest.approx(evaluation.devices[0].totals.floor_s)
    assert spots[-1].x == 3


def test_the_read_out_lists_every_device_from_the_largest() -> None:
    evaluation = evaluated(device(), device("Second", bandwidth=4e12))
    chart = batch_chart(evaluation, sweep_batches(evaluation), "all")
    lines = read_out(chart, "all", 3.0)
    assert lines[0] == "Batch 8"
    assert lines[1].startswith("Second")
    assert lines[2] == f"Round  {rate_text(evaluation.devices[0].totals.tokens_per_s)}"


def test_nothing_to_sweep_says_what_to_do() -> None:
    empty = evaluate(Study(), catalogue())
    view = decode_view(empty, sweep_batches(empty))
    assert (view.charts, view.empty_text) == ((), "Choose a model and a device to see its batches.")


def test_ticks_are_round_and_few() -> None:
    assert [t for _, t in batch_ticks(8.0, 4)] == ["1", "4", "16", "64", "256"]
    assert [t for _, t in value_ticks(8900.0, rate_tick, 4)[1]] == ["0", "2.5k", "5k", "7.5k"]
    assert [t for _, t in value_ticks(0.075, time_tick, 4)[1]] == ["0", "20 ms", "40 ms", "60 ms"]
    assert value_ticks(0.0, rate_tick)[1] == ((0.0, "0"),)


def test_rates_are_whole_from_a_hundred_on() -> None:
    assert [rate_text(v) for v in (173.2, 1388.0, 14.61, None)] == ["173 tok/s", "1,388 tok/s", "14.6 tok/s", "–"]
