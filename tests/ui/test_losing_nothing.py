"""What a user could lose: edits that cannot be saved, files changed by others, autosaves, crashed runs."""

import errno
import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QFileDialog, QMessageBox

from explorer.analysis.study.edit_models import duplicate_model
from explorer.analysis.study.edit_rows import insert_rows
from explorer.analysis.study.edits import add_model
from explorer.analysis.study.study import OwnRow, Study
from explorer.app import make_window, offer_recovery
from explorer.document import autosave
from explorer.document.autosave import left_behind
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.files.study.study import read_study, study_from_text, study_to_text, write_study
from explorer.ui.dialogs import StudyNotes
from explorer.ui.documents.save_place import file_name
from explorer.ui.settings import Settings, data_folder


@pytest.fixture
def window(qapp, qtbot):
    made = make_window(opening_study(), Settings())
    made.take_catalogue(load_catalogue(devices=False))
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def answers(monkeypatch):
    """Answer every question with the given button; the questions asked."""
    asked: list[str] = []

    def answering(button):
        monkeypatch.setattr(QMessageBox, "exec", lambda box: asked.append(box.text()) or button)
        return asked

    return answering


def opened(window, path: Path) -> Path:
    write_study(window.session.store.study, path)
    assert window.documents.open(path)
    return path


# --- edits


def test_an_edit_that_could_not_be_saved_is_refused_in_one_sentence(window):
    store = window.session.store
    before = store.study
    store.edit_workload("Context", context=2**40)
    store.edit("Rename", name="a\nb")
    store.edit("Rename", operators=(OwnRow(id="c", name="c", kind="conv2d", dims={"stride": 0.0}),))
    assert store.study is before
    assert not store.dirty
    text = window.notice.label.text()
    assert text.startswith("This edit was not made")
    assert "Operator 1: " in text


def test_a_view_that_cannot_be_is_passed_over(window):
    store = window.session.store
    for span in ((float("nan"), 1.0), (1.0, 0.0), (-1e308, 1e308)):
        store.set_view(x_range=span, y_range=(0.0, 1.0))
    assert store.study.view.x_range is None


def test_copies_of_the_longest_names_can_still_be_saved():
    study = insert_rows(Study(), [OwnRow(id="", name="é" * 200, kind="matmul")] * 12, ())
    study = add_model(study, replace(opening_study().models[0], id="", name="m" * 200))
    for _ in range(11):
        study = duplicate_model(study, study.models[0].id)
    assert len({o.name for o in study.operators} | {m.name for m in study.models}) == 24
    assert study_from_text(study_to_text(study)) == study


def test_notes_that_no_file_can_hold_are_refused_in_the_dialog(window):
    dialog = StudyNotes(window.session, window)
    dialog.notes.setPlainText("x" * 100_001)
    dialog.accept()
    assert "100000" in dialog.problem.text()
    assert not window.session.store.dirty
    dialog.notes.setPlainText("half \ud800 a character")
    dialog.name.setText("z" * 201)
    dialog.accept()
    assert dialog.problem.text().startswith("name: ")
    dialog.name.setText("z")
    dialog.accept()
    study = window.session.store.study
    assert study.name == "z"
    assert study_from_text(study_to_text(study)) == study


# --- the file


def test_saving_over_another_programs_changes_asks_first(window, tmp_path, answers):
    path = opened(window, tmp_path / "mine.roofline.yaml")
    window.session.store.edit_workload("Batch", batch=77)
    other = replace(window.session.store.study, name="by another program")
    write_study(other, path)
    asked = answers(QMessageBox.StandardButton.Cancel)
    assert not window.documents.save()
    assert "mine.roofline.yaml was changed by another program" in asked[0]
    assert read_study(path) == other
    assert window.session.store.dirty
    answers(QMessageBox.StandardButton.Save)
    assert window.documents.save()
    assert read_study(path).workload.batch == 77
    asked.clear()
    window.session.store.edit_workload("Batch", batch=78)
    assert window.documents.save()
    assert asked == []


def test_opening_the_file_that_is_open_shows_what_was_just_saved_to_it(window, tmp_path, answers):
    path = opened(window, tmp_path / "mine.roofline.yaml")
    window.session.store.edit_workload("Batch", batch=77)
    asked = answers(QMessageBox.StandardButton.Save)
    assert window.documents.open(path)
    assert len(asked) == 1
    assert window.session.store.study.workload.batch == 77
    window.session.store.edit_workload("Batch", batch=78)
    assert window.documents.save()
    assert len(asked) == 1


def test_a_reverted_file_is_known_again(window, tmp_path, answers):
    path = opened(window, tmp_path / "mine.roofline.yaml")
    write_study(replace(window.session.store.study, name="by another program"), path)
    window.revert()
    assert window.session.store.study.name == "by another program"
    asked = answers(QMessageBox.StandardButton.Cancel)
    assert window.documents.save()
    assert asked == []


def test_a_file_deleted_meanwhile_is_made_anew_and_reverting_to_it_is_said(window, tmp_path):
    path = opened(window, tmp_path / "mine.roofline.yaml")
    path.unlink()
    window.session.store.edit_workload("Batch", batch=77)
    window.revert()
    assert "mine.roofline.yaml cannot be read" in window.notice.label.text()
    assert window.session.store.study.workload.batch == 77
    assert window.documents.save()
    assert read_study(path).workload.batch == 77


