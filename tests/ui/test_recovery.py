"""Recovered edits belong to their own file, or to none; whatever cannot be recovered is said and stays."""

import os
import stat
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QMessageBox

from explorer.analysis.study.study import OwnRow, Study
from explorer.app import make_window, offer_recovery
from explorer.document.kept import SUFFIX, left_behind, lock_of, write_kept
from explorer.files.catalogue import load_catalogue
from explorer.files.disk.atomic import stamp_of
from explorer.files.study.examples import opening_study
from explorer.files.study.study import read_study, write_study
from explorer.ui.settings import Settings, data_folder

SAVE, DISCARD, CANCEL = (
    QMessageBox.StandardButton.Save,
    QMessageBox.StandardButton.Discard,
    QMessageBox.StandardButton.Cancel,
)


@pytest.fixture
def window(qapp, qtbot):
    made = make_window(opening_study(), Settings())
    made.take_catalogue(load_catalogue(devices=False))
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def folder(own_settings) -> Path:
    made = data_folder() / "autosave"
    made.mkdir(parents=True)
    return made


@pytest.fixture
def answers(monkeypatch):
    asked: list[str] = []

    def answering(button):
        monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()) or button)
        return asked

    return answering


@pytest.fixture
def files(tmp_path) -> tuple[Path, Path]:
    paths = tmp_path / "a.roofline.yaml", tmp_path / "b.roofline.yaml"
    for path in paths:
        write_study(Study(name=path.name[0].upper()), path)
    return paths


def lost(folder: Path, file: Path | None, name: str = "B edited") -> Path:
    """Edits that a killed run kept."""
    path = folder / f"{name}{SUFFIX}"
    write_kept(Study(name=name), path, file, None if file is None else stamp_of(file))
    return path


def recover(window) -> None:
    offer_recovery(window)
    window.notice.action.click()


def test_saving_after_recovering_another_study_never_touches_the_open_one(window, folder, files):
    a, b = files
    before = a.read_bytes()
    assert window.documents.open(a)
    lost(folder, b)
    recover(window)
    store = window.session.store
    assert (store.study.name, store.path, store.dirty) == ("B edited", b, True)
    assert window.windowTitle().startswith("b.roofline.yaml")
    assert window.documents.save()
    assert a.read_bytes() == before
    assert read_study(b).name == "B edited"
    assert not store.dirty
    assert left_behind(folder) == []


def test_recovered_edits_of_a_study_without_a_file_are_asked_for_a_place(window, folder, files, monkeypatch):
    assert window.documents.open(files[0])
    lost(folder, None)
    recover(window)
    assert window.session.store.path is None
    asked = []
    monkeypatch.setattr("explorer.ui.documents.files.ask_place", lambda *_: asked.append(1))
    assert not window.documents.save()
    assert asked
    assert read_study(files[0]).name == "A"


def test_a_file_that_was_moved_away_is_not_made_anew_unasked(window, folder, files, monkeypatch):
    a, b = files
    window.documents.open(a)
    lost(folder, b)
    b.rename(b.with_name("moved.yaml"))
    recover(window)
    assert window.session.store.path is None
    assert window.notice.label.text() == "b.roofline.yaml is no longer where it was; saving asks for a place."


def test_a_file_changed_since_then_is_asked_about(window, folder, files, answers):
    lost(folder, files[1])
    write_study(Study(name="by someone else"), files[1])
    recover(window)
    asked = answers(CANCEL)
    assert not window.documents.save()
    assert "b.roofline.yaml was changed by another program" in asked[0]
    assert read_study(files[1]).name == "by someone else"
    assert window.session.store.dirty


def test_a_file_whose_state_was_not_kept_is_asked_about(window, folder, files, answers):
    write_kept(Study(name="B edited"), folder / f"1{SUFFIX}", files[1], None)
    recover(window)
    asked = answers(CANCEL)
    assert not window.documents.save()
    assert asked


@pytest.mark.skipif(sys.platform == "win32", reason="modes the POSIX way")
def test_a_read_only_file_is_said_and_the_edits_stay_unsaved(window, folder, files):
    files[1].chmod(0o444)
    lost(folder, files[1])
    recover(window)
    assert not window.documents.save()
    assert "read-only" in window.notice.label.text()
    assert window.session.store.dirty
    assert stat.S_IMODE(files[1].stat().st_mode) == 0o444
    assert read_study(files[1]).name == "B"


