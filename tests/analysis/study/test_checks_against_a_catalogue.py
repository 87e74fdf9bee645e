"""What a study names is in the catalogue; edits and tensors of a file are checked."""

import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.kinds import Derived
from explorer.analysis.problem import Refused
from explorer.analysis.study.check import edit_problems, study_problems
from explorer.analysis.study.study import (
    Measurement,
    ModelEntry,
    Override,
    OwnRow,
    Study,
    TensorEntry,
    TensorSummary,
    View,
    Workload,
)
from explorer.analysis.study.tensor_check import MOST_ENTRIES, layer_ranges, layers_of, tensor_problems
from explorer.analysis.study.variant import SetFormats
from tests.analysis.study.made import KIND, edited, measured, planned, quick, told, work

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


def test_of_too_many_tensors_their_number_alone_is_told() -> None:
    entries = (TensorEntry(name="a\n", format="f", values=1, bytes=2),) * (MOST_ENTRIES + 1)
    found = [p.code for p in tensor_problems(TensorSummary(label="l", entries=entries), "t")]
    assert found == ["tensors.many"]
    one = [p.code for p in tensor_problems(TensorSummary(label="l", entries=entries[:1]), "t")]
    assert one != []
    assert "tensors.many" not in one
