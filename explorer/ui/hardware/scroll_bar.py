"""A slim scroll bar: a handle and nothing else, in the palette's colours."""

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollBar, QStyle, QStyleOptionSlider, QWidget


class SlimScrollBar(QScrollBar):
    """Behaves as the style's own; only looks and width differ."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(Qt.Orientation.Vertical, parent)

    def sizeHint(self) -> QSize:
        return QSize(round(self.fontMetrics().height() * 0.5), super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionSlider()
        self.initStyleOption(option)
        style, part = self.style(), QStyle.SubControl.SC_ScrollBarSlider
        handle = QRectF(style.subControlRect(QStyle.ComplexControl.CC_ScrollBar, option, part, self))
        with QPainter(self) as painter:
            painter.fillRect(self.rect(), self.palette().base())
            if self.minimum() == self.maximum():  # kept free, so that texts need not be broken anew
                return
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            painter.setPen(Qt.PenStyle.NoPen)
            colour = self.palette().placeholderText().color()
            colour.setAlphaF(0.75 if self.isSliderDown() or self.underMouse() else 0.4)
            painter.setBrush(colour)
            bar = handle.adjusted(2, 0, -0.5, 0)
            painter.drawRoundedRect(bar, bar.width() / 2, bar.width() / 2)
