"""Every field of the picker's rows, of devices made by hand."""

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device, MemoryLevel, Origin, Source
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.study.study import HardwareEntry, Study, View
from explorer.presentation.hardware.filters import Facets
from explorer.presentation.hardware.picker_rows import HardwareRow, filtered, hardware_rows, searched_text
from explorer.presentation.hardware.tips import said_of, source_text, tip_of
from explorer.presentation.look import ENGLISH, Look
from tests.presentation.llama import catalogue, device

ONE = replace(device("One"), class_="npu", form="card", year=2021, note="A note.")
TWO = replace(device("Two", bandwidth=1e12), year=2023)
OLD = replace(device("Old", bandwidth=5e11), year=2021)
OTHER = replace(device("Other"), vendor="Acme")
BARE = Device(id="bare", name="Bare", vendor="Acme", memory=(MemoryLevel(level="DRAM"),))


def rows(study: Study, *known: Device, own: tuple[str, ...] = ()) -> tuple[HardwareRow, ...]:
    return hardware_rows(evaluate(study, replace(catalogue(), devices=known)), own, ENGLISH)


def study(*entries: HardwareEntry, active: str = "") -> Study:
    return Study(hardware=entries, view=View(active_hardware=active))


def entry(one: Device, **more: object) -> HardwareEntry:
    return HardwareEntry(**{"id": f"e-{one.id}", "device": one, **more})  # type: ignore[arg-type]


def test_sections_in_their_order_with_counts_where_they_fold() -> None:
    changed = replace(ONE, name="One, faster")
    found = rows(
        study(entry(TWO), entry(changed)), ONE, TWO, OLD, OTHER, BARE, replace(OTHER, id="mine"), own=("mine",)
    )
    sections = [(r.key, r.name, r.count, r.foldable, r.spoken) for r in found if r.kind == "section"]
    assert sections == [
        ("section:compared", "Compared", "", False, "Compared"),
        ("section:what_if", "What-if", "", False, "What-if"),
        ("section:own", "My hardware", "1", True, "My hardware"),
        ("section:vendor:Test", "Test", "3", True, "Test"),
        ("section:vendor:Acme", "Acme", "2", True, "Acme"),
    ]
    # the newest first, within a year the fastest memory
    assert [r.id for r in found if r.kind == "device"] == ["mine", "two", "one", "old", "other", "bare"]
    assert [r.own for r in found if r.kind == "device"] == [True, False, False, False, False, False]


def test_vendors_with_as_many_devices_come_by_name_whatever_its_case() -> None:
    known = [replace(ONE, id=v, vendor=v) for v in ("beta", "Alpha", "gamma")]
    assert [r.name for r in rows(Study(), *known) if r.kind == "section"] == ["Alpha", "beta", "gamma"]


def test_an_entry_says_everything_about_itself() -> None:
    two = entry(TWO, count=2, colour="4")
    row = next(r for r in rows(study(entry(ONE), two, active="e-two"), ONE, TWO) if r.id == "e-two")
    assert row == HardwareRow(
        kind="entry",
        key="entry:e-two",
        name="Two accelerator",
        id="e-two",
        short="Two",
        section="compared",
        details=("2,000 TFLOP/s bf16", "2.00 TB/s", "ridge 1,000"),
        count="×2",
        number=2,
        colour=4,
        active=True,
        visible=True,
        tip=tip_of(Machine(TWO, 2), Machine(TWO, 2).peak("tensor", "bf16"), ENGLISH),
        spoken="Two accelerator, the answer speaks of it; 2,000 TFLOP/s bf16, 2.00 TB/s, ridge 1,000",
        searched="two accelerator test two gpu  2023 hbm",
    )
    assert row.chosen


def test_states_are_spoken() -> None:
    found = rows(study(entry(ONE), entry(TWO), entry(OLD, visible=False)), ONE, TWO, OLD)
    said = [r.spoken.split(", ", 1)[1].split(";")[0] for r in found if r.kind == "entry"]
    assert said == ["the answer speaks of it", "compared", "hidden"]
    assert [r.visible for r in found if r.kind == "entry"] == [True, True, False]
    assert [r.active for r in found if r.kind == "entry"] == [True, False, False]
    assert [r.count for r in found if r.kind == "entry"] == ["", "", ""]


def test_a_device_says_everything_about_itself() -> None:
    one, two = (next(r for r in rows(study(entry(TWO)), ONE, TWO) if r.key == f"device:{i}") for i in ("one", "two"))
    assert one == HardwareRow(
        kind="device",
        key="device:one",
        name="One accelerator",
        id="one",
        short="One",
        section="vendor:Test",
        details=("1,000 TFLOP/s bf16", "2.00 TB/s", "ridge 500"),
        colour=None,
        tip=tip_of(Machine(ONE), Machine(ONE).peak("tensor", "bf16"), ENGLISH),
        spoken="One accelerator; 1,000 TFLOP/s bf16, 2.00 TB/s, ridge 500",
        searched="one accelerator test one npu card 2021 hbm",
        facets=Facets("Test", "npu", 2021, "data_centre"),
    )
    assert not one.chosen
    assert two.spoken == "Two accelerator, compared; 1,000 TFLOP/s bf16, 1.00 TB/s, ridge 1,000"
    assert (two.colour, two.chosen) == (0, True)


