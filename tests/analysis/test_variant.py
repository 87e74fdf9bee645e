"""Variants: declared edits that are applied, saved and refused."""

from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from explorer.analysis.problem import Refused
from explorer.analysis.study.apply import applied
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.edit_models import remove_models
from explorer.analysis.study.edit_rows import remove_rows
from explorer.analysis.study.edits import add_hardware, add_model, change_hardware, remove_hardware
from explorer.analysis.study.study import Group, ModelEntry, Override, PlannedStep, QuickModel, Study, Workload
from explorer.analysis.study.variant import (
    Edit,
    ScaleDevice,
    SetBatch,
    SetCount,
    SetFormats,
    SetWorkload,
    UseModel,
    Variant,
)
from explorer.files.study.study import study_from_text, study_of, study_to_text
from tests.presentation.llama import catalogue, device, evaluated, study

EDITS: tuple[Edit, ...] = (
    SetBatch(batch=64),
    SetWorkload(phase="prefill", context=512, launch="eager", reserve=1e9),
    SetFormats(kv="fp8"),
    SetFormats(weights=None),
    ScaleDevice(device="round", figure="bandwidth", factor=2.0),
    ScaleDevice(device="round", figure="links", factor=0.5),
    SetCount(device="round", count=4),
    UseModel(model="quick"),
)
QUICK = ModelEntry(id="quick", name="Q", quick=QuickModel(params=1e9, layers=8, kv_heads=8, head_dim=64))


def with_all() -> Study:
    return replace(study(), what_ifs=tuple(Variant(label=f"{i}: what if?", edit=e) for i, e in enumerate(EDITS)))


def test_an_edit_changes_what_it_names_and_nothing_else() -> None:
    base = replace(study(), models=(*study().models, QUICK), overrides=(Override(row="q_proj", weights="fp8"),))
    work = base.workload
    assert applied(base, SetBatch(batch=64)) == replace(base, workload=replace(work, batch=64))
    assert applied(base, SetFormats(kv="fp8")).workload == replace(work, kv="fp8")
    narrow = replace(base, workload=replace(work, weights="int8"))
    assert applied(narrow, SetFormats(weights=None)).workload.weights is None
    assert applied(narrow, SetFormats(kv="fp8")).workload.weights == "int8"
    assert applied(base, SetWorkload(context=7)).workload == replace(work, context=7)
    faster = applied(base, ScaleDevice(device="round", figure="compute", factor=3.0))
    assert [p.rate for p in faster.hardware[0].device.peaks] == [3e15, 1.5e14]
    assert replace(faster, hardware=base.hardware) == base
    more = applied(base, SetCount(device="round", count=4))
    assert [e.count for e in more.hardware] == [4]
    assert replace(more, hardware=base.hardware) == base
    other = applied(base, UseModel(model="quick"))
    assert (other.active_model, other.overrides) == ("quick", ())


@pytest.mark.parametrize("edit", EDITS)
def test_the_study_that_an_edit_starts_from_stays_as_it_was(edit: Edit) -> None:
    base = study()
    before = msgspec.json.encode(base)
    applied(base, edit)
    assert msgspec.json.encode(base) == before


def test_an_edit_of_a_part_that_is_gone_leaves_the_study_alone() -> None:
    base = study()
    assert applied(base, ScaleDevice(device="gone", figure="bandwidth", factor=2.0)) is base
    assert applied(base, SetCount(device="gone", count=2)) is base
    assert applied(base, UseModel(model="gone")) is base


def test_variants_are_written_and_read_as_they_were() -> None:
    base = replace(
        with_all(),
        workload=Workload(groups=(Group(context=4096, sequences=7), Group(tokens=512, context=512))),
        plan=(PlannedStep(times=4.0, workload=Workload(batch=2), device="round"),),
    )
    text = study_to_text(base)
    assert study_from_text(text) == base
    assert study_to_text(study_from_text(text)) == text


def test_edits_of_other_parts_keep_the_variants() -> None:
    base = replace(with_all(), models=(*study().models, QUICK))
    kept = (
        add_hardware(base, device("Other")),
        remove_hardware(base, "round"),
        change_hardware(base, "round", count=4),
        add_model(base, QUICK),
        remove_models(base, frozenset({"quick"})),
        remove_rows(base, frozenset()),
    )
    for edited in kept:
        assert edited.what_ifs == base.what_ifs
        assert not study_problems(edited, catalogue())


def variant(**edit: object) -> dict[str, object]:
    return {"label": "v", "edit": edit}


