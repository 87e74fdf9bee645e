"""Plain text on every surface: the one place that makes labels, tooltips, questions, titles and texts of menus.

Qt guesses whether a text is HTML, reads `&` as a shortcut and `[*]` as a mark; a name from a stranger's file is
none of these. HTML would also load the files that it names, and wait for ever for one that never ends.
"""

from collections.abc import Sequence
from html import escape
from typing import Any, Final, Protocol

from PySide6.QtCore import QEvent, QObject, QPoint, QUrl
from PySide6.QtGui import QAction, QGuiApplication, QKeyEvent, QKeySequence, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QLabel,
    QMenu,
    QMessageBox,
    QProgressDialog,
    QTextBrowser,
    QToolTip,
    QWidget,
)

from explorer.presentation.tables.spreadsheet import cell
from explorer.presentation.words.visible import one_line, shortened, visible

MOST: Final = 10_000  # characters of a label
MOST_OF_A_TIP: Final = 2_000
MOST_OF_A_LINE: Final = 200  # of a title or a menu
MOST_LINES: Final = 60
_WIDE: Final = 400  # a longer line of a tooltip is broken
_BROKEN: Final = 100


class _Tipped(Protocol):
    def setToolTip(self, text: str, /) -> None: ...


class PlainLabel(QLabel):
    """A label that shows its text as it is."""

    def __init__(self, text: str | QWidget | None = "", parent: QWidget | None = None) -> None:
        text, parent = (text, parent) if isinstance(text, str) else ("", text)
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        if text:
            self.setText(text)

    def setText(self, text: str) -> None:
        super().setText(_bounded(text, MOST))


class SafeBrowser(QTextBrowser):
    """Paragraphs with headings; loads nothing, opens nothing."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setOpenLinks(False)

    def loadResource(self, _kind: int, _name: QUrl | str) -> Any:
        return None

    def show_paragraphs(self, paragraphs: Sequence[tuple[str, str]]) -> None:
        """Show texts as they are, each in an element of its own: `p`, `b` (a bold paragraph) or `h3`."""
        self.setHtml("".join(_element(tag, escape(_bounded(text, MOST))) for tag, text in paragraphs))


def _element(tag: str, text: str) -> str:
    return f"<p><b>{text}</b></p>" if tag == "b" else f"<{tag}>{text}</{tag}>"


def tip(text: str) -> str:
    """A text as a tooltip, or as a label that is not a `PlainLabel`: escaped where Qt would take it for HTML."""
    if len(text) > _WIDE:
        text = "\n".join(_broken(shortened(text, MOST_OF_A_TIP)))
    text = _bounded(text, MOST_OF_A_TIP)
    if ("<" in text or "&" in text) and Qt.mightBeRichText(text):
        wrap = "pre" if max(map(len, text.split("\n"))) <= _BROKEN else "pre-wrap"
        return f'<p style="white-space: {wrap}">{escape(text)}</p>'
    return text


def _broken(text: str) -> list[str]:
    pieces: list[str] = []
    for line in text.split("\n"):
        step = _BROKEN if len(line) > _WIDE else _WIDE
        pieces += [line[i : i + step] for i in range(0, max(1, len(line)), step)]
    return pieces


def _bounded(text: str, most: int) -> str:
    """A text of a size that no window or tooltip grows beyond the screen for."""
    if len(text) > most:
        text = shortened(text, most)
    if text.count("\n") >= MOST_LINES:
        text = "\n".join([*text.split("\n")[: MOST_LINES - 1], "…"])
    return visible(text)


def set_tip(target: _Tipped, text: str) -> None:
    """Give a widget, an action or an item its tooltip."""
    target.setToolTip(tip(text))


def show_tip(at: QPoint, text: str, widget: QWidget) -> None:
    """Show a tooltip now."""
    QToolTip.showText(at, tip(text), widget)


def title_text(text: str) -> str:
    """A text as part of a window's title, where `[*]` stands for unsaved changes."""
    return one_line(shortened(text, MOST_OF_A_LINE)).replace("[*]", "[*][*]")


def set_title(window: QWidget, text: str) -> None:
    """Give a window its title."""
    window.setWindowTitle(title_text(text))


def menu_text(text: str) -> str:
    """A text in a menu or on a button, where `&` marks a shortcut and a tab begins a column."""
    return one_line(shortened(text, MOST_OF_A_LINE)).replace("&", "&&")


def add_action(menu: QMenu, text: str) -> QAction:
    """An action of a menu that is called by a name."""
    action = menu.addAction(menu_text(text))
    set_tip(action, text)
    return action


def name_action(action: QAction, lead: str, text: str) -> None:
    """Call an action by words of the program and a name."""
    action.setText(f"{lead} {menu_text(text)}".strip())
    set_tip(action, text)


class _CopyGuard(QObject):
    """Lets a view copy its current cell as a text, which no spreadsheet takes for a formula."""

    def eventFilter(self, view: QObject, event: QEvent) -> bool:
        copying = isinstance(event, QKeyEvent) and event.matches(QKeySequence.StandardKey.Copy)
        if not copying or event.type() != QEvent.Type.KeyPress or not isinstance(view, QAbstractItemView):
            return super().eventFilter(view, event)
        text = view.currentIndex().data()
        if text is not None:
            QGuiApplication.clipboard().setText(cell(str(text)))
        return True


def guard_copies(view: QAbstractItemView) -> None:
    """What the user copies from a list or a table of names is guarded as a cell of a spreadsheet."""
    view.installEventFilter(_CopyGuard(view))


def message_box(parent: QWidget, icon: "QMessageBox.Icon", text: str) -> QMessageBox:
    """A box that says something as it is."""
    box = QMessageBox(parent)
    box.setIcon(icon)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(_bounded(text, MOST_OF_A_TIP))
    return box


def progress_dialog(parent: QWidget, text: str) -> QProgressDialog:
    """A progress bar under a text."""
    dialog = QProgressDialog(parent)
    dialog.setLabel(PlainLabel(text, dialog))
    return dialog
