"""Exports leave the window alive: painted beside it, one at a time, cancelled without a trace."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtGui import QGuiApplication
from pytestqt.qtbot import QtBot

from explorer.analysis.problem import Problem, Refused
from explorer.app import make_window
from explorer.files.study.examples import opening_study
from explorer.report.figure_export import figure_bytes
from explorer.ui.documents import export_dialog
from explorer.ui.documents.export_dialog import ExportDialog
from explorer.ui.settings import Settings


@pytest.fixture
def dialog(qtbot: QtBot) -> ExportDialog:
    window = make_window(opening_study(), Settings())
    made = ExportDialog(window.session, window.settings, "roofline", window)
    made.scale.setValue(0.5)
    made.show()
    qtbot.waitExposed(made)
    return made


class Held:
    """A painter that waits until it is let go, as that of a large picture."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
        self.go = threading.Event()
        self.threads: list[int] = []
        self._real = getattr(export_dialog, name)
        monkeypatch.setattr(export_dialog, name, self._paint)

    def _paint(self, *args: Any) -> object:
        self.threads.append(threading.get_ident())
        assert self.go.wait(20)
        return self._real(*args)


def while_it_paints(dialog: ExportDialog, held: Held, what: Callable[[], object]) -> None:
    """Do something in the window's thread once the picture is being painted."""

    def look() -> None:
        if held.threads:
            what()
            held.go.set()
        else:
            QTimer.singleShot(5, dialog, look)

    QTimer.singleShot(0, dialog, look)


@pytest.mark.parametrize(("name", "made"), [("content_of", "a.png"), ("deck_bytes", "deck.pdf"), ("picture_of", "")])
def test_pictures_are_painted_beside_a_window_that_stays_alive(
    dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, made: str
) -> None:
    held, seen = Held(monkeypatch, name), list[bool]()
    while_it_paints(dialog, held, lambda: seen.extend([dialog.work.bar.isVisible(), dialog.save_button.isEnabled()]))
    if made:
        assert (dialog.export_deck if name == "deck_bytes" else dialog.export)(tmp_path / made)
        assert (tmp_path / made).exists()
    else:
        QGuiApplication.clipboard().clear()
        dialog.copy()
        assert QGuiApplication.clipboard().mimeData().hasImage()
    assert seen == [True, False]
    assert threading.get_ident() not in held.threads
    assert not dialog.work.bar.isVisible()
    assert dialog.save_button.isEnabled()


@pytest.mark.parametrize("how", ["cancel", "close"])
@pytest.mark.parametrize("name", ["content_of", "deck_bytes"])
def test_what_is_cancelled_leaves_the_old_file_and_nothing_else(
    dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, how: str
) -> None:
    path = tmp_path / "a.pdf"
    path.write_text("old")
    held = Held(monkeypatch, name)
    while_it_paints(dialog, held, dialog.work.cancel_button.click if how == "cancel" else dialog.reject)
    assert not (dialog.export_deck if name == "deck_bytes" else dialog.export)(path)
    for thread in threading.enumerate():
        if thread.name == "beside":
            thread.join(20)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]
    assert dialog.problem.text() == "Cancelled: nothing was written."
    held.go.set()
    dialog.show()
    assert dialog.export(tmp_path / "b.png")


def test_a_deck_can_be_cancelled_while_its_slides_are_built(
    dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    painted: list[object] = []
    monkeypatch.setattr(export_dialog, "deck_bytes", lambda *_: painted.append(1))

    def slides(*_: object) -> Any:
        yield "roofline", None
        dialog.work.cancel_button.click()
        yield "time", None

    monkeypatch.setattr(export_dialog, "slides_of", slides)
    assert not dialog.export_deck(tmp_path / "deck.pdf")
    assert painted == []
    assert list(tmp_path.iterdir()) == []


def test_a_second_export_is_refused_until_the_first_is_done(
    dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    held, said = Held(monkeypatch, "content_of"), list[str]()

    def again() -> None:
        assert not dialog.export_deck(tmp_path / "b.pdf")
        said.append(dialog.problem.text())

    while_it_paints(dialog, held, again)
    assert dialog.export(tmp_path / "a.png")
    assert said == ["Another picture is still being made."]
    assert [p.name for p in tmp_path.iterdir()] == ["a.png"]


def test_a_fault_beside_the_window_is_one_sentence_in_it(
    dialog: ExportDialog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> bytes:
        raise Refused(Problem("file.write", values={"file": "a.png", "reason": "the disk is full"}))

    monkeypatch.setattr(export_dialog, "content_of", refuse)
    assert not dialog.export(tmp_path / "a.png")
    assert "the disk is full" in dialog.problem.text()
    assert dialog.save_button.isEnabled()
    assert list(tmp_path.iterdir()) == []


def test_a_picture_painted_while_the_window_paints_is_the_same_to_the_byte(
    dialog: ExportDialog, tmp_path: Path, qtbot: QtBot
) -> None:
    busy = QTimer(dialog)
    busy.timeout.connect(dialog.preview.finish)
    busy.start(0)
    for suffix in (".png", ".svg", ".pdf"):
        path = tmp_path / f"a{suffix}"
        assert dialog.export(path)
        busy.stop()
        alone = figure_bytes(dialog._evaluation, suffix, dialog.paper)
        busy.start(0)
        assert path.read_bytes() == alone
