"""A line of text that shows, muted behind what is typed, what will be stored."""

from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QLineEdit, QWidget

_GAP = 8  # pixels between the text and what it comes to
_FRAME = 6


class GhostLine(QLineEdit):
    """`set_ghost` says what the text comes to; it is drawn behind the text, and read to those who do not see."""

    def __init__(self, text: str, parent: QWidget | None = None) -> None:
        super().__init__(text, parent)
        self._ghost = ""

    @property
    def ghost(self) -> str:
        """What the text comes to, "" where it says so itself."""
        return self._ghost

    def set_ghost(self, ghost: str) -> None:
        """Show what the text comes to."""
        if ghost != self._ghost:
            self._ghost = ghost
            self.setAccessibleDescription(ghost)
            self.update()

    def ghost_width(self) -> int:
        """What the line needs to show text and ghost."""
        metrics = self.fontMetrics()
        return metrics.horizontalAdvance(self.text()) + _GAP + metrics.horizontalAdvance(self._ghost) + 2 * _FRAME

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        if self._ghost and self.ghost_width() <= self.width():
            with QPainter(self) as painter:
                painter.setFont(self.font())
                painter.setPen(self.palette().placeholderText().color())
                left = _FRAME + self.fontMetrics().horizontalAdvance(self.text()) + _GAP
                room = self.rect().adjusted(left, 0, -_FRAME, 0)
                painter.drawText(room, int(self.alignment().AlignVCenter), self._ghost)
