"""Every figure of a study at its exact bounds and one step beyond: refused with its field's path and code."""

import math
from collections.abc import Callable

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.kinds import Dim
from explorer.analysis.study.check import quick_problems, study_problems, text_problems, view_problems
from explorer.analysis.study.study import (
    FittedRoof,
    Group,
    HardwareEntry,
    Measurement,
    ModelEntry,
    Override,
    OwnRow,
    PlannedStep,
    Study,
    TensorEntry,
    TensorSummary,
    View,
    Workload,
)
from explorer.analysis.study.variant import ScaleDevice, SetBatch, SetCount, SetFormats, SetWorkload, UseModel, Variant
from tests.analysis.making import device
from tests.analysis.study.made import KIND, QUICK, Made, edited, measured, planned, quick, told, work

LEAST = 5e-324
ENTRY = HardwareEntry(id="dev", device=device())


def above(value: float) -> float:
    return value + 1 if isinstance(value, int) else math.nextafter(value, math.inf)


def below(value: float) -> float:
    return value - 1 if isinstance(value, int) else math.nextafter(value, -math.inf)


def fitted(name: str) -> Made:
    return lambda value: Study(hardware=(replace(ENTRY, fitted=FittedRoof(**{name: value})),))


def grouped(name: str) -> Made:
    return lambda value: Study(workload=Workload(groups=(replace(Group(context=1), **{name: value}),)))


RANGES: list[tuple[str, Made, float, float]] = [
    ("workload.batch", work("batch"), 1, 2**20),
    ("workload.context", work("context"), 1, 2**27),
    ("workload.reserve", work("reserve"), 0.0, 1e18),
    ("workload.groups[0].tokens", grouped("tokens"), 1, 2**27),
    ("workload.groups[0].context", grouped("context"), 1, 2**27),
    ("workload.groups[0].sequences", grouped("sequences"), 1, 2**20),
    ("plan[0].workload.batch", planned("batch"), 1, 2**20),
    ("plan[0].workload.context", planned("context"), 1, 2**27),
    ("hardware[0].count", lambda v: Study(hardware=(replace(ENTRY, count=v),)), 1, 1_000_000),
    ("hardware[0].fitted.per_kernel_s", fitted("per_kernel_s"), 0.0, 1e9),
    ("hardware[0].fitted.spread", fitted("spread"), 0.0, 0.9),
    ("models[0].quick.params", quick("params"), 1.0, 1e16),
    ("models[0].quick.layers", quick("layers"), 1, 2000),
    ("models[0].quick.kv_heads", quick("kv_heads"), 1, 100_000_000),
    ("models[0].quick.head_dim", quick("head_dim"), 1, 100_000_000),
    ("models[0].quick.file_bytes", quick("file_bytes"), 1.0, 1e16),
    ("measurements[0].flops", measured("flops"), 0.0, 1e27),
    ("measurements[0].runs", measured("runs"), 1, 10**15),
    ("measurements[0].calls", measured("calls"), 1.0, 1e15),
    ("measurements[0].memory_busy", measured("memory_busy"), 0.0, 10.0),
    ("measurements[0].compute_busy", measured("compute_busy"), 0.0, 10.0),
    ("measurements[0].depth", measured("depth"), 0, 2**27),
    ("measurements[0].batch", measured("batch"), 1, 2**20),
    ("measurements[0].context", measured("context"), 1, 2**27),
    ("what_ifs[0].edit.batch", edited(SetBatch, "batch"), 1, 2**20),
    ("what_ifs[0].edit.context", edited(SetWorkload, "context"), 1, 2**27),
    ("what_ifs[0].edit.reserve", edited(SetWorkload, "reserve"), 0.0, 1e18),
    ("what_ifs[0].edit.factor", edited(ScaleDevice, "factor", device="d", figure="compute"), 1e-3, 1e3),
    ("what_ifs[0].edit.count", edited(SetCount, "count", device="d"), 1, 1_000_000),
    ("kinds[0].dims[0].default", lambda v: Study(kinds=(replace(KIND, dims=(Dim(name="n", default=v),)),)), 0.0, 1e18),
    (
        "operators[0].dims.n",
        lambda v: Study(operators=(OwnRow(id="o", name="o", kind="mine", dims={"n": v}),), kinds=(KIND,)),
        0.0,
        1e18,
    ),
]
POSITIVE: list[tuple[str, Made, float]] = [
    ("hardware[0].fitted.bandwidth", fitted("bandwidth"), 1e18),
    ("hardware[0].fitted.peak", fitted("peak"), 1e24),
    ("measurements[0].time_s", measured("time_s"), 1e9),
    ("measurements[0].total_s", measured("total_s"), 1e9),
    ("measurements[0].tokens_per_s", measured("tokens_per_s"), 1e18),
    ("measurements[0].size_bytes", measured("size_bytes"), 1e18),
    ("measurements[0].bytes", measured("bytes"), 1e18),
    ("measurements[0].quartiles_s[0]", lambda v: measured("quartiles_s")((v, 1.0)), 1e9),
    ("measurements[0].quartiles_s[1]", lambda v: measured("quartiles_s")((1.0, v)), 1e9),
    ("plan[0].times", lambda v: Study(plan=(PlannedStep(workload=Workload(), times=v),)), 1e12),
    ("operators[0].count", lambda v: Study(operators=(OwnRow(id="o", name="o", kind="x", count=v),)), 1e12),
]


