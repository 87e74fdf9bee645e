"""What can be used is large enough for a hand, has a name, and the keyboard comes to it; dialogs stand still."""

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QPoint, QSize
from PySide6.QtWidgets import QApplication, QDialog, QLabel, QLineEdit, QMessageBox, QTabBar
from pytestqt.qtbot import QtBot

from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.models.presets import load_presets
from explorer.files.study.examples import opening_study
from explorer.ui.forms.form_field import FormField
from explorer.ui.settings import Settings
from explorer.ui.widgets.chip import LEAST
from explorer.ui.window import SMALLEST, MainWindow
from tests.ui.every_dialog import beyond_tab, each_dialog, nameless, settle, too_small

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
DIALOGS = {
    "About", "CeilingsDialog", "Conventions", "CountersDialog", "DeviceEditor", "ExportDialog", "KindEditor",
    "MeasureDialog", "Preferences", "PresetDialog", "RoofFitDialog", "Shortcuts", "StudyNotes", "TraceDialog",
}  # fmt: skip
MESSAGE = "What is wrong, said in a sentence that is longer than one line of a dialog and goes on for a while. " * 2


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot) -> Iterator[MainWindow]:
    made = make_window(opening_study(), Settings())
    made.take_catalogue(load_catalogue())
    made.resize(1280, 800)
    with qtbot.waitExposed(made):
        made.show()
    yield made
    made.hide()


def each_state(window: MainWindow) -> Iterator[str]:
    """The window at its smallest and at a small one: each tab, each table, a model with a router, options open."""
    entry = next(m for m in load_presets() if m.id == "gpt-oss-120b")
    window.session.store.edit("Model", models=(*window.session.store.study.models, entry), active_model=entry.id)
    window.notice.say("Something happened.")
    for size in (SMALLEST, (1280, 800)):
        window.resize(*size)
        for index in range(window.tabs.count()):
            window.tabs.setCurrentIndex(index)
            settle()
            yield f"{size} tab {index}"
        for index in range(window.tables.count()):
            window.tables.setCurrentIndex(index)
            settle()
            yield f"{size} table {index}"
        window.decode_panel.more.fold.setChecked(True)
        settle()
        yield f"{size} options"
        window.decode_panel.more.fold.setChecked(False)


def test_every_target_of_the_window_is_large_enough_and_has_a_name(window: MainWindow) -> None:
    for state in each_state(window):
        assert too_small(window, LEAST) == [], state
        assert nameless(window) == [], state
        for bar in window.findChildren(QTabBar):
            assert not bar.isVisible() or min(bar.tabRect(i).height() for i in range(bar.count())) >= LEAST
            assert bar.accessibleName(), bar.parent()


def test_the_keyboard_comes_to_everything_in_the_window(window: MainWindow) -> None:
    for state in each_state(window):
        assert beyond_tab(window) == [], state


def test_targets_of_dialogs_are_large_enough_named_and_reached_by_keys(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults: dict[str, list[str]] = {}

    def see(dialog: QDialog) -> None:
        found = [*too_small(dialog, LEAST), *nameless(dialog), *(f"no Tab to {w}" for w in beyond_tab(dialog))]
        if found:
            faults[type(dialog).__name__] = found

    found = each_dialog(window, monkeypatch, see)
    assert faults == {}
    assert set(found) >= DIALOGS


def test_a_message_in_a_dialog_changes_neither_its_size_nor_its_place(
    window: MainWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved: dict[str, tuple[QSize, QSize]] = {}

    def see(dialog: QDialog) -> None:
        if isinstance(dialog, QMessageBox):
            return
        before, place = QSize(dialog.size()), QPoint(dialog.pos())
        for line in dialog.findChildren(QLineEdit):
            if not line.isReadOnly() and isinstance(line.parentWidget(), FormField):
                line.setText("no number, and no name either: " + line.text())
        for label in dialog.findChildren(QLabel):
            if label.wordWrap() and label.accessibleName():
                label.setText(MESSAGE)
        settle()
        if (dialog.size(), dialog.pos()) != (before, place):
            moved[type(dialog).__name__] = before, QSize(dialog.size())

    each_dialog(window, monkeypatch, see)
    assert moved == {}
