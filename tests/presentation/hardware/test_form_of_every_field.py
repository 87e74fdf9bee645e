"""A change of any one field of the form changes that field of the device, its source where figures changed, no more."""

from collections.abc import Mapping

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.device import (
    Device,
    LaunchOverhead,
    Link,
    MeasuredBandwidth,
    MeasuredRate,
    MemoryLevel,
    Origin,
    Peak,
    Source,
)
from explorer.presentation.hardware.device_differences import difference_lines
from explorer.presentation.hardware.device_form import Author, Form, Part, form_of, rate_unit, read_form

ORIGIN = Origin(source="sheet", confidence="low", note="p. 3")
DEVICE = Device(
    id="thing",
    name="Test Thing",
    short="Thing",
    vendor="Test",
    class_="npu",
    form="card",
    year=2022,
    peaks=(
        Peak(
            format="bf16", accumulate="fp32", unit="tensor", rate=1e14, source="sheet", confidence="low", note="sparse",
            measured=MeasuredRate(rate=1.04e14, source="lab", note="best shape"),
        ),
        Peak(format="int8", accumulate="int32", unit="vector", rate=2e14, source="sheet"),
    ),
    memory=(
        MemoryLevel(
            level="HBM3", capacity=80e9, bandwidth=3e12, latency=4e-7, source="sheet", confidence="low", note="ECC",
            origins={"capacity": ORIGIN}, measured=MeasuredBandwidth(bandwidth=2.9e12, source="lab"),
        ),
        MemoryLevel(level="L2", capacity=5e7),
    ),
    links=(Link(name="wire", per_direction=4e11, source="sheet", confidence="medium", note="ring"),),
    launch_overhead=LaunchOverhead(seconds=2e-6, source="sheet", confidence="low", note="by us"),
    cores=132,
    on_chip_per_core=233472,
    tdp_w=700.0,
    price_per_hour=2.5,
    note="A note",
    origins={"cores": ORIGIN, "year": ORIGIN},
    sources={
        "sheet": Source(kind="datasheet", title="The sheet", url="there", note="p. 1"),
        "lab": Source(kind="measured", title="Lab"),
    },
)  # fmt: skip
AUTHOR = Author("measured", "By hand")
MINE = Origin(source="user", confidence="medium")
SOURCES = {**DEVICE.sources, "user": Source(kind="measured", title="By hand")}


def read(form: Form) -> Device:
    device, problems = read_form(form, DEVICE, AUTHOR)
    assert problems == ()
    assert device is not None
    return device


def problem(form: Form) -> tuple[str, str, Mapping[str, object]]:
    device, problems = read_form(form, DEVICE, AUTHOR)
    assert device is None
    return problems[0].path, problems[0].code, problems[0].values


def test_the_form_holds_every_figure_in_full() -> None:
    form = form_of(DEVICE)
    assert form.fields == {
        "id": "thing", "name": "Test Thing", "short": "Thing", "vendor": "Test", "class": "npu", "form": "card",
        "note": "A note", "year": "2022", "cores": "132", "on_chip_per_core": "228 KiB", "tdp_w": "700 W",
        "price_per_hour": "2.5", "launch_overhead": "2 µs",
    }  # fmt: skip
    assert form.peaks[0].cells == {
        "format": "bf16", "accumulate": "fp32", "unit": "tensor", "rate": "100 TFLOP/s", "measured": "104 TFLOP/s",
        "source": "sheet", "confidence": "low", "note": "sparse",
    }  # fmt: skip
    assert form.peaks[1].cells["rate"] == "200 TOP/s"
    assert form.memory[0].cells == {
        "level": "HBM3", "capacity": "80 GB", "bandwidth": "3 TB/s", "measured": "2.9 TB/s",
        "latency": "400 ns", "source": "sheet", "confidence": "low", "note": "ECC",
    }  # fmt: skip
    assert form.memory[1].cells["bandwidth"] == ""
    assert form.links[0].cells == {
        "name": "wire", "per_direction": "400 GB/s", "source": "sheet", "confidence": "medium", "note": "ring"
    }  # fmt: skip
    assert form.sources[0].cells == {
        "key": "sheet", "kind": "datasheet", "title": "The sheet", "url": "there", "note": "p. 1"
    }  # fmt: skip
    assert read(form) == DEVICE
    assert (rate_unit("int4"), rate_unit("fp8")) == ("OP/s", "FLOP/s")


