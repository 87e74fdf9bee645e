"""No panel of the window moves or changes its size for anything that is said, edited or looked at."""

import random
from collections.abc import Iterator

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation.views.declared import tab_views
from explorer.ui.settings import Settings
from explorer.ui.window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
EDITS = 240


@pytest.fixture(params=[(1280, 800), (1600, 1000)], ids=["small", "usual"])
def window(request: pytest.FixtureRequest, qapp: QApplication, qtbot: QtBot) -> Iterator[MainWindow]:
    made = make_window(opening_study(), Settings())
    made.take_catalogue(load_catalogue())
    made.resize(*request.param)
    with qtbot.waitExposed(made):
        made.show()
    settle()
    yield made
    made.hide()


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()


def panels(window: MainWindow) -> dict[str, QRect]:
    """Where each panel stands in the window."""
    settle()
    parts: dict[str, QWidget] = {
        "answer": window.answer,
        "picker": window.picker,
        "list": window.picker.list,
        "tabs": window.tabs,
        "decode": window.decode_panel,
        "inspector": window.inspector,
        "tables": window.tables,
        "batch": window.decode_panel.batch,
        "line": window.answer.line,
    }
    found = {name: QRect(part.mapTo(window, part.rect().topLeft()), part.size()) for name, part in parts.items()}
    found["line"].setWidth(0)  # it gives room to more levers or fewer
    return found


def test_what_is_said_and_offered_moves_no_panel(window: MainWindow) -> None:
    before = panels(window)
    window.notice.say("Something that happened. " * 8)
    window.notice.offer("An offer", "Take it", lambda: None)
    assert panels(window) == before
    window.notice.unsay("Something that happened. " * 8)
    assert panels(window) == before


def test_a_long_answer_and_a_short_one_move_no_panel(window: MainWindow) -> None:
    before = panels(window)
    for text in ("Yes.", "<b>Waiting for memory</b> on a device with quite a long name. " * 7):
        window.answer.line.show_text(text)
        assert panels(window) == before


def test_phases_models_and_tabs_move_no_panel(window: MainWindow) -> None:
    before = panels(window)
    window.prefill()
    assert panels(window) == before
    window.decode()
    for view in tab_views():
        window.session.store.set_view(tab=view.name)
        assert panels(window) == before, view.name


def test_a_count_that_cannot_be_moves_nothing(window: MainWindow, qtbot: QtBot) -> None:
    before, control = panels(window), window.decode_panel.batch
    below = window.decode_panel.context.geometry()
    control.entry.selectAll()
    qtbot.keyClicks(control.entry, "no number")
    control.entry.editingFinished.emit()
    assert control.problem.isVisible()
    assert panels(window) == before
    assert window.decode_panel.context.geometry() == below


def test_hundreds_of_edits_move_no_panel(window: MainWindow) -> None:
    before, store = panels(window), window.session.store
    chance = random.Random(7)  # noqa: S311  # the same edits each time
    for i in range(EDITS):
        edit(window, chance)
        if i % 8 == 0:
            assert panels(window) == before
    while store.undo_stack.canUndo():
        store.undo_stack.undo()
    assert panels(window) == before


def edit(window: MainWindow, chance: random.Random) -> None:
    """Some edit of the study, as a slider, a box or the picker makes it."""
    store = window.session.store
    study = store.study
    rows = [row.name for row in window.session.state.evaluation.rows]
    entries = [replace(e, visible=chance.random() < 0.7, count=chance.choice((1, 2, 8))) for e in study.hardware]
    what = chance.randrange(7)
    if what == 0:
        store.edit_workload("Batch", merge="batch", batch=chance.choice((1, 8, 300, 4096, 1 << 20)))
    elif what == 1:
        store.edit_workload("Context", context=chance.choice((1, 4096, 1 << 20)))
    elif what == 2:
        store.edit_workload("Phase", phase=chance.choice(("prefill", "decode")))
    elif what == 3:
        store.edit_workload("Weights", weights=chance.choice((None, "int8", "int4")))
    elif what == 4:
        store.edit("Devices", hardware=tuple(entries))
    elif what == 5:
        store.set_view(selection=(chance.choice(rows),) if rows and chance.random() < 0.7 else ())
    else:
        store.edit("Model", active_model=chance.choice(("", *(m.id for m in study.models))))
