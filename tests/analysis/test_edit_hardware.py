from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device, MemoryLevel, Origin, Peak, Source
from explorer.analysis.catalogue.device_check import device_problems
from explorer.analysis.study.choices import Figure
from explorer.analysis.study.edit_hardware import (
    Difference,
    differences,
    is_changed,
    move_hardware,
    remove_device,
    user_source,
)
from explorer.analysis.study.edits import add_hardware
from explorer.analysis.study.scale import with_figure
from explorer.analysis.study.study import Study
from explorer.analysis.study.variant import ScaleDevice
from explorer.analysis.study.what_if import Called, add_what_if, scaled_copy

SHEET = Source(kind="datasheet", title="sheet")


def sheet_device(ident: str = "h100", bandwidth: float = 3.35e12) -> Device:
    return Device(
        id=ident,
        name=ident.upper(),
        vendor="NVIDIA",
        peaks=(Peak(format="bf16", accumulate="fp32", unit="tensor", rate=989.4e12, source="sheet"),),
        memory=(MemoryLevel(level="HBM3", capacity=80 * 2**30, bandwidth=bandwidth, latency=375e-9, source="sheet"),),
        sources={"sheet": SHEET},
    )


def doubled(figure: Figure) -> Device:
    edit = ScaleDevice(device="h100", figure=figure, factor=2.0)
    called = Called("H100", "", "Entered by the user", "twice", "medium")
    return scaled_copy(sheet_device(), edit, called, "user")


def study_of(*idents: str) -> Study:
    study = Study()
    for ident in idents:
        study = add_hardware(study, sheet_device(ident))
    return study


def order(study: Study) -> list[str]:
    return [e.id for e in study.hardware]


def test_an_entry_moves_as_far_as_there_is_room() -> None:
    study = study_of("a", "b", "c")
    assert order(move_hardware(study, "c", -1)) == ["a", "c", "b"]
    assert order(move_hardware(study, "c", 5)) == ["a", "b", "c"]
    assert order(move_hardware(study, "a", -1)) == ["a", "b", "c"]
    assert move_hardware(study, "none", 1) is study


def test_a_doubled_copy_is_marked_as_the_users_and_only_there() -> None:
    copy = doubled("bandwidth")
    level = copy.memory[0]
    assert level.bandwidth == 6.7e12
    assert copy.sources[level.origin("bandwidth").source].kind == "derived"
    assert copy.sources[level.origin("capacity").source] == SHEET
    assert copy.sources[level.origin("latency").source] == SHEET
    assert copy.peaks == sheet_device().peaks
    assert device_problems(copy) == ()


def test_doubling_compute_doubles_every_peak_and_says_so() -> None:
    copy = doubled("compute")
    assert [p.rate for p in copy.peaks] == [2 * 989.4e12]
    assert {copy.sources[p.source].kind for p in copy.peaks} == {"derived"}
    assert copy.memory == sheet_device().memory


def test_doubling_memory_keeps_the_bandwidths_source() -> None:
    copy = doubled("capacity")
    level = copy.memory[0]
    assert level.capacity == 160 * 2**30
    assert copy.sources[level.origin("capacity").source].kind == "derived"
    assert copy.sources[level.source] == SHEET


def test_a_copy_stands_at_the_end_and_takes_the_count_of_its_origin() -> None:
    study = study_of("a", "b")
    study = replace(study, hardware=(replace(study.hardware[0], count=8), study.hardware[1]))
    study = add_what_if(study, "a", replace(study.hardware[0].device, name="A, what-if"))
    assert order(study) == ["a", "b", "a-2"]
    assert study.hardware[2].count == 8


def test_a_database_fix_is_no_what_if_but_a_users_figure_is() -> None:
    known, fixed = sheet_device(), sheet_device(bandwidth=3.36e12)
    assert not is_changed(known, known)
    assert not is_changed(fixed, known)
    assert is_changed(replace(known, name="H100, what-if"), known)
    assert is_changed(doubled("compute"), known)
    assert is_changed(known, None)


def test_removing_a_device_leaves_the_users_copies_of_it() -> None:
    known = sheet_device()
    study = add_what_if(add_hardware(Study(), known), "h100", replace(known, name="H100, what-if"))
    assert order(remove_device(study, "h100", known)) == ["h100-2"]


def test_one_source_serves_all_figures_of_one_kind() -> None:
    key, once = user_source(sheet_device(), "recalled", "mine")
    assert user_source(once, "recalled", "mine") == (key, once)
    other, twice = user_source(once, "measured", "mine")
    assert other != key
    assert set(twice.sources) == {"sheet", key, other}


def test_a_changed_figure_leaves_the_origins_of_the_others() -> None:
    level = replace(sheet_device().memory[0], origins={"latency": Origin(source="paper")})
    changed = with_figure(level, "bandwidth", 1e12, Origin(source="user"))
    assert changed.origin("bandwidth").source == "user"
    assert changed.origin("capacity").source == "sheet"
    assert changed.origin("latency").source == "paper"


def test_differences_name_each_field_once_and_match_parts_by_what_they_are() -> None:
    old = sheet_device()
    more = Peak(format="fp8", accumulate="fp32", unit="tensor", rate=2e15)
    new = replace(sheet_device(bandwidth=3.0e12), peaks=(more, *old.peaks))
    found = differences(old, new)
    assert sorted(d.path for d in found) == ["memory.HBM3.bandwidth", "peaks.fp8 fp32 tensor"]
    assert Difference("memory.HBM3.bandwidth", 3.35e12, 3.0e12) in found
    assert differences(old, old) == ()
