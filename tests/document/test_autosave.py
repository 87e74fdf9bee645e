"""Autosave: written a few seconds after the first edit, one file for each program, gone once the study is saved."""

import time
from pathlib import Path

import pytest

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.study import Study
from explorer.document import autosave as module
from explorer.document.autosave import INTERVAL_MS, SUFFIX, Autosave
from explorer.document.kept import left_behind, lock_of
from explorer.document.store import StudyStore
from explorer.files.study.study import read_study


class Delayed:
    """A write beside the window, as the test lets it go on."""

    def __init__(self, write, done, parent):
        self.write, self.done, self.parent = write, done, parent
        self.given_up = self.deleted = False

    def end(self, result=None):
        self.done(self.write(lambda: None) if result is None else result)

    def give_up(self):
        self.given_up = True

    def deleteLater(self):  # noqa: N802 - Qt's name
        self.deleted = True


@pytest.fixture
def store(qapp):
    return StudyStore(Study(name="first"))


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "new" / "autosave"


@pytest.fixture
def errors():
    return []


@pytest.fixture
def auto(store, folder, errors):
    found = Autosave(store, folder, errors.append, store)
    yield found
    found.discard()


@pytest.fixture
def begun(monkeypatch):
    """The writes that were begun."""
    found = []
    monkeypatch.setattr(module, "Writing", lambda *args: found.append(Delayed(*args)) or found[-1])
    return found


def test_each_program_and_each_run_has_a_file_of_its_own(store, folder):
    one, other = (Autosave(store, folder, print, store) for _ in range(2))
    assert one.path != other.path
    assert (one.path.parent, one.path.name[-len(SUFFIX) :]) == (folder, SUFFIX)


def test_the_first_edit_starts_the_clock_and_later_ones_do_not_put_it_off(store, auto, monkeypatch):
    timer = auto._timer
    assert (timer.isActive(), timer.isSingleShot(), timer.interval(), INTERVAL_MS) == (False, True, 5000, 5000)
    store.set_view(tab="time")
    assert not timer.isActive()
    store.edit("Rename", name="a")
    assert timer.isActive()
    started = []
    monkeypatch.setattr(timer, "start", lambda: started.append(1))
    store.edit("Rename", name="b")
    assert started == []


def test_the_clock_writes_the_edits_beside_the_window(store, auto, qtbot, monkeypatch):
    auto._timer.setInterval(1)
    store.edit("Rename", name="a")
    qtbot.waitUntil(lambda: auto.path.exists() and auto._writing is None)
    assert read_study(auto.path).name == "a"


def test_edits_are_written_at_once_where_asked_and_are_locked(store, auto, folder):
    assert auto.save() is True
    assert not folder.exists()  # nothing to lose
    store.edit("Rename", name="a")
    assert auto.save() is True
    assert read_study(auto.path).name == "a"
    assert left_behind(folder) == []  # held by this program
    assert not lock_of(auto.path).tryLock(0)


def test_the_file_remembers_whose_edits_they_are(store, auto, tmp_path):
    store.reset(Study(name="b"), tmp_path / "b.roofline.yaml", (7, 8))
    store.edit("Rename", name="a")
    auto.save()
    line = auto.path.read_text("utf-8").partition("\n")[0]
    assert str(tmp_path / "b.roofline.yaml") in line
    assert "[7, 8]" in line


def test_saving_or_undoing_takes_the_file_and_its_lock_away(store, auto, folder):
    store.edit("Rename", name="a")
    auto.save()
    store.undo_stack.undo()
    assert list(folder.iterdir()) == []
    assert not auto._timer.isActive()
    store.edit("Rename", name="b")
    assert auto._timer.isActive()
    auto.save()
    assert auto.path.exists()


def test_becoming_dirty_by_undo_starts_the_clock(store, auto):
    store.edit("Rename", name="a")
    store.saved(store.study, Path("x"), None)
    assert not auto._timer.isActive()
    store.undo_stack.undo()
    assert auto._timer.isActive()


def test_one_write_at_a_time_runs_beside_the_window_and_the_next_waits_for_the_clock(store, auto, begun):
    auto.save_beside()
    assert begun == []
    store.edit("Rename", name="a")
    auto.save_beside()
    auto._timer.stop()
    auto.save_beside()
    assert len(begun) == 1
    assert auto._timer.isActive()
    begun[0].end()
    assert (read_study(auto.path).name, begun[0].deleted, begun[0].given_up) == ("a", True, False)
    store.edit("Rename", name="b")
    auto.save_beside()
    assert len(begun) == 2


def test_what_is_written_beside_the_window_is_the_study_of_that_moment(store, auto, begun):
    store.edit("Rename", name="a")
    auto.save_beside()
    store.edit("Rename", name="b")
    begun[0].end()
    assert read_study(auto.path).name == "a"


@pytest.mark.parametrize("leave", ["save", "discard"])
def test_a_write_in_progress_is_given_up_when_it_is_not_wanted_any_more(store, auto, begun, leave):
    store.edit("Rename", name="a")
    auto.save_beside()
    getattr(auto, leave)()
    assert (begun[0].given_up, begun[0].deleted) == (True, True)
    assert auto.path.exists() is (leave == "save")


def test_a_write_that_fails_says_why_in_words(store, auto, begun, errors, monkeypatch):
    store.edit("Rename", name="a")
    auto.save_beside()
    begun[0].end(Refused(Problem("file.write", values={"file": "x", "reason": "disk full"})))
    begun.clear()
    auto.save_beside()
    begun[0].end(Refused(Problem("file.too_large_to_write", values={"limit": 5})))
    assert errors[0] == "disk full"
    assert errors[1].strip()
    assert errors[1] not in {"None", ""}

    def fail(*_args):
        raise Refused(Problem("file.write", values={"file": "x", "reason": "gone"}))

    monkeypatch.setattr(module, "write_kept", fail)
    assert auto.save() is False
    assert errors[2:] == ["gone"]


def test_a_folder_that_cannot_be_made_is_told_and_nothing_is_written(store, auto, folder, errors, begun):
    folder.parent.write_text("a file where the folder should be")
    store.edit("Rename", name="a")
    assert auto.save() is False
    auto.save_beside()
    assert len(errors) == 2
    assert errors[0]
    assert begun == []
    auto.discard()  # is no failure


def test_discarding_lets_the_lock_go(store, auto):
    store.edit("Rename", name="a")
    auto.save()
    auto.discard()
    lock = lock_of(auto.path)
    assert lock.tryLock(0)
    lock.unlock()


def test_time_alone_tells_two_files_of_one_program_apart(store, folder, monkeypatch):
    monkeypatch.setattr(time, "time_ns", lambda: 255)
    monkeypatch.setattr(module.os, "getpid", lambda: 12)
    assert Autosave(store, folder, print, store).path.name == f"12-ff{SUFFIX}"


def test_an_edit_after_the_file_was_written_starts_the_clock_again(store, auto):
    store.edit("Rename", name="a")
    auto._timer.stop()
    store.edit("Rename", name="b")
    assert auto._timer.isActive()


def test_a_lock_never_grows_old(auto):
    assert lock_of(auto.path).staleLockTime() == 0
