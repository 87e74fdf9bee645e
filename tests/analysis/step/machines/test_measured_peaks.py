"""A published measurement above the sheet is what the floor divides by; formats with two rates have two entries."""

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device, MeasuredBandwidth, MeasuredRate, Peak
from explorer.analysis.catalogue.device_check import device_problems
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.step.machines.peaks import compute_format, found_peak
from explorer.analysis.study.scale import scaled
from tests.analysis.making import device, own, study

PLAIN = device(rate=200e12, bandwidth=1e12)


def measured(rate: float | None = None, bandwidth: float | None = None) -> Device:
    """The plain device with what someone measured on it."""
    tensor, vector = PLAIN.peaks
    if rate is not None:
        tensor = replace(tensor, measured=MeasuredRate(rate=rate))
    level = PLAIN.outermost
    if bandwidth is not None:
        level = replace(level, measured=MeasuredBandwidth(bandwidth=bandwidth))
    return replace(PLAIN, peaks=(tensor, vector), memory=(level,))


def large_matmul(on: Device, catalogue: Catalogue, count: int = 1) -> Evaluation:
    return evaluate(study(own("mm", "matmul", b=1, m=8192, k=8192, n=8192), on=(on,), count=count), catalogue)


@pytest.mark.parametrize(("rate", "peak"), [(None, 200e12), (150e12, 200e12), (200e12, 200e12), (242e12, 242e12)])
@pytest.mark.parametrize("count", [1, 4])
def test_the_floor_of_compute_is_by_the_faster_of_sheet_and_measurement(
    rate: float | None, peak: float, count: int, catalogue: Catalogue
) -> None:
    result = large_matmul(measured(rate), catalogue, count).devices[0]
    flops = 2 * 8192**3
    assert result.totals.floor_s == pytest.approx(flops / peak / count)
    assert result.totals.time_s == pytest.approx(flops / 200e12 / count)  # by the sheet, as the roof is drawn
    assert (result.main_peak.rate, result.main_peak.ceiling) == (200e12 * count, peak * count)


@pytest.mark.parametrize(("bandwidth", "taken"), [(0.9e12, 1e12), (1.1e12, 1.1e12)])
def test_the_floor_of_bytes_is_by_the_faster_of_sheet_and_measurement(
    bandwidth: float, taken: float, catalogue: Catalogue
) -> None:
    row = own("add", "residual_add", tokens=4096, width=4096)
    totals = evaluate(study(row, on=(measured(bandwidth=bandwidth),)), catalogue).devices[0].totals
    moved = float(totals.traffic.bytes)
    assert totals.floor_s == pytest.approx(moved / taken)
    assert totals.time_s == pytest.approx(moved / 1e12)


def test_a_faster_copy_is_faster_as_measured_too() -> None:
    twice = scaled(scaled(measured(242e12, 1.1e12), "compute", 2.0), "bandwidth", 2.0)
    assert [p.ceiling for p in twice.peaks] == [484e12, 40e12]
    assert twice.outermost.ceiling == 2.2e12


@pytest.mark.parametrize(
    ("activations", "weights", "asked"),
    [
        ("mxfp8", "mxfp8", "mxfp8"),
        ("mxfp8", "mxfp4", "mxfp8"),
        ("mxfp8", "fp8", "fp8"),
        ("fp8", "mxfp8", "fp8"),
        ("mxfp8", "int4", "fp8"),
        ("mxfp8", "bf16", "bf16"),
    ],
)
def test_block_scaled_fp8_is_asked_for_where_both_operands_are_block_scaled(
    activations: str, weights: str, asked: str, catalogue: Catalogue
) -> None:
    formats = catalogue.format_by_id
    assert compute_format(formats[activations], formats[weights]) == asked


def test_block_scaled_fp8_has_a_peak_of_its_own_or_that_of_fp8() -> None:
    fp8, mx = (
        Peak(format=f, accumulate="fp32", unit="tensor", rate=r) for f, r in (("fp8", 419e12), ("mxfp8", 838e12))
    )
    both = replace(PLAIN, peaks=(fp8, mx))
    assert device_problems(both) == ()
    assert found_peak(both, ("tensor", "mxfp8", None), 1).rate == 838e12
    assert found_peak(both, ("tensor", "fp8", None), 1).rate == 419e12
    usual = found_peak(replace(PLAIN, peaks=(fp8,)), ("tensor", "mxfp8", None), 1)
    assert (usual.rate, usual.format, usual.stands_in_for) == (419e12, "fp8", "")
    wider = found_peak(PLAIN, ("tensor", "mxfp8", None), 1)
    assert (wider.rate, wider.format, wider.stands_in_for) == (200e12, "bf16", "fp8")


def test_a_measured_figure_names_a_source_that_exists() -> None:
    bad = replace(PLAIN, peaks=(replace(PLAIN.peaks[0], measured=MeasuredRate(rate=2e14, source="gone")),))
    (problem,) = device_problems(bad)
    assert (problem.code, problem.path) == ("device.source", "peaks[0].measured.source")


def test_a_format_that_runs_slower_than_one_that_holds_its_values_is_judged_by_that_one() -> None:
    """Pascal has fp16 at 1/64 of fp32: libraries convert (P40: 0.184 and 11.8 TFLOP/s)."""
    rates = {"fp16": 0.184e12, "fp32": 11.8e12}
    peaks = tuple(Peak(format=f, accumulate="fp32", unit="vector", rate=r) for f, r in rates.items())
    pascal = replace(PLAIN, peaks=peaks)
    for asked in ("fp16", "bf16", "fp8"):
        found = found_peak(pascal, ("tensor", asked, None), 1)
        assert (found.rate, found.format, found.stands_in_for) == (11.8e12, "fp32", asked)
    assert found_peak(pascal, ("vector", "fp16", None), 1).rate == 0.184e12  # a kernel on the vector units as it is
    assert found_peak(PLAIN, ("tensor", "bf16", None), 1).format == "bf16"
