"""The store: edits are undoable, drags merge, the view is neither."""

import pytest
from msgspec.structs import replace

from explorer.analysis.study.study import HardwareEntry, Study, Workload
from explorer.document.store import UNDO_LIMIT, StudyStore
from tests.presentation.llama import device

ENTRIES = (HardwareEntry(id="one", device=device()), HardwareEntry(id="two", device=device("Second")))


@pytest.fixture
def store(qapp):
    return StudyStore(Study(name="first"))


def test_an_edit_can_be_undone_and_redone(store):
    store.edit("Rename", name="second")
    assert (store.study.name, store.undo_stack.undoText()) == ("second", "Rename")
    store.undo_stack.undo()
    assert store.study.name == "first"
    store.undo_stack.redo()
    assert store.study.name == "second"


def test_a_drag_is_one_undo_step_and_the_next_drag_another(store):
    for batch in (2, 3, 4):
        store.edit_workload("Batch", merge="batch", batch=batch)
    store.end_drag()
    store.edit_workload("Batch", merge="batch", batch=9)
    assert store.undo_stack.count() == 2
    store.undo_stack.undo()
    assert store.study.workload.batch == 4
    store.undo_stack.undo()
    assert store.study.workload == Workload()


def test_drags_of_different_sliders_do_not_merge(store):
    store.edit_workload("Batch", merge="batch", batch=2)
    store.edit_workload("Context", merge="context", context=4096)
    assert store.undo_stack.count() == 2


def test_an_edit_that_changes_nothing_leaves_no_undo_step(store):
    store.edit("Rename", name="first")
    assert store.undo_stack.count() == 0
    assert not store.dirty


def test_looking_marks_nothing_dirty_and_is_not_undone(store):
    store.set_view(tab="time", selection=("q_proj",))
    assert (store.study.view.tab, store.dirty, store.undo_stack.count()) == ("time", False, 0)


def test_undo_keeps_the_way_the_study_is_looked_at(store):
    store.edit("Rename", name="second")
    store.set_view(tab="time")
    store.undo_stack.undo()
    assert (store.study.name, store.study.view.tab) == ("first", "time")


def test_views_hear_the_old_and_the_new_study(store, qtbot):
    with qtbot.waitSignal(store.changed) as heard:
        store.edit("Rename", name="second")
    assert [s.name for s in heard.args] == ["first", "second"]


def test_opening_another_study_clears_the_stack_and_is_clean(store):
    store.edit("Rename", name="second")
    store.reset(Study(name="other"))
    assert (store.undo_stack.count(), store.dirty, store.study.name) == (0, False, "other")


def test_a_thousand_edits_are_kept_and_no_more(store):
    for i in range(UNDO_LIMIT + 5):
        store.edit("Rename", name=str(i))
    assert store.undo_stack.count() == UNDO_LIMIT


def test_hiding_a_device_and_choosing_no_model_leave_the_study_clean_and_can_be_undone(store):
    told = []
    store.dirty_changed.connect(told.append)
    hidden = tuple(replace(e, visible=False) for e in ENTRIES)
    store.reset(replace(Study(), hardware=ENTRIES, active_model="a"))
    store.edit("Hide", hardware=hidden)
    store.edit("No model", active_model="")
    assert (store.dirty, store.undo_stack.count(), told) == (False, 2, [])
    store.edit("Rename", name="other")
    assert (store.dirty, told) == (True, [True])
    store.undo_stack.undo()
    assert (store.dirty, told) == (False, [True, False])
    store.undo_stack.undo()
    store.undo_stack.undo()
    assert (store.study.hardware, store.study.active_model, store.dirty) == (ENTRIES, "a", False)


def test_a_study_with_unsaved_edits_stays_so_whatever_is_hidden(store):
    store.reset(replace(Study(), hardware=ENTRIES), dirty=True)
    store.edit("Hide", hardware=tuple(replace(e, visible=False) for e in ENTRIES))
    assert store.dirty


def test_more_than_hiding_in_one_edit_is_an_edit(store):
    store.reset(replace(Study(), hardware=ENTRIES))
    store.edit("Devices", hardware=tuple(replace(e, visible=False, count=2) for e in ENTRIES))
    assert store.dirty
