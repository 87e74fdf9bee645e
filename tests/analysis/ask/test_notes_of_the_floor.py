"""Where "at least" divides by a measured rate above the sheet's, it is said, and nowhere else."""

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.notes import notes
from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device, MeasuredBandwidth, MeasuredRate
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import Study
from tests.analysis.ask.made import COPY, own, study
from tests.analysis.making import device

GEMM = own("up", "matmul", m=8192, n=8192, k=8192)


def measured(*, peak: float | None = None, bandwidth: float | None = None) -> Device:
    """The plain device with peak and bandwidth measured at so many times the sheet's."""
    plain = device()
    peaks = plain.peaks
    if peak is not None:
        peaks = tuple(replace(p, measured=MeasuredRate(rate=p.rate * peak)) for p in peaks)
    memory = plain.memory
    if bandwidth is not None:
        rate = (plain.bandwidth or 0.0) * bandwidth
        memory = (replace(plain.outermost, measured=MeasuredBandwidth(bandwidth=rate)),)
    return replace(plain, peaks=peaks, memory=memory)


def said(evaluation: Evaluation) -> list[str]:
    return [n.code.removeprefix("note.floor_") for n in notes(evaluation) if n.code.startswith("note.floor_")]


@pytest.mark.parametrize(
    ("made", "expected"),
    [
        (study(GEMM, on=(measured(peak=1.2),)), ["peak"]),
        (study(GEMM, on=(measured(peak=0.9),)), []),
        (study(GEMM, on=(measured(peak=1.0, bandwidth=1.5),)), []),
        (study(COPY, on=(measured(peak=1.2),)), []),
        (study(COPY, on=(measured(bandwidth=1.1),)), ["bandwidth"]),
        (study(COPY, on=(measured(bandwidth=0.8),)), []),
        (study(GEMM, on=(device(),)), []),
    ],
)
def test_a_measured_rate_is_named_where_the_floor_divides_by_it(
    made: Study, expected: list[str], catalogue: Catalogue
) -> None:
    assert said(evaluate(made, catalogue)) == expected


def test_the_figures_are_those_of_all_devices_as_they_are_shown(catalogue: Catalogue) -> None:
    evaluation = evaluate(study(GEMM, on=(measured(peak=1.2),), count=2), catalogue)
    (note,) = (n for n in notes(evaluation) if n.code == "note.floor_peak")
    peak = evaluation.devices[0].main_peak
    assert peak.rate is not None
    assert note.values["sheet"] == pytest.approx(peak.rate / 1e12, rel=5e-3)
    assert note.values["measured"] == pytest.approx(1.2 * peak.rate / 1e12, rel=5e-3)
    assert note.values["format"] == "bf16"
