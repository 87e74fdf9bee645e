"""The memory bar: parts against the capacity; hatched in the warning colour where they do not fit."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QPainter,
    QPainterPath,
    QPaintEvent,
    QPalette,
    QPen,
)
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from explorer.presentation.palette import LIGHT, Theme, part_colour
from explorer.presentation.views.memory_bar import MemoryView
from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import set_tip
from explorer.ui.widgets.widget_fonts import WidgetFont, WidgetFonts, scaled

_GAP = 3.0


class MemoryBar(QAbstractButton):
    """Title, bar and legend in one; a click asks how the figure comes about."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._view: MemoryView | None = None
        self._theme = LIGHT
        self._faces = WidgetFonts(lambda font: (scaled(font, 0.86), font))
        self.words: Callable[[], str] = str  # more to say of what fits; asked for only when the pointer rests
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        set_tip(self, self._usual_tip())

    def show_memory(self, view: MemoryView, theme: Theme) -> None:
        """Show what is held."""
        if view == self._view and theme is self._theme:
            return
        self._view, self._theme = view, theme
        self.setAccessibleName(view.title)
        self.setAccessibleDescription(view.fit_text)
        self.update()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip:
            set_tip(self, self.words() or self._usual_tip())
        return super().event(event)

    def _usual_tip(self) -> str:
        return tr("Weights, KV cache, state and reserve against the capacity of the device")

    def sizeHint(self) -> QSize:
        line = self._faces.of(self.font()).first.height
        return QSize(200, round(2 * line + line * 0.62 + 3 * _GAP))

    def minimumSizeHint(self) -> QSize:
        return QSize(120, self.sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        view = self._view
        if view is None:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        face = self._faces.of(self.font()).first
        painter.setFont(face.font)
        self._head(painter, view, face)
        top = face.height + _GAP
        bar = QRectF(0.5, top, self.width() - 1, face.height * 0.62)
        self._bar(painter, view, bar)
        self._legend(painter, view, face, bar.bottom() + _GAP + face.ascent)
        if self.hasFocus():
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self.palette().color(QPalette.ColorRole.Highlight), 1.5))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(1, 1, -1, -1), 4, 4)
        painter.end()

    def _head(self, painter: QPainter, view: MemoryView, face: WidgetFont) -> None:
        muted = self.palette().color(QPalette.ColorRole.PlaceholderText)
        painter.setPen(muted)
        painter.drawText(QPointF(0, face.ascent), view.title)
        painter.setPen(QColor(self._theme.warning) if view.over else muted)
        room, wide = self.width() - face.width(view.title) - 10, face.width(view.fit_text)
        if wide > room:  # smaller, for a figure that is cut is another one
            small = QFont(face.font)
            small.setPixelSize(max(1, int(QFontInfo(face.font).pixelSize() * max(room, 1) / wide)))
            painter.setFont(small)
            wide = QFontMetricsF(small).horizontalAdvance(view.fit_text)
        painter.drawText(QPointF(self.width() - wide, face.ascent), view.fit_text)
        painter.setFont(face.font)

    def _bar(self, painter: QPainter, view: MemoryView, bar: QRectF) -> None:
        radius = bar.height() / 2
        shape = QPainterPath()
        shape.addRoundedRect(bar, radius, radius)
        painter.save()
        painter.setClipPath(shape)
        painter.fillRect(bar, self.palette().color(QPalette.ColorRole.Mid))
        whole = max(view.capacity or 0.0, view.held) or 1.0
        x = bar.left()
        for segment in view.segments:
            width = bar.width() * segment.size / whole
            painter.fillRect(QRectF(x, bar.top(), width, bar.height()), self._colour(segment.part))
            x += width
        if view.over and view.capacity:
            edge = bar.left() + bar.width() * view.capacity / whole
            beyond = QRectF(edge, bar.top(), bar.right() - edge, bar.height())
            warning = QColor(self._theme.warning)
            painter.fillRect(beyond, self.palette().color(QPalette.ColorRole.Base))
            painter.fillRect(beyond, QBrush(warning, Qt.BrushStyle.BDiagPattern))
            painter.fillRect(QRectF(edge - 1, bar.top(), 2, bar.height()), warning)
        painter.restore()

    def _colour(self, part: str) -> QColor:
        return QColor(part_colour(self._theme, part))

    def _legend(self, painter: QPainter, view: MemoryView, face: WidgetFont, baseline: float) -> None:
        x, side = 0.0, face.ascent * 0.62
        for segment in view.segments:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(self._colour(segment.part))
            painter.drawRoundedRect(QRectF(x, baseline - side, side, side), 2, 2)
            painter.setPen(self.palette().color(QPalette.ColorRole.PlaceholderText))
            painter.drawText(QPointF(x + side + 4, baseline), segment.text)
            x += side + 14 + face.width(segment.text)
