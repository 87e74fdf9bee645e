"""A measured peak stands beside the sheet's, with its source, and says whether the floor takes it."""

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.device import MeasuredBandwidth, MeasuredRate, Source
from explorer.presentation.explain.explain import explain
from tests.presentation.llama import device, evaluated


def told(reached: float, bandwidth: float, total: str) -> str:
    plain = device()
    peak = replace(plain.peaks[0], measured=MeasuredRate(rate=reached, source="lab", note="best of 9 shapes"))
    level = replace(plain.memory[0], measured=MeasuredBandwidth(bandwidth=bandwidth, source="lab"))
    lab = Source(kind="measured", title="Laboratory")
    one = replace(plain, peaks=(peak, plain.peaks[1]), memory=(level,), sources={**plain.sources, "lab": lab})
    lines = explain(evaluated(one), total=total).lines
    return "\n".join(f"{line.label} {line.answer} {line.source}".strip() for line in lines).replace("\u2009", " ")


@pytest.mark.parametrize(
    ("reached", "said"), [(1.1e15, "above the sheet, so the floor takes it"), (0.7e15, "no figure here takes it")]
)
def test_a_measured_peak_says_whether_the_floor_takes_it(reached: float, said: str) -> None:
    text = told(reached, 1.8e12, "peak")
    assert "peak 1.00 PFLOP/s" in text
    assert said in text
    assert "best of 9 shapes" in text
    assert "Laboratory" in text


def test_a_measured_bandwidth_stands_beside_the_sheets() -> None:
    assert "measured bandwidth 1.80 TB/s" in told(1e14, 1.8e12, "bandwidth")


def explain_floor(bandwidth: float) -> str:
    level = replace(device().memory[0], measured=MeasuredBandwidth(bandwidth=bandwidth))
    lines = explain(evaluated(replace(device(), memory=(level,))), total="floor_s").lines
    return " ".join(line.substituted for line in lines).replace("\u2009", " ")


def test_the_floor_is_explained_by_the_bandwidth_that_it_takes() -> None:
    assert "2.20 T" in explain_floor(2.2e12)
    assert "2.00 T" in explain_floor(1.8e12)
