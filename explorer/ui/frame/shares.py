"""How the window is shared among its panels until the user moves a splitter."""

from typing import Final

from PySide6.QtCore import QByteArray, QObject, QSize
from PySide6.QtWidgets import QSplitter

_USUAL: Final = QSize(1600, 1000)  # in text heights of 16
_TEXT: Final = 16
_LEFT, _RIGHT, _FOOT = 290, 348, 262
_HEAD: Final = 104  # menus and answer
_LEAST_FOOT: Final = 150  # three rows under their headings
_WIDENS: Final = 0.08  # of what the window is wider
_HEIGHTENS, _LOWERS = 0.29, 0.4  # of what it is higher, and lower


def across(width: int, text: int) -> list[int]:
    """Widths of picker, views and the column at the right."""
    scale = text / _TEXT
    more = max(0.0, width - _USUAL.width() * scale) * _WIDENS
    left, right = round(_LEFT * scale + more), round(_RIGHT * scale + more)
    return [left, max(1, width - 2 * _TEXT - left - right), right]


def down(height: int, text: int) -> list[int]:
    """Heights of what stands above the tables, and of these."""
    scale = text / _TEXT
    more = height - _USUAL.height() * scale
    foot = _FOOT * scale + more * (_HEIGHTENS if more > 0 else _LOWERS)
    foot = round(max(_LEAST_FOOT * scale, foot))
    return [max(1, height - round(_HEAD * scale) - foot), foot]


class Shares(QObject):
    """Keeps two splitters at those shares; one that the user moved, or that was restored, is left alone."""

    def __init__(self, middle: QSplitter, outer: QSplitter) -> None:
        super().__init__(outer)
        self._middle, self._outer = middle, outer
        self._moved: set[QSplitter] = set()
        for splitter in (middle, outer):
            splitter.splitterMoved.connect(self._on_moved)

    def _on_moved(self) -> None:
        sender = self.sender()
        if isinstance(sender, QSplitter):
            self._moved.add(sender)

    def restore(self, splitter: QSplitter, state: QByteArray) -> None:
        """Share as it was when the window was closed."""
        self._moved.add(splitter)
        splitter.restoreState(state)

    def apply(self, size: QSize, text: int) -> None:
        """Share a window of a size, with letters of a height."""
        if self._middle not in self._moved:
            self._middle.setSizes(across(size.width(), text))
        if self._outer not in self._moved:
            self._outer.setSizes(down(size.height(), text))
