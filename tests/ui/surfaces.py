"""Every text that a window and what it opened show, and where: found by walking widgets, models, menus and scenes."""

from collections.abc import Iterator
from typing import NamedTuple

from PySide6.QtCore import QAbstractListModel, QLocale, QModelIndex, Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QApplication,
    QComboBox,
    QGraphicsTextItem,
    QGraphicsView,
    QHeaderView,
    QLabel,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPlainTextEdit,
    QStyledItemDelegate,
    QTabBar,
    QTextBrowser,
    QTextEdit,
    QWidget,
)

from explorer.ui.widgets.plain_text import SafeBrowser

Role = Qt.ItemDataRole
MOST_ROWS = 60


class Surface(NamedTuple):
    """A text; `guessed` where Qt looks for HTML in it."""

    where: str
    text: str
    guessed: bool = False


def surfaces() -> Iterator[Surface]:
    """What every widget shows now, hidden ones included."""
    for widget in QApplication.allWidgets():
        yield from of_widget(widget)


def of_widget(widget: QWidget) -> Iterator[Surface]:
    name = f"{type(widget).__name__} {widget.objectName() or widget.accessibleName()[:30]!r}"
    yield Surface(f"{name} tooltip", widget.toolTip(), guessed=True)
    yield Surface(f"{name} what's this", widget.whatsThis(), guessed=True)
    yield Surface(f"{name} title", widget.windowTitle())
    yield Surface(f"{name} spoken", widget.accessibleName())
    for action in widget.actions():
        yield from of_action(name, action)
    if isinstance(widget, QLabel):
        yield Surface(f"{name} label", widget.text(), guessed=widget.textFormat() != Qt.TextFormat.PlainText)
    elif isinstance(widget, QAbstractButton):
        yield Surface(f"{name} button", widget.text())
    elif isinstance(widget, QComboBox):
        yield from (Surface(f"{name} item", widget.itemText(i)) for i in range(min(widget.count(), MOST_ROWS)))
        tips = (widget.itemData(i, Role.ToolTipRole) for i in range(widget.count()))
        yield from (Surface(f"{name} item's tooltip", str(t), guessed=True) for t in tips if t)
    elif isinstance(widget, QTabBar):
        yield from (Surface(f"{name} tab", widget.tabText(i)) for i in range(widget.count()))
        yield from (Surface(f"{name} tab's tooltip", widget.tabToolTip(i), guessed=True) for i in range(widget.count()))
    elif isinstance(widget, QMenu):
        yield Surface(f"{name} menu", widget.title())
    elif isinstance(widget, QAbstractItemView):
        yield from of_view(name, widget)
    else:
        yield from of_text(name, widget)


def of_text(name: str, widget: QWidget) -> Iterator[Surface]:
    """What boxes and fields of text show."""
    if isinstance(widget, QMessageBox):
        texts = (widget.text(), widget.informativeText(), widget.detailedText())
        yield from (Surface(name, t, guessed=widget.textFormat() != Qt.TextFormat.PlainText) for t in texts)
    elif isinstance(widget, QTextEdit | QTextBrowser):
        assert isinstance(widget, SafeBrowser), f"{name} could load what its text names"
        yield Surface(name, widget.toPlainText())
    elif isinstance(widget, QPlainTextEdit) and widget.isReadOnly():
        yield Surface(name, widget.toPlainText())
    elif isinstance(widget, QLineEdit) and widget.isReadOnly():
        yield Surface(name, widget.text())
    elif isinstance(widget, QGraphicsView) and widget.scene() is not None:
        assert not [i for i in widget.scene().items() if isinstance(i, QGraphicsTextItem) and i.toPlainText()]


def of_action(name: str, action: QAction) -> Iterator[Surface]:
    yield Surface(f"{name} action", action.text())
    yield Surface(f"{name} action's tooltip", action.toolTip(), guessed=True)
    yield Surface(f"{name} action's status", action.statusTip())
    yield Surface(f"{name} action what's this", action.whatsThis(), guessed=True)


def of_view(name: str, view: QAbstractItemView) -> Iterator[Surface]:
    """All cells and headers of a view's model, in each role that is shown."""
    model = view.model()
    if model is None or isinstance(view, QHeaderView):
        return
    columns = 1 if isinstance(model, QAbstractListModel) else model.columnCount(QModelIndex())
    cells = [model.index(r, c) for r in range(min(model.rowCount(QModelIndex()), MOST_ROWS)) for c in range(columns)]
    for index in cells:
        for role in (Role.DisplayRole, Role.StatusTipRole, Role.AccessibleTextRole):
            if isinstance(text := index.data(role), str):
                shown = _painted(view, index, text) if role == Role.DisplayRole else text
                yield Surface(f"{name} cell {index.row()},{index.column()}", shown)
        for role in (Role.ToolTipRole, Role.WhatsThisRole):
            if isinstance(text := index.data(role), str):
                yield Surface(f"{name} cell {index.row()},{index.column()} tooltip", text, guessed=True)
    for section in range(columns):
        for role in (Role.DisplayRole, Role.ToolTipRole, Role.WhatsThisRole):
            text = model.headerData(section, Qt.Orientation.Horizontal, role)
            if isinstance(text, str):
                yield Surface(f"{name} header {section}", text, guessed=role != Role.DisplayRole)


def _painted(view: QAbstractItemView, index: QModelIndex, text: str) -> str:
    delegate = view.itemDelegateForIndex(index)
    return delegate.displayText(text, QLocale()) if isinstance(delegate, QStyledItemDelegate) else text
