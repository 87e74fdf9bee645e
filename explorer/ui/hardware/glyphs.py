"""Small signs of the picker, drawn so that they stay sharp at any scale."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPen, QPolygonF


def rounded(painter: QPainter, rect: QRectF, radius: float, colour: QColor) -> None:
    """A filled plate."""
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour)
    painter.drawRoundedRect(rect, radius, radius)


def tick(painter: QPainter, box: QRectF, colour: QColor) -> None:
    """A check mark within a box."""
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(colour, box.width() * 0.14))
    painter.drawPolyline(QPolygonF([_within(box, 0.24, 0.52), _within(box, 0.43, 0.71), _within(box, 0.77, 0.30)]))


def chevron(painter: QPainter, middle: QPointF, size: float, colour: QColor, *, closed: bool) -> None:
    """Down for an open section, right for a closed one."""
    along, across = QPointF(0, size / 2), QPointF(size, 0)
    if closed:
        along, across = QPointF(size / 2, 0), QPointF(0, size)
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(colour, size * 0.36))
    painter.drawPolyline(QPolygonF([middle - along - across, middle + along, middle - along + across]))


def eye(painter: QPainter, rect: QRectF, colour: QColor, *, crossed: bool) -> None:
    """An eye, crossed out for what is hidden."""
    side = min(rect.width(), rect.height())
    box = QRectF(0, 0, side, side)
    box.moveCenter(rect.center())
    lens = QPainterPath(_within(box, 0.08, 0.5))
    lens.quadTo(_within(box, 0.5, 0.02), _within(box, 0.92, 0.5))
    lens.quadTo(_within(box, 0.5, 0.98), _within(box, 0.08, 0.5))
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(_pen(colour, side * 0.075))
    painter.drawPath(lens)
    painter.drawEllipse(box.center(), side * 0.12, side * 0.12)
    if crossed:
        painter.drawLine(_within(box, 0.16, 0.88), _within(box, 0.84, 0.12))


def _pen(colour: QColor, width: float) -> QPen:
    return QPen(colour, max(1.0, width), Qt.PenStyle.SolidLine, Qt.PenCapStyle.RoundCap, Qt.PenJoinStyle.RoundJoin)


def _within(box: QRectF, x: float, y: float) -> QPointF:
    return QPointF(box.left() + box.width() * x, box.top() + box.height() * y)
