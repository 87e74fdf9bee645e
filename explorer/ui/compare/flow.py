"""A row that goes on in the next line where there is no room for all of it."""

from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtWidgets import QLayout, QLayoutItem, QWidget


class FlowLayout(QLayout):
    """Lays items out as a line of words: as wide as they want to be, in as many lines as it takes.

    The last item stands at the right edge of its line where `last_right`.
    """

    def __init__(self, parent: QWidget | None = None, *, gap: int = 8, last_right: bool = False) -> None:
        super().__init__(parent)
        self._items: list[QLayoutItem] = []
        self._last_right = last_right
        self.setSpacing(gap)

    def addItem(self, item: QLayoutItem) -> None:
        self._items.append(item)

    def count(self) -> int:
        return len(self._items)

    def itemAt(self, index: int) -> QLayoutItem | None:
        return self._items[index] if 0 <= index < len(self._items) else None

    def takeAt(self, index: int) -> QLayoutItem | None:
        return self._items.pop(index) if 0 <= index < len(self._items) else None

    def expandingDirections(self) -> Qt.Orientation:
        return Qt.Orientation(0)

    def hasHeightForWidth(self) -> bool:
        return True

    def heightForWidth(self, width: int) -> int:
        lines = self._lines(width - self._sides())
        return self._height(lines) + self._ends()

    def sizeHint(self) -> QSize:
        shown = self._shown()
        wide = sum(i.sizeHint().width() for i in shown) + self.spacing() * max(0, len(shown) - 1)
        tall = max((i.sizeHint().height() for i in shown), default=0)
        return QSize(wide + self._sides(), tall + self._ends())

    def minimumSize(self) -> QSize:
        shown = self._shown()
        wide = max((i.minimumSize().width() for i in shown), default=0)
        tall = max((i.minimumSize().height() for i in shown), default=0)
        return QSize(wide + self._sides(), tall + self._ends())

    def setGeometry(self, rect: QRect) -> None:
        super().setGeometry(rect)
        room = rect.marginsRemoved(self.contentsMargins())
        y = room.top()
        for line in self._lines(room.width()):
            tall = max(item.sizeHint().height() for item in line)
            self._place(line, QRect(room.left(), y, room.width(), tall))
            y += tall + self.spacing()

    def _place(self, line: list[QLayoutItem], room: QRect) -> None:
        x = room.left()
        for item in line:
            size = item.sizeHint().boundedTo(QSize(room.width(), item.sizeHint().height()))
            if self._last_right and item is self._items[-1]:
                x = max(x, room.right() + 1 - size.width())
            item.setGeometry(QRect(QPoint(x, room.top() + (room.height() - size.height()) // 2), size))
            x += size.width() + self.spacing()

    def _shown(self) -> list[QLayoutItem]:
        return [item for item in self._items if not item.isEmpty()]

    def _lines(self, width: int) -> list[list[QLayoutItem]]:
        lines: list[list[QLayoutItem]] = []
        left = 0
        for item in self._shown():
            wide = item.sizeHint().width()
            if lines and wide <= left:
                lines[-1].append(item)
            else:
                lines.append([item])
                left = width
            left -= wide + self.spacing()
        return lines

    def _height(self, lines: list[list[QLayoutItem]]) -> int:
        tall = sum(max(item.sizeHint().height() for item in line) for line in lines)
        return tall + self.spacing() * max(0, len(lines) - 1)

    def _sides(self) -> int:
        margins = self.contentsMargins()
        return margins.left() + margins.right()

    def _ends(self) -> int:
        margins = self.contentsMargins()
        return margins.top() + margins.bottom()
