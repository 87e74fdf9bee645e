"""Every surface tells a study's devices apart, twins included, and all of them by the same names."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace

from explorer.analysis.ask.batch_sweep import sweep_batches
from explorer.analysis.measured.gap import gap
from explorer.analysis.measured.predict import Predictor
from explorer.analysis.step.evaluate import DeviceResult, Evaluation, evaluate
from explorer.analysis.study.study import FittedRoof, HardwareEntry, Measurement, Study
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.files.typed.pasted_measurements import parse_measurements
from explorer.presentation import sentences as texts  # noqa: F401 - registers every sentence
from explorer.presentation.answer.answer import answer, plain_text
from explorer.presentation.answer.json_result import evaluation_json
from explorer.presentation.explain.explain import Explanation, Teller
from explorer.presentation.explain.totals import of_step
from explorer.presentation.hardware.device_names import device_names, whole_names
from explorer.presentation.hardware.picker_rows import hardware_rows
from explorer.presentation.look import ENGLISH
from explorer.presentation.measured.gap import gap_sentences
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.hover import describe_mark, describe_strip
from explorer.presentation.slide.slide import build_slide
from explorer.presentation.tables.device_columns import comparison_columns, device_rows
from explorer.presentation.tables.measurement_columns import measurement_rows
from explorer.presentation.tables.operator_columns import device_columns
from explorer.presentation.tables.operator_rows import operator_rows
from explorer.presentation.views.capacity import capacity_sentences
from explorer.presentation.views.decode import decode_view, knee_list
from explorer.presentation.views.memory import memory_chart
from explorer.presentation.views.time import time_view
from explorer.report.console import evaluation_text
from explorer.report.tables import table_text

CATALOGUE = load_catalogue(devices=False)
H100 = opening_study().hardware[0]
WHOLE = H100.device.name
FITTED = FittedRoof(bandwidth=2e12, source="a fit")
TUNED = replace(H100.device, id="tuned", name=f"{WHOLE} tuned")  # its short name is the H100's
TWINS = {
    "counted": (H100, replace(H100, id="four", count=4)),
    "fitted": (H100, replace(H100, id="fitted", fitted=FITTED)),
    "edited": (H100, replace(H100, id="copy", device=replace(H100.device, year=2023))),
    "one short name": (H100, HardwareEntry(id="tuned", device=TUNED)),
    "of four each": (replace(H100, count=4), replace(H100, id="other", count=4)),
    "all": (
        H100, replace(H100, id="b"), HardwareEntry(id="tuned", device=TUNED), replace(H100, id="c", count=4),
        replace(H100, id="d", count=4),
    ),
}  # fmt: skip


def study_of(entries: tuple[HardwareEntry, ...]) -> Study:
    study = opening_study()
    measured = tuple(Measurement(id=f"m{e.id}", name=f"m{e.id}", device=e.id, time_s=9e-3) for e in entries)
    return replace(study, hardware=entries, measurements=measured)


def on(study: Study, entry: HardwareEntry) -> Evaluation:
    return evaluate(replace(study, view=replace(study.view, active_hardware=entry.id)), CATALOGUE)


@pytest.fixture(params=TWINS)
def study(request: pytest.FixtureRequest) -> Study:
    return study_of(TWINS[request.param])


def told(explained: Explanation) -> str:
    return f"{explained.heading} {explained.about}"


def teller(evaluation: Evaluation) -> Teller:
    assert evaluation.active is not None
    return Teller(evaluation, evaluation.active)


def active(evaluation: Evaluation) -> DeviceResult:
    assert evaluation.active is not None
    return evaluation.active


def mark_of(evaluation: Evaluation) -> str:
    mark = next(m for m in build_figure(evaluation).every_mark if m.device == active(evaluation).entry.id)
    return describe_mark(evaluation, mark).partition("\n")[0]


OF_OTHERS = {
    "answer.fastest",
    "answer.no_room_one",
    "answer.no_room",
    "answer.no_room_one.either",
}  # sentences on the devices beside it
ONE: dict[str, Callable[[Evaluation], str]] = {  # surfaces that speak of the active device
    "answer": lambda e: plain_text(m for m in answer(e) if m.key not in OF_OTHERS),
    "time": lambda e: time_view(e).title,
    "point": mark_of,
    "strip": lambda e: describe_strip(e, build_figure(e).strips[0]).partition("\n")[0],
    "inspector": lambda e: told(of_step(teller(e))),
    "slide's help": lambda e: build_slide(e).help.title,
    "batches of note": lambda e: " ".join(k.tip for k in knee_list(e, active(e))),
    "text": lambda e: evaluation_text(e).split("Operators on")[1].partition("\n")[0],
}


@pytest.mark.parametrize("surface", ONE)
def test_a_surface_that_speaks_of_one_device_names_it_as_the_chart_does(study: Study, surface: str) -> None:
    names = device_names(study.hardware)
    for entry in study.hardware:
        evaluation = on(study, entry)
        roof = next(r for r in build_figure(evaluation).roofs if r.key == entry.id)
        said = ONE[surface](evaluation)
        assert roof.name == names[entry.id].label
        longer = {n.label for n in names.values()} - {roof.name}
        assert roof.name in said
        for other in longer:  # one name may be the beginning or the end of another
            if roof.name in other:
                assert other not in said


EACH: dict[str, Callable[[Evaluation], list[str]]] = {  # surfaces that list all devices
    "chart": lambda e: [r.name for r in build_figure(e).roofs],
    "memory": lambda e: [d.name for d in memory_chart(e).devices],
    "decode": lambda e: [name for name, _ in decode_view(e, sweep_batches(e)).legend],
    "slide's table": lambda e: [r.name for r in build_slide(e).table.rows],
    "comparison": lambda e: [comparison_columns(e)[0].text(r) for r in device_rows(e)],
    "times on each": lambda e: [c.group for c in device_columns(e) if "@time@" in c.key],
    "measurements": lambda e: [r.device for r in measurement_rows(e.study, {})],
    "measured gaps": lambda e: [
        gap_sentences(gap(Predictor(e), m), device=r.device)[0].partition(" on ")[2].partition(" takes")[0]
        for m, r in zip(e.study.measurements, measurement_rows(e.study, {}), strict=True)
    ],
    "picker": lambda e: [
        f"{r.name} {r.count}" for r in hardware_rows(e, (), ENGLISH) if r.kind == "entry"
    ],
    "picker, where it is narrow": lambda e: [
        f"{r.short} {r.count}" for r in hardware_rows(e, (), ENGLISH) if r.kind == "entry"
    ],
    "csv": lambda e: list(dict.fromkeys(line.partition(",")[0] for line in table_text(e, "csv").splitlines()[1:])),
    "markdown": lambda e: [line for line in table_text(e, "md").splitlines() if "Operators on" in line],
    "tip of a time": lambda e: [
        str(operator_rows(on(e.study, entry))[1].on) for entry in e.study.hardware
    ],
}  # fmt: skip


@pytest.mark.parametrize("surface", EACH)
def test_a_surface_that_lists_devices_tells_all_of_them_apart(study: Study, surface: str) -> None:
    found = EACH[surface](on(study, study.hardware[0]))
    assert len(found) == len(study.hardware)
    assert len(set(found)) == len(found)
    assert all(found)


def test_assumptions_say_of_which_twin_they_are() -> None:
    bare = replace(H100.device, launch_overhead=None)
    entries = (H100, replace(H100, id="bare", device=bare))
    study = study_of(entries)
    study = replace(study, workload=replace(study.workload, launch="eager"))
    evaluation = on(study, H100)
    said = f"{WHOLE} (2)"
    assert said in evaluation_text(evaluation).replace("\n  ", " ").partition("ssumptions")[2]
    assert said in table_text(evaluation, "md").rpartition("|\n")[2]


def test_json_keeps_the_names_of_hardware_files_and_says_each_assumption_once() -> None:
    found = evaluation_json(on(study_of(TWINS["of four each"]), H100))
    assert [d["name"] for d in found["hardware"]] == [WHOLE, WHOLE]
    assert len(set(found["assumptions"])) == len(found["assumptions"])
    assert not any("(2)" in text for text in found["assumptions"])


def test_the_answer_tells_long_names_apart_by_their_ends() -> None:
    long = replace(H100.device, name="A very long name of a device " * 3, short="")
    entries = (HardwareEntry(id="a", device=long), HardwareEntry(id="b", device=long))
    study = study_of(entries)
    said = {plain_text(answer(on(study, e))).partition(" a step")[0] for e in entries}
    assert len(said) == 2
    assert any(" (2)" in text for text in said)


def test_whether_it_fits_is_said_of_the_twin() -> None:
    study = study_of(TWINS["fitted"])
    evaluation = on(study, study.hardware[1])
    assert "one H100 SXM5 (2)" in capacity_sentences(evaluation, active(evaluation))[0]
    counted = study_of(TWINS["counted"])
    evaluation = on(counted, counted.hardware[1])
    assert "4 H100 SXM5:" in capacity_sentences(evaluation, active(evaluation))[0]


def names(*entries: HardwareEntry, whole: bool = False) -> list[str]:
    found = device_names(entries, whole=whole)
    assert len({n.plain for n in found.values()}) == len({n.label for n in found.values()}) == len(entries)
    return [n.label for n in found.values()]


def test_a_device_without_twin_has_its_short_name_wherever_it_stands() -> None:
    study = opening_study()
    assert names(*study.hardware) == ["H100 SXM5", "A100 SXM4 80GB", "MI300X"]
    assert list(whole_names(study.hardware).values()) == [e.device.name for e in study.hardware]
    assert names(replace(H100, count=8)) == ["8 × H100 SXM5"]
    assert list(whole_names((replace(H100, count=8),)).values()) == [WHOLE]


def test_twins_are_told_apart_by_as_little_as_does_it() -> None:
    assert names(*TWINS["counted"]) == ["H100 SXM5", "4 × H100 SXM5"]
    assert names(*TWINS["fitted"]) == ["H100 SXM5", "H100 SXM5 (2)"]
    assert names(*TWINS["one short name"]) == [WHOLE, f"{WHOLE} tuned"]
    assert names(*TWINS["of four each"]) == ["4 × H100 SXM5", "4 × H100 SXM5 (2)"]
    assert names(*TWINS["all"]) == [
        WHOLE, f"{WHOLE} (2)", f"{WHOLE} tuned", f"4 × {WHOLE}", f"4 × {WHOLE} (2)",
    ]  # fmt: skip


def test_names_that_look_like_the_names_of_twins_are_told_apart_too() -> None:
    short = (H100.device.short, "H100 SXM5 (2)", H100.device.short, "H100 SXM5 (2)", "2 × H100 SXM5")
    entries = [
        HardwareEntry(id=f"e{i}", device=replace(H100.device, name=s, short=s), count=1) for i, s in enumerate(short)
    ]
    assert len(set(names(*entries, replace(H100, id="two", count=2)))) == len(entries) + 1
    assert len(set(names(*entries, whole=True))) == len(entries)


def test_a_measurements_table_that_is_copied_and_pasted_keeps_each_on_its_twin(study: Study) -> None:
    lines = ["name\tdevice\ttime"]
    lines += [f"{r.measurement.name}\t{r.device}\t9 ms" for r in measurement_rows(study, {})]
    text = "\n".join(lines)
    bare = replace(study, measurements=())
    pasted, problems = parse_measurements(text, bare, ())
    assert problems == ()
    assert [m.device for m in pasted] == [e.id for e in study.hardware]
