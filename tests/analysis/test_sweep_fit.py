"""What the times of a sweep follow."""

import pytest

from explorer.analysis.measured.sweep_fit import fit_sweep
from explorer.analysis.problem import Refused

SIZES = (1e6, 4e6, 1.6e7, 6.4e7, 2.56e8)


def test_times_that_follow_bytes_are_memory_bound_with_rate_and_fixed_time():
    found = fit_sweep([6e-6 + b / 21e9 for b in SIZES], [b**1.5 for b in SIZES], SIZES)
    assert found.finding == "bytes"
    assert found.line.rate == pytest.approx(21e9, rel=1e-3)
    assert found.line.fixed_s == pytest.approx(6e-6, rel=1e-2)


def test_times_that_follow_flops_are_compute_bound():
    found = fit_sweep([b**1.5 / 1e12 for b in SIZES], [b**1.5 for b in SIZES], SIZES)
    assert found.finding == "flops"
    assert found.line.rate == pytest.approx(1e12, rel=1e-3)


def test_times_that_do_not_grow_are_fixed():
    found = fit_sweep([9e-6, 1e-5, 9.5e-6, 1e-5, 9.2e-6], SIZES, SIZES)
    assert found.finding == "fixed"
    assert found.line.fixed_s == pytest.approx(9.5e-6)


def test_bytes_and_flops_that_grow_alike_cannot_be_told_apart():
    assert fit_sweep([b / 21e9 for b in SIZES], [2 * b for b in SIZES], SIZES).finding == "either"


def test_an_outlier_moves_nothing():
    times = [6e-6 + b / 21e9 for b in SIZES]
    times[2] *= 4
    assert fit_sweep(times, [b**1.5 for b in SIZES], SIZES).line.rate == pytest.approx(21e9, rel=0.05)


def test_two_points_are_too_few():
    with pytest.raises(Refused):
        fit_sweep([1.0, 2.0], [1.0, 2.0], [1.0, 2.0])