def test_undo_never_leads_out_of_a_recovered_study(window, folder, files):
    window.documents.open(files[0])
    window.session.store.edit("Rename", name="A renamed")
    window.documents.save()
    lost(folder, files[1])
    recover(window)
    window.session.store.undo_stack.undo()
    window.session.store.undo_stack.redo()
    assert (window.session.store.study.name, window.session.store.path) == ("B edited", files[1])
    assert window.session.store.dirty


def test_several_are_recovered_one_after_the_other_each_to_its_own_file(window, folder, files, answers):
    for file in files:
        lost(folder, file, f"{file.name[0]} edited")
    asked = answers(SAVE)
    recover(window)
    window.notice.action.click()
    assert len(asked) == 1
    assert window.documents.save()
    assert [read_study(f).name for f in files] == ["a edited", "b edited"]
    assert left_behind(folder) == []
    assert not window.notice.action.isVisible()


def test_staying_with_the_open_study_keeps_the_offer(window, folder, files, answers):
    window.session.store.edit("Rename", name="mine")
    kept = lost(folder, files[1])
    answers(CANCEL)
    recover(window)
    assert window.session.store.study.name == "mine"
    assert window.notice.action.isVisible()
    assert kept.exists()


def test_recovered_edits_that_are_discarded_are_gone_and_the_file_is_as_it_was(window, folder, files, answers):
    lost(folder, files[1])
    recover(window)
    answers(DISCARD)
    assert window.close()
    assert read_study(files[1]).name == "B"
    assert left_behind(folder) == []


def test_recovered_edits_survive_another_kill_with_their_file(window, folder, files):
    lost(folder, files[1])
    recover(window)
    window.autosave._lock.unlock()  # as when killed
    [again] = left_behind(folder)
    assert again == window.autosave.path
    text = again.read_text("utf-8").partition("\n")[0]
    assert str(files[1]) in text


def test_what_another_window_has_recovered_meanwhile_is_said(window, folder, files):
    kept = lost(folder, files[1])
    offer_recovery(window)
    lock = lock_of(kept)
    assert lock.tryLock(0)
    window.notice.action.click()
    assert "another window" in window.notice.label.text()
    assert window.session.store.study.name != "B edited"
    assert kept.exists()
    lock.unlock()


def test_edits_of_a_newer_version_are_said_and_kept_and_the_others_are_offered(window, folder, files):
    newer = lost(folder, files[1], "from the future")
    newer.write_text(newer.read_text("utf-8").replace("format: 2\n", "format: 99\nnew: {a: 1}\n"), encoding="utf-8")
    os.utime(lost(folder, files[0], "older"), (1, 1))
    before = newer.read_bytes()
    offer_recovery(window)
    said = "\n".join(window.notice.sentences)
    assert "“from the future” were kept by a newer version" in said
    assert "“older”" in said
    window.notice.action.click()
    assert window.session.store.study.name == "older"
    assert newer.read_bytes() == before


@pytest.mark.parametrize("content", [b"", b"\x00\xff", b"format: 1\noperators: 3\n", b"format: x\n"])
def test_damaged_edits_are_said_and_moved_aside_and_the_others_are_offered(window, folder, files, content):
    damaged = folder / f"damaged{SUFFIX}"
    damaged.write_bytes(content)
    os.utime(lost(folder, files[0], "good"), (1, 1))
    offer_recovery(window)
    said = "\n".join(window.notice.sentences)
    assert "cannot be read" in said
    assert "“good”" in said
    assert (folder / f"damaged{SUFFIX}.damaged").read_bytes() == content
    window.notice.action.click()
    assert window.session.store.study.name == "good"


def test_large_edits_that_turn_out_damaged_are_said_and_stay_and_the_next_are_offered(window, folder, files):
    path = lost(folder, files[1], "large")
    study = Study(name="large", operators=tuple(OwnRow(id=f"r{i}", name="x", kind="matmul") for i in range(9000)))
    write_kept(study, path, files[1], None)
    os.truncate(path, path.stat().st_size - 9)
    before = path.read_bytes()
    os.utime(lost(folder, files[0], "good"), (1, 1))
    recover(window)
    assert "cannot be read" in "\n".join(window.notice.sentences)
    assert "“good”" in window.notice.sentences[-1]
    assert window.session.store.study.name not in {"large", "good"}
    assert (folder / f"large{SUFFIX}.damaged").read_bytes() == before


