"""Large studies are written beside the window, and nothing of that is lost or taken for saved."""

import errno
import os
import threading

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QMessageBox

from explorer.analysis.study.study import OwnRow, Study
from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.study import read_study, write_study
from explorer.ui.documents import files as documents
from explorer.ui.settings import Settings

LARGE = Study(name="large", operators=tuple(OwnRow(id=f"r{i}", name=f"row {i}", kind="matmul") for i in range(1000)))


@pytest.fixture
def gate(monkeypatch):
    """Writing waits until this is set; on a machine that waits for nothing, one would have to be quick."""
    opened = threading.Event()

    def slowly(study, path, pause):
        opened.wait(20)
        return write_study(study, path, pause)

    monkeypatch.setattr(documents, "write_study", slowly)
    yield opened
    opened.set()


@pytest.fixture
def window(qapp, qtbot, tmp_path):
    path = tmp_path / "large.roofline.yaml"
    write_study(LARGE, path)
    made = make_window(Study(), Settings())
    made.take_catalogue(load_catalogue(devices=False))
    made.show()
    qtbot.waitExposed(made)
    assert made.documents.open(path)
    made.session.store.edit("Rename", name="edited")
    yield made
    made.documents.finish()


def written(window, qtbot) -> None:
    qtbot.waitUntil(lambda: window.documents._writing is None, timeout=20_000)


def answer(monkeypatch, button):
    asked = []
    monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()) or button)
    return asked


def test_a_large_study_is_saved_beside_the_window_which_says_so(window, qtbot, gate):
    store = window.session.store
    assert window.documents.save()
    assert "Saving large.roofline.yaml…" in window.notice.sentences
    assert store.dirty
    gate.set()
    written(window, qtbot)
    assert not store.dirty
    assert not window.notice.isVisible()
    assert read_study(store.path) == store.study
    assert not window.documents._again


def test_what_is_edited_meanwhile_is_not_taken_for_saved(window, qtbot, gate):
    store = window.session.store
    window.documents.save()
    store.edit("Rename", name="edited again")
    gate.set()
    written(window, qtbot)
    assert store.dirty
    assert read_study(store.path).name == "edited"
    store.undo_stack.undo()
    window.documents.save()
    written(window, qtbot)
    assert not store.dirty
    assert read_study(store.path).name == "edited"


def test_looking_elsewhere_meanwhile_makes_nothing_dirty(window, qtbot, gate):
    window.documents.save()
    window.session.store.set_view(tab="time")
    gate.set()
    written(window, qtbot)
    assert not window.session.store.dirty


def test_saving_again_meanwhile_saves_what_is_newer_once_more(window, qtbot, gate):
    window.documents.save()
    assert window.documents.save()
    assert not window.documents._again
    window.session.store.edit("Rename", name="newest")
    assert window.documents.save()
    gate.set()
    qtbot.waitUntil(lambda: not window.session.store.dirty, timeout=20_000)
    assert read_study(window.session.store.path).name == "newest"


def test_closing_meanwhile_waits_and_asks_nothing_that_is_settled(window, qtbot, gate, monkeypatch):
    asked = answer(monkeypatch, QMessageBox.StandardButton.Cancel)
    window.documents.save()
    threading.Timer(0.2, gate.set).start()
    assert window.close()
    assert asked == []
    assert read_study(window.session.store.path).name == "edited"


def test_saving_when_asked_at_closing_waits_until_it_is_written(window, gate, monkeypatch):
    answer(monkeypatch, QMessageBox.StandardButton.Save)
    threading.Timer(0.2, gate.set).start()
    assert window.close()
    assert read_study(window.session.store.path).name == "edited"
    assert not window.autosave.path.exists()


def test_opening_another_study_meanwhile_waits_and_mixes_nothing(window, gate, tmp_path):
    path = window.session.store.path
    write_study(Study(name="other"), tmp_path / "other.roofline.yaml")
    window.documents.save()
    threading.Timer(0.2, gate.set).start()
    assert window.documents.open(tmp_path / "other.roofline.yaml")
    assert (window.session.store.study.name, window.session.store.dirty) == ("other", False)
    assert window.session.store.path == tmp_path / "other.roofline.yaml"
    assert read_study(path).name == "edited"


def test_a_failure_is_said_and_the_study_stays_unsaved_and_the_window_open(window, qtbot, gate, monkeypatch):
    before = window.session.store.path.read_bytes()

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    gate.set()
    window.documents.save()
    written(window, qtbot)
    assert "No space left" in window.notice.label.text()
    assert window.session.store.dirty
    assert window.session.store.path.read_bytes() == before
    answer(monkeypatch, QMessageBox.StandardButton.Save)
    assert not window.close()


def test_saving_over_another_programs_changes_asks_for_a_large_study_too(window, monkeypatch):
    write_study(Study(name="by someone else"), window.session.store.path)
    asked = answer(monkeypatch, QMessageBox.StandardButton.Cancel)
    assert not window.documents.save()
    assert len(asked) == 1


def test_an_autosave_of_a_large_study_is_written_beside_the_window(window, qtbot):
    window.autosave.save_beside()
    qtbot.waitUntil(lambda: window.autosave._writing is None, timeout=20_000)
    kept = read_study(window.autosave.path)
    assert replace(kept, view=window.session.store.study.view) == window.session.store.study


def test_an_autosave_in_the_middle_of_its_writing_is_given_up_when_the_study_is_saved(window, qtbot):
    window.autosave.save_beside()
    window.documents.save()
    written(window, qtbot)
    assert not window.session.store.dirty
    assert not window.autosave.path.exists()
    assert window.autosave._writing is None


def test_a_file_that_is_read_to_revert_to_never_joins_a_study_opened_meanwhile(window, monkeypatch):
    opened, other = threading.Event(), Study(name="other")

    def slowly(path):
        opened.wait(20)
        return read_study(path)

    def open_another():
        window.session.store.reset(other)
        opened.set()

    monkeypatch.setattr(documents, "_QUICK", 0)
    monkeypatch.setattr(documents, "read_study", slowly)
    QTimer.singleShot(0, window, open_another)
    window.revert()
    assert opened.is_set()
    assert window.session.store.study.name == "other"
    assert not window.session.store.dirty
