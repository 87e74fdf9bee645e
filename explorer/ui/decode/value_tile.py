"""A figure with its name, as a tile or as one line; a click asks how it comes about."""

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from explorer.ui.widgets.chip import LEAST
from explorer.ui.widgets.plain_text import set_tip
from explorer.ui.widgets.widget_fonts import WidgetFont, WidgetFonts, scaled

_PAD = 8.0


class ValueTile(QAbstractButton):
    """Name small above the value; `line` puts both on one muted line."""

    def __init__(self, name: str, tip: str, *, line: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._name, self._value, self._line = name, "", line
        self._faces = WidgetFonts(_of_line if line else _of_tile)
        self._tip, self._supposed = tip, ""
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

    def explain(self, tip: str) -> None:
        """Tell what the figure is."""
        self._tip = tip
        self._tell()

    def suppose(self, why: str) -> None:
        """Mute the figure and say what it holds under; as it is where `why` is empty."""
        if why != self._supposed:
            self._supposed = why
            self._tell()
            self.update()

    @property
    def ink(self) -> QColor:
        """The colour of the value."""
        role = QPalette.ColorRole.PlaceholderText if self._supposed else QPalette.ColorRole.WindowText
        return self.palette().color(role)

    @property
    def figure(self) -> str:
        """The value shown."""
        return self._value

    def _tell(self) -> None:
        self.setAccessibleName(self._name)
        self.setAccessibleDescription(" ".join(filter(None, (self._value, self._supposed))))
        set_tip(self, "\n".join(filter(None, (self._tip, self._supposed))))

    def sizeHint(self) -> QSize:
        small, large = self._faces.of(self.font())
        if self._line:
            return QSize(60, max(LEAST, round(small.height + 4)))
        return QSize(90, round(small.height + large.height + 0.7 * _PAD))

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
        small, tall = self._faces.of(self.font())
        box = QRectF(self.rect())
        fill = QColor(palette.color(QPalette.ColorRole.AlternateBase))
        painter.setPen(QPen(palette.color(QPalette.ColorRole.Mid), 1) if self.underMouse() else Qt.PenStyle.NoPen)
        painter.setBrush(fill)
        painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 6, 6)
        width = box.width() - 2 * _PAD
        y = 0.4 * _PAD + small.ascent
        painter.setFont(small.font)
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        painter.drawText(QPointF(_PAD, y), small.metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, width))
        while tall.width(self._value) > width and tall.font.pointSizeF() > 8:
            smaller = QFont(tall.font)
            smaller.setPointSizeF(smaller.pointSizeF() - 0.5)
            tall = WidgetFont(smaller)
        painter.setFont(tall.font)
        painter.setPen(self.ink)
        painter.drawText(QPointF(_PAD, y + small.metrics.descent() + tall.ascent), self._value)

    def _paint_line(self, painter: QPainter) -> None:
        palette, small = self.palette(), self._faces.of(self.font()).first
        painter.setFont(small.font)
        painter.setPen(palette.color(QPalette.ColorRole.PlaceholderText))
        baseline = (self.height() - small.height) / 2 + small.ascent
        room = self.width() - small.width(self._value) - _PAD / 2  # a name is shortened, a figure never
        name = small.metrics.elidedText(self._name, Qt.TextElideMode.ElideRight, room)
        painter.drawText(QPointF(0, baseline), name)
        painter.setPen(self.ink)
        painter.drawText(QPointF(self.width() - small.width(self._value), baseline), self._value)


def _of_tile(font: QFont) -> tuple[QFont, QFont]:
    large = scaled(font, 1.25, least=0.0)
    large.setBold(True)
    return scaled(font, 0.86), large


def _of_line(font: QFont) -> tuple[QFont, QFont]:
    small = scaled(font, 0.86)
    return small, small
