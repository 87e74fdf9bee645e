"""The members of a merged ring, fanned out beside it so that each can be chosen."""

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetricsF, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from explorer.presentation.palette import LIGHT, Theme

MOST = 14


class Fan(QWidget):
    """Names on an arc beside their ring, each with a spoke; a click chooses one."""

    chosen = Signal(str, bool)  # row name, added to the selection

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.theme: Theme = LIGHT
        self.names: tuple[str, ...] = ()
        self.selection: frozenset[str] = frozenset()
        self._colour = QColor()
        self._hub = QPointF()
        self._gap = 0.0
        self._left = False
        self._hovered = -1
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.hide()

    def open(self, names: tuple[str, ...], at: QPointF, gap: float, colour: QColor, within: QRectF) -> None:
        """Fan out `names` around a ring at `at` whose edge is `gap` pixels away."""
        self.names, self._colour, self._gap, self._hovered = names[:MOST], colour, gap, -1
        size = self._size()
        self._left = at.x() + size.width() > within.right()
        x = at.x() - size.width() if self._left else at.x()
        y = min(max(at.y() - size.height() / 2, within.top()), within.bottom() - size.height())
        self.setGeometry(int(x), int(y), size.width(), size.height())
        self._hub = at - QPointF(self.pos())
        self.show()
        self.raise_()

    def row_rect(self, index: int) -> QRectF:
        """Where a name stands, in the fan's own pixels."""
        line = self._line()
        spoke = self._spoke()
        width = self.width() - spoke
        return QRectF(0.0 if self._left else spoke, line * (index + 0.5), width, line)

    def _size(self) -> QSize:
        metrics = QFontMetricsF(self.font())
        widest = max(metrics.horizontalAdvance(name) for name in self.names)
        return QSize(int(self._spoke() + widest + 2.2 * metrics.height()), int(self._line() * (len(self.names) + 1)))

    def _line(self) -> float:
        return QFontMetricsF(self.font()).height() * 1.45

    def _spoke(self) -> float:
        return self._gap + 2.2 * QFontMetricsF(self.font()).height()

    def _row_at(self, pos: QPointF) -> int:
        return next((i for i in range(len(self.names)) if self.row_rect(i).contains(pos)), -1)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position())
        if row != self._hovered:
            self._hovered = row
            self.update()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        row = self._row_at(event.position())
        if row < 0:
            self.hide()
        else:
            self.chosen.emit(self.names[row], bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))

    def leaveEvent(self, event: QEvent) -> None:
        self._hovered = -1
        self.update()
        super().leaveEvent(event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_card(painter)
        self._paint_spokes(painter)
        for i, name in enumerate(self.names):
            self._paint_row(painter, i, name)
        painter.end()

    def _paint_card(self, painter: QPainter) -> None:
        card = self.row_rect(0) | self.row_rect(len(self.names) - 1)
        pad = self._line() * 0.25
        painter.setPen(QPen(QColor(self.theme.border), 1.0))
        painter.setBrush(QColor(self.theme.panel))
        painter.drawRoundedRect(card.adjusted(0.5, -pad, -0.5, pad), 6.0, 6.0)

    def _dot(self, index: int) -> QPointF:
        row = self.row_rect(index)
        inset = row.height() * 0.5
        return QPointF(row.right() - inset if self._left else row.left() + inset, row.center().y())

    def _paint_spokes(self, painter: QPainter) -> None:
        painter.setPen(QPen(QColor(self.theme.muted), 1.0))
        for i in range(len(self.names)):
            dot = self._dot(i)
            away = dot - self._hub
            painter.drawLine(self._hub + away * (self._gap / math.hypot(away.x(), away.y())), dot)

    def _paint_row(self, painter: QPainter, index: int, name: str) -> None:
        row = self.row_rect(index)
        if index == self._hovered or name in self.selection:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(self.theme.selected if name in self.selection else self.theme.raised))
            painter.drawRoundedRect(row.adjusted(4, 1, -4, -1), 4.0, 4.0)
        dot, radius = self._dot(index), row.height() * 0.2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(self._colour)
        painter.drawEllipse(dot, radius, radius)
        painter.setPen(QColor(self.theme.text))
        flag = Qt.AlignmentFlag.AlignRight if self._left else Qt.AlignmentFlag.AlignLeft
        by_dot, far = row.height() * 1.1, row.height() * 0.3
        room = row.adjusted(far, 0, -by_dot, 0) if self._left else row.adjusted(by_dot, 0, -far, 0)
        painter.drawText(room, flag | Qt.AlignmentFlag.AlignVCenter, name)