def test_a_full_disk_is_said_and_the_old_file_stays(window, tmp_path, monkeypatch):
    path = opened(window, tmp_path / "mine.roofline.yaml")
    before = path.read_bytes()
    window.session.store.edit_workload("Batch", batch=77)

    def full(_handle: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    assert not window.documents.save()
    assert "No space left" in window.notice.label.text()
    assert not window.autosave.save()
    assert "could not be kept safe" in window.notice.label.text()
    assert path.read_bytes() == before
    assert [p.name for p in tmp_path.iterdir() if p.is_file()] == [path.name]
    assert window.session.store.dirty


def test_an_ending_added_to_a_name_never_replaces_a_file_unasked(window, tmp_path, monkeypatch, answers):
    (tmp_path / "mine.roofline.yaml").write_text("precious")
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / "mine"), ""))
    asked = answers(QMessageBox.StandardButton.Cancel)
    assert not window.save_as()
    assert asked == ["mine.roofline.yaml exists already. Replace it?"]
    assert (tmp_path / "mine.roofline.yaml").read_text() == "precious"
    answers(QMessageBox.StandardButton.Save)
    window.save_as()
    assert read_study(tmp_path / "mine.roofline.yaml") == window.session.store.study


def test_a_studys_name_never_leads_out_of_the_folder():
    assert file_name("../../etc/a\nb: c", "study") == "etc-a-b- c"
    assert file_name("...", "study") == "study"
    assert len(file_name("x" * 200, "study")) == 80


# --- autosave


def test_an_earlier_runs_edits_outlive_a_run_with_the_same_process_id(window):
    folder = data_folder() / "autosave"
    folder.mkdir(parents=True)
    write_study(Study(name="lost"), folder / f"{os.getpid()}{autosave.SUFFIX}")
    window.session.store.edit_workload("Batch", batch=77)
    window.autosave.save()
    window.session.store.undo_stack.undo()
    assert [read_study(p).name for p in left_behind(folder)] == ["lost"]


def test_recovered_edits_are_kept_before_the_old_file_goes(window, monkeypatch, answers):
    folder = data_folder() / "autosave"
    folder.mkdir(parents=True)
    for name in ("first", "second"):
        write_study(Study(name=name), folder / f"{name}{autosave.SUFFIX}")
    offer_recovery(window)
    window.notice.action.click()
    recovered = window.session.store.study.name
    assert recovered in {"first", "second"}
    assert read_study(window.autosave.path).name == recovered
    assert [read_study(p).name for p in left_behind(folder)] == [{"first": "second", "second": "first"}[recovered]]
    assert window.notice.action.isVisible()


def test_edits_that_cannot_be_kept_again_stay_where_they_are(window, monkeypatch):
    folder = data_folder() / "autosave"
    folder.mkdir(parents=True)
    write_study(Study(name="lost"), folder / f"lost{autosave.SUFFIX}")
    offer_recovery(window)
    monkeypatch.setattr(window.autosave, "save", lambda: False)
    window.notice.action.click()
    assert window.session.store.study.name == "lost"
    assert (folder / f"lost{autosave.SUFFIX}").exists()


def test_a_data_folder_that_cannot_be_is_said_once_and_closing_still_works(window, answers):
    data_folder().parent.mkdir(parents=True, exist_ok=True)
    data_folder().write_text("a file where the folder should be")
    window.session.store.edit_workload("Batch", batch=77)
    assert not window.autosave.save()
    assert "could not be kept safe" in window.notice.label.text()
    assert left_behind(data_folder() / "autosave") == []
    answers(QMessageBox.StandardButton.Discard)
    assert window.close()


KILLED = """
    import os, signal, sys
    from PySide6.QtCore import QTimer
    from explorer.app import make_application, make_window
    from explorer.document import autosave
    from explorer.files.study.examples import opening_study
    from explorer.ui.settings import Settings
    autosave.INTERVAL_MS = 50
    app = make_application()
    window = make_window(opening_study(), Settings())
    window.show()
    batches = iter(range(2, 1000))
    def edit():
        window.session.store.edit_workload("Batch", batch=next(batches))
        if window.autosave.path.exists() and window.session.store.study.workload.batch > 20:
            os.kill(os.getpid(), signal.SIGKILL)
    timer = QTimer(interval=5)
    timer.timeout.connect(edit)
    timer.start()
    app.exec()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kills a program the POSIX way")
def test_edits_of_a_killed_program_are_offered_by_the_next(window, qtbot, root):
    env = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(root)}
    done = subprocess.run([sys.executable, "-c", textwrap.dedent(KILLED)], cwd=root, env=env, check=False, timeout=60)
    assert done.returncode == -signal.SIGKILL
    folder = next(Path(os.environ["XDG_DATA_HOME"]).rglob("autosave"))
    [kept] = left_behind(folder)
    assert 2 <= read_study(kept).workload.batch <= 22


@pytest.mark.parametrize(
    "name", ["CON", "nul.x", "a\u202eb", "é" * 300, "名" * 300, "\ud800", "a\x1b[31m", ".. /..", "x\u0000"]
)
def test_a_study_with_any_name_proposes_a_file_that_every_system_takes(name: str) -> None:
    proposed = file_name(name, "study")
    assert len(proposed.encode()) <= 200
    assert proposed.isprintable()
    assert not set('/\\:*?"<>|') & set(proposed)
    assert proposed.partition(".")[0].lower() not in {"con", "nul", "aux", "prn"}
