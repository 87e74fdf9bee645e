"""Curves against batch: a log axis where they lie far apart or as the study says, titles in the words of the phase."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from explorer.analysis.ask.batch_sweep import sweep_batches
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.presentation.views.batch_chart import Curve, far_apart, log_ticks, rate_tick, time_tick
from explorer.presentation.views.decode import METRICS, DecodeView, batch_chart, decode_view
from tests.presentation.llama import catalogue, device, evaluated

NEAR = device("Near", bandwidth=1e12, peak=5e13, capacity=80e9)
SLOW = device("Slow", bandwidth=1e11, peak=5e12, capacity=80e9)


def view_of(evaluation: Evaluation, *, log: bool | None = None) -> DecodeView:
    study = replace(evaluation.study, view=replace(evaluation.study.view, log_curves=log))
    seen = evaluate(study, catalogue())
    return decode_view(seen, sweep_batches(seen))


def test_curves_ten_times_apart_stand_on_a_log_axis_and_others_begin_at_0() -> None:
    near, far = view_of(evaluated(device(), NEAR)), view_of(evaluated(device(), SLOW))
    assert [c.log for c in near.charts] == [False] * 3
    assert {c.y_min for c in near.charts} == {0.0}
    assert [c.log for c in far.charts] == [True] * 3
    for chart in far.charts:
        values = np.concatenate([c.ys[c.xs <= chart.x_max] for c in chart.curves])
        assert 0 < chart.y_min < values.min() < values.max() < chart.y_max
        assert all(chart.y_min <= at <= chart.y_max for at, _ in chart.y_ticks)


@pytest.mark.parametrize("other", [NEAR, SLOW])
@pytest.mark.parametrize("log", [True, False])
def test_the_study_says_which_axis(other: object, log: bool) -> None:
    assert [c.log for c in view_of(evaluated(device(), other), log=log).charts] == [log] * 3  # type: ignore[arg-type]


def test_one_curve_alone_is_far_from_nothing() -> None:
    curve = Curve("a", "a", 0, np.array([0.0, 1.0]), np.array([1.0, 100.0]))
    assert not far_apart([curve], 1.0)
    assert not far_apart([curve, replace(curve, ys=curve.ys * 9.9)], 1.0)
    assert far_apart([curve, replace(curve, ys=curve.ys * 10)], 1.0)
    assert not far_apart([curve, replace(curve, ys=np.array([2.0, 2000.0]))], 0.5)  # beyond what is shown


@given(st.floats(1e-6, 1e6), st.floats(1.0, 1e9), st.integers(3, 6))
def test_ticks_of_a_log_axis_lie_within_it_and_are_few(low: float, span: float, most: int) -> None:
    least, top, ticks = log_ticks(low, low * span, rate_tick, most)
    assert least < low <= low * span < top
    assert 2 <= len(ticks) <= most + 1
    places = [at for at, _ in ticks]
    assert places == sorted(places)
    assert least <= places[0] <= places[-1] <= top


def test_times_on_a_log_axis_bear_their_unit() -> None:
    assert [text for _, text in log_ticks(2e-3, 4e-1, time_tick)[2]] == ["3 ms", "10 ms", "30 ms", "100 ms", "300 ms"]


def test_a_prefill_is_told_in_prompts_and_first_tokens() -> None:
    seen = evaluated(device(), phase="prefill")
    view = view_of(seen)
    assert view.title == "Llama-3.1-8B, prompts of 4,096 tokens: what a larger batch brings"
    assert [c.title for c in view.charts] == [
        "Prompt tokens/s in all against batch",
        "Prompt tokens/s of one against batch",
        "Time to first token against batch, at least",
    ]
    compact = [batch_chart(seen, sweep_batches(seen), m, compact=True).title for m in METRICS]
    assert compact == ["Prompt tokens/s by batch", "One prompt by batch", "First token by batch"]
