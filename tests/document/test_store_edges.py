"""The store: what makes a study dirty, what a drag takes with it, who hears of which change."""

from pathlib import Path

import pytest

from explorer.analysis.problem import Problem
from explorer.analysis.study.study import Study, View
from explorer.document.store import StudyStore, same_work

PLACE = Path("a.roofline.yaml")


@pytest.fixture
def store(qapp):
    return StudyStore(Study(name="first"))


@pytest.fixture
def heard(store):
    """The name of the study and the key of the drag at every change."""
    found = []
    store.changed.connect(lambda _old, new: found.append((new.name, store.drag_key)))
    return found


def names(store):
    """The studies that undoing all steps shows, the present one first."""
    found = [store.study.name]
    while store.undo_stack.canUndo():
        store.undo_stack.undo()
        found.append(store.study.name)
    return found


def test_without_a_study_there_is_an_empty_one_without_a_file(qapp):
    store = StudyStore()
    assert (store.study, store.path, store.stamp, store.dirty, store.drag_key) == (Study(), None, None, False, "")


def test_edits_outside_of_drags_never_merge(store):
    for name in ("a", "b"):
        store.edit("Rename", name=name)
    assert names(store) == ["b", "a", "first"]


def test_edits_of_one_drag_merge_and_an_edit_between_parts_them(store):
    for name, merge in (("a", "x"), ("b", "x"), ("c", ""), ("d", "x"), ("e", "y"), ("f", "y")):
        store.edit("Rename", merge, name=name)
    assert names(store) == ["f", "d", "c", "b", "first"]


def test_a_merged_drag_is_redone_to_its_end(store):
    for name in ("a", "b", "c"):
        store.edit("Rename", "x", name=name)
    store.undo_stack.undo()
    store.undo_stack.redo()
    assert (store.study.name, store.undo_stack.count()) == ("c", 1)


def test_the_end_of_a_drag_is_kept_for_every_key(store):
    store.edit("Rename", "x", name="a")
    store.end_drag()
    store.edit("Rename", "x", name="b")
    store.end_drag()
    store.edit("Rename", "x", name="c")
    assert names(store) == ["c", "b", "a", "first"]


def test_listeners_are_told_which_drag_a_change_is_of_and_no_other_change_is(store, heard):
    store.edit("Rename", "x", name="a")
    store.edit("Rename", "x", name="b")
    store.end_drag()
    store.edit("Rename", "x", name="c")
    store.edit("Rename", name="d")
    store.undo_stack.undo()
    keys = [key for _, key in heard]
    assert [name for name, _ in heard] == ["a", "b", "c", "d", "c"]
    assert keys[0] == keys[1] != ""
    assert keys[2] not in {keys[0], ""}
    assert keys[3:] == ["", ""]
    assert store.drag_key == ""


def test_a_change_of_view_within_an_edit_is_kept_when_it_is_made_and_not_when_it_is_redone(store):
    store.edit("Rename", name="a", view=View(tab="time"))
    assert store.study.view.tab == "time"
    store.set_view(tab="memory")
    store.undo_stack.undo()
    assert (store.study.name, store.study.view.tab) == ("first", "memory")
    store.undo_stack.redo()
    assert (store.study.name, store.study.view.tab) == ("a", "memory")


def test_a_view_that_is_the_same_or_cannot_be_tells_nobody(store, heard):
    store.set_view(tab=store.study.view.tab)
    store.set_view(x_range=(5.0, 1.0))
    assert (heard, store.study.view) == ([], View())


def test_an_edit_that_a_guard_refuses_changes_nothing_and_its_first_problem_is_told(store, heard):
    told = []
    store.refused.connect(told.append)
    first, second = Problem("study.id"), Problem("study.range")
    store.guard = lambda _old, new: (first, second) if new.name == "bad" else ()
    assert store.edit("Rename", name="bad") is False
    assert (told, heard, store.study.name, store.dirty) == ([first], [], "first", False)
    assert store.edit("Rename", name="good") is True
    assert store.edit("Rename", name="good") is True  # nothing to do is no refusal
    assert (len(told), len(heard), store.undo_stack.count()) == (1, 1, 1)


def test_opening_tells_of_the_study_before_its_path_and_is_dirty_where_asked(store):
    order = []
    store.changed.connect(lambda *_: order.append("changed"))
    store.opened.connect(lambda: order.append("opened"))
    store.path_changed.connect(lambda: order.append(f"path {store.path} {store.stamp} {store.dirty}"))
    store.edit("Rename", name="a")
    order.clear()
    store.reset(Study(name="b"), PLACE, (1, 2))
    assert order == ["opened", "changed", f"path {PLACE} (1, 2) False"]
    store.reset(Study(name="c"), dirty=True)
    assert (store.path, store.stamp, store.dirty, store.undo_stack.count()) == (None, None, True, 0)
    store.reset(Study(name="d"))
    assert not store.dirty


def test_a_study_that_was_saved_is_clean_until_it_is_edited_and_clean_again_when_that_is_undone(store):
    store.edit("Rename", name="a")
    told = []
    store.path_changed.connect(lambda: told.append(store.path))
    store.saved(store.study, PLACE, (1, 2))
    assert (store.dirty, store.path, store.stamp, told) == (False, PLACE, (1, 2), [PLACE])
    store.edit("Rename", name="b")
    assert store.dirty
    store.undo_stack.undo()
    assert not store.dirty


def test_a_study_that_was_edited_while_it_was_written_stays_dirty_at_every_step(store):
    store.edit("Rename", name="a")
    written = store.study
    store.edit("Rename", name="b")
    store.saved(written, PLACE, None)
    assert store.dirty
    store.undo_stack.undo()
    assert store.dirty
    store.undo_stack.undo()
    assert store.dirty


def test_a_study_whose_view_alone_changed_while_it_was_written_is_clean(store):
    store.edit("Rename", name="a")
    written = store.study
    store.set_view(tab="time")
    store.saved(written, PLACE, None)
    assert not store.dirty


def test_reverting_is_an_edit_to_what_the_file_holds(store):
    store.edit("Rename", name="mine")
    store.revert(Study(name="files"), (3, 4), "Revert")
    assert (store.study.name, store.dirty, store.stamp) == ("files", False, (3, 4))
    assert store.undo_stack.undoText() == "Revert"
    store.undo_stack.undo()
    assert (store.study.name, store.dirty) == ("mine", True)


def test_a_revert_that_is_refused_leaves_the_study_and_its_state(store):
    store.edit("Rename", name="mine")
    store.guard = lambda *_: (Problem("study.id"),)
    store.revert(Study(name="files"), (3, 4), "Revert")
    assert (store.study.name, store.dirty, store.stamp) == ("mine", True, None)


def test_work_is_the_same_where_the_views_alone_differ():
    one = Study(name="a")
    assert same_work(one, one)
    assert same_work(one, Study(name="a", view=View(tab="time")))
    assert not same_work(one, Study(name="b"))


def test_a_thousand_steps_can_be_undone(store):
    assert store.undo_stack.undoLimit() == 1_000