@pytest.mark.parametrize(
    ("changed", "section", "history"),
    [
        ({}, "compared", ""),
        ({"memory": (replace(ONE.memory[0], bandwidth=1e12),)}, "compared", "database has newer figures"),
        ({"name": "One, faster"}, "what_if", "copy of One"),
    ],
)
def test_the_history_of_an_entry(changed: dict[str, object], section: str, history: str) -> None:
    row = next(r for r in rows(study(entry(replace(ONE, **changed))), ONE) if r.kind == "entry")
    assert (row.section, row.history) == (section, history)
    assert row.spoken.endswith(f", {history}" if history else "ridge 500")
    of_device = next(r for r in rows(study(entry(replace(ONE, **changed))), ONE) if r.kind == "device")
    assert (of_device.colour is None) == (section == "what_if")


def test_what_the_user_edited_in_place_says_so() -> None:
    edited = replace(
        ONE,
        memory=(replace(ONE.memory[0], bandwidth=3e12, source="user"),),
        sources={**ONE.sources, "user": Source(kind="recalled", title="Entered by the user")},
    )
    row = next(r for r in rows(study(entry(edited)), ONE) if r.kind == "entry")
    assert (row.section, row.history) == ("what_if", "edited")
    assert row.details[1] == "3.00 TB/s, recalled"
    nameless = replace(ONE, short="")
    copy = next(r for r in rows(study(entry(replace(nameless, name="Copy"))), nameless) if r.kind == "entry")
    assert (copy.history, copy.short) == ("copy of One accelerator", "")


def test_figures_that_lack_or_are_less_sure_say_so() -> None:
    bare = next(r for r in rows(Study(), BARE) if r.kind == "device")
    assert bare.details == ("no bf16 peak known", "no bandwidth known")
    unsure = replace(
        ONE,
        peaks=(replace(ONE.peaks[0], confidence="low"),),
        memory=(replace(ONE.memory[0], origins={"bandwidth": Origin(source="own")}),),
        sources={**ONE.sources, "own": Source(kind="derived")},
    )
    found = next(r for r in rows(Study(), unsure) if r.kind == "device")
    assert found.details == ("1,000 TFLOP/s bf16, uncertain", "2.00 TB/s, derived", "ridge 500")


@pytest.mark.parametrize(
    ("kind", "word"),
    [
        ("datasheet", ""),
        ("paper", ""),
        ("derived", "derived"),
        ("recalled", "recalled"),
        ("measured", "measured"),
        ("typed", "typed"),
    ],
)
def test_a_word_for_figures_less_sure_than_a_datasheets(kind: str, word: str) -> None:
    one = replace(ONE, sources={"sheet": Source(kind=kind)})  # type: ignore[arg-type]
    assert said_of(one, "sheet", "high") == (f"picker.{word}" if word else "")
    assert said_of(one, "sheet", "low") == "picker.uncertain"
    assert said_of(one, "gone", "medium") == ""


def test_the_tip_tells_every_figure_with_its_source() -> None:
    one = replace(ONE, memory=(replace(ONE.memory[0], origins={"capacity": Origin(source="gone")}),))
    machine = Machine(one, 3)
    assert tip_of(machine, machine.peak("tensor", "bf16"), Look(unit="GiB")).split("\n") == [
        "One accelerator",
        "Peak: 3,000 TFLOP/s bf16, tensor units (datasheet, high confidence)",
        "HBM bandwidth: 6.00 TB/s (datasheet, high confidence)",
        "HBM capacity: 224 GiB (no source given)",
        "3 devices, ideal: rates and capacity times 3",
        "A note.",
    ]
    single = Machine(TWO)
    assert tip_of(single, single.peak("tensor", "fp8"), ENGLISH).split("\n") == [
        "Two accelerator",
        "Peak: 1,000 TFLOP/s bf16, tensor units (datasheet, high confidence)",
        "bf16 stands in for fp8, which is not listed",
        "HBM bandwidth: 1.00 TB/s (datasheet, high confidence)",
        "HBM capacity: 80.0 GB (datasheet, high confidence)",
    ]
    assert tip_of(Machine(BARE), Machine(BARE).peak("tensor", "bf16"), ENGLISH) == "Bare"


def test_a_source_is_told_with_its_note() -> None:
    found = source_text(ONE, Origin(source="sheet", confidence="low", note="p. 3"), ENGLISH)
    assert found == "datasheet, low confidence: p. 3"


def test_a_search_finds_words_in_any_order_under_counted_sections() -> None:
    every = rows(study(entry(ONE), entry(TWO)), ONE, TWO, OTHER)
    assert [r.key for r in filtered(every, "TWO accelerator")] == [
        "section:compared", "entry:e-two", "section:vendor:Test", "device:two",
    ]  # fmt: skip
    assert [(r.count, r.foldable) for r in filtered(every, "two") if r.kind == "section"] == [("", False), ("1", False)]
    closed = filtered(every, "", {"vendor:Test"})
    assert [r.visible for r in closed if r.kind == "section"] == [True, False, True]
    assert [r.id for r in closed if r.kind == "device"] == ["other"]
    assert filtered(every, "", ()) == every
    assert [r.key for r in filtered(every, "two", {"vendor:Test"})] == [r.key for r in filtered(every, "two")]


def test_what_is_searched_leaves_out_a_year_that_is_not_known() -> None:
    assert searched_text(replace(ONE, year=None)) == "one accelerator test one npu card  hbm"
