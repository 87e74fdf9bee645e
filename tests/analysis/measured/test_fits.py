"""Fits at their thresholds: what rows must differ by, what is told, what is kept; closed forms throughout."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from explorer.analysis.measured.predict import TimedOperator
from explorer.analysis.measured.robust import robust_line, spread
from explorer.analysis.measured.roof_fit import (
    Estimate,
    RoofFit,
    Sample,
    fit_roof,
    fitted_rates,
    sheet_rates,
)
from explorer.analysis.measured.sweep_fit import SweepLine, fit_sweep
from explorer.analysis.problem import Refused
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.study.study import FittedRoof, HardwareEntry
from tests.analysis.making import device

B, P, C = 800e9, 60e12, 5e-6


def line(columns: Sequence[Sequence[float]], *, fixed: bool = True) -> tuple[float, float]:
    found = robust_line(np.array(columns), fixed=fixed, least_sigma=1e-3, rounds=20)
    return found.slope, found.fixed


# robust lines


@pytest.mark.parametrize(("slope", "fixed"), [(0.5, 0.25), (0.5, 0.0), (0.0, 0.25), (3.0, 1e-3)])
def test_an_exact_line_is_found(slope: float, fixed: float) -> None:
    rows = [(x / (slope * x + fixed), 1 / (slope * x + fixed)) for x in (1.0, 2.0, 4.0, 8.0)]
    assert line(rows) == pytest.approx((slope, fixed), abs=1e-9)


def test_neither_figure_of_a_line_is_below_zero() -> None:
    falling = [(x / t, 1 / t) for x, t in ((1.0, 5.0), (2.0, 4.0), (3.0, 3.0), (4.0, 2.0))]
    slope, fixed = line(falling)
    assert slope == 0.0
    assert 2.0 < fixed < 5.0
    steep = [(x / t, 1 / t) for x, t in ((1.0, 1.0), (2.0, 3.0), (3.0, 5.0), (4.0, 7.0))]
    slope, fixed = line(steep)
    assert fixed == 0.0
    assert 1.0 < slope < 7 / 4


def test_without_a_fixed_part_one_factor_explains_all() -> None:
    rows = [(x / t, 1 / t) for x, t in ((1.0, 2.0), (2.0, 4.0), (3.0, 6.0))]
    assert line(rows, fixed=False) == pytest.approx((2.0, 0.0))
    assert line([(0.0, 1.0), (0.0, 0.5)]) == (0.0, pytest.approx(1.2, abs=0.3))
    assert line([(0.0, 0.0), (0.0, 0.0)]) == (0.0, 0.0)
    assert line([(1.0, 0.0), (0.5, 0.0)])[1] == 0.0
    assert line([(1.0, 1.0), (0.5, 0.5)]) in {
        (line([(1.0, 1.0), (0.5, 0.5)], fixed=False)),
        (0.0, line([(1.0, 1.0)])[1]),
    }


def test_least_squares_are_reweighted_after_huber() -> None:
    """The factor at which weighted residuals balance: of five alike and one twice as long, by hand."""
    times = np.array([1.0, 1.0, 1.0, 1.02, 0.98, 2.0])
    columns = np.column_stack([1 / times, np.zeros(6)])
    found = robust_line(columns, fixed=False, least_sigma=1e-3, rounds=200)
    sigma = spread(found.residuals, 1e-3)
    weights = np.minimum(1.0, 1.345 / (np.abs(found.residuals) / sigma))
    assert float(weights @ (columns[:, 0] * found.residuals)) == pytest.approx(0.0, abs=1e-9)
    assert found.residuals == pytest.approx(columns[:, 0] * found.slope - 1)
    assert found.slope == pytest.approx(1.0, abs=0.02)


def test_a_spread_is_that_of_a_normal_one_and_never_less_than_the_least() -> None:
    assert spread(np.array([-1.0, 2.0, -3.0]), 0.1) == pytest.approx(2 * 1.4826)
    assert spread(np.array([-0.01, 0.01]), 0.1) == 0.1


# sweeps


SIZES = (1e6, 4e6, 1.6e7, 6.4e7, 2.56e8)
SQUARES = tuple(s**1.5 for s in SIZES)


@pytest.mark.parametrize(("last", "finding"), [(1.2499, "fixed"), (1.25, "bytes"), (1.5, "bytes")])
def test_times_follow_something_from_a_quarter_more_on(last: float, finding: str) -> None:
    sizes = np.linspace(1.0, 3.0, 5)
    found = fit_sweep([1 + (last - 1) * (s - 1) / 2 for s in sizes], [s**4 for s in sizes], list(sizes))
    assert found.finding == finding
    if finding == "fixed":
        assert (found.line.rate, found.line.sigma, found.other) == (math.inf, 0.0, None)


@pytest.mark.parametrize(("more", "finding"), [(1.29, "either"), (1.31, "bytes")])
def test_bytes_and_flops_are_told_apart_from_a_third_more_per_byte_on(more: float, finding: str) -> None:
    flops = [s * (1 + (more - 1) * i / 4) for i, s in enumerate(SIZES)]
    found = fit_sweep([s / 1e9 for s in SIZES], flops, SIZES)
    assert found.finding == finding
    assert found.line.rate == pytest.approx(1e9)
    assert found.other is not None


def test_what_the_times_follow_comes_first() -> None:
    by_flops = fit_sweep([f / 1e12 for f in SQUARES], SQUARES, SIZES)
    assert (by_flops.finding, by_flops.line.rate) == ("flops", pytest.approx(1e12))
    assert by_flops.other is not None
    assert by_flops.other.sigma > by_flops.line.sigma == 1e-3
    by_bytes = fit_sweep([s / 1e9 for s in SIZES], SQUARES, SIZES)
    assert (by_bytes.finding, by_bytes.line.rate) == ("bytes", pytest.approx(1e9))


def test_without_flops_or_bytes_there_is_one_line_or_none() -> None:
    times, none = [s / 1e9 for s in SIZES], [0.0] * 5
    only_bytes, only_flops = fit_sweep(times, none, SIZES), fit_sweep(times, SIZES, none)
    assert [(f.finding, f.other) for f in (only_bytes, only_flops)] == [("bytes", None), ("flops", None)]
    neither = fit_sweep(times, none, none)
    assert (neither.finding, neither.line.fixed_s) == ("fixed", times[2])
    assert fit_sweep(times, SIZES, [1.0, 1.0, 1.0, 1.0, 1.29]).finding == "flops"
    shrinking = fit_sweep(times[::-1], SIZES, SQUARES)
    assert (shrinking.finding, shrinking.other) == ("fixed", None)


def test_a_line_takes_its_fixed_time_and_its_rate() -> None:
    assert SweepLine(2.0, 3.0, 0.0).seconds(10.0) == 8.0
    found = fit_sweep([1e-3 + s / 1e9 for s in SIZES], SQUARES, SIZES).line
    assert (found.rate, found.fixed_s) == (pytest.approx(1e9), pytest.approx(1e-3))


def test_three_points_are_enough_for_a_sweep() -> None:
    assert fit_sweep([1.0, 2.0, 4.0], [1.0, 5.0, 90.0], [1.0, 2.0, 4.0]).finding == "bytes"
    with pytest.raises(Refused) as refusal:
        fit_sweep([1.0, 2.0], [1.0, 2.0], [1.0, 2.0])
    assert refusal.value.problems[0].values == {"rows": 2, "needed": 3}


# roofs


def operator(flops: float, moved: float, kernels: float = 1.0, calls: float = 1.0, scale: float = 1.0) -> TimedOperator:
    return TimedOperator(calls, flops, moved, kernels, scale)


def truth(*parts: TimedOperator) -> Sample:
    seconds = sum(p.calls * (max(p.flops / p.scale / P, p.bytes / B) + p.kernels * C) for p in parts)
    return Sample(seconds, parts)


MEMORY = [truth(operator(1.0, b)) for b in (1e8, 3e8, 1e9, 3e9, 1e10)]
COMPUTE = [truth(operator(f, f / 1e4)) for f in (1e11, 3e11, 1e12, 3e12, 1e13)]
MIXED = [
    truth(operator(f, 1.0), operator(1.0, b, 2.0)) for f, b in ((1e12, 1e8), (1e11, 1e9), (1e13, 1e9), (1e12, 1e10))
]


@pytest.mark.parametrize("ridge", [None, P / B, 2 * P / B, P / B / 2])
def test_calls_kernels_and_scales_of_operators_count(ridge: float | None) -> None:
    samples = [
        *MEMORY,
        *COMPUTE,
        truth(operator(1e12, 1.0, calls=3.0, scale=0.5)),
        truth(operator(1e12, 1.0, calls=2.0, scale=2.0)),
        truth(operator(1.0, 1e9, kernels=9.0, calls=5.0)),
    ]
    found = fit_roof(samples, ridge)
    assert found.bandwidth is not None
    assert found.peak is not None
    assert found.per_kernel_s is not None
    assert found.bandwidth.value == pytest.approx(B, rel=1e-2)
    assert found.peak.value == pytest.approx(P, rel=1e-2)
    assert found.per_kernel_s.value == pytest.approx(C, rel=0.1)
    assert found.sigma == 0.003
    assert np.abs(found.residuals).max() < 0.02
    assert found.outliers == ()
    assert found.notes == ()


def test_steps_of_both_regimes_give_both_figures() -> None:
    found = fit_roof(MIXED, P / B)
    assert found.bandwidth is not None
    assert found.peak is not None
    assert (found.bandwidth.value, found.peak.value) == (pytest.approx(B, rel=0.02), pytest.approx(P, rel=0.02))


def codes(found: RoofFit) -> list[str]:
    return [note.code for note in found.notes]


def test_rows_of_one_regime_tell_one_figure() -> None:
    memory, compute = fit_roof(MEMORY, P / B), fit_roof(COMPUTE, P / B)
    assert memory.peak is None
    assert compute.bandwidth is None
    assert (codes(memory), codes(compute)) == (["fit_roof.no_peak"], ["fit_roof.no_bandwidth"])
    assert memory.bandwidth is not None
    assert memory.bandwidth.value == pytest.approx(B, rel=1e-3)
    assert compute.peak is not None
    assert compute.peak.value == pytest.approx(P, rel=1e-3)


@pytest.mark.parametrize(("factor", "told"), [(7.9, False), (8.1, True)])
def test_without_a_sheet_intensities_must_differ_by_a_factor_of_eight(factor: float, told: bool) -> None:
    """All rows compute as fast as the peak allows: they pass for memory rows unless their intensities differ."""
    rows = [
        truth(operator(f, f / 1e4 / (factor if i % 2 else 1.0))) for i, f in enumerate((1e11, 3e11, 1e12, 3e12, 1e13))
    ]
    assert (fit_roof(rows).peak is not None) == told


@pytest.mark.parametrize(("factor", "told"), [(1.29, False), (1.31, True)])
def test_a_fixed_time_needs_work_per_kernel_that_differs(factor: float, told: bool) -> None:
    rows = [truth(operator(0.0, b)) for b in np.geomspace(1e7, 1e7 * factor, 5)]
    exact = [Sample(t, r.parts) for t, r in zip(np.geomspace(1.0, factor, 5), rows, strict=True)]
    assert ("fit_roof.no_fixed" in codes(fit_roof(exact))) != told


def test_three_rows_tell_no_fixed_time_and_four_do() -> None:
    assert codes(fit_roof(MEMORY[:3], P / B))[0] == "fit_roof.no_fixed"
    assert fit_roof(MEMORY[:3], P / B).per_kernel_s is None
    assert fit_roof(MEMORY[:4], P / B).per_kernel_s is not None
    with pytest.raises(Refused) as refusal:
        fit_roof(MEMORY[:2])
    assert refusal.value.problems[0].values == {"rows": 2, "needed": 3}


def test_rows_without_kernels_have_no_fixed_time() -> None:
    none = [Sample(b / B, (operator(0.0, b, 0.0),)) for b in (1e8, 3e8, 1e9, 3e9)]
    assert fit_roof(none).per_kernel_s is None
    some = [*none, *MEMORY]
    assert fit_roof(some).per_kernel_s is not None


def test_an_interval_follows_from_the_spread_and_the_derivative() -> None:
    """With one figure told the standard error of its logarithm is sigma over the root of the rows, times 1.96."""
    none = [
        Sample(b / B * f, (operator(0.0, b, 0.0),))
        for b, f in zip((1e8, 3e8, 1e9, 3e9), (1.1, 0.9, 1.1, 0.9), strict=True)
    ]
    found = fit_roof(none, P / B)
    assert found.bandwidth is not None
    n = 4
    share = (1 + np.array(found.residuals)) ** 2
    error = math.sqrt(1 / share.sum() * n / (n - 1))
    factor = math.exp(1.96 * found.sigma * error)
    assert found.bandwidth.high / found.bandwidth.value == pytest.approx(factor, rel=1e-6)
    assert found.bandwidth.value / found.bandwidth.low == pytest.approx(factor, rel=1e-6)


def test_intervals_that_are_too_wide_tell_nothing() -> None:
    wild = [Sample(b / B * f, (operator(0.0, b, 0.0),)) for b, f in ((1e8, 1.0), (3e8, 9.0), (1e9, 0.1))]
    with pytest.raises(Refused) as refusal:
        fit_roof(wild)
    assert refusal.value.problems[0].code == "fit_roof.nothing"
    assert refusal.value.problems[0].values == {"rows": 3}


def fit(**figures: Estimate | None) -> RoofFit:
    none: dict[str, Estimate | None] = {"bandwidth": None, "peak": None, "per_kernel_s": None}
    return RoofFit(**{**none, **figures}, sigma=0.1, residuals=(0.3, -0.31, 0.31, 0.0), notes=())  # type: ignore[arg-type]


def at(value: float) -> Estimate:
    return Estimate(value, value, value)


def test_samples_beyond_three_spreads_hardly_counted() -> None:
    assert fit().outliers == (1, 2)


def test_what_a_study_keeps_is_of_one_device() -> None:
    kept = fit(bandwidth=at(8.0), peak=at(6.0), per_kernel_s=at(1.0)).roof("fp8", "s", Machine(device(), 2))
    assert kept == FittedRoof(bandwidth=4.0, peak=3.0, format="fp8", per_kernel_s=1.0, spread=0.2, rows=4, source="s")
    assert fit().roof("fp8", "s", Machine(device())) == FittedRoof(spread=0.2, rows=4, source="s")


@pytest.mark.parametrize(("sigma", "width"), [(0.01, 0.05), (0.1, 0.2), (0.4, 0.5)])
def test_the_band_is_two_spreads_within_bounds(sigma: float, width: float) -> None:
    assert RoofFit(None, None, None, sigma, (), ()).roof("", "", Machine(device())).spread == pytest.approx(width)


def test_other_work_takes_what_is_known_of_it() -> None:
    parts = (operator(12.0, 1.0, 2.0, 3.0, 2.0), operator(1.0, 8.0))
    whole = fit(bandwidth=at(4.0), peak=at(3.0), per_kernel_s=at(0.5))
    assert whole.seconds(parts) == pytest.approx(3 * (12 / 2 / 3 + 2 * 0.5) + (8 / 4 + 0.5))
    assert fit(bandwidth=at(4.0)).seconds(parts) == pytest.approx(3 * 1 / 4 + 8 / 4)
    assert fit(peak=at(3.0)).seconds(parts) == pytest.approx(3 * 2 + 1 / 3)
    assert fit().seconds(parts) == 0.0


def test_rates_of_an_entry_are_those_of_all_its_devices() -> None:
    entry = HardwareEntry(id="d", device=device(rate=3.0, bandwidth=2.0), count=4)
    assert sheet_rates(entry, "bf16") == (8.0, 12.0)
    assert sheet_rates(entry, "fp4") == (8.0, None)
    assert fitted_rates(entry, FittedRoof(bandwidth=5.0, peak=7.0)) == (20.0, 28.0)
    assert fitted_rates(entry, FittedRoof()) == (None, None)
    assert at(3.0).share_of(4.0) == 0.75


# timings that miss by up to 4 % either way: figures with their intervals, as they were when the fit was checked
PINNED: dict[str, tuple[list[Sample], float | None, list[tuple[float, float, float] | None], float]] = {
    "sheet": (
        [*MEMORY, *COMPUTE, *MIXED],
        P / B,
        [
            (797145952000.0, 765755713000.0, 829822954000.0),
            (60323962900000.0, 58738386300000.0, 61952340400000.0),
            (9.94816297e-06, 3.15669475e-06, 3.13511297e-05),
        ],
        0.0329665423,
    ),
    "no sheet": (
        [*MEMORY, *COMPUTE, *MIXED],
        None,
        [
            (795828361000.0, 764655395000.0, 828272167000.0),
            (60369754900000.0, 58787642800000.0, 61994445200000.0),
            (9.68567926e-06, 2.99242859e-06, 3.13499153e-05),
        ],
        0.0328433258,
    ),
    "memory": (
        MEMORY,
        None,
        [(799143340000.0, 765369738000.0, 834407277000.0), None, (1.05205296e-05, 3.38368144e-06, 3.2710391e-05)],
        0.0296877691,
    ),
    "compute": (
        COMPUTE,
        P / B,
        [None, (59922719900000.0, 57404387000000.0, 62551532200000.0), (7.52728309e-05, 9.6529041e-06, 0.000586973517)],
        0.0296330729,
    ),
    "a sheet far off": (
        [*MEMORY, *COMPUTE],
        P / B * 5,
        [
            (796091119000.0, 759571508000.0, 834366564000.0),
            (60595368900000.0, 58398159200000.0, 62875247900000.0),
            (9.4700574e-06, 2.39950925e-06, 3.7375137e-05),
        ],
        0.035047087,
    ),
}


@pytest.mark.parametrize("name", PINNED)
def test_figures_and_intervals_of_timings_that_miss(name: str) -> None:
    samples, ridge, figures, sigma = PINNED[name]
    missed = [Sample(s.time_s * (1 + 0.04 * math.sin(7.0 * i + 1)), s.parts) for i, s in enumerate(samples)]
    found = fit_roof(missed, ridge)
    for estimate, expected in zip((found.bandwidth, found.peak, found.per_kernel_s), figures, strict=True):
        assert (estimate is None) == (expected is None)
        assert expected is None or estimate == pytest.approx(expected, rel=1e-6)
    assert found.sigma == pytest.approx(sigma, rel=1e-6)
