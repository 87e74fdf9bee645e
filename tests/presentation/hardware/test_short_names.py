"""Shorter names of devices: each is its device's alone."""

from msgspec.structs import replace

from explorer.presentation.hardware.short_names import name_forms
from tests.presentation.llama import device


def test_names_lose_vendor_form_and_size_as_long_as_no_two_are_alike() -> None:
    forty, eighty = (replace(device(name), name=name, form="SXM4") for name in ("A100 SXM4 40GB", "A100 SXM4 80GB"))
    alone = replace(device(), name="H100 SXM5 80GB", form="SXM5")
    devices = {"a": forty, "b": eighty, "c": alone}
    names = {key: found.name for key, found in devices.items()}
    assert name_forms(names, devices) == {
        "a": ("A100 SXM4 40GB", "A100 40GB"),
        "b": ("A100 SXM4 80GB", "A100 80GB"),
        "c": ("H100 SXM5 80GB", "H100 80GB", "H100"),
    }
