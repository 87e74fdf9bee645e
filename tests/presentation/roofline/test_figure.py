"""The figure around the points: roofs, measured roofs, ranges of a view, titles."""

import math

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device, MeasuredBandwidth, Source
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.study import Study, View
from explorer.presentation.roofline.build import build_figure, memory_name, rate_text
from explorer.presentation.roofline.figure import Crowd, DrawnRoof, Figure, Mark
from tests.presentation.llama import catalogue
from tests.presentation.llama import study as llama
from tests.presentation.roofline.made import device, placed

ROW = ("a", 1e10, 1e9, 1.0)


def sourced(bandwidth: str, peak: str, **kinds: str) -> Device:
    """A device whose bandwidth and peaks name these sources."""
    plain = device()
    return replace(
        plain,
        memory=(replace(plain.memory[0], source=bandwidth),),
        peaks=tuple(replace(p, source=peak) for p in plain.peaks),
        sources={key: Source(kind=kind) for key, kind in kinds.items()},  # type: ignore[arg-type]
    )


@pytest.mark.parametrize(
    ("one", "is_measured"),
    [
        (sourced("m", "m", m="measured"), True),
        (sourced("m", "n", m="measured", n="measured"), True),
        (sourced("m", "s", m="measured", s="datasheet"), False),
        (sourced("s", "m", m="measured", s="datasheet"), False),
        (sourced("m", "gone", m="measured"), False),
        (sourced("gone", "m", m="measured"), False),
        (sourced("", ""), False),
        (replace(sourced("m", "s", m="measured", s="datasheet"), peaks=()), True),
    ],
)
def test_a_roof_is_measured_where_bandwidth_and_peak_both_are(one: Device, is_measured: bool) -> None:
    assert build_figure(placed(ROW, on=(one,))).roofs[0].measured is is_measured


def test_a_roof_without_a_peak_has_a_slope_and_no_ridge() -> None:
    figure = build_figure(placed(ROW, on=(replace(device(), peaks=()),)))
    (roof,) = figure.roofs
    assert (roof.peak, roof.ridge, roof.peak_text, roof.ridge_text) == (None, None, "", "")
    assert (roof.bandwidth, roof.bandwidth_text) == (pytest.approx(12.0), "1.00 TB/s")
    assert figure.zone is None


def test_only_the_active_roof_shows_the_other_peaks_that_rows_meet() -> None:
    weak = replace(device(), peaks=(device().peaks[0], replace(device().peaks[1], rate=5e11)))
    study = replace(llama(weak, replace(weak, id="other", name="Other")), view=View(active_hardware="other"))
    first, second = build_figure(evaluate(study, catalogue())).roofs
    assert (first.active, first.lower_peaks) == (False, ())
    assert (second.active, second.lower_peaks) == (
        True, ((pytest.approx(math.log10(5e11)), "500 GFLOP/s, fp32 on vector units"),),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("rate", "fmt", "text"),
    [
        (None, "", "–"),
        (999e9, "bf16", "999 GFLOP/s"),
        (1e12, "bf16", "1.00 TFLOP/s"),
        (9.9e15, "bf16", "9,900 TFLOP/s"),
        (1e16, "bf16", "10.0 PFLOP/s"),
        (2e15, "int8", "2,000 TOP/s"),
        (2e9, "int8", "2.00 GOP/s"),
    ],
)
def test_rates_compare_at_a_glance(rate: float | None, fmt: str, text: str) -> None:
    assert rate_text(rate, fmt) == text


@pytest.mark.parametrize(
    ("levels", "name"),
    [
        (("GDDR7",), "GDDR7"),
        (("HBM3", "HBM3"), "HBM3"),
        (("HBM3", "HBM2e"), "HBM"),
        (("HBM3", "GDDR7"), "memory"),
        ((), "memory"),
    ],
)
def test_the_traffic_is_named_after_the_memory_of_all(levels: tuple[str, ...], name: str) -> None:
    case = placed(ROW, on=tuple(device(f"D{i}", level=level) for i, level in enumerate(levels)) or (device(),))
    assert memory_name(case.devices if levels else ()) == name


