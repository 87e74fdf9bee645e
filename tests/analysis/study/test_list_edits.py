"""Edits of lists at the first, a middle and the last place: what goes, what stays, what is active or selected after."""

from typing import Any

import pytest
from msgspec.structs import replace

from explorer.analysis.catalogue.kinds import Dim, OperatorKind
from explorer.analysis.study.edit_hardware import move_hardware
from explorer.analysis.study.edit_measurements import (
    add_measured,
    change_measurement,
    place_measurements,
    remove_measurements,
)
from explorer.analysis.study.edit_models import change_model, duplicate_model, remove_models
from explorer.analysis.study.edit_rows import (
    change_row,
    insert_rows,
    moved,
    override_row,
    remove_rows,
    reset_rows,
    shifted,
    unique_name,
    with_kind,
)
from explorer.analysis.study.edits import (
    Taken,
    add_hardware,
    add_model,
    change_hardware,
    id_base,
    numbered,
    remove_hardware,
    unique_id,
)
from explorer.analysis.study.study import (
    HardwareEntry,
    Measurement,
    ModelEntry,
    Override,
    OwnRow,
    QuickModel,
    Study,
    View,
)
from explorer.analysis.study.what_if import add_what_if, beside
from tests.analysis.making import device

QUICK = QuickModel(params=1e9, layers=2, kv_heads=2, head_dim=2)
IDS = ("a", "b", "c", "d", "e")


def models(*ids: str, active: str = "") -> Study:
    return Study(models=tuple(ModelEntry(id=i, name=i.upper(), quick=QUICK) for i in ids), active_model=active)


def rows(*ids: str) -> Study:
    return Study(operators=tuple(OwnRow(id=i, name=i.upper(), kind="copy") for i in ids))


def measured(*ids: str) -> Study:
    return Study(measurements=tuple(Measurement(id=i, name=i) for i in ids))


def hardware(*ids: str) -> Study:
    return Study(hardware=tuple(HardwareEntry(id=i, device=device(ident=i)) for i in ids))


def order(items: Any) -> str:
    return "".join(item.id for item in items)


@pytest.mark.parametrize(
    ("active", "gone", "left", "then"),
    [
        ("a", "a", "bcde", "b"),
        ("b", "b", "acde", "a"),
        ("c", "c", "abde", "b"),
        ("e", "e", "abcd", "d"),
        ("c", "abc", "de", "d"),
        ("c", "bc", "ade", "a"),
        ("c", "cd", "abe", "b"),
        ("c", "bcd", "ae", "a"),
        ("e", "bcde", "a", "a"),
        ("c", "abde", "c", "c"),
        ("c", "a", "bcde", "c"),
        ("c", "abcde", "", ""),
        ("", "a", "bcde", ""),
        ("c", "x", "abcde", "c"),
    ],
)
def test_the_model_before_the_active_one_takes_its_place(active: str, gone: str, left: str, then: str) -> None:
    found = remove_models(models(*IDS, active=active), frozenset(gone))
    assert (order(found.models), found.active_model) == (left, then)


@pytest.mark.parametrize(("original", "places"), [("a", "a,a-2,b,c"), ("b", "a,b,b-2,c"), ("c", "a,b,c,c-2")])
def test_a_copy_of_a_model_stands_behind_it(original: str, places: str) -> None:
    found = duplicate_model(models("a", "b", "c"), original)
    assert ",".join(m.id for m in found.models) == places
    copy = next(m for m in found.models if m.id == f"{original}-2")
    assert copy.name == f"{original.upper()} 2"
    assert [m.name for m in change_model(found, original, name="new").models if m.name == "new"] == ["new"]
    assert next(m for m in change_model(found, original, name="new").models if m.name == "new").id == original


def test_a_model_that_is_added_is_active_under_an_id_of_its_own() -> None:
    found = add_model(models("a", active="a"), ModelEntry(id="a", name="A", quick=QUICK))
    assert (order(found.models), found.active_model) == ("aa-2", "a-2")
    named = add_model(Study(), ModelEntry(id="", name="My Model!", quick=QUICK))
    assert named.active_model == "my-model"


# order


@pytest.mark.parametrize(
    ("taken", "before", "expected"),
    [
        ("a", "c", "bacde"),
        ("a", None, "bcdea"),
        ("e", "a", "eabcd"),
        ("c", "b", "acbde"),
        ("ae", "c", "baecd"),
        ("c", "c", "abcde"),
        ("bc", "b", "abcde"),
        ("bd", "b", "abdce"),
        ("de", "e", "abcde"),
        ("c", "x", "abdec"),
        ("bd", "d", "acbde"),
    ],
)
def test_rows_are_put_before_another(taken: str, before: str | None, expected: str) -> None:
    assert order(moved(rows(*IDS).operators, set(taken), before)) == expected