def test_what_is_not_known_is_an_empty_field() -> None:
    bare = replace(DEVICE, year=None, cores=None, tdp_w=None, launch_overhead=None)
    fields = form_of(bare).fields
    assert [fields[n] for n in ("year", "cores", "tdp_w", "launch_overhead")] == [""] * 4


@pytest.mark.parametrize(
    ("name", "text", "field", "value"),
    [
        ("id", " other ", "id", "other"),
        ("name", "Other", "name", "Other"),
        ("short", "O", "short", "O"),
        ("vendor", "V", "vendor", "V"),
        ("class", "gpu", "class_", "gpu"),
        ("form", "chip", "form", "chip"),
        ("note", "", "note", ""),
    ],
)
def test_a_changed_text_changes_itself_alone(name: str, text: str, field: str, value: str) -> None:
    form = form_of(DEVICE)
    form.fields[name] = text
    assert read(form) == replace(DEVICE, **{field: value})


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("year", "2023", 2023),
        ("cores", "144", 144),
        ("on_chip_per_core", "1 KiB", 1024),
        ("on_chip_per_core", "1.4 B", 1),
        ("tdp_w", "0.35 kW", 350.0),
        ("price_per_hour", "3", 3.0),
        ("year", " ", None),
        ("cores", "", None),
        ("tdp_w", "", None),
    ],
)
def test_a_changed_figure_is_the_users(name: str, text: str, value: float | None) -> None:
    form = form_of(DEVICE)
    form.fields[name] = text
    others = {k: v for k, v in DEVICE.origins.items() if k != name}
    if value is None:
        assert read(form) == replace(DEVICE, **{name: None}, origins=others)
    else:
        assert read(form) == replace(DEVICE, **{name: value}, origins={**others, name: MINE}, sources=SOURCES)


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        ({"note": "new"}, {"note": "new"}),
        ({"confidence": "high"}, {"confidence": "high"}),
        ({"source": "lab"}, {"source": "lab"}),
        ({"format": "fp16"}, {"format": "fp16", "source": "user", "confidence": "medium", "note": ""}),
        ({"accumulate": "fp16"}, {"accumulate": "fp16", "source": "user", "confidence": "medium", "note": ""}),
        ({"unit": "vector"}, {"unit": "vector", "source": "user", "confidence": "medium", "note": ""}),
        ({"rate": "9 T"}, {"rate": 9e12, "source": "user", "confidence": "medium", "note": ""}),
        ({"rate": "9 T", "note": "new"}, {"rate": 9e12, "source": "user", "confidence": "medium", "note": "new"}),
        ({"rate": "9 T", "confidence": "high"}, {"rate": 9e12, "source": "user", "confidence": "high", "note": ""}),
        ({"rate": "9 T", "source": "lab"}, {"rate": 9e12, "source": "lab"}),
    ],
)
def test_a_changed_peak_is_the_users_unless_its_source_is_named(
    cells: dict[str, str], wanted: dict[str, object]
) -> None:
    form = form_of(DEVICE)
    form.peaks[0].cells |= cells
    sources = SOURCES if wanted.get("source") == "user" else DEVICE.sources
    peaks = (replace(DEVICE.peaks[0], **wanted), DEVICE.peaks[1])
    assert read(form) == replace(DEVICE, peaks=peaks, sources=sources)


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        ({"name": "rope"}, {"name": "rope"}),
        ({"note": "new"}, {"note": "new"}),
        ({"per_direction": "5e11 B/s"}, {"per_direction": 5e11, "source": "user", "note": ""}),
        ({"per_direction": "5e11 B/s", "source": "lab"}, {"per_direction": 5e11, "source": "lab"}),
    ],
)
def test_a_changed_link_is_the_users_where_its_rate_changed(cells: dict[str, str], wanted: dict[str, object]) -> None:
    form = form_of(DEVICE)
    form.links[0].cells |= cells
    sources = SOURCES if wanted.get("source") == "user" else DEVICE.sources
    assert read(form) == replace(DEVICE, links=(replace(DEVICE.links[0], **wanted),), sources=sources)


