"""Every figure of a study at its exact bounds and one step beyond: refused with its field's path and code."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.kinds import Derived, Dim, OperatorKind
from explorer.analysis.problem import Refused
from explorer.analysis.study.check import edit_problems, quick_problems, study_problems, text_problems, view_problems
from explorer.analysis.study.study import (
    FittedRoof,
    Group,
    HardwareEntry,
    Measurement,
    ModelEntry,
    Override,
    OwnRow,
    PlannedStep,
    QuickModel,
    Study,
    TensorEntry,
    TensorSummary,
    View,
    Workload,
)
from explorer.analysis.study.tensor_check import layer_ranges, layers_of, tensor_problems
from explorer.analysis.study.variant import ScaleDevice, SetBatch, SetFormats, SetWorkload, UseModel, Variant
from tests.analysis.making import device

Made = Callable[[Any], Study]
LEAST = 5e-324
QUICK = QuickModel(params=1e9, layers=2, kv_heads=2, head_dim=2)
ENTRY = HardwareEntry(id="dev", device=device())
KIND = OperatorKind(id="mine", dims=(Dim(name="n"),), flops="n", bytes_read="n", bytes_written="n")


def above(value: float) -> float:
    return value + 1 if isinstance(value, int) else math.nextafter(value, math.inf)


def below(value: float) -> float:
    return value - 1 if isinstance(value, int) else math.nextafter(value, -math.inf)


def work(name: str) -> Made:
    return lambda value: Study(workload=replace(Workload(), **{name: value}))


def measured(name: str) -> Made:
    return lambda value: Study(measurements=(Measurement(**{"id": "m", "name": "m", name: value}),))


def fitted(name: str) -> Made:
    return lambda value: Study(hardware=(replace(ENTRY, fitted=FittedRoof(**{name: value})),))


def quick(name: str) -> Made:
    return lambda value: Study(models=(ModelEntry(id="q", name="q", quick=replace(QUICK, **{name: value})),))


def edited(edit: type, name: str, **others: Any) -> Made:
    return lambda value: Study(what_ifs=(Variant(label="v", edit=edit(**others, **{name: value})),))


def grouped(name: str) -> Made:
    return lambda value: Study(workload=Workload(groups=(replace(Group(context=1), **{name: value}),)))


def planned(name: str) -> Made:
    return lambda value: Study(plan=(PlannedStep(workload=replace(Workload(), **{name: value})),))


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


def told(study: Study, catalogue: Catalogue | None = None) -> list[tuple[str, str]]:
    return [(p.code, p.path) for p in study_problems(study, catalogue)]


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


@pytest.mark.parametrize("label", ["a <b> c", "</i", "<!d", "<?x", "&amp;", "&#39;"])
def test_a_label_is_no_markup(label: str) -> None:
    assert told(Study(what_ifs=(Variant(label=label, edit=SetFormats()),))) == [("study.markup", "what_ifs[0].label")]
    assert told(Study(what_ifs=(Variant(label="a < b & c > d", edit=SetFormats()),))) == []


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
    assert study_problems(Study(active_model="x"))[0].values["known"] == "–"


def test_faults_of_a_quick_model_stand_alone_without_a_path() -> None:
    assert [p.path for p in quick_problems(replace(QUICK, layers=0))] == ["layers"]
    assert [p.path for p in quick_problems(replace(QUICK, layers=0), "here")] == ["here.layers"]


def test_faults_of_a_device_are_told_under_its_entry() -> None:
    broken = replace(ENTRY, device=replace(device(), name=""))
    assert told(Study(hardware=(ENTRY, replace(broken, id="b")))) == [("field.line", "hardware[1].device.name")]


# formats, kinds and rows against a catalogue


FORMATS: list[tuple[str, Callable[[str], Study]]] = [
    *((f"workload.{n}", work(n)) for n in ("weights", "activations", "kv")),
    *((f"plan[0].workload.{n}", planned(n)) for n in ("weights", "activations", "kv")),
    *((f"what_ifs[0].edit.{n}", edited(SetFormats, n)) for n in ("weights", "activations", "kv")),
    *((f"models[0].quick.{n}", quick(n)) for n in ("weights", "kv")),
    *(
        (f"overrides[0].{n}", lambda v, n=n: Study(overrides=(Override(**{"row": "r", n: v}),)))
        for n in ("weights", "activations", "output", "kv")
    ),
    *(
        (
            f"operators[0].{n}",
            lambda v, n=n: Study(operators=(OwnRow(**{"id": "o", "name": "o", "kind": "copy", n: v}),)),
        )
        for n in ("weights", "activations", "output", "kv")
    ),
    ("measurements[0].weights", measured("weights")),
]


@pytest.mark.parametrize(("path", "make"), FORMATS, ids=[f[0] for f in FORMATS])
def test_a_number_format_is_one_of_the_catalogue(path: str, make: Callable[[str], Study], catalogue: Catalogue) -> None:
    assert told(make("bf16"), catalogue) == []
    (problem,) = study_problems(make("y" * 61), catalogue)
    assert (problem.code, problem.path, problem.values["got"]) == ("study.number_format", path, "y" * 60)


@pytest.mark.parametrize(
    ("path", "make"),
    [
        ("overrides[0].accumulate", lambda v: Study(overrides=(Override(row="r", accumulate=v),))),
        (
            "operators[0].accumulate",
            lambda v: Study(operators=(OwnRow(id="o", name="o", kind="copy", accumulate=v),)),
        ),
    ],
)
def test_an_accumulator_is_one_that_devices_list(path: str, make: Callable[[str], Study], catalogue: Catalogue) -> None:
    assert told(make("fp32"), catalogue) == []
    (problem,) = study_problems(make("z" * 61), catalogue)
    assert (problem.code, problem.path, problem.values["got"]) == ("field.choice", path, "z" * 60)


def test_kinds_and_dims_of_rows_are_known_ones(catalogue: Catalogue) -> None:
    def rows(**fields: Any) -> Study:
        return Study(kinds=(KIND,), operators=(OwnRow(**{"id": "o", "name": "row", "kind": "mine", **fields}),))

    assert told(rows(dims={"n": 2.0}), catalogue) == []
    (unknown,) = study_problems(rows(dims={"m" * 61: 2.0}), catalogue)
    assert (unknown.code, unknown.path) == ("study.dim", f"operators[0].dims.{'m' * 60}")
    assert unknown.values == {"kind": "mine", "known": "n"}
    (kind,) = study_problems(rows(kind="k" * 61), catalogue)
    assert (kind.code, kind.path, kind.values) == ("row.kind", "operators[0].kind", {"kind": "k" * 60, "name": "row"})
    assert told(rows(kind="other")) == []  # on trust
    assert told(rows(dims={"n": math.nan})) == [("study.range", "operators[0].dims.n")]


def test_a_kind_of_the_program_keeps_its_id(catalogue: Catalogue) -> None:
    assert told(Study(kinds=(replace(KIND, id="copy"),)), catalogue) == [("study.kind_taken", "kinds[0].id")]
    assert told(Study(kinds=(replace(KIND, id="copy"),))) == []


def test_faults_of_a_kind_are_told_under_its_place(catalogue: Catalogue) -> None:
    broken = replace(KIND, derived=(Derived(name="d", formula="q"),), flops="+")
    expected = [("formula.name", "kinds[1].derived[0].formula"), ("formula.syntax", "kinds[1].flops")]
    assert told(Study(kinds=(KIND, replace(broken, id="b"))), catalogue) == expected


def test_figures_that_come_out_wrong_are_told_at_the_row(catalogue: Catalogue) -> None:
    negative = replace(KIND, flops="n - 5")
    rows = tuple(OwnRow(id=f"o{i}", name=f"o{i}", kind="mine", dims={"n": float(i)}) for i in (6, 5, 4))
    assert told(Study(kinds=(negative,), operators=rows), catalogue) == [("formula.result", "operators[2].flops")]
    divided = replace(KIND, flops="1 / (n - 5)")
    assert told(Study(kinds=(divided,), operators=rows[1:2]), catalogue) == [("formula.value", "operators[0]")]
    unknown = (replace(rows[2], weights="nope"),)
    assert told(Study(kinds=(negative,), operators=unknown), catalogue) == [
        ("study.number_format", "operators[0].weights")
    ]


# edits


def test_an_edit_is_not_blamed_for_faults_that_were_there(catalogue: Catalogue) -> None:
    old = Study(name="a\nb", measurements=(Measurement(id="m", name="m", time_s=0.0),))
    assert edit_problems(old, replace(old, notes="new"), catalogue) == ()
    slid = replace(old, workload=Workload(batch=0))
    assert [p.path for p in edit_problems(old, slid, catalogue)] == ["workload.batch"]
    looked = replace(old, view=View(tab="a\nb"))
    assert [p.path for p in edit_problems(old, looked, catalogue)] == ["view.tab"]
    formats = replace(old, workload=Workload(weights="nope"))
    assert [p.path for p in edit_problems(old, formats, catalogue)] == ["workload.weights"]


def test_only_what_an_edit_brings_is_judged(catalogue: Catalogue) -> None:
    row = OwnRow(id="o", name="o", kind="copy")
    old = Study(operators=(row,), measurements=(Measurement(id="m", name="m"),))
    for new, paths in (
        (replace(old, operators=(row, replace(row, id="p", count=0.0))), ["operators[1].count"]),
        (replace(old, operators=(row, replace(row, count=2.0))), ["operators[1].id"]),
        (
            replace(old, measurements=(*old.measurements, Measurement(id="n", name="n", runs=0))),
            ["measurements[1].runs"],
        ),
        (replace(old, measurements=(*old.measurements, Measurement(id="m", name="n"))), ["measurements[1].id"]),
        (replace(old, kinds=(KIND, KIND)), ["kinds[1].id"]),
        (replace(old, operators=(row, replace(row, id="p"))), []),
    ):
        assert [p.path for p in edit_problems(old, new, catalogue)] == paths


def test_rows_are_judged_anew_where_their_kind_changes(catalogue: Catalogue) -> None:
    row = OwnRow(id="o", name="o", kind="mine", dims={"n": 2.0})
    old = Study(kinds=(KIND,), operators=(row,))
    new = replace(old, kinds=(replace(KIND, flops="n - 3"),))
    assert [p.path for p in edit_problems(old, new, catalogue)] == ["operators[0].flops"]


# tensors of a file


TENSOR = TensorEntry(name="a", format="f", values=10, bytes=20)


def tensor(catalogue: Catalogue | None = None, **fields: Any) -> list[tuple[str, str]]:
    summary = TensorSummary(label="l", entries=(replace(TENSOR, **fields),))
    return [(p.code, p.path) for p in tensor_problems(summary, "t", catalogue)]


@pytest.mark.parametrize(("name", "least"), [("count", 1), ("values", 0), ("bytes", 0)])
def test_counts_of_tensors_have_bounds(name: str, least: int) -> None:
    assert [tensor(**{name: v}) for v in (least, 10**18)] == [[], []]
    assert [tensor(**{name: v}) for v in (least - 1, 10**18 + 1)] == [[("study.range", f"t.entries[0].{name}")]] * 2


@pytest.mark.parametrize("name", ["name", "format"])
def test_words_of_tensors_are_lines(name: str) -> None:
    assert tensor(**{name: "x" * 200}) == []
    assert [tensor(**{name: t}) for t in ("x" * 201, "a\nb")] == [[("study.line", f"t.entries[0].{name}")]] * 2


@pytest.mark.parametrize("name", ["label", "read_as"])
def test_words_of_a_file_are_lines(name: str) -> None:
    summary = TensorSummary(label="l", entries=(TENSOR,))
    told = [[p.path for p in tensor_problems(replace(summary, **{name: t}), "t")] for t in ("x" * 200, "x" * 201)]
    assert told == [[], [f"t.{name}"]]


def test_a_file_has_one_to_four_thousand_entries() -> None:
    def codes(count: int) -> list[tuple[str, str]]:
        summary = TensorSummary(label="l", entries=(TENSOR,) * count)
        return [(p.code, p.path) for p in tensor_problems(summary, "t")]

    assert codes(4000) == []
    assert codes(4001) == [("tensors.many", "t.entries")]
    assert codes(0) == [("tensors.none", "t.entries")]


@pytest.mark.parametrize(
    ("layers", "sound"),
    [("0", True), ("0-3, 7", True), ("3-3", True), ("3-2", False), ("0,1", False), ("12345", False), ("1, 3-2", False)],
)
def test_layers_are_ranges_that_grow(layers: str, sound: bool) -> None:
    assert tensor(layers=layers) == ([] if sound else [("tensors.layers", "t.entries[0].layers")])


def test_layer_numbers_come_back_as_they_were() -> None:
    for layers in ((), (0,), (0, 1), (0, 2), (7, 0, 1, 2, 9, 10)):
        assert layers_of(layer_ranges(layers)) == frozenset(layers)
    assert layer_ranges((7, 0, 1, 2, 9, 10)) == "0-2, 7, 9-10"


def test_bytes_follow_from_values_and_format(catalogue: Catalogue) -> None:
    fits = {"format": "bf16", "values": 100_000}
    assert tensor(catalogue, **fits, bytes=200_000) == []
    # two hundredths of the bytes, and 64 bytes a tensor
    for off, count, sound in (
        (204_146, 1, True),
        (204_148, 1, False),
        (204_212, 2, True),
        (196_015, 1, False),
        (196_016, 1, True),
        (195_953, 2, True),
        (195_952, 2, False),
    ):
        expected = [] if sound else [("tensors.bytes", "t.entries[0].bytes")]
        assert tensor(catalogue, **fits, bytes=off, count=count) == expected
    assert tensor(catalogue, format="Q9", values=1, bytes=10**6) == []
    assert tensor(**fits, bytes=1) == []


def test_a_fault_of_a_file_is_told_under_its_model() -> None:
    entry = ModelEntry(id="m", name="m", config={}, tensors=TensorSummary(label="l", entries=()))
    assert told(Study(models=(entry,))) == [("tensors.none", "models[0].tensors.entries")]


def test_a_refusal_names_its_faults() -> None:
    (problem,) = study_problems(Study(format=1))
    values: Mapping[str, Any] = problem.values
    assert str(Refused(problem)) == f"format: study.format {dict(values)}"
