"""A figure with its name, as a tile or as one line; a click asks how it comes about."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from explorer.ui.widgets.plain import set_tip

_PAD = 8.0


class ValueTile(QAbstractButton):
    """Name small above the value; `line` puts both on one muted line."""

    def __init__(self, name: str, tip: str, *, line: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._value, self._line = name, "", line
        set_tip(self, tip)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._tell()

    def show_figure(self, value: str, name: str | None = None) -> None:
        """Show a value; repaints only where it differs."""
        if value == self._value and name in {None, self._name}:
            return
        self._value, self._name = value, self._name if name is None else name
        self._tell()
        self.update()

    @property
    def figure(self) -> str:
        """The value shown."""
        return self._value

    def _tell(self) -> None:
        self.setAccessibleName(self._name)
        self.setAccessibleDescription(self._value)

    def _fonts(self) -> tuple[QFont, QFont]:
        small, large = QFont(self.font()), QFont(self.font())
        small.setPointSizeF(max(6.0, small.pointSizeF() * 0.86))
        if self._line:
            return small, small
        large.setPointSizeF(large.pointSizeF() * 1.25)
        large.setBold(True)
        return small, large

    def sizeHint(self) -> QSize:
        small, large = (QFontMetricsF(f) for f in self._fonts())
        if self._line:
            return QSize(60, round(small.height() + 4))
        return QSize(90, round(small.height() + large.height() + 0.7 * _PAD))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        (self._paint_line if self._line else self._paint_tile)(painter)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), 1.5))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 5, 5)
        painter.end()

    def _paint_tile(self, painter: QPainter) -> None:
        palette = self.palette()
        small, large = self._fonts()
        box = QRectF(self.rect())
        fill = QColor(palette.color(QPalette.ColorRole.AlternateBase))
        painter.setPen(QPen(palette.color(QPalette.ColorRole.Mid), 1) if self.underMouse() else Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        metrics = QFontMetricsF(small)
        width = box.width() - 2 * _PAD
        y = 0.4 * _PAD + metrics.ascent()
        painter.setFont(small)
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        painter.drawText(QPointF(_PAD, y), metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, width))
        tall = QFontMetricsF(large)
        while tall.horizontalAdvance(self._value) > width and large.pointSizeF() > 8:
            large.setPointSizeF(large.pointSizeF() - 0.5)
            tall = QFontMetricsF(large)
        painter.setFont(large)
        painter.setPen(palette.color(QPalette.ColorRole.WindowText))
        painter.drawText(QPointF(_PAD, y + metrics.descent() + tall.ascent()), self._value)

    def _paint_line(self, painter: QPainter) -> None:
        palette, font = self.palette(), self._fonts()[0]
        metrics = QFontMetricsF(font)
        painter.setFont(font)
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        baseline = 2 + metrics.ascent()
        painter.drawText(QPointF(0, baseline), self._name)
        painter.setPen(palette.color(QPalette.ColorRole.WindowText))
        painter.drawText(QPointF(self.width() - metrics.horizontalAdvance(self._value), baseline), self._value)
