"""Operators on every visible device: times, bounds and ratios by hand."""

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.comparison.ratios import Ratio, on_each
from explorer.analysis.step.evaluate import evaluate
from explorer.files.catalogue import load_catalogue
from tests.analysis.making import device, own, study

CATALOGUE = load_catalogue(devices=False)
MATMUL = own("up", "matmul", m=4096, n=4096, k=4096)  # 137.4 GFLOP: 458 us on 300 TFLOP/s
COPY = own("copy", "copy", count=3.0, values=1e9)  # 4 GB: 2 ms on 2 TB/s
FAST = device(ident="fast")
SLOW = device(150e12, 0.5e12, ident="slow")
OTHER = device(150e12, 2e12, ident="other")


def test_one_operator_is_told_by_the_call_and_several_by_all_their_calls() -> None:
    evaluation = evaluate(study(MATMUL, COPY, on=(FAST, SLOW)), CATALOGUE)
    fast, slow = on_each(evaluation, ["copy"])
    assert (fast.seconds, slow.seconds) == (pytest.approx(2e-3), pytest.approx(8e-3))
    assert (fast.ratio.value, slow.ratio.value, slow.memory_ratio.value) == pytest.approx((1.0, 4.0, 4.0))
    fast, slow = on_each(evaluation, ["up", "copy"])
    assert (fast.seconds, slow.seconds) == (pytest.approx(6.45813e-3, rel=1e-4), pytest.approx(24.91626e-3, rel=1e-4))
    assert slow.ratio.value == pytest.approx(24.91626 / 6.45813, rel=1e-4)
    assert (fast.bound, slow.bound) == (None, None)


def test_bandwidth_alone_is_apart_from_what_the_operator_waits_for() -> None:
    fast, other = on_each(evaluate(study(MATMUL, on=(FAST, OTHER)), CATALOGUE), ["up"])
    assert (other.bound, other.ratio.value, other.memory_ratio.value) == ("compute", pytest.approx(2.0), 1.0)
    assert not fast.launches_unknown


def test_hidden_devices_and_names_that_are_not_there_are_left_out() -> None:
    base = study(MATMUL, on=(FAST, SLOW))
    hidden = replace(base, hardware=(base.hardware[0], replace(base.hardware[1], visible=False)))
    assert [e.result.entry.id for e in on_each(evaluate(hidden, CATALOGUE), ["up"])] == ["fast"]
    assert on_each(evaluate(base, CATALOGUE), ["gone"]) == ()


def test_unknown_launches_leave_several_operators_without_a_ratio() -> None:
    told = device(ident="told", launch=1e-6)
    evaluation = evaluate(study(MATMUL, COPY, on=(told, FAST), launch="eager"), CATALOGUE)
    one, other = on_each(evaluation, ["up", "copy"])
    assert (other.launches_unknown, other.ratio) == (True, Ratio(None, "launches"))
    assert one.ratio.value == 1.0