@pytest.mark.parametrize(("path", "make", "low", "high"), RANGES, ids=[r[0] for r in RANGES])
def test_a_figure_may_be_at_its_bounds_and_not_beyond(path: str, make: Made, low: float, high: float) -> None:
    assert [told(make(low)), told(make(high))] == [[], []]
    assert [told(make(below(low))), told(make(above(high)))] == [[("study.range", path)]] * 2
    (problem,) = study_problems(make(above(high)))
    assert problem.values == {"got": above(high), "low": low, "high": high}


@pytest.mark.parametrize(("path", "make", "high"), POSITIVE, ids=[p[0] for p in POSITIVE])
def test_a_figure_over_zero_may_be_the_least_and_the_most(path: str, make: Made, high: float) -> None:
    assert [told(make(LEAST)), told(make(high))] == [[], []]
    assert [told(make(0.0)), told(make(above(high)))] == [[("study.positive", path)]] * 2


@pytest.mark.parametrize(
    ("expected", "sound"),
    [
        ((0.5, 1.0), True),
        ((0.5, 0.5), True),
        ((LEAST, 1.0), True),
        ((0.0, 1.0), False),
        ((0.6, 0.5), False),
        ((0.5, 1.1), False),
        ((math.nan, 0.5), False),
        ((0.5, math.nan), False),
    ],
)
def test_expected_efficiencies_are_shares_in_order(expected: tuple[float, float], sound: bool) -> None:
    assert told(work("expected")(expected)) == ([] if sound else [("study.expected", "workload.expected")])


@pytest.mark.parametrize(("factor", "sound"), [(1.0, False), (above(1.0), True), (below(2.0), True), (2.0, False)])
def test_a_knee_factor_lies_between_one_and_two(factor: float, sound: bool) -> None:
    assert told(work("knee_factor")(factor)) == ([] if sound else [("study.knee_factor", "workload.knee_factor")])


@pytest.mark.parametrize(
    ("span", "sound"),
    [((-400.0, 400.0), True), ((-400.1, 0.0), False), ((0.0, 400.1), False), ((1.0, 1.0), False), ((2.0, 1.0), False)],
)
@pytest.mark.parametrize("name", ["x_range", "y_range"])
def test_ranges_of_a_view_grow_within_four_hundred_decades(name: str, span: tuple[float, float], sound: bool) -> None:
    view = View(**{name: span})  # type: ignore[arg-type]
    expected = [] if sound else [("study.view_range", f"view.{name}")]
    assert told(Study(view=view)) == expected
    assert [(p.code, p.path) for p in view_problems(view)] == expected


