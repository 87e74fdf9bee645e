"""The preview of the export dialog is painted beside the window: one picture at a time, the newest alone is shown."""

import gc
import threading
from collections.abc import Iterator
from typing import Any

import pytest
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from explorer.analysis.problem import Problem, Refused
from explorer.app import make_window
from explorer.files.study.examples import opening_study
from explorer.report.figure_export import PLAIN, Paper
from explorer.ui.background import Beside
from explorer.ui.documents import export_preview
from explorer.ui.documents.export_dialog import ExportDialog
from explorer.ui.documents.export_preview import SlidePreview
from explorer.ui.settings import Settings


class Painters:
    """Stands for the painter of slides: fills them with their figure's colour, and waits where that is to be held."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.painted: list[object] = []
        self.threads: set[int] = set()
        self.most = self._now = 0
        self._gates: dict[object, threading.Event] = {}
        self._lock = threading.Lock()
        monkeypatch.setattr(export_preview, "paint_view", self._paint)

    def hold(self, figure: object) -> None:
        self._gates[figure] = threading.Event()

    def let_go(self) -> None:
        for gate in self._gates.values():
            gate.set()

    def _paint(self, _view: str, painter: QPainter, rect: Any, figure: Any, _theme: object) -> None:
        with self._lock:
            self.painted.append(figure)
            self.threads.add(threading.get_ident())
            self._now += 1
            self.most = max(self.most, self._now)
        if figure in self._gates:
            assert self._gates[figure].wait(20)
        if figure == "fault":
            raise ZeroDivisionError
        painter.fillRect(rect, QColor(figure))
        with self._lock:
            self._now -= 1


class Dialog(QWidget):
    """A preview of whatever colour is wanted."""

    def __init__(self) -> None:
        super().__init__()
        self.wanted = "red"
        self.preview = SlidePreview(lambda: ("roofline", PLAIN), self._built, self)
        self.resize(400, 300)
        self.preview.resize(400, 300)

    def _built(self, _view: str, _paper: Paper) -> object:
        if self.wanted == "refused":
            raise Refused(Problem("file.write", values={"file": "a", "reason": "b"}))
        return self.wanted

    def ask(self, colour: str) -> None:
        self.wanted = colour
        self.preview.ask()

    @property
    def shown(self) -> str | None:
        image = self.preview.image
        return None if image is None else image.pixelColor(image.width() // 2, image.height() // 2).name()


@pytest.fixture
def painters(monkeypatch: pytest.MonkeyPatch) -> Iterator[Painters]:
    made = Painters(monkeypatch)
    yield made
    made.let_go()
    join()


@pytest.fixture
def dialog(painters: Painters, qtbot: QtBot) -> Dialog:
    made = Dialog()
    qtbot.addWidget(made)
    made.show()
    qtbot.waitUntil(lambda: not made.preview.waiting)
    assert made.shown == "#ff0000"
    painters.painted.clear()
    return made


def join() -> None:
    for thread in threading.enumerate():
        if thread.name == "beside":
            thread.join(20)


def test_slides_are_painted_beside_the_window(dialog: Dialog, painters: Painters) -> None:
    assert dialog.shown == "#ff0000"
    assert painters.threads
    assert threading.get_ident() not in painters.threads


def test_a_picture_in_the_making_leaves_the_window_alive_and_the_old_one_shown(
    dialog: Dialog, painters: Painters, qtbot: QtBot
) -> None:
    painters.hold("lime")
    dialog.ask("lime")
    qtbot.waitUntil(lambda: painters.painted == ["lime"])
    dialog.repaint()
    assert dialog.preview.waiting
    assert dialog.shown == "#ff0000"
    painters.let_go()
    qtbot.waitUntil(lambda: not dialog.preview.waiting)
    assert dialog.shown == "#00ff00"


def test_a_stale_picture_is_never_shown_and_the_newest_is_painted_alone(
    dialog: Dialog, painters: Painters, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    shown: list[str | None] = []
    real = dialog.preview._show
    monkeypatch.setattr(dialog.preview, "_show", lambda image: (real(image), shown.append(dialog.shown)))
    painters.hold("lime")
    dialog.ask("lime")
    qtbot.waitUntil(lambda: painters.painted == ["lime"])
    for colour in ("yellow", "blue"):
        dialog.ask(colour)
        qtbot.waitUntil(lambda: dialog.preview._next is not None)
    painters.let_go()
    qtbot.waitUntil(lambda: not dialog.preview.waiting)
    assert painters.painted == ["lime", "blue"]
    assert shown == ["#0000ff"]
    assert painters.most == 1


def test_a_picture_that_comes_while_one_types_on_is_dropped(dialog: Dialog, painters: Painters, qtbot: QtBot) -> None:
    painters.hold("lime")
    dialog.ask("lime")
    qtbot.waitUntil(lambda: painters.painted == ["lime"])
    dialog.ask("refused")
    painters.let_go()
    qtbot.waitUntil(lambda: not dialog.preview.waiting and dialog.preview._painting is None)
    assert dialog.shown == "#ff0000"


def test_what_is_done_at_once_is_not_painted_over_by_what_was_on_its_way(
    dialog: Dialog, painters: Painters, qtbot: QtBot
) -> None:
    painters.hold("lime")
    dialog.ask("lime")
    qtbot.waitUntil(lambda: painters.painted == ["lime"])
    dialog.wanted = "blue"
    dialog.preview.finish()
    assert not dialog.preview.waiting
    painters.let_go()
    qtbot.waitUntil(lambda: dialog.preview._painting is None)
    assert dialog.shown == "#0000ff"


def test_a_fault_of_the_painter_is_heard_and_the_next_picture_comes(
    dialog: Dialog, painters: Painters, qtbot: QtBot
) -> None:
    with qtbot.captureExceptions() as faults:
        dialog.ask("fault")
        qtbot.waitUntil(lambda: bool(faults))
    assert [kind for kind, *_ in faults] == [ZeroDivisionError]
    dialog.ask("blue")
    qtbot.waitUntil(lambda: not dialog.preview.waiting)
    assert dialog.shown == "#0000ff"


@pytest.mark.parametrize("figure", ["lime", "fault"])
def test_stopped_in_the_middle_it_is_silent_and_keeps_nothing(
    dialog: Dialog, painters: Painters, qtbot: QtBot, figure: str
) -> None:
    painters.hold(figure)
    dialog.ask(figure)
    qtbot.waitUntil(lambda: painters.painted == [figure])
    dialog.ask("blue")
    qtbot.waitUntil(lambda: dialog.preview._next is not None)
    cancelled = list[bool]()
    dialog.preview.findChildren(Beside)[0].cancelled.connect(lambda: cancelled.append(True))
    dialog.preview.stop()
    assert cancelled == [True]
    assert not dialog.preview.waiting
    painters.let_go()
    join()
    qtbot.waitUntil(lambda: dialog.preview.findChildren(Beside) == [])
    assert painters.painted == [figure]
    assert dialog.shown == "#ff0000"


def test_the_dialog_closes_in_the_middle_of_a_picture_at_once_and_shows_it_when_opened_again(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = make_window(opening_study(), Settings())
    opened = ExportDialog(window.session, window.settings, "roofline", window)
    go, begun, real = threading.Event(), threading.Event(), export_preview.paint_view

    def held(*args: Any) -> object:
        begun.set()
        assert go.wait(20)
        return real(*args)

    monkeypatch.setattr(export_preview, "paint_view", held)
    opened.show()
    qtbot.waitUntil(begun.is_set)
    opened.reject()
    assert opened.isHidden()
    assert not opened.preview.waiting
    go.set()
    join()
    opened.show()
    qtbot.waitUntil(lambda: opened.preview.image is not None and not opened.preview.waiting)


def test_a_dialog_destroyed_in_the_middle_of_a_picture_is_gone_without_a_word(painters: Painters, qtbot: QtBot) -> None:
    made = Dialog()
    painters.hold("red")
    made.show()
    qtbot.waitUntil(lambda: painters.painted == ["red"])
    with qtbot.waitSignal(made.destroyed):
        made.deleteLater()
    painters.let_go()
    join()
    del made
    gc.collect()
