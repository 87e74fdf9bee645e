"""Devices named by their figures."""

from collections.abc import Mapping

import pytest

from explorer.analysis.problem import Refused
from explorer.files.typed.typed_hardware import device_typed

FIGURES: Mapping[str, tuple[float, float, float | None]] = {
    "2TB/s,300TFLOP/s": (2e12, 300e12, None),
    "2TB/s,300TFLOP/s,80GB": (2e12, 300e12, 80e9),
    "80GiB, 1 PFLOP/s, 3350 GB/s": (3.35e12, 1e15, 80 * 2**30),
    "300 TFLOPS 2 TB/s 512MiB": (2e12, 300e12, 2**29),
    "89.6gb/s;1.5tflops": (89.6e9, 1.5e12, None),
    "1.5e12B/s,3e14FLOP/s": (1.5e12, 3e14, None),
}


@pytest.mark.parametrize("text", FIGURES)
def test_figures_are_a_device_in_any_order(text: str) -> None:
    device = device_typed(text)
    assert device is not None
    bandwidth, peak, capacity = FIGURES[text]
    assert (device.bandwidth, device.peaks[0].rate, device.capacity) == pytest.approx((bandwidth, peak, capacity))
    assert (device.peaks[0].format, device.peaks[0].accumulate, device.peaks[0].unit) == ("bf16", "fp32", "tensor")


@pytest.mark.parametrize("text", ["H100 SXM5", "RTX 4090", "A100 80GB", "80GB", "M4 Max", "4090", "3090 Ti", ""])
def test_a_name_is_no_device_by_figures(text: str) -> None:
    assert device_typed(text) is None


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("2TB/s", "typed.device_peak"),
        ("2TB/s,80GB", "typed.device_peak"),
        ("300TFLOP/s", "typed.device_bandwidth"),
        ("2TB/s,3TB/s,300TFLOP/s", "typed.device_twice"),
        ("2TB/s,300TFLOP/s,80GB,40GB", "typed.device_twice"),
        ("2TB/s,300TFLOP/s,fast", "typed.device_part"),
        ("2TB/s,300TFLOP", "typed.device_part"),
        ("2TB/s,300TOP/s", "typed.device_part"),
        ("RTX 4090,2TB/s", "typed.device_part"),
        ("3,35TB/s,989TFLOP/s", "typed.device_part"),
        ("900Gb/s,300TFLOP/s", "quantity.bits"),
        ("0TB/s,300TFLOP/s", "field.not_positive"),
        ("2TB/s,300TFLOP/s" + " " * 200 + "x", "typed.device_part"),
    ],
)
def test_what_is_missing_or_contradicts_itself_is_said(text: str, code: str) -> None:
    with pytest.raises(Refused) as refused:
        device_typed(text)
    assert [problem.code for problem in refused.value.problems] == [code]


def test_a_device_is_named_as_it_was_typed() -> None:
    device = device_typed("2TB/s,300TFLOP/s,80GB")
    assert device is not None
    assert device.name == "2TB/s, 300TFLOP/s, 80GB"
    assert device.sources["typed"].title == "Typed by the user"
    assert device.sources["typed"].kind == "typed"


@pytest.mark.parametrize(
    ("text", "short"),
    [("2TB/s,300TFLOP/s,80GB", "typed 2.00 TB/s"), ("89.6gb/s;1.5tflops", "typed 89.6 GB/s")],
)
def test_beside_a_roof_a_device_is_called_by_its_bandwidth_alone(text: str, short: str) -> None:
    device = device_typed(text)
    assert device is not None
    assert device.short == short
