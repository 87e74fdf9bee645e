"""Edits of rows and models as values."""

from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.study.edit_models import duplicate_model, remove_models
from explorer.analysis.study.edit_rows import insert_rows, moved, override_row, reset_rows, shifted, unique_name
from explorer.analysis.study.study import ModelEntry, Override, OwnRow, Study

ROWS = tuple(OwnRow(id=i, name=i, kind="matmul") for i in "abcde")
subsets = st.sets(st.sampled_from("abcde"))


def ids(rows: tuple[OwnRow, ...]) -> str:
    return "".join(r.id for r in rows)


def test_moved_rows_stand_together_before_their_target() -> None:
    assert ids(moved(ROWS, {"d", "b"}, "a")) == "bdace"
    assert ids(moved(ROWS, {"a"}, None)) == "bcdea"
    assert ids(moved(ROWS, {"b", "c"}, "c")) == "abcde"


def test_shifted_rows_stop_at_the_edge() -> None:
    assert ids(shifted(ROWS, {"c", "d"}, -1)) == "acdbe"
    assert ids(shifted(ROWS, {"c", "d"}, 1)) == "abecd"
    assert ids(shifted(ROWS, {"a", "b"}, -1)) == "abcde"


@given(subsets, st.sampled_from([*"abcde", None]))
def test_moving_loses_and_repeats_nothing(chosen: set[str], before: str | None) -> None:
    result = ids(moved(ROWS, chosen, before))
    assert sorted(result) == list("abcde")
    assert [i for i in result if i not in chosen] == [i for i in "abcde" if i not in chosen]


@given(subsets, st.sampled_from([-1, 1]))
def test_shifting_loses_and_repeats_nothing(chosen: set[str], step: int) -> None:
    assert sorted(ids(shifted(ROWS, chosen, step))) == list("abcde")


def test_inserted_rows_get_ids_and_names_of_their_own_and_are_selected() -> None:
    study = insert_rows(Study(operators=ROWS), [ROWS[0], ROWS[0]], {"a", "a 2"}, after="b")
    assert [o.name for o in study.operators] == ["a", "b", "a 3", "a 4", "c", "d", "e"]
    assert len({o.id for o in study.operators}) == 7
    assert study.view.selection == ("a 3", "a 4")


def test_an_override_of_nothing_is_no_override() -> None:
    study = override_row(Study(), "q_proj", weights="fp8")
    assert study.overrides == (Override(row="q_proj", weights="fp8"),)
    assert override_row(study, "q_proj", weights=None).overrides == ()
    assert reset_rows(study, {"k_proj"}).overrides == study.overrides


def test_names_are_numbered_until_free() -> None:
    assert unique_name("a", {"b"}) == "a"
    assert unique_name("a", {"a", "a 2"}) == "a 3"


def test_a_copied_model_has_its_own_id_and_the_rest_stays() -> None:
    study = Study(models=(ModelEntry(id="m", name="M"),), active_model="m")
    copied = duplicate_model(study, "m")
    assert [(m.id, m.name) for m in copied.models] == [("m", "M"), ("m-2", "M 2")]
    assert remove_models(copied, frozenset({"m"})).active_model == "m-2"
    assert remove_models(copied, frozenset({"m", "m-2"})).active_model == ""
