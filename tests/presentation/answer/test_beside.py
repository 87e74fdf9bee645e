"""The answer beside other devices: ratios to the baseline, the fastest other, and those that have no room."""

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import View
from explorer.presentation.answer.answer import answer, plain_text, rich_text
from explorer.presentation.quantities.numbers import times
from tests.presentation.llama import catalogue, device, study
from tests.presentation.roofline.made import device as plain
from tests.presentation.roofline.made import placed


def on(*devices: Device, active: str = "", baseline: str = "", hidden: str = "", **work: object) -> Evaluation:
    base = study(*devices, **work)  # type: ignore[arg-type]
    hardware = tuple(replace(e, visible=e.id != hidden) for e in base.hardware)
    view = View(active_hardware=active, baseline=baseline)
    return evaluate(replace(base, hardware=hardware, view=view), catalogue())


def said(*devices: Device, **more: object) -> str:
    return plain_text(answer(on(*devices, **more)))  # type: ignore[arg-type]


A, B, SLOW = device("A"), device("B", bandwidth=3e12), device("Slow", bandwidth=1e12)
FULL = device("Full", capacity=10e9)


def test_of_the_baseline_the_fastest_other_is_told() -> None:
    assert said(A, B, SLOW).endswith("per request, 829 in all. B is 1.50× as fast.")
    assert said(A, SLOW).endswith("in all. Slow is 0.50× as fast.")
    assert said(A, B, SLOW, hidden="b").endswith("Slow is 0.50× as fast.")
    assert "as fast" not in said(A)


def test_another_device_is_told_beside_the_baseline_behind_its_time() -> None:
    # 19.3 GB on 3 TB/s and on 2
    told = said(A, B, active="b", baseline="a")
    assert "On B a step takes at least 6.44 ms, 1.50× as fast as A: at most 155 tokens/s per request" in told
    assert "is 1.50×" not in told
    assert "at least 19.3 ms, 0.50× as fast as A: at most" in said(A, SLOW, active="slow", baseline="a")


@pytest.mark.parametrize(
    ("work", "words"),
    [
        ({"batch": 1}, "takes at least 5.18 ms, 1.50× as fast as A: at most"),
        ({"phase": "prefill", "batch": 1}, "to the first token, 1.00× as fast as A: at most"),
        ({"phase": "prefill"}, "to the first token, 1.00× as fast as A: at most"),
    ],
)
def test_every_form_of_the_step_bears_the_ratio(work: dict[str, object], words: str) -> None:
    assert words in said(A, B, active="b", baseline="a", **work)


def test_operators_bear_it_too() -> None:
    fast = replace(plain("Fast"), memory=(replace(plain().memory[0], bandwidth=4e12),))
    view = View(active_hardware="fast", baseline="dev")
    one, two = (("m", 1e9, 1e9, 1.0),), (("m", 1e9, 1e9, 1.0), ("n", 1e9, 1e9, 1.0))
    told = plain_text(answer(placed(*one, on=(plain(), fast), view=view)))
    assert "On Fast m takes at least 250 µs, 4.00× as fast as Dev: 1.00 FLOP/byte" in told
    told = plain_text(answer(placed(*two, on=(plain(), fast), view=view)))
    assert "take at least 500 µs, operator by operator, 4.00× as fast as Dev (memory-bound 2" in told


def test_the_ratio_is_bold_and_the_name_escaped_where_text_can_be() -> None:
    odd = device("<i>A")
    told = rich_text(answer(on(odd, B, active="b", baseline="<i>a")))
    assert "<b>1.50×</b> as fast as &lt;i&gt;A: at most" in told
    assert "1.50× as fast as <i>A" in plain_text(answer(on(odd, B, active="b", baseline="<i>a")))


def test_devices_without_room_are_named_and_have_no_ratio() -> None:
    assert said(A, FULL).endswith("829 in all. Full has no room.")
    other = replace(FULL, id="other", name="Other accelerator", short="Other")
    assert said(A, B, FULL, other).endswith("B is 1.50× as fast. Full and Other have no room.")
    more = [replace(FULL, id=f"f{i}", name=f"F{i}", short=f"F{i}") for i in range(4)]
    assert said(A, *more).endswith("829 in all. 4 other devices have no room.")
    told = said(A, FULL, active="full")
    assert "as fast" not in told
    assert "have no room" not in told
    assert "It does not fit: 20.4 GB are needed, Full holds 10.0 GB." in told
    assert "as fast" not in said(A, FULL, active="a", baseline="full")
    told = said(FULL, other)
    assert told.endswith("20.4 GB are needed, Full holds 10.0 GB. Other has no room either.")


def test_ratios_are_never_rounded_to_nothing() -> None:
    assert [times(v) for v in (1.6431, 0.6087, 12.345, 0.0421, 0.00123, 127.35, 9.996, 0.0996)] == [
        "1.64×", "0.61×", "12.3×", "0.042×", "0.0012×", "127×", "10.0×", "0.10×",
    ]  # fmt: skip
    assert times(None) == times(float("inf")) == "–"
