"""What narrows the picker's database."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.files.catalogue import load_catalogue
from explorer.presentation.hardware.filters import (
    CLASSES,
    USES,
    HardwareFilter,
    facets_of,
    filter_text,
    read_filter,
    use_of,
)

DEVICES = {d.id: d for d in load_catalogue().devices}


@pytest.mark.parametrize(
    ("device", "use"),
    [
        ("nvidia-h100-sxm5-80gb", "data_centre"), ("nvidia-geforce-rtx-4090", "consumer"),
        ("nvidia-geforce-rtx-4090-laptop", "laptop"), ("nvidia-rtx-a6000", "workstation"),
        ("nvidia-rtx-6000-ada", "workstation"), ("nvidia-jetson-agx-orin-64gb", "embedded"),
        ("apple-m4", "integrated"), ("amd-instinct-mi300a", "data_centre"), ("amd-epyc-9654", "cpu"),
        ("intel-arc-b580", "consumer"), ("raspberry-pi-5", "embedded"), ("google-tpu-v5e", "data_centre"),
        ("nvidia-gb10-dgx-spark", "integrated"), ("amd-radeon-rx-7900-xtx", "consumer"),
    ],
)  # fmt: skip
def test_what_a_device_is_made_for(device: str, use: str) -> None:
    assert use_of(DEVICES[device]) == use


def test_every_use_and_class_has_devices_but_none_too_many_for_one_section() -> None:
    counts = {use: sum(use_of(d) == use and d.vendor == "NVIDIA" for d in DEVICES.values()) for use in USES}
    assert max(counts.values()) < 60
    assert {d.class_ for d in DEVICES.values()} == set(CLASSES)


def test_a_filter_leaves_out_by_each_of_its_parts() -> None:
    laptop, server = (facets_of(DEVICES[i]) for i in ("nvidia-geforce-rtx-4090-laptop", "amd-instinct-mi300x"))
    assert HardwareFilter().admits(laptop)
    assert not HardwareFilter(laptops=False).admits(laptop)
    assert not HardwareFilter(vendors=frozenset({"NVIDIA"})).admits(server)
    assert not HardwareFilter(classes=frozenset({"cpu"})).admits(server)
    assert not HardwareFilter(since=2024).admits(server)
    assert HardwareFilter(since=2022).admits(server)


@given(
    st.builds(
        HardwareFilter,
        st.frozensets(st.sampled_from(["NVIDIA", "AMD"])),
        st.frozensets(st.sampled_from(CLASSES)),
        st.sampled_from([0, 2020, 2024]),
        st.booleans(),
    )
)
def test_a_filter_is_read_back_as_it_was_written(chosen: HardwareFilter) -> None:
    assert read_filter(filter_text(chosen)) == chosen


@pytest.mark.parametrize("text", ["", "{", "[]", '{"since": "x"}', "null"])
def test_a_text_that_is_no_filter_leaves_nothing_out(text: str) -> None:
    assert read_filter(text).is_open
