"""Edits of measurements, and what a fit makes of a device."""

import pytest
from msgspec.structs import replace

from explorer.analysis.measured.roof_fit import fit_roof
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.edit_measurements import (
    add_measured,
    change_measurement,
    fitted_device,
    place_measurements,
    remove_measurements,
    set_roof_fit,
)
from explorer.analysis.study.study import FittedRoof, Measurement
from tests.analysis.making import device, own, study
from tests.analysis.test_roof_fit import BANDWIDTH, FIXED, PEAK, rows

MEASURED = (Measurement(id="a", name="a", time_s=1.0), Measurement(id="b", name="b", time_s=2.0))


def test_added_measurements_get_ids_of_their_own():
    base = add_measured(study(), MEASURED)
    again = add_measured(base, MEASURED)
    assert len({m.id for m in again.measurements}) == 4


def test_measurements_change_and_go_by_id():
    base = add_measured(study(), MEASURED)
    assert change_measurement(base, "b", time_s=3.0).measurements[1].time_s == 3.0
    assert [m.id for m in remove_measurements(base, {"a"}).measurements] == ["b"]
    placed = place_measurements(base, {"a": ("dev", "m")}).measurements
    assert (placed[0].device, placed[0].model, placed[1].device) == ("dev", "m", "")


def test_a_fit_replaces_the_expected_band():
    base = study(own("copy", "copy", count=3, values=1e9), on=(device(bandwidth=1e12),))
    fitted = FittedRoof(bandwidth=5e11, per_kernel_s=1e-3, spread=0.1)
    catalogue = _catalogue()
    low, high = evaluate(set_roof_fit(base, "dev", fitted), catalogue).devices[0].totals.expected_s
    middle = 3 * (4e9 / 5e11 + 1e-3)
    assert (low, high) == pytest.approx((0.9 * middle, 1.1 * middle))
    plain = evaluate(set_roof_fit(set_roof_fit(base, "dev", fitted), "dev", None), catalogue)
    assert plain.devices[0].totals.expected_s == evaluate(base, catalogue).devices[0].totals.expected_s


def test_a_fitted_peak_slows_other_formats_in_the_same_ratio():
    base = study(own("mm", "matmul", m=8192, n=8192, k=8192), on=(device(rate=300e12),))
    fitted = FittedRoof(peak=150e12, format="bf16", spread=0.05)
    result = evaluate(set_roof_fit(base, "dev", fitted), _catalogue()).devices[0]
    assert sum(result.totals.expected_s) / 2 == pytest.approx(2 * 8192**3 / 150e12)


def test_the_floor_knows_nothing_of_a_fit():
    base = study(own("copy", "copy", values=1e9))
    fitted = set_roof_fit(base, "dev", FittedRoof(bandwidth=1e9))
    one, other = (evaluate(s, _catalogue()).devices[0].totals for s in (base, fitted))
    assert (one.floor_s, one.time_s) == (other.floor_s, other.time_s)


def test_a_fitted_device_is_measured_where_the_fit_tells_and_the_sheet_elsewhere():
    entry = study().hardware[0]
    made = fitted_device(entry, fit_roof(rows()), "bf16", "Fitted to 8 rows", "DEV, fitted")
    assert made.bandwidth == pytest.approx(BANDWIDTH, rel=0.01)
    assert made.peaks[0].rate == pytest.approx(PEAK, rel=0.02)
    assert made.launch_overhead.seconds == pytest.approx(FIXED, rel=0.05)
    assert made.sources[made.memory[0].source].kind == "measured"
    assert made.peaks[1:] == entry.device.peaks[1:]
    held = replace(study(), hardware=(replace(entry, device=made),))
    assert study_problems(held, _catalogue()) == ()


@pytest.mark.parametrize(
    "fields", [{"flops": -1.0}, {"bytes": 0.0}, {"size_bytes": -5.0}, {"memory_busy": 99.0}, {"weights": "q9"}]
)
def test_a_measurement_with_a_figure_that_cannot_be_is_refused(fields):
    base = add_measured(study(), [Measurement(id="x", name="x", **fields)])
    assert [p.path for p in study_problems(base, _catalogue())] == [f"measurements[0].{next(iter(fields))}"]


def _catalogue():
    from explorer.files.catalogue import load_catalogue

    return load_catalogue(devices=False)