@pytest.mark.parametrize(
    ("cells", "wanted"),
    [
        ({"level": "HBM4"}, {"level": "HBM4"}),
        ({"note": "new"}, {"note": "new"}),
        ({"latency": "5e-7 s"}, {"latency": 5e-7, "origins": {"capacity": ORIGIN, "latency": MINE}}),
        ({"capacity": "9e10 B"}, {"capacity": 9e10, "origins": {"capacity": MINE}}),
        ({"latency": ""}, {"latency": None}),
        ({"capacity": ""}, {"capacity": None, "origins": {}}),
        (
            {"bandwidth": "4e12 B/s"},
            {
                "bandwidth": 4e12, "source": "user", "confidence": "medium", "note": "",
                "origins": {"capacity": ORIGIN, "latency": Origin(source="sheet", confidence="low", note="ECC")},
            },
        ),
        (
            {"latency": "5e-7 s", "source": "lab"},
            {
                "latency": 5e-7, "source": "lab",
                "origins": {"capacity": ORIGIN, "latency": Origin(source="lab", confidence="low", note="ECC")},
            },
        ),
    ],
)  # fmt: skip
def test_a_changed_level_keeps_the_sources_of_its_other_figures(
    cells: dict[str, str], wanted: dict[str, object]
) -> None:
    form = form_of(DEVICE)
    form.memory[0].cells |= cells
    cleared = None in wanted.values()  # nothing is the user's then, though the source may be listed
    sources = SOURCES if cleared or "user" in str(wanted) else DEVICE.sources
    assert read(form) == replace(
        DEVICE, memory=(replace(DEVICE.memory[0], **wanted), DEVICE.memory[1]), sources=sources
    )


def test_new_lines_are_the_users_unless_they_name_a_source() -> None:
    form = form_of(DEVICE)
    told = {"source": "", "confidence": "high", "note": "n"}
    form.peaks.append(Part({"format": "fp8", "accumulate": "fp32", "unit": "tensor", "rate": "3 P", **told}))
    form.links.append(Part({"name": "wire 2", "per_direction": "1 GB/s", **told, "source": "lab"}))
    form.memory.append(Part({"level": "L1", "capacity": "1 KiB", "bandwidth": "", "latency": "1 ns", **told}))
    device = read(form)
    assert device.peaks[-1] == Peak(
        format="fp8", accumulate="fp32", unit="tensor", rate=3e15, source="user", confidence="medium", note="n"
    )
    assert device.links[-1] == Link(name="wire 2", per_direction=1e9, source="lab", confidence="high", note="n")
    assert device.memory[-1] == MemoryLevel(
        level="L1", capacity=1024, latency=1e-9, source="user", confidence="medium", note="n"
    )
    assert device.sources == SOURCES


def test_launches_are_kept_cleared_or_the_users() -> None:
    form = form_of(DEVICE)
    form.fields["launch_overhead"] = "2000 ns"
    assert read(form) == DEVICE
    form.fields["launch_overhead"] = ""
    assert read(form) == replace(DEVICE, launch_overhead=None)
    form.fields["launch_overhead"] = "3 µs"
    mine = LaunchOverhead(seconds=3e-6, source="user", confidence="medium")
    assert read(form) == replace(DEVICE, launch_overhead=mine, sources=SOURCES)
    without = replace(DEVICE, launch_overhead=None)
    assert read_form(form_of(without), without, AUTHOR) == (without, ())


@pytest.mark.parametrize(("cell", "text"), [("kind", "paper"), ("title", "New"), ("url", ""), ("note", "n")])
def test_a_changed_source_changes_itself_alone(cell: str, text: str) -> None:
    form = form_of(DEVICE)
    form.sources[0].cells[cell] = f" {text} "
    changed = replace(DEVICE.sources["sheet"], **{cell: text})
    assert read(form) == replace(DEVICE, sources={**DEVICE.sources, "sheet": changed})


def test_faults_name_what_was_typed_and_what_is_allowed() -> None:
    form = form_of(DEVICE)
    form.peaks[1].cells["confidence"] = "some" + "x" * 40
    allowed = "high, medium, low"
    assert problem(form) == ("peaks[1].confidence", "field.choice", {"got": "some" + "x" * 36, "allowed": allowed})
    form = form_of(DEVICE)
    form.sources[1].cells["kind"] = "hearsay"
    kinds = "datasheet, derived, paper, measured, recalled, typed"
    assert problem(form) == ("sources[1].kind", "field.choice", {"got": "hearsay", "allowed": kinds})
    form = form_of(DEVICE)
    form.peaks[0].cells["unit"] = "both"
    assert problem(form) == ("peaks[0].unit", "field.choice", {"got": "both", "allowed": "tensor, vector"})
    form = form_of(DEVICE)
    form.fields["cores"] = "1.5"
    assert problem(form) == ("cores", "hardware.whole", {"got": "1.5"})
    form = form_of(DEVICE)
    form.sources[1].cells["key"] = "sheet"
    assert problem(form) == ("sources[1].key", "hardware.source_twice", {"key": "sheet"})
    for table, place, cell in (("links", 0, "per_direction"), ("memory", 1, "latency"), ("peaks", 1, "rate")):
        form = form_of(DEVICE)
        getattr(form, table)[place].cells[cell] = "1 apple"
        assert problem(form)[:2] == (f"{table}[{place}].{cell}", "quantity.unit")
    form = form_of(DEVICE)
    form.fields |= {"launch_overhead": "1 apple", "tdp_w": "?"}
    _, found = read_form(form, DEVICE, AUTHOR)
    assert {p.path for p in found} == {"tdp_w", "launch_overhead.seconds"}