@pytest.mark.parametrize(
    ("what_ifs", "path", "code"),
    [
        ([variant(kind="explode", device="a")], "what_ifs[0].edit.kind", "field.choice"),
        ([variant(kind=3)], "what_ifs[0].edit.kind", "field.choice"),
        ([variant(kind=["batch"])], "what_ifs[0].edit.kind", "field.choice"),
        ([variant(batch=8)], "what_ifs[0].edit.kind", "field.missing"),
        ([{"label": "v", "edit": "batch"}], "what_ifs[0].edit", "field.mapping"),
        ([{"label": "v"}], "what_ifs[0].edit", "field.missing"),
        ([variant(kind="batch")], "what_ifs[0].edit.batch", "field.missing"),
        ([variant(kind="batch", batch="many")], "what_ifs[0].edit.batch", "field.number"),
        ([variant(kind="batch", batch=8, run="rm")], "what_ifs[0].edit.run", "field.unknown"),
        ([variant(kind="batch", batch=0)], "what_ifs[0].edit.batch", "study.range"),
        ([variant(kind="batch", batch=1.5)], "what_ifs[0].edit.batch", "study.whole"),
        ([variant(kind="batch", batch=float("nan"))], "what_ifs[0].edit.batch", "study.range"),
        ([variant(kind="workload", context=10**12)], "what_ifs[0].edit.context", "study.range"),
        ([variant(kind="workload", reserve=-1.0)], "what_ifs[0].edit.reserve", "study.range"),
        ([variant(kind="workload", phase="dream")], "what_ifs[0].edit.phase", "field.choice"),
        ([variant(kind="formats", kv="fp3")], "what_ifs[0].edit.kv", "study.number_format"),
        ([variant(kind="scale", device="a", figure="colour", factor=2)], "what_ifs[0].edit.figure", "field.choice"),
        ([variant(kind="scale", device="a", figure="compute", factor=0)], "what_ifs[0].edit.factor", "study.range"),
        ([variant(kind="scale", device="a", figure="compute", factor=-2)], "what_ifs[0].edit.factor", "study.range"),
        ([variant(kind="scale", device="a", figure="compute", factor=1e300)], "what_ifs[0].edit.factor", "study.range"),
        ([variant(kind="scale", device="\x1b", figure="compute", factor=2)], "what_ifs[0].edit.device", "study.id"),
        ([variant(kind="model", model="m" * 300)], "what_ifs[0].edit.model", "study.id"),
        ([{"label": "a\x1b[31m", "edit": {"kind": "batch", "batch": 8}}], "what_ifs[0].label", "study.id"),
        ([{"label": "\u202eabc", "edit": {"kind": "batch", "batch": 8}}], "what_ifs[0].label", "study.id"),
        ([{"label": " ", "edit": {"kind": "batch", "batch": 8}}], "what_ifs[0].label", "study.id"),
        ([variant(kind="batch", batch=8)] * 2, "what_ifs[1].label", "study.twice"),
        ([variant(kind="batch", batch=8)] * 100_000, "what_ifs", "study.many"),
    ],
)
def test_a_hostile_variant_is_refused_by_its_field(what_ifs: list[Any], path: str, code: str) -> None:
    with pytest.raises(Refused) as caught:
        study_of({"format": 2, "what_ifs": what_ifs})
    found = {p.path: p.code for p in caught.value.problems}
    assert found[path] == code
    assert len(found) <= 2


@pytest.mark.parametrize("label", ["R&D", "AT&T;x", "q<bf16", "<b>", "&amp;", "1 < 2", "2× bandwidth", "中文"])
def test_a_label_is_any_text_for_it_is_shown_as_it_stands(label: str) -> None:
    found = study_of({"format": 2, "what_ifs": [{"label": label, "edit": {"kind": "batch", "batch": 8}}]})
    assert found.what_ifs == (Variant(label=label, edit=SetBatch(batch=8)),)


@pytest.mark.parametrize(
    ("data", "path"),
    [
        ({"workload": {"groups": [{"context": 0}]}}, "workload.groups[0].context"),
        ({"workload": {"groups": [{"context": 8, "tokens": 0}]}}, "workload.groups[0].tokens"),
        ({"workload": {"groups": [{"context": 8, "sequences": 10**9}]}}, "workload.groups[0].sequences"),
        ({"workload": {"groups": [{"context": 8}] * 5000}}, "workload.groups"),
        ({"workload": {"groups": [{"tokens": 8}]}}, "workload.groups[0].context"),
        ({"plan": [{"workload": {"batch": 0}}]}, "plan[0].workload.batch"),
        ({"plan": [{"workload": {}, "times": -1}]}, "plan[0].times"),
        ({"plan": [{"workload": {"kv": "fp3"}}]}, "plan[0].workload.kv"),
        ({"plan": [{"workload": {}}] * 5000}, "plan"),
    ],
)
def test_hostile_groups_and_plans_are_refused_by_their_field(data: dict[str, object], path: str) -> None:
    with pytest.raises(Refused) as caught:
        study_of({"format": 2, **data})
    assert [p.path for p in caught.value.problems] == [path]


def test_work_that_no_step_takes_in_is_refused_and_never_left_out() -> None:
    groups = evaluated(groups=(Group(context=4096),))
    assert [(p.code, p.path) for p in groups.problems] == [("study.groups_unread", "workload.groups")]
    assert not groups.rows
