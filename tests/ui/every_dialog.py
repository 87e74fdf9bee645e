"""Every dialog that menus, tables and the picker open, one after the other, and what can be used in it."""

from collections.abc import Callable, Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QDialog,
    QFileDialog,
    QLineEdit,
    QMessageBox,
    QScrollBar,
    QWidget,
)

from explorer.ui.measure.job_dialog import JobDialog
from explorer.ui.window import MainWindow

INPUTS = (QAbstractButton, QLineEdit, QComboBox, QAbstractSpinBox, QAbstractSlider)
NOT_ASKED = {"quit", "new_study", "present"}


def settle() -> None:
    for _ in range(3):
        QApplication.processEvents()


def inputs(root: QWidget) -> Iterator[QWidget]:
    """What can be used now, without the parts of other inputs."""
    for widget in root.findChildren(QWidget):
        whole = isinstance(widget, INPUTS) and not isinstance(widget, QScrollBar)
        parts = (QAbstractSpinBox, QComboBox, QLineEdit)
        if whole and widget.isVisible() and not isinstance(widget.parentWidget(), parts):
            yield widget


def name_of(widget: QWidget) -> str:
    text = widget.text() if isinstance(widget, QAbstractButton | QLineEdit) else ""
    return f"{type(widget).__name__} {widget.accessibleName() or text!r}"


def each_dialog(window: MainWindow, monkeypatch: pytest.MonkeyPatch, see: Callable[[QDialog], None]) -> list[str]:
    """Open them all; `see` is shown each of them while it is open. Their names."""
    found: list[str] = []

    def look(dialog: QDialog) -> int:
        if type(dialog).__name__ not in found:
            found.append(type(dialog).__name__)
            dialog.show()
            settle()
            see(dialog)
        dialog.hide()
        return int(QMessageBox.StandardButton.Cancel) if isinstance(dialog, QMessageBox) else 0

    monkeypatch.setattr(QDialog, "exec", look)
    monkeypatch.setattr(QMessageBox, "exec", look)
    monkeypatch.setattr(JobDialog, "open_and_search", lambda _dialog: None)
    for name, nothing in (("getOpenFileName", ("", "")), ("getOpenFileNames", ([], "")), ("getSaveFileName", ("", ""))):
        monkeypatch.setattr(QFileDialog, name, lambda *_a, nothing=nothing, **_k: nothing)
    for key, action in window.actions_by_name.items():
        if key not in NOT_ASKED:
            action.trigger()
            _look_at_open(look)
    entry = next(row for row in window.picker.model.rows if row.kind == "entry")
    window.picker.commands.edit(entry)
    window.picker.commands.new()
    tables = window.tables
    for table, act in ((tables.operators, "edit_row"), (tables.models, "add_quick"), (tables.measurements, "add")):
        tables.setCurrentWidget(table)
        table.view.setCurrentIndex(table.model.index(0, 0))
        getattr(table, act)()
        _look_at_open(look)
    return found


def _look_at_open(look: Callable[[QDialog], int]) -> None:
    settle()
    for widget in QApplication.topLevelWidgets():
        if isinstance(widget, QDialog) and widget.isVisible():
            look(widget)


def reached_by_tab(root: QWidget) -> set[QWidget]:
    """What the Tab key comes by, from where the keyboard is round to there again."""
    root.activateWindow()
    seen: set[QWidget] = set()
    for _ in range(400):
        root.focusNextPrevChild(True)  # noqa: FBT003 - as Qt has it
        now = root.focusWidget()
        if now is None or now in seen:
            break
        seen.add(now)
    return seen


def beyond_tab(root: QWidget) -> list[str]:
    """Inputs that Tab does not come to; of exclusive choices one is enough, arrows lead to the others."""
    seen = reached_by_tab(root)
    near = {w.parentWidget() for w in seen if isinstance(w, QAbstractButton) and w.isCheckable()}
    missed = []
    for widget in inputs(root):
        proxy = widget.focusProxy() or widget
        grouped = isinstance(widget, QAbstractButton) and widget.group() is not None and widget.parentWidget() in near
        if widget.isEnabled() and not grouped and proxy not in seen:
            missed.append(name_of(widget))
    return missed


def too_small(root: QWidget, least: int) -> list[str]:
    """Inputs that are narrower or lower than a hand needs."""
    return [f"{name_of(w)} {w.width()} x {w.height()}" for w in inputs(root) if w.width() < least or w.height() < least]


def nameless(root: QWidget) -> list[str]:
    """Inputs that a screen reader could say nothing of."""
    return [repr(w) for w in inputs(root) if name_of(w).endswith(" ''")]


KEYBOARD = Qt.FocusReason.TabFocusReason
