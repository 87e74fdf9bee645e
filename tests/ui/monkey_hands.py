"""Hands: what a user does to widgets and dialogs of any kind, each from a seeded choice."""

import random

from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QApplication,
    QComboBox,
    QDialog,
    QLineEdit,
    QListWidget,
    QPlainTextEdit,
    QTableWidget,
    QWidget,
)
from shiboken6 import isValid

from explorer.ui.window import MainWindow

GARBAGE = (
    "", " ", "0", "-1", "1", "8", "77", "4k", "1e400", "1e308", "nan", "inf", "1e18", "1,5", "1.234", "9" * 60, "0x10",
    "🙂 é ％", "<b>x</b>", "{name}", "%1 %s", "a\tb\nc", "m=8 n=4k k=1", "m=0", "m=1e18 n=1e18 k=1e18", "x" * 250,
    "q_proj", "a * b", "m / 0", "2 ** 9999", "../..", "fp8", "\u202eabc", "'\"", "64 GB", "-", "1e-300",
)  # fmt: skip
NO_BUTTON, LEFT = Qt.MouseButton.NoButton, Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier


class Hands:
    """Fill, press, answer; `did` is what was done, for the report of a failure."""

    def __init__(self, window: MainWindow, seed: int) -> None:
        self.window = window
        self.rng = random.Random(seed)  # noqa: S311 - no secrets here
        self.did: list[str] = []

    def note(self, what: object) -> None:
        """Say more about what is being done."""
        self.did[-1] += f" {what}"

    def garbage(self) -> str:
        return self.rng.choice(GARBAGE)

    def seen(self, kind: type[QWidget], within: QWidget | None = None) -> list[QWidget]:
        """Widgets of a kind that a user could use now."""
        return [w for w in (within or self.window).findChildren(kind) if w.isVisible() and w.isEnabled()]

    def place(self, widget: QWidget) -> QPointF:
        return QPointF(self.rng.uniform(-5, widget.width() + 5), self.rng.uniform(-5, widget.height() + 5))

    def answer(self, dialog: QDialog) -> int:
        """What a dialog that waits is answered: its fields are filled with anything, its buttons pressed."""
        self.note(f"[{type(dialog).__name__}]")
        dialog.show()
        self.fill(dialog)
        if self.rng.random() < 0.6:
            dialog.accept()
        accepted = dialog.result() == QDialog.DialogCode.Accepted
        if dialog.isVisible():  # given up, or what it holds was refused
            dialog.reject()
        assert not dialog.isVisible()
        return int(accepted)

    def fill(self, dialog: QWidget) -> None:
        """Type anything into a few fields of a dialog, choose anything, change its tables, press its buttons."""
        lines, boxes = self.seen(QLineEdit, dialog), self.seen(QComboBox, dialog)
        for line in self.rng.sample(lines, min(len(lines), 3)):
            line.setText(self.garbage())
        for box in self.rng.sample(boxes, min(len(boxes), 2)):
            if box.count():
                box.setCurrentIndex(self.rng.randrange(box.count()))
        for text in self.seen(QPlainTextEdit, dialog)[:1]:
            if not text.isReadOnly():
                text.setPlainText(self.garbage())
        for table in self.seen(QTableWidget, dialog)[:1]:
            item = table.item(self.rng.randrange(max(1, table.rowCount())), self.rng.randrange(table.columnCount()))
            if item is not None and item.flags() & Qt.ItemFlag.ItemIsEditable:
                item.setText(self.garbage())
        for shown in self.seen(QListWidget, dialog)[:1]:
            self.change_list(shown)
        for _ in range(self.rng.choice((0, 0, 0, 1, 3))):
            self.press(dialog)

    def change_list(self, shown: QListWidget) -> None:
        """Go to a line of a list, or tick it."""
        if not shown.count():
            return
        item = shown.item(self.rng.randrange(shown.count()))
        shown.setCurrentItem(item)
        if item.flags() & Qt.ItemFlag.ItemIsUserCheckable and item.data(Qt.ItemDataRole.CheckStateRole) is not None:
            item.setCheckState(self.rng.choice((Qt.CheckState.Checked, Qt.CheckState.Unchecked)))

    def press(self, within: QWidget) -> None:
        """Press any button that opens no menu."""
        buttons = [b for b in self.seen(QAbstractButton, within) if not getattr(b, "menu", lambda: None)()]
        if buttons:
            button = self.rng.choice(buttons)
            self.note(button.text() or button.accessibleName())
            button.click()

    def close_what_opened(self) -> None:
        """Finish dialogs that do not wait, and menus."""
        for widget in QApplication.topLevelWidgets():
            if isValid(widget) and widget.isVisible() and isinstance(widget, QDialog):
                self.answer(widget)
        close_popups()


def close_popups() -> None:
    """Close every menu and list that has popped up."""
    while (popup := QApplication.activePopupWidget()) is not None:
        popup.hide()


def mouse(widget: QWidget, kind: QEvent.Type, at: QPointF, button: Qt.MouseButton = LEFT) -> None:
    """One event of the mouse."""
    globally = QPointF(widget.mapToGlobal(QPoint(0, 0))) + at
    held = NO_BUTTON if kind == QEvent.Type.MouseButtonRelease else button
    mine = NO_BUTTON if kind == QEvent.Type.MouseMove else button
    QApplication.sendEvent(widget, QMouseEvent(kind, at, globally, mine, held, PLAIN))


def wheel(widget: QWidget, at: QPointF, turn: int, keys: Qt.KeyboardModifier) -> None:
    """One turn of the wheel."""
    globally = QPointF(widget.mapToGlobal(QPoint(0, 0))) + at
    phase = Qt.ScrollPhase.NoScrollPhase
    event = QWheelEvent(at, globally, QPoint(), QPoint(0, turn), NO_BUTTON, keys, phase, False)  # noqa: FBT003 - Qt's
    QApplication.sendEvent(widget, event)
