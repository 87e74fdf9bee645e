"""Fits find the roof that made the timings, ignore outliers, and refuse what the timings do not tell."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.catalogue.device import Device
from explorer.analysis.measured.predict import TimedOperator
from explorer.analysis.measured.roof_fit import Sample, fit_roof
from explorer.analysis.problem import Refused
from explorer.analysis.step.machines.single import Machine

BANDWIDTH, PEAK, FIXED = 800e9, 60e12, 5e-6


def timed(flops: float, moved: float, kernels: float = 1.0, noise: float = 0.0) -> Sample:
    seconds = max(flops / PEAK, moved / BANDWIDTH) + kernels * FIXED
    return Sample(seconds * (1 + noise), (TimedOperator(1.0, flops, moved, kernels),))


def rows(noise: float = 0.0, seed: int = 1) -> list[Sample]:
    random = np.random.default_rng(seed)
    sizes = [(1e6, 1e6), (1e8, 5e7), (1e9, 1e9), (1e10, 3e9), (1e12, 1e9), (5e12, 2e9), (3e13, 5e9), (1e11, 2e8)]
    return [timed(f, b, noise=noise * float(random.standard_normal())) for f, b in sizes]


def test_exact_timings_give_the_roof_back():
    found = fit_roof(rows())
    assert found.bandwidth.value == pytest.approx(BANDWIDTH, rel=5e-3)
    assert found.peak.value == pytest.approx(PEAK, rel=1e-2)
    assert found.per_kernel_s.value == pytest.approx(FIXED, rel=1e-2)


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000))
def test_intervals_hold_the_truth_of_noisy_timings(seed):
    found = fit_roof(rows(noise=0.02, seed=seed))
    assert found.bandwidth.value == pytest.approx(BANDWIDTH, rel=0.15)
    assert found.bandwidth.low < found.bandwidth.value < found.bandwidth.high
    assert found.peak.value == pytest.approx(PEAK, rel=0.15)


def test_one_row_gone_wrong_moves_nothing():
    wrong = rows()
    wrong[3] = Sample(wrong[3].time_s * 5, wrong[3].parts)
    found = fit_roof(wrong)
    assert found.bandwidth.value == pytest.approx(BANDWIDTH, rel=0.02)
    assert found.outliers == (3,)


def test_the_sheets_ridge_tells_regimes_apart_where_rows_are_alike():
    slow = [timed(f, f / 2) for f in (1e8, 1e9, 1e10, 1e11)]
    found = fit_roof(slow, ridge=75.0)
    assert found.peak is None
    assert "fit_roof.no_peak" in {n.code for n in found.notes}


def test_only_compute_bound_rows_tell_no_bandwidth():
    found = fit_roof([timed(f, f / 1e4) for f in (1e10, 1e11, 1e12, 1e13)], ridge=75.0)
    assert found.bandwidth is None
    assert found.peak.value == pytest.approx(PEAK, rel=0.05)
    assert "fit_roof.no_bandwidth" in {n.code for n in found.notes}


def test_rows_of_one_size_tell_no_fixed_time():
    found = fit_roof([timed(0.0, b) for b in (1.0e9, 1.05e9, 1.1e9, 1.15e9)])
    assert found.per_kernel_s is None
    assert "fit_roof.no_fixed" in {n.code for n in found.notes}
    assert found.bandwidth.value == pytest.approx(BANDWIDTH, rel=0.02)


def test_two_rows_are_too_few():
    with pytest.raises(Refused, match=r"fit_roof\.few"):
        fit_roof(rows()[:2])


def test_rows_that_take_as_long_whatever_they_move_tell_nothing():
    with pytest.raises(Refused, match=r"fit_roof\.nothing"):
        fit_roof(
            [
                Sample(1e-3, (TimedOperator(1.0, 0.0, b, 10.0 * (1 + i)),))
                for i, b in enumerate((1e6, 1e7, 1e8, 1e9, 1e3))
            ]
        )


def test_a_fit_foretells_other_work():
    other = timed(2e11, 4e9, kernels=30)
    assert fit_roof(rows()).seconds(other.parts) == pytest.approx(other.time_s, rel=0.01)


def test_the_roof_kept_in_a_study_has_a_band_of_at_least_five_percent():
    kept = fit_roof(rows()).roof("bf16", "eight rows", Machine(Device(id="d", name="D", vendor="V", memory=()), 4))
    assert kept.spread == 0.05
    assert (4 * kept.bandwidth, 4 * kept.peak) == (fit_roof(rows()).bandwidth.value, fit_roof(rows()).peak.value)
    assert (kept.rows, kept.format) == (8, "bf16")
