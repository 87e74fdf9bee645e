from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device
from explorer.analysis.catalogue.device_check import device_problems
from explorer.analysis.study.choices import Figure
from explorer.analysis.study.edits import add_hardware
from explorer.analysis.study.study import Study
from explorer.analysis.study.variant import ScaleDevice
from explorer.analysis.study.what_if import WHAT_IF, Called, beside, scaled_copy
from tests.presentation.llama import device

CALLED = Called(id="x", name="X", short="x", title="twice the figure of Round")


def doubled(figure: Figure) -> Device:
    return scaled_copy(device(), ScaleDevice(device="any", figure=figure, factor=2.0), CALLED)


def test_a_what_if_copy_multiplies_rates_and_says_where_they_come_from() -> None:
    copy = doubled("bandwidth")
    assert (copy.id, copy.name, copy.bandwidth, copy.capacity) == ("x", "X", 4e12, 80e9)
    assert copy.peaks == device().peaks
    assert copy.memory[0].source == WHAT_IF
    assert copy.sources[WHAT_IF].title == "twice the figure of Round"


def test_what_did_not_change_keeps_the_place_it_came_from() -> None:
    before = device()
    copy = doubled("bandwidth")
    assert copy.memory[0].origin("bandwidth").source == WHAT_IF
    assert copy.memory[0].origin("capacity").source in {before.memory[0].source, WHAT_IF}
    assert device_problems(copy) == device_problems(before) == ()


def test_compute_alone_leaves_the_memory_alone() -> None:
    copy = doubled("compute")
    assert [p.rate for p in copy.peaks] == [2e15, 1e14]
    assert copy.memory == device().memory


def test_a_copy_stands_beside_its_original_and_its_twin_is_only_shown_again() -> None:
    study = add_hardware(Study(), device(), count=4)
    copy = doubled("bandwidth")
    once = beside(study, study.hardware[0].id, copy)
    assert [(e.id, e.count) for e in once.hardware] == [(study.hardware[0].id, 4), ("x", 4)]
    hidden = replace(once, hardware=tuple(replace(e, visible=False) for e in once.hardware))
    assert [e.visible for e in beside(hidden, study.hardware[0].id, copy).hardware] == [False, True]