LINES: list[tuple[str, Callable[[str], Study]]] = [
    ("name", lambda t: Study(name=t)),
    ("models[0].name", lambda t: Study(models=(ModelEntry(id="m", name=t, quick=QUICK),))),
    ("operators[0].name", lambda t: Study(operators=(OwnRow(id="o", name=t, kind="x"),))),
    ("measurements[0].name", lambda t: Study(measurements=(Measurement(id="m", name=t),))),
    ("plan[0].device", lambda t: Study(plan=(PlannedStep(workload=Workload(), device=t),))),
    ("view.tab", lambda t: Study(view=View(tab=t))),
    ("view.baseline_model", lambda t: Study(view=View(baseline_model=t))),
    ("view.compare_with", lambda t: Study(view=View(compare_with=t))),
    ("view.compare_charts[1]", lambda t: Study(view=View(compare_charts=("years", t)))),
]
IDS: list[tuple[str, Callable[[str], Study]]] = [
    ("hardware[0].id", lambda t: Study(hardware=(replace(ENTRY, id=t),))),
    ("models[0].id", lambda t: Study(models=(ModelEntry(id=t, name="m", quick=QUICK),))),
    ("operators[0].id", lambda t: Study(operators=(OwnRow(id=t, name="o", kind="x"),))),
    ("kinds[0].id", lambda t: Study(kinds=(replace(KIND, id=t),))),
    ("measurements[0].id", lambda t: Study(measurements=(Measurement(id=t, name="m"),))),
    ("overrides[0].row", lambda t: Study(overrides=(Override(row=t),))),
    ("what_ifs[0].label", lambda t: Study(what_ifs=(Variant(label=t, edit=SetFormats()),))),
    ("what_ifs[0].edit.model", lambda t: Study(what_ifs=(Variant(label="v", edit=UseModel(model=t)),))),
    (
        "what_ifs[0].edit.device",
        lambda t: Study(what_ifs=(Variant(label="v", edit=SetCount(device=t, count=2)),)),
    ),
    (
        "what_ifs[0].edit.device",
        lambda t: Study(what_ifs=(Variant(label="v", edit=ScaleDevice(device=t, figure="links", factor=2.0)),)),
    ),
]


@pytest.mark.parametrize(("path", "make"), LINES, ids=[n[0] for n in LINES])
def test_a_name_is_one_line_of_two_hundred_characters(path: str, make: Callable[[str], Study]) -> None:
    assert told(make("x" * 200)) == []
    assert [told(make("x" * 201)), told(make("a\nb"))] == [[("study.line", path)]] * 2


@pytest.mark.parametrize(("path", "make"), IDS, ids=[n[0] for n in IDS])
def test_an_id_is_one_line_of_two_hundred_characters_and_not_blank(path: str, make: Callable[[str], Study]) -> None:
    assert told(make("x" * 200)) == []
    assert [told(make(t)) for t in ("x" * 201, "a\nb", "  ", "")] == [[("study.id", path)]] * 4


def test_notes_may_have_a_hundred_thousand_characters() -> None:
    assert text_problems("n", "x" * 100_000) == ()
    (long,) = text_problems("n", "x" * 100_001)
    assert (long.code, long.path, long.values) == ("study.long", "notes", {"limit": 100_000})