def test_an_offer_outlives_what_is_said_after_it(window, folder, files):
    lost(folder, files[1])
    offer_recovery(window)
    window.notice.say("something else")
    assert window.notice.action.isVisible()
    window.notice.action.click()
    assert window.session.store.study.name == "B edited"


def test_a_dismissed_offer_is_not_repeated_but_kept_for_the_next_run(window, folder, files):
    kept = lost(folder, files[1])
    offer_recovery(window)
    window.notice._offer.closing.click()
    assert not window.notice.isVisible()
    assert kept.exists()


# --- other ways in which study and file could part


def test_a_reverted_study_is_clean_and_undoing_that_is_not(window, files):
    window.documents.open(files[0])
    store = window.session.store
    store.edit("Rename", name="edited")
    window.revert()
    assert (store.study.name, store.dirty) == ("A", False)
    assert not window.autosave.path.exists()
    store.undo_stack.undo()
    assert (store.study.name, store.dirty, store.path) == ("edited", True, files[0])


def test_a_study_that_came_back_to_its_old_state_is_dirty_once_another_was_saved(window, files):
    window.documents.open(files[0])
    store = window.session.store
    store.edit("Rename", name="edited")
    window.documents.save()
    store.undo_stack.undo()
    assert store.dirty
    store.undo_stack.redo()
    assert not store.dirty


def test_a_new_study_and_an_example_forget_the_file(window, files):
    window.documents.open(files[0])
    window.new_study()
    assert (window.session.store.path, window.session.store.stamp) == (None, None)
    window.documents.open(files[0])
    window.open_study(opening_study())
    assert window.session.store.path is None
    assert not window.session.store.undo_stack.canUndo()


def test_a_file_changed_between_reading_and_the_answer_is_read_again(window, files, monkeypatch, answers):
    window.session.store.edit("Rename", name="dirty")

    def change_then_discard(_box):
        write_study(Study(name="by someone else, later"), files[0])
        return DISCARD

    monkeypatch.setattr(QMessageBox, "exec", change_then_discard)
    assert window.documents.open(files[0])
    assert window.session.store.study.name == "by someone else, later"
    window.session.store.edit("Rename", name="mine")
    asked = answers(CANCEL)
    assert window.documents.save()
    assert asked == []


def test_opening_that_fails_changes_neither_study_nor_file(window, files, tmp_path):
    window.documents.open(files[0])
    (tmp_path / "bad.roofline.yaml").write_text("format: 1\noperators: 3\n")
    assert not window.documents.open(tmp_path / "bad.roofline.yaml")
    assert (window.session.store.study.name, window.session.store.path) == ("A", files[0])


def test_saving_under_another_name_that_fails_keeps_the_first(window, files, tmp_path, monkeypatch):
    window.documents.open(files[0])
    window.session.store.edit("Rename", name="edited")
    monkeypatch.setattr("explorer.ui.documents.files.ask_place", lambda *_: tmp_path / "gone" / "x.roofline.yaml")
    assert not window.save_as()
    assert window.session.store.path == files[0]
    assert window.session.store.dirty


def test_results_of_a_dialog_never_join_a_study_opened_later(window, files, qtbot):
    window.measure_operators()
    assert window.measuring.dialogs
    window.documents.open(files[0])
    assert window.measuring.dialogs == {}


def test_leftovers_beside_a_study_go_when_it_is_opened(window, files):
    left = files[0].with_name(f".{files[0].name}.abcd1234.roofline.tmp")
    left.write_text("half")
    window.documents.open(files[0])
    assert not left.exists()


def test_a_file_of_another_running_window_is_asked_about_once_that_has_saved(window, files, answers, qtbot):
    window.other = other = make_window(opening_study(), Settings())  # which lives as long as this one
    for each in (window, other):
        each.documents.open(files[0])
        each.session.store.edit("Rename", name=f"edit {id(each)}")
    assert other.documents.save()
    asked = answers(CANCEL)
    assert not window.documents.save()
    assert asked
    assert read_study(files[0]) == replace(other.session.store.study, view=read_study(files[0]).view)