@pytest.mark.parametrize(
    ("taken", "step", "expected"),
    [
        ("a", -1, "abcde"),
        ("b", -1, "bacde"),
        ("e", -1, "abced"),
        ("ab", -1, "abcde"),
        ("ac", -1, "acbde"),
        ("bc", -1, "bcade"),
        ("e", 1, "abcde"),
        ("a", 1, "bacde"),
        ("de", 1, "abcde"),
        ("ce", 1, "abdce"),
        ("cd", 1, "abecd"),
    ],
)
def test_rows_step_up_and_down_and_stop_at_the_edge(taken: str, step: int, expected: str) -> None:
    assert order(shifted(rows(*IDS).operators, taken, step)) == expected


@pytest.mark.parametrize(
    ("entry", "by", "expected"),
    [
        ("a", 1, "bacde"),
        ("a", -1, "abcde"),
        ("c", -2, "cabde"),
        ("c", -9, "cabde"),
        ("c", 9, "abdec"),
        ("e", 1, "abcde"),
        ("e", -1, "abced"),
        ("x", 1, "abcde"),
    ],
)
def test_devices_move_as_far_as_there_is_room(entry: str, by: int, expected: str) -> None:
    assert order(move_hardware(hardware(*IDS), entry, by).hardware) == expected


# rows


@pytest.mark.parametrize(
    ("after", "ids"), [("a", "a,n,n-2,b,c"), ("b", "a,b,n,n-2,c"), ("c", "a,b,c,n,n-2"), ("", "a,b,c,n,n-2")]
)
def test_new_rows_stand_behind_another_and_are_selected(after: str, ids: str) -> None:
    new = [OwnRow(id="n", name="A", kind="copy"), OwnRow(id="", name="n", kind="copy")]
    found = insert_rows(rows("a", "b", "c"), new, {"n"}, after)
    assert ",".join(o.id for o in found.operators) == ids
    assert found.view.selection == ("A 2", "n 2")


@pytest.mark.parametrize("at", IDS)
def test_a_new_name_takes_selection_and_measurements_along(at: str) -> None:
    study = replace(
        rows(*IDS),
        view=View(selection=("A", "B", "C", "D", "E")),
        measurements=tuple(Measurement(id=i, name=i, row=i.upper()) for i in IDS),
    )
    found = change_row(study, at, name="new", count=2.0)
    renamed = ["new" if i == at else i.upper() for i in IDS]
    assert [o.name for o in found.operators] == renamed
    assert list(found.view.selection) == renamed
    assert [m.row for m in found.measurements] == renamed
    same = change_row(study, at, count=2.0)
    assert [o.count for o in same.operators] == [2.0 if i == at else 1.0 for i in IDS]
    assert (same.view, same.measurements) == (study.view, study.measurements)


@pytest.mark.parametrize("at", IDS)
def test_rows_that_go_leave_the_selection(at: str) -> None:
    study = replace(rows(*IDS), view=View(selection=("other", *(i.upper() for i in IDS))))
    found = remove_rows(study, {at})
    left = [i for i in IDS if i != at]
    assert (order(found.operators), found.view.selection) == ("".join(left), ("other", *(i.upper() for i in left)))


def test_a_row_of_another_kind_keeps_the_dims_that_both_have() -> None:
    kind = OperatorKind(id="k", dims=(Dim(name="m"), Dim(name="x")), flops="0", bytes_read="0", bytes_written="0")
    found = with_kind(OwnRow(id="r", name="r", kind="copy", dims={"m": 2.0, "n": 3.0}), kind)
    assert (found.kind, found.dims) == ("k", {"m": 2.0})


@pytest.mark.parametrize("at", ["a", "b", "c"])
def test_an_override_is_made_changed_and_dropped_when_it_says_nothing(at: str) -> None:
    study = Study(overrides=tuple(Override(row=r, weights="fp8") for r in ("a", "b", "c")))
    changed = override_row(study, at, kv="fp8")
    assert [(o.row, o.weights, o.kv) for o in changed.overrides] == [
        (r, "fp8", "fp8" if r == at else None) for r in ("a", "b", "c")
    ]
    assert "".join(o.row for o in override_row(study, at, weights=None).overrides) == "abc".replace(at, "")
    assert "".join(o.row for o in reset_rows(study, {at}).overrides) == "abc".replace(at, "")
    assert "".join(o.row for o in override_row(study, "d", fused=True).overrides) == "abcd"
    assert override_row(study, "d").overrides == study.overrides


