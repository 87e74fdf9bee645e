"""Which peak judges a row."""

import pytest

from explorer.analysis.catalogue.device import Device, MemoryLevel, Peak
from explorer.analysis.step.machines.peaks import compute_format
from explorer.analysis.step.machines.single import Machine


def machine(*peaks: tuple[str, str, str, float], count: int = 1) -> Machine:
    made = tuple(Peak(format=f, accumulate=a, unit=u, rate=r) for f, a, u, r in peaks)  # type: ignore[arg-type]
    return Machine(
        Device(id="d", name="D", vendor="V", peaks=made, memory=(MemoryLevel(level="HBM", bandwidth=1e12),)), count
    )


AMPERE = machine(
    ("bf16", "fp32", "tensor", 312e12),
    ("fp16", "fp32", "tensor", 312e12),
    ("fp16", "fp16", "tensor", 400e12),
    ("int8", "int32", "tensor", 624e12),
    ("fp32", "fp32", "vector", 19.5e12),
    ("fp16", "fp16", "vector", 78e12),
)


@pytest.mark.parametrize(
    ("activations", "weights", "computed"),
    [
        ("bf16", "bf16", "bf16"),
        ("bf16", "int4", "bf16"),
        ("bf16", "Q4_K", "bf16"),
        ("fp8", "fp8-block128", "fp8"),
        ("int8", "int8", "int8"),
        ("int8", "Q4_0", "int8"),
        ("nvfp4", "nvfp4", "fp4"),
        ("fp8", "bf16", "bf16"),
        ("fp32", "bf16", "fp32"),
        ("bf16", "fp32", "bf16"),
        ("fp16", "fp32", "fp16"),
        ("fp8", "fp32", "bf16"),
        ("fp32", "fp32", "fp32"),
    ],
)
def test_the_compute_format_follows_the_activations_unless_both_are_narrow(catalogue, activations, weights, computed):
    formats = catalogue.format_by_id
    assert compute_format(formats[activations], formats[weights]) == computed


def test_tensor_work_takes_the_entry_of_its_format_and_accumulator():
    assert AMPERE.peak("tensor", "fp16").rate == 312e12
    assert AMPERE.peak("tensor", "fp16", "fp16").rate == 400e12
    assert AMPERE.peak("tensor", "int8").rate == 624e12


def test_a_missing_format_falls_to_the_next_wider_and_says_so():
    choice = AMPERE.peak("tensor", "fp8")
    assert (choice.rate, choice.format, choice.stands_in_for) == (312e12, "bf16", "fp8")


def test_vector_work_takes_its_own_vector_entry_else_fp32():
    assert AMPERE.peak("vector", "fp16").rate == 78e12
    assert AMPERE.peak("vector", "bf16").rate == 19.5e12


def test_tensor_work_without_a_tensor_unit_takes_the_vector_entry():
    apple = machine(("fp16", "fp32", "vector", 16e12), ("fp32", "fp32", "vector", 16e12))
    assert apple.peak("tensor", "fp16").rate == 16e12
    assert apple.peak("tensor", "fp16").stands_in_for == ""


def test_without_any_peak_compute_is_not_judged_and_never_zero():
    assert machine().peak("tensor", "bf16").rate is None
    assert machine().peak("vector", "bf16").rate is None


def test_devices_multiply_rates():
    eight = machine(("bf16", "fp32", "tensor", 312e12), count=8)
    assert eight.peak("tensor", "bf16").rate == 8 * 312e12
    assert eight.bandwidth == 8e12
