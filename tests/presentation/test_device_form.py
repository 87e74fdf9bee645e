import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.catalogue.device import Device, LaunchOverhead, Link, MemoryLevel, Origin, Peak, Source
from explorer.files.catalogue import load_catalogue
from explorer.presentation.hardware.device_differences import difference_lines
from explorer.presentation.hardware.device_form import Author, Form, Part, form_of, read_form

DEVICE = Device(
    id="h100",
    name="NVIDIA H100",
    vendor="NVIDIA",
    year=2022,
    peaks=(
        Peak(format="bf16", accumulate="fp32", unit="tensor", rate=989.4e12, source="sheet", note="sparse halved"),
        Peak(format="int8", accumulate="int32", unit="tensor", rate=1978.9e12, source="sheet"),
    ),
    memory=(MemoryLevel(level="HBM3", capacity=80 * 2**30, bandwidth=3.35e12, latency=375e-9, source="sheet"),),
    links=(Link(name="NVLink 4", per_direction=450e9, source="sheet"),),
    launch_overhead=LaunchOverhead(seconds=2.4e-6, source="sheet"),
    cores=132,
    on_chip_per_core=233472,
    tdp_w=700,
    origins={"cores": Origin(source="sheet")},
    sources={"sheet": Source(kind="datasheet", title="The sheet")},
)
MINE = Author("recalled", "Entered by the user")


def read(form: Form, author: Author = MINE) -> Device:
    device, problems = read_form(form, DEVICE, author)
    assert problems == ()
    assert device is not None
    return device


def kind(device: Device, source: str) -> str:
    return device.sources[source].kind


def test_an_untouched_form_gives_every_device_of_the_database_back() -> None:
    for device in load_catalogue().devices:
        assert read_form(form_of(device), device, MINE) == (device, ())


def test_a_typed_peak_never_passes_for_the_datasheets() -> None:
    form = form_of(DEVICE)
    form.peaks[0].cells["rate"] = "1.2 P"
    device = read(form, Author("measured", "Entered by the user"))
    assert device.peaks[0].rate == 1.2e15
    assert kind(device, device.peaks[0].source) == "measured"
    assert device.peaks[0].note == ""
    assert device.peaks[1] == DEVICE.peaks[1]


def test_a_source_that_the_user_names_is_kept() -> None:
    form = form_of(DEVICE)
    form.sources.append(Part({"key": "lab", "kind": "measured", "title": "Our lab", "url": "", "note": ""}))
    form.peaks[0].cells |= {"rate": "900T", "source": "lab"}
    form.memory[0].cells |= {"bandwidth": "3 TB/s", "source": "lab"}
    device = read(form)
    assert device.peaks[0].source == device.memory[0].source == "lab"
    assert device.memory[0].origin("capacity").source == "lab"
    assert "user" not in device.sources


@pytest.mark.parametrize(("field", "text"), [("capacity", "96 GiB"), ("bandwidth", "4 TB/s"), ("latency", "500 ns")])
def test_one_changed_memory_figure_becomes_the_users_and_the_others_stay(field: str, text: str) -> None:
    form = form_of(DEVICE)
    form.memory[0].cells[field] = text
    level = (device := read(form)).memory[0]
    kinds = {name: kind(device, level.origin(name).source) for name in ("capacity", "bandwidth", "latency")}
    assert kinds == {name: "recalled" if name == field else "datasheet" for name in kinds}


def test_plain_figures_link_and_launch_overhead_become_the_users() -> None:
    form = form_of(DEVICE)
    form.fields |= {"cores": "144", "tdp_w": "350 W", "launch_overhead": "5 µs", "price_per_hour": "2.5"}
    form.links[0].cells["per_direction"] = "900 GB/s"
    device = read(form)
    assert (device.cores, device.tdp_w, device.price_per_hour) == (144, 350.0, 2.5)
    assert device.launch_overhead is not None
    sources = [device.origins[n].source for n in ("cores", "tdp_w", "price_per_hour")]
    sources += [device.links[0].source, device.launch_overhead.source]
    assert {kind(device, s) for s in sources} == {"recalled"}
    assert "year" not in device.origins


def test_a_cleared_figure_is_missing_and_not_zero() -> None:
    form = form_of(DEVICE)
    form.memory[0].cells["latency"] = ""
    form.fields |= {"launch_overhead": "", "year": "", "on_chip_per_core": ""}
    device = read(form)
    assert device.memory[0].latency is None
    assert (device.launch_overhead, device.year, device.on_chip_per_core) == (None, None, None)
    assert device.memory[0].bandwidth == DEVICE.memory[0].bandwidth


def test_a_new_line_without_a_source_is_the_users() -> None:
    form = form_of(DEVICE)
    cells = {"format": "fp8", "accumulate": "fp32", "unit": "tensor", "rate": "2 P", "source": ""}
    form.peaks.append(Part({**cells, "confidence": "medium", "note": "from memory"}))
    peak = (device := read(form)).peaks[-1]
    assert (peak.rate, peak.note, kind(device, peak.source)) == (2e15, "from memory", "recalled")


@pytest.mark.parametrize(
    ("change", "path", "code"),
    [
        (lambda f: f.peaks[1].cells.update(rate="1,2 P"), "peaks[1].rate", "quantity.comma"),
        (lambda f: f.peaks[0].cells.update(format="bf17"), "peaks[0].format", "field.choice"),
        (lambda f: f.peaks[0].cells.update(unit="both"), "peaks[0].unit", "field.choice"),
        (lambda f: f.memory[0].cells.update(bandwidth=""), "memory[0].bandwidth", "device.no_bandwidth"),
        (lambda f: f.memory[0].cells.update(bandwidth="-1"), "memory[0].bandwidth", "field.not_positive"),
        (lambda f: f.memory.clear(), "memory", "device.no_memory"),
        (lambda f: f.fields.update(name=""), "name", "field.line"),
        (lambda f: f.fields.update(cores="12.5"), "cores", "hardware.whole"),
        (
            lambda f: f.links[0].cells.update(source="nowhere", per_direction="450 GB/s"),
            "links[0].source",
            "device.source",
        ),
        (lambda f: f.sources.append(Part({**f.sources[0].cells})), "sources[1].key", "hardware.source_twice"),
        (lambda f: f.sources[0].cells.update(key=" "), "sources[0].key", "hardware.source_named"),
    ],
)
def test_each_fault_is_named_with_its_field_path(change: object, path: str, code: str) -> None:
    form = form_of(DEVICE)
    change(form)  # type: ignore[operator]
    device, problems = read_form(form, DEVICE, MINE)
    assert device is None
    assert (problems[0].path, problems[0].code) == (path, code)


@settings(max_examples=60)
@given(st.sampled_from(("rate", "format", "source", "note", "confidence")), st.text(max_size=30))
def test_any_typed_cell_gives_a_device_or_problems(field: str, text: str) -> None:
    form = form_of(DEVICE)
    form.peaks[0].cells[field] = text
    device, problems = read_form(form, DEVICE, MINE)
    assert (device is None) == bool(problems)


def test_differences_show_figures_with_their_units() -> None:
    form = form_of(DEVICE)
    form.memory[0].cells["bandwidth"] = "4 TB/s"
    form.peaks.pop()
    lines = difference_lines(read(form), DEVICE)
    assert ("memory.HBM3.bandwidth", "4 TB/s", "3.35 TB/s") in lines
    assert ("peaks.int8 int32 tensor", "–", "1978.9 TOP/s") in lines