# measurements


@pytest.mark.parametrize("at", IDS)
def test_one_measurement_is_changed_placed_or_taken_out(at: str) -> None:
    study = measured(*IDS)
    assert [m.runs for m in change_measurement(study, at, runs=7).measurements] == [7 if i == at else None for i in IDS]
    placed = place_measurements(study, {at: ("dev", "mod")}).measurements
    assert [(m.device, m.model) for m in placed] == [("dev", "mod") if i == at else ("", "") for i in IDS]
    assert order(remove_measurements(study, {at}).measurements) == "abcde".replace(at, "")


def test_measurements_are_added_at_the_end_under_free_ids() -> None:
    found = add_measured(measured("a", "a-2"), (Measurement(id="a", name="n"), Measurement(id="B c", name="n")))
    assert [m.id for m in found.measurements] == ["a", "a-2", "a-3", "B c"]
    twice = add_measured(Study(), (Measurement(id="a", name="n"),) * 3)
    assert [m.id for m in twice.measurements] == ["a", "a-2", "a-3"]


# devices


@pytest.mark.parametrize("at", IDS)
def test_one_device_is_changed_or_taken_out(at: str) -> None:
    study = hardware(*IDS)
    assert order(remove_hardware(study, at).hardware) == "abcde".replace(at, "")
    assert [e.count for e in change_hardware(study, at, count=3).hardware] == [3 if i == at else 1 for i in IDS]


def test_the_first_device_is_the_active_one_and_later_ones_are_not() -> None:
    one = add_hardware(Study(), device(ident="dev"), 2)
    two = add_hardware(one, device(ident="dev"))
    assert [(e.id, e.count) for e in two.hardware] == [("dev", 2), ("dev-2", 1)]
    assert (one.view.active_hardware, two.view.active_hardware) == ("dev", "dev")


def test_a_changed_copy_stands_beside_with_the_count_of_its_entry() -> None:
    study = change_hardware(hardware("a", "b"), "b", count=4)
    copy = device(ident="new", rate=1.0)
    added = beside(study, "b", copy)
    assert [(e.id, e.count) for e in added.hardware] == [("a", 1), ("b", 4), ("new", 4)]
    assert add_what_if(study, "gone", copy).hardware[-1].count == 1
    hidden = change_hardware(change_hardware(added, "new", visible=False), "a", visible=False)
    again = beside(hidden, "b", copy)
    assert [(e.id, e.visible) for e in again.hardware] == [("a", False), ("b", True), ("new", True)]


# names


def test_names_are_numbered_where_they_are_taken() -> None:
    assert [numbered("x", "-", t) for t in ((), ("x",), ("x", "x-2"), ("x", "x-3"))] == ["x", "x-2", "x-3", "x-2"]
    assert unique_name("x", {"x", "x 2"}) == "x 3"
    assert unique_id("My Thing", ("my-thing",)) == "my-thing-2"


def test_long_names_are_cut_so_that_their_number_fits() -> None:
    base = "x" * 200
    found = numbered(base, "-", (base,))
    assert (len(found), found[-3:]) == (200, "x-2")
    taken = Taken((base,))
    assert taken.name(base) == "x" * 198 + " 2"
    assert taken.name(base) == "x" * 198 + " 3"
    assert numbered("x" * 201, "-", ()) == "x" * 201
    assert id_base("x" * 201) == "x" * 200


@pytest.mark.parametrize(
    ("text", "ident"), [("  A b!c ", "a-b-c"), ("--", "item"), ("", "item"), ("a.b_c-d", "a.b_c-d")]
)
def test_an_id_is_made_of_words(text: str, ident: str) -> None:
    assert id_base(text) == ident


def test_many_names_are_given_one_after_the_other() -> None:
    taken = Taken(("a", "a 3", "b-2"))
    assert [taken.name("a") for _ in range(4)] == ["a 2", "a 4", "a 5", "a 6"]
    assert [taken.id("B") for _ in range(3)] == ["b", "b-3", "b-4"]
    assert "a 6" in taken
    assert "a 7" not in taken


def test_a_study_named_after_another_model_loses_its_name_and_one_of_the_users_own_keeps_it() -> None:
    models = (ModelEntry(id="llama", name="Llama-3.1-8B"),)
    for name, kept in (("Llama-3.1-8B decode", ""), ("My work", "My work"), ("", "")):
        found = add_model(Study(name=name, models=models), ModelEntry(id="", name="Qwen3-30B-A3B"))
        assert found.name == kept
