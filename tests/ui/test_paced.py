"""Work that waits a little during a drag."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QObject
from pytestqt.qtbot import QtBot

from explorer.ui.widgets.throttle import Paced


@pytest.fixture
def parent(qapp: object) -> Iterator[QObject]:
    made = QObject()
    yield made
    made.deleteLater()


def test_without_a_drag_everything_is_done_at_once(parent: QObject) -> None:
    done: list[int] = []
    work = Paced(lambda: done.append(1), parent)
    for _ in range(3):
        work.ask(dragging=False)
    assert len(done) == 3


def test_a_drag_does_its_first_step_at_once_and_its_last_one_soon(parent: QObject, qtbot: QtBot) -> None:
    done: list[int] = []
    asked = 0

    def work() -> None:
        done.append(asked)

    paced = Paced(work, parent)
    for step in range(100):
        asked = step
        paced.ask(dragging=True)
    assert done[0] == 0
    assert len(done) < 100
    qtbot.waitUntil(lambda: done[-1] == 99)


def test_what_waits_can_be_done_now(parent: QObject) -> None:
    done: list[int] = []
    paced = Paced(lambda: done.append(1), parent)
    paced.ask(dragging=True)
    paced.ask(dragging=True)
    paced.finish()
    so_far = len(done)
    paced.finish()
    assert len(done) == so_far
