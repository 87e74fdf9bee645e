"""Devices under the names that people type, and the memory sizes that they are sold with."""

import pytest

from explorer.analysis.problem import Refused
from explorer.files.catalogue import load_catalogue
from explorer.files.hardware.devices import find_device

DEVICES = load_catalogue().devices
GIB = 2**30


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("4070", "NVIDIA GeForce RTX 4070"),
        ("4070 ti", "NVIDIA GeForce RTX 4070 Ti"),
        ("rtx4090", "NVIDIA GeForce RTX 4090"),
        ("H100SXM", "NVIDIA H100 SXM5 80GB"),
        ("4090 mobile", "NVIDIA GeForce RTX 4090 Laptop"),
        ("7900XTX", "AMD Radeon RX 7900 XTX"),
        ("9070 xt", "AMD Radeon RX 9070 XT"),
        ("P40", "NVIDIA Tesla P40"),
        ("a6000", "NVIDIA RTX A6000"),
        ("M1 Max", "Apple M1 Max"),
        ("3080 12gb", "NVIDIA GeForce RTX 3080 12GB"),
        ("MI50 32GB", "AMD Radeon Instinct MI50 32GB"),
        ("raspberry pi 5", "Raspberry Pi 5"),
        ("xeon 8592", "Intel Xeon Platinum 8592+"),
        ("M40 24GB", "NVIDIA Tesla M40 24GB"),
    ],
)
def test_the_plainest_device_of_a_name_is_meant_with_or_without_blanks(text: str, name: str) -> None:
    assert find_device(DEVICES, text).name == name


@pytest.mark.parametrize(
    ("text", "fits"),
    [
        ("M4 Max", {"32-core", "40-core"}),
        ("M4 Pro", {"16-core", "20-core"}),
        ("M4 Pro 24GB", {"16-core", "20-core"}),
        ("3080", {"3080 10GB", "3080 12GB"}),
        ("gh200", {"96GB", "144GB"}),
        ("mi50", {"16GB", "32GB"}),
        ("h800", {"PCIe", "SXM5"}),
        ("rtx pro 6000", {"Max-Q", "Server", "Workstation"}),
    ],
)
def test_names_whose_figures_differ_are_asked_about_never_guessed(text: str, fits: set[str]) -> None:
    with pytest.raises(Refused) as refused:
        find_device(DEVICES, text)
    (problem,) = refused.value.problems
    assert problem.code == "device.ambiguous"
    assert all(word in str(problem.values["candidates"]) for word in fits)


@pytest.mark.parametrize(
    ("text", "name", "size"),
    [
        ("M4 Max 36GB", "Apple M4 Max (32-core GPU)", 36),
        ("M4 Max 64 GB", "Apple M4 Max (40-core GPU)", 64),
        ("M1 Max 32gb", "Apple M1 Max", 32),
        ("M2 Ultra 128GiB", "Apple M2 Ultra", 128),
        ("5060 ti 8gb", "NVIDIA GeForce RTX 5060 Ti 16GB", 8),
        ("4060 Ti 16GB", "NVIDIA GeForce RTX 4060 Ti", 16),
        ("raspberry pi 5 4gb", "Raspberry Pi 5", 4),
        ("M4 24GB", "Apple M4", 24),
        ("M4 16GB", "Apple M4", 16),
        ("M2 24gb", "Apple M2", 24),
    ],
)
def test_a_size_behind_the_name_chooses_among_those_that_are_sold(text: str, name: str, size: int) -> None:
    found = find_device(DEVICES, text)
    assert (found.name, found.capacity) == (name, size * GIB)


@pytest.mark.parametrize(
    ("text", "code", "said"),
    [
        ("M4 Max 500GB", "device.ambiguous", "32-core"),
        ("RTX 4090 48GB", "device.size_not_sold", "24"),
        ("M1 Max 128GB", "device.size_not_sold", "32, 64"),
        ("m4max", "device.ambiguous", "40-core"),
    ],
)
def test_a_size_that_is_not_sold_is_answered_with_those_that_are(text: str, code: str, said: str) -> None:
    with pytest.raises(Refused) as refused:
        find_device(DEVICES, text)
    (problem,) = refused.value.problems
    assert problem.code == code
    assert said in " ".join(map(str, problem.values.values()))


def test_a_whole_word_is_no_part_of_another_when_candidates_are_named() -> None:
    with pytest.raises(Refused) as refused:
        find_device(DEVICES, "H200")
    named = str(refused.value.problems[0].values["candidates"])
    assert "H200 NVL" in named
    assert "GH200" not in named
