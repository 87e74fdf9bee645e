"""Placement and totals of plain operators."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.ask.levers import levers
from explorer.analysis.ask.notes import notes
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.scale import scaled
from explorer.analysis.study.study import Override
from tests.analysis.making import device, own, study

SIZES = st.integers(1, 8192)


def test_the_textbook_matmuls_stand_on_both_sides_of_the_ridge(catalogue):
    result = evaluate(study(own("big", "matmul", m=4096), own("one", "matmul", m=1)), catalogue).devices[0]
    big, one = result.points
    assert (round(big.intensity), big.bound) == (1365, "compute")
    assert (round(one.intensity, 2), one.bound) == (1.0, "memory")
    assert result.ridge == pytest.approx(150.0)


def test_operator_time_is_the_larger_of_compute_and_memory(catalogue):
    point = evaluate(study(own("q", "matmul", m=512)), catalogue).devices[0].points[0]
    assert point.time_s == max(2 * 512 * 4096**2 / 300e12, (2 * 512 * 4096 * 2 + 4096**2 * 2) / 2e12)


def test_launches_cost_only_in_eager_mode_and_name_the_bound(catalogue):
    slow = device(launch=5e-6)
    graph = evaluate(study(own("r", "relu", values=10), on=(slow,)), catalogue).devices[0].points[0]
    eager = evaluate(study(own("r", "relu", values=10), on=(slow,), launch="eager"), catalogue).devices[0].points[0]
    assert graph.bound == "memory"
    assert (eager.bound, eager.time_s) == ("overhead", 5e-6)


def test_eager_without_a_known_launch_overhead_says_so(catalogue):
    evaluation = evaluate(study(own("r", "relu"), launch="eager"), catalogue)
    assert [n.code for n in notes(evaluation)] == ["note.no_launch"]


def test_calls_multiply_time_and_shares_add_up_to_one(catalogue):
    result = evaluate(study(own("q", "matmul", m=8, count=3), own("r", "relu")), catalogue).devices[0]
    assert result.totals.time_s == pytest.approx(3 * result.points[0].time_s + result.points[1].time_s)
    assert sum(result.shares) == pytest.approx(1.0)
    assert sum(result.flop_shares) == pytest.approx(1.0)


def test_the_floor_of_own_rows_is_their_work_over_both_roofs(catalogue):
    result = evaluate(study(own("big", "matmul", m=4096), own("one", "matmul", m=1)), catalogue).devices[0]
    flops, moved = result.totals.traffic.flops, result.totals.traffic.bytes
    assert result.totals.floor_s == pytest.approx(max(flops / 300e12, moved / 2e12))
    assert result.totals.floor_s <= result.totals.time_s


def test_the_expected_band_is_step_time_at_80_and_60_percent(catalogue):
    totals = evaluate(study(own("q", "matmul")), catalogue).devices[0].totals
    assert totals.expected_s == pytest.approx((totals.time_s / 0.8, totals.time_s / 0.6))


def test_without_a_peak_the_bound_is_memory_and_the_ridge_unknown(catalogue):
    bare = device(vector=None)
    bare = type(bare)(id="b", name="B", vendor="V", memory=bare.memory)
    evaluation = evaluate(study(own("q", "matmul", m=4096), on=(bare,)), catalogue)
    result = evaluation.devices[0]
    assert result.points[0].bound == "memory"
    assert result.ridge is None
    assert [n.code for n in notes(evaluation)] == ["note.compute_not_judged"]


def test_vector_units_without_a_known_peak_are_told_apart_from_matrix_units(catalogue):
    evaluation = evaluate(study(own("q", "matmul"), own("r", "relu"), on=(device(vector=None),)), catalogue)
    matrix, vector = evaluation.devices[0].points
    assert (matrix.peak.rate, vector.seconds("compute"), vector.bound) == (300e12, None, "memory")
    assert [n.code for n in notes(evaluation)] == ["note.vector_not_judged"]


def test_faulty_rows_are_listed_and_the_rest_goes_on(catalogue):
    evaluation = evaluate(study(own("good", "relu"), own("bad", "relu", values=-1), own("odd", "nosuch")), catalogue)
    assert [r.name for r in evaluation.rows] == ["good"]
    assert {p.path for p in evaluation.problems} >= {"operators[2].kind"}
    assert any(p.path.startswith("operators[1]") for p in evaluation.problems)


def test_devices_without_bandwidth_are_left_out(catalogue):
    bare = device(ident="bare")
    bare = type(bare)(id="bare", name="Bare", vendor="V", memory=(type(bare.memory[0])(level="SRAM", capacity=1e9),))
    assert [d.entry.id for d in evaluate(study(own("q", "relu"), on=(bare, device())), catalogue).devices] == ["dev"]


@given(m=SIZES, n=SIZES, k=SIZES, gain=st.floats(1.0, 64.0))
def test_more_bandwidth_or_compute_is_never_slower(catalogue, m, n, k, gain):
    base = device()
    rows = (own("q", "matmul", m=m, n=n, k=k),)
    before = evaluate(study(*rows, on=(base,)), catalogue).devices[0].totals
    for changed in (scaled(base, "bandwidth", gain), scaled(base, "compute", gain)):
        after = evaluate(study(*rows, on=(changed,)), catalogue).devices[0].totals
        assert after.time_s <= before.time_s
        assert after.floor_s <= before.floor_s


@given(m=SIZES, n=SIZES, k=SIZES)
def test_no_point_stands_above_its_roof(catalogue, m, n, k):
    point = evaluate(study(own("q", "matmul", m=m, n=n, k=k)), catalogue).devices[0].points[0]
    assert point.performance <= point.attainable * (1 + 1e-12)


def test_two_devices_ideally_halve_the_time(catalogue):
    rows = (own("q", "matmul", m=64),)
    one = evaluate(study(*rows), catalogue).devices[0].totals.time_s
    evaluation = evaluate(study(*rows, count=2), catalogue)
    assert evaluation.devices[0].totals.time_s == pytest.approx(one / 2)
    assert [n.code for n in notes(evaluation)] == ["note.ideal_devices"]


def test_levers_on_plain_operators_are_bandwidth_and_compute(catalogue):
    evaluation = evaluate(study(own("one", "matmul", m=1)), catalogue)
    gains = {lever.code: lever.gain for lever in levers(evaluation, "dev")}
    assert gains["lever.bandwidth2"] == pytest.approx(2.0)
    assert gains["lever.compute2"] == pytest.approx(1.0)
    assert "lever.weights8" not in gains


def test_an_override_of_an_unknown_row_changes_nothing(catalogue):
    base = study(own("q", "matmul"))
    changed = type(base)(**{f: getattr(base, f) for f in base.__struct_fields__} | {"overrides": (Override(row="x"),)})
    assert evaluate(changed, catalogue).devices[0].totals.time_s == evaluate(base, catalogue).devices[0].totals.time_s


def test_totals_are_plain_numbers_for_one_point(catalogue):
    totals = evaluate(study(own("q", "matmul")), catalogue).devices[0].totals
    assert not isinstance(totals.time_s, np.ndarray)