@pytest.mark.parametrize(
    ("path", "study"),
    [
        ("hardware[1].id", Study(hardware=(ENTRY, ENTRY))),
        ("models[1].id", Study(models=(ModelEntry(id="m", name="a", quick=QUICK),) * 2)),
        ("operators[1].id", Study(operators=(OwnRow(id="o", name="o", kind="x"),) * 2)),
        ("kinds[1].id", Study(kinds=(KIND, KIND))),
        ("measurements[1].id", Study(measurements=(Measurement(id="m", name="m"),) * 2)),
        ("overrides[1].row", Study(overrides=(Override(row="r"),) * 2)),
        ("what_ifs[1].label", Study(what_ifs=(Variant(label="v", edit=SetFormats()),) * 2)),
    ],
)
def test_a_name_that_stands_twice_is_refused_at_the_second_place(path: str, study: Study) -> None:
    assert told(study) == [("study.twice", path)]


def test_lists_end_at_a_thousand() -> None:
    """Beyond, no fault of a single item is told."""
    variants = (*(Variant(label=f"v{i}", edit=SetFormats()) for i in range(1000)), Variant(label="", edit=SetFormats()))
    groups = (*(Group(context=1),) * 1000, Group(context=0))
    plan = (*(PlannedStep(workload=Workload()),) * 1000, PlannedStep(workload=Workload(batch=0)))
    for path, make in (
        ("what_ifs", lambda n: Study(what_ifs=variants[:n])),
        ("workload.groups", lambda n: Study(workload=Workload(groups=groups[:n]))),
        ("plan", lambda n: Study(plan=plan[:n])),
    ):
        assert told(make(1000)) == []
        assert told(make(1001)) == [("study.many", path)]


def test_a_batch_of_a_variant_is_a_whole_number() -> None:
    assert told(edited(SetBatch, "batch")(2.5)) == [("study.whole", "what_ifs[0].edit.batch")]
    assert told(edited(SetBatch, "batch")(0.5)) == [("study.range", "what_ifs[0].edit.batch")]


def test_no_more_than_fifty_faults_are_told() -> None:
    broken = tuple(Measurement(id=f"m{i}", name="m", time_s=0.0) for i in range(60))
    assert len(study_problems(Study(measurements=broken))) == 50


def test_a_study_of_another_format_is_refused() -> None:
    assert told(Study(format=1)) == [("study.format", "format")]
    assert told(Study(format=3)) == [("study.format", "format")]


@pytest.mark.parametrize(
    ("entry", "sound"),
    [
        (ModelEntry(id="m", name="m"), False),
        (ModelEntry(id="m", name="m", config={}), True),
        (ModelEntry(id="m", name="m", quick=QUICK), True),
        (ModelEntry(id="m", name="m", config={}, quick=QUICK), False),
        (
            ModelEntry(
                id="m",
                name="m",
                quick=QUICK,
                tensors=TensorSummary(label="t", entries=(TensorEntry(name="a", format="f", values=1, bytes=1),)),
            ),
            False,
        ),
    ],
)
def test_a_model_comes_from_a_config_or_from_figures(entry: ModelEntry, sound: bool) -> None:
    assert told(Study(models=(entry,))) == ([] if sound else [("study.model_source", "models[0]")])


def test_the_active_model_is_one_of_the_study() -> None:
    models = tuple(ModelEntry(id=f"m{i}", name="m", quick=QUICK) for i in range(9))
    assert told(Study(models=models, active_model="m8")) == []
    (problem,) = study_problems(Study(models=models, active_model="x"))
    assert (problem.code, problem.path) == ("study.active_model", "active_model")
    assert problem.values == {"id": "x", "known": "m0, m1, m2, m3, m4, m5, m6, m7"}
    assert study_problems(Study(active_model="x"))[0].code == "study.no_models"


def test_faults_of_a_quick_model_stand_alone_without_a_path() -> None:
    assert [p.path for p in quick_problems(replace(QUICK, layers=0))] == ["layers"]
    assert [p.path for p in quick_problems(replace(QUICK, layers=0), "here")] == ["here.layers"]


def test_faults_of_a_device_are_told_under_its_entry() -> None:
    broken = replace(ENTRY, device=replace(device(), name=""))
    assert told(Study(hardware=(ENTRY, replace(broken, id="b")))) == [("field.line", "hardware[1].device.name")]