@pytest.mark.parametrize(
    ("x", "y", "taken"),
    [
        ((0.0, 3.0), (10.0, 14.0), True),
        ((3.0, 0.0), (10.0, 14.0), False),
        ((0.0, 3.0), (14.0, 10.0), False),
        ((1.0, 1.0), (10.0, 14.0), False),
        ((0.0, 3.0), (10.0, 10.0), False),
        ((0.0, 3.0), None, False),
        (None, (10.0, 14.0), False),
        ((0.0, 60.0), (10.0, 14.0), False),
        ((0.0, 59.0), (10.0, 14.0), True),
        ((0.0, 3.0), (10.0, math.inf), False),
        ((0.0, 3.0), (math.nan, 14.0), False),
        ((-60.0, 3.0), (10.0, 14.0), False),
    ],
)
def test_ranges_of_a_view_are_taken_where_they_can_be_drawn(
    x: tuple[float, float] | None, y: tuple[float, float] | None, taken: bool
) -> None:
    figure = build_figure(placed(ROW, view=View(x_range=x, y_range=y)))
    assert figure.fitted is not taken
    if taken:
        assert (figure.x_range, figure.y_range) == (x, y)


def test_what_is_not_asked_for_comes_from_the_view() -> None:
    view = View(selection=("a",), per_value=True, area_is_share=False, colour_by="bound")
    case = placed(ROW, view=view)
    own, asked = build_figure(case), build_figure(case, per_value=False, area_is_share=True, colour_by="hardware")
    assert (own.colour_by_bound, own.area_is_share, own.selection) == (True, False, frozenset({"a"}))
    assert "per bf16 value" in own.x_title
    assert (asked.colour_by_bound, asked.area_is_share) == (False, True)
    assert asked.x_title == "Arithmetic intensity (FLOP/byte, HBM3 traffic)"
    plain = build_figure(placed(ROW))
    assert (plain.colour_by_bound, plain.area_is_share, plain.selection) == (False, True, frozenset())
    assert build_figure(placed(ROW), colour_by="bound").colour_by_bound


def test_words_of_an_empty_chart_and_of_a_full_one() -> None:
    full = build_figure(placed(ROW))
    assert (full.y_title, full.memory_zone_text, full.compute_zone_text, full.empty_text) == (
        "Performance (FLOP/s)", "waits for memory", "waits for compute", "",
    )  # fmt: skip
    assert build_figure(evaluate(Study(), catalogue())).empty_text == "Choose hardware to see its roof"


def test_every_mark_is_the_crowds_then_the_others() -> None:
    one, two = (Mark(x, 0.0, (), "d", 0, "", 0.1) for x in (1.0, 2.0))
    plain = Figure((0, 1), (0, 1), "", "", marks=(one,))
    assert plain.every_mark == (one,)
    assert replace(plain, crowds=(Crowd((two,), (2, 2), (0, 0)),)).every_mark == (two, one)


def test_the_ridge_is_where_slope_and_peak_meet() -> None:
    assert DrawnRoof("d", "D", 0, 12.5, 15.0, "", "").ridge == 2.5
    assert DrawnRoof("d", "D", 0, 12.5, None, "", "").ridge is None


@pytest.mark.parametrize(
    ("reached", "slope", "text"),
    [(1.25e12, math.log10(1.25e12), "1.00 TB/s, measured 1.25 TB/s"), (0.9e12, None, "1.00 TB/s")],
)
def test_a_bandwidth_measured_above_the_sheets_is_a_slope_of_its_own(
    reached: float, slope: float | None, text: str
) -> None:
    plain = device()
    memory = replace(plain.memory[0], measured=MeasuredBandwidth(bandwidth=reached))
    (roof,) = build_figure(placed(ROW, on=(replace(plain, memory=(memory,)),))).roofs
    assert (roof.reached_bandwidth, roof.bandwidth_text) == (slope, text)
    assert roof.bandwidth == pytest.approx(12.0)
