"""Painter of the line of verdicts that flip: a title, a chip for each group of operators with what it waits for."""

from msgspec.structs import replace
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.plot.compare.style import TableStyle
from explorer.plot.paint.brushes import colour
from explorer.presentation.compare.flip_chips import FlipLine, FlipSide, FlipWords
from explorer.presentation.palette import Theme, bound_colour

_PAD, _BETWEEN, _LINE = 8.0, 8.0, 26.0
_SIDE = 30.0  # around a verdict and between it and where it holds


def flips_height(line: FlipLine, width: float, style: TableStyle) -> float:
    """The height that the line takes at a width; 0 where there is nothing to say."""
    if not line.title:
        return 0.0
    last = _placed(QRectF(0, 0, width, 0), line, style)[-1:]
    return (last[0][1].bottom() if last else _LINE * style.unit) + 2 * style.unit


def paint_flips(
    painter: QPainter, rect: QRectF, line: FlipLine, theme: Theme, style: TableStyle
) -> list[tuple[QRectF, str]]:
    """Paint the line, on as many rows as it needs; returns the rectangle and tip of each chip."""
    if not line.title:
        return []
    unit, title = style.unit, style.best
    _write(
        painter,
        QPointF(rect.left(), rect.top() + _LINE * unit / 2 + title.cap / 2),
        line.title,
        style,
        theme.text,
        bold=True,
    )
    placed = _placed(rect, line, style)
    for chip, box in placed:
        _chip(painter, box, chip, theme, style)
    return [(box, chip.tip) for chip, box in placed]


def _placed(rect: QRectF, line: FlipLine, style: TableStyle) -> list[tuple[FlipWords, QRectF]]:
    """Chips after the title, then on further rows."""
    unit = style.unit
    x, y = rect.left() + style.best.width(line.title) + 14 * unit, rect.top()
    found = []
    for chip in line.chips:
        width = min(_chip_width(chip, style), rect.width())
        if x + width > rect.right() and x > rect.left():
            x, y = rect.left(), y + (_LINE + 5) * unit
        found.append((chip, QRectF(x, y, width, _LINE * unit)))
        x += width + _BETWEEN * unit
    return found


def _chip_width(chip: FlipWords, style: TableStyle) -> float:
    return style.best.width(chip.names) + sum(_side_width(s, style) for s in chip.sides) + 2 * _PAD * style.unit


def _side_width(side: FlipSide, style: TableStyle) -> float:
    return style.value.width(side.word) + style.value.width(side.where) + _SIDE * style.unit


def _chip(painter: QPainter, box: QRectF, chip: FlipWords, theme: Theme, style: TableStyle) -> None:
    unit = style.unit
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(theme.raised))
    painter.drawRoundedRect(box, 6 * unit, 6 * unit)
    sides = chip.sides if _chip_width(chip, style) <= box.width() + 1 else tuple(map(_counted, chip.sides))
    room = box.width() - sum(_side_width(s, style) for s in sides) - 2 * _PAD * unit
    names = style.best.elided(chip.names, max(0.0, room) + 1)
    baseline = box.center().y() + style.value.cap / 2
    x = box.left() + _PAD * unit
    _write(painter, QPointF(x, baseline), names, style, theme.text, bold=True)
    x += style.best.width(names)
    for side in sides:
        x = _paint_side(painter, x, box, side, theme, style)


def _counted(side: FlipSide) -> FlipSide:
    return replace(side, where=side.short)


def _paint_side(painter: QPainter, x: float, box: QRectF, side: FlipSide, theme: Theme, style: TableStyle) -> float:
    """A verdict and where it holds; returns where it ends."""
    unit, word = style.unit, style.value.width(side.word)
    baseline = box.center().y() + style.value.cap / 2
    ink = bound_colour(theme, side.bound)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(ink, 0.14))
    pill = QRectF(x + 9 * unit, box.top() + 4 * unit, word + 14 * unit, box.height() - 8 * unit)
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
    _write(painter, QPointF(pill.left() + 7 * unit, baseline), side.word, style, ink)
    _write(painter, QPointF(pill.right() + 7 * unit, baseline), side.where, style, theme.text)
    return pill.right() + 7 * unit + style.value.width(side.where)


def _write(painter: QPainter, at: QPointF, text: str, style: TableStyle, ink: str, *, bold: bool = False) -> None:
    painter.setFont((style.best if bold else style.value).font)
    painter.setPen(colour(ink))
    painter.drawText(at, text)
