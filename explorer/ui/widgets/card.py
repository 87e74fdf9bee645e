"""A rounded panel, the frame of every part of the window."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QFrame, QVBoxLayout, QWidget

RADIUS = 8.0
_CLEAR = 3  # logical pixels from which on square content keeps clear of the round corners


class Card(QFrame):
    """A panel with a thin border; its colours are the palette's."""

    def __init__(self, content: QWidget | None = None, margin: int = 0, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.box = QVBoxLayout(self)
        inset = margin + _CLEAR
        self.box.setContentsMargins(inset, inset, inset, inset)
        self.box.setSpacing(0)
        if content is not None:
            self.box.addWidget(content)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(self.palette().base())
        painter.setPen(QPen(self.palette().mid().color(), 1.0))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.end()


def transparent(widget: QWidget) -> QWidget:
    """Let the card behind show through."""
    widget.setAutoFillBackground(False)
    widget.setAttribute(Qt.WidgetAttribute.WA_NoSystemBackground, on=False)
    return widget