def test_differences_are_told_with_units_per_line() -> None:
    new = replace(
        DEVICE,
        year=None,
        on_chip_per_core=1024,
        tdp_w=350.0,
        note="",
        memory=(replace(DEVICE.memory[0], capacity=2.0**33, bandwidth=4e12, latency=None), DEVICE.memory[1]),
        peaks=(replace(DEVICE.peaks[0], rate=9e12), replace(DEVICE.peaks[1], rate=3e14)),
        links=(replace(DEVICE.links[0], per_direction=1e9),),
        launch_overhead=replace(DEVICE.launch_overhead, seconds=3e-6) if DEVICE.launch_overhead else None,
        sources={"sheet": DEVICE.sources["sheet"], "new": Source(kind="paper")},
    )
    assert {path: (old, now) for path, old, now in difference_lines(DEVICE, new)} == {
        "year": ("2022", "–"),
        "on_chip_per_core": ("228 KiB", "1 KiB"),
        "tdp_w": ("700 W", "350 W"),
        "note": ("A note", "–"),
        "memory.HBM3.capacity": ("80 GB", "8 GiB"),
        "memory.HBM3.bandwidth": ("3 TB/s", "4 TB/s"),
        "memory.HBM3.latency": ("400 ns", "–"),
        "peaks.bf16 fp32 tensor.rate": ("100 TFLOP/s", "9 TFLOP/s"),
        "peaks.int8 int32 vector.rate": ("200 TOP/s", "300 TOP/s"),
        "links.wire.per_direction": ("400 GB/s", "1 GB/s"),
        "launch_overhead.seconds": ("2 µs", "3 µs"),
        "sources.lab": ("Lab", "–"),
        "sources.new": ("–", "–"),
    }


def test_parts_that_come_or_go_are_told_by_their_figures() -> None:
    fewer = replace(DEVICE, peaks=(), links=(), memory=DEVICE.memory[:1], origins={}, launch_overhead=None)
    found = {path: (old, now) for path, old, now in difference_lines(DEVICE, fewer)}
    assert found == {
        "peaks.bf16 fp32 tensor": ("100 TFLOP/s", "–"),
        "peaks.int8 int32 vector": ("200 TOP/s", "–"),
        "links.wire": ("400 GB/s", "–"),
        "memory.L2": ("50 MB", "–"),
        "launch_overhead": ("2 µs", "–"),
        "origins.cores": ("sheet", "–"),
        "origins.year": ("sheet", "–"),
    }


def test_a_measured_figure_is_typed_changed_and_taken_out_beside_the_sheets() -> None:
    form = form_of(DEVICE)
    form.peaks[0].cells["measured"], form.peaks[1].cells["measured"] = "", "210 TOP/s"
    form.memory[0].cells["measured"] = "3.1 TB/s"
    device = read(form)
    assert [p.measured for p in device.peaks] == [None, MeasuredRate(rate=2.1e14, source="user")]
    assert device.memory[0].measured == MeasuredBandwidth(bandwidth=3.1e12, source="user")
    assert [(p.rate, p.source) for p in device.peaks] == [(1e14, "sheet"), (2e14, "sheet")]
    assert device.memory[0].origin("bandwidth").source == "sheet"


@pytest.mark.parametrize(("text", "code"), [("fast", "quantity.number"), ("-1 TFLOP/s", "field.not_positive")])
def test_a_measured_figure_that_is_none_is_named(text: str, code: str) -> None:
    form = form_of(DEVICE)
    form.peaks[0].cells["measured"] = text
    path, found, _ = problem(form)
    assert (path, found) == ("peaks[0].measured.rate", code)
