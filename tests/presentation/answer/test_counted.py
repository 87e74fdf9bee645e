"""Verdicts count the devices that the step fits on, in the answer, in a slide's title and on the command line alike."""

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device
from explorer.presentation.answer.answer import answer, plain_text
from explorer.presentation.slide.finding import finding, subtitle
from tests.presentation.llama import device, evaluated

# 16.1 GB of weights and 4.3 GB of KV cache at batch 8 and 4,096 tokens
HELD = tuple(device(f"H{i}") for i in range(4))
FULL = tuple(device(f"F{i}", capacity=17e9) for i in range(4))
SLOW = replace(device("Slow"), peaks=tuple(replace(p, rate=1e9) for p in device().peaks))


@pytest.mark.parametrize(
    ("devices", "said", "title"),
    [
        (HELD[:3], "on all three. On", "on all three devices"),
        ((*HELD[:1], *FULL[:1]), "on H0, the only one that fits. On", "on H0, the only one that fits"),
        ((*HELD[:2], *FULL[:1]), "on both that fit. On", "on both devices that fit"),
        ((*FULL[:1], *HELD[:3]), "on all three that fit. On", "on all three devices that fit"),
        ((*HELD, *FULL), "on all 4 that fit. On", "on all 4 devices that fit"),
        (FULL[:1], "Waiting for memory. On", "on F0, which does not fit"),
        (FULL[:2], "on both devices, neither of which fits. On", "on both devices, neither of which fits"),
        (FULL[:3], "on all three, none of which fits. On", "on all three devices, none of which fits"),
        (FULL, "on all 4 devices, none of which fits. On", "on all 4 devices, none of which fits"),
    ],
)
def test_a_verdict_counts_the_devices_that_the_step_fits_on(devices: tuple[Device, ...], said: str, title: str) -> None:
    case = evaluated(*devices)
    assert plain_text(answer(case)).startswith("Waiting for memory")
    assert said in plain_text(answer(case))
    assert finding(case) == f"Llama-3.1-8B decode waits for memory {title}"


def test_a_device_without_room_has_no_part_in_what_differs() -> None:
    slow_and_full = replace(SLOW, memory=FULL[0].memory)
    assert plain_text(answer(evaluated(*HELD[:2], slow_and_full))).startswith("Waiting for memory on both that fit.")
    both = plain_text(answer(evaluated(HELD[0], SLOW, FULL[0])))
    assert both.startswith("Waiting for memory on H0, for compute on Slow.")


def test_shares_are_those_of_a_device_that_fits() -> None:
    case = evaluated(replace(SLOW, memory=FULL[0].memory), HELD[0])
    assert case.active is not None
    assert case.active.entry.id == "slow"
    assert "on Slow" not in subtitle(case)
    assert "That holds" not in plain_text(answer(case))
