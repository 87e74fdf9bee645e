"""The rubber band of a box zoom, in the theme's accent."""

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from explorer.presentation.palette import LIGHT, Theme


class Band(QWidget):
    """A translucent rectangle over the chart."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme: Theme = LIGHT
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def show_rect(self, rect: QRectF | None) -> None:
        """Span `rect` of the chart; None takes the band away."""
        if rect is None:
            self.hide()
        else:
            self.setGeometry(rect.toAlignedRect())
            self.show()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        fill = QColor(self.theme.accent)
        fill.setAlphaF(0.15)
        painter.setBrush(fill)
        painter.setPen(QPen(QColor(self.theme.accent), 1.0))
        painter.drawRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5))
        painter.end()
