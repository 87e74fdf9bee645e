"""Painter of the line of verdicts that flip: a title, a chip for each group of operators, what the others wait for."""

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QPainter

from explorer.plot.compare.style import TableStyle
from explorer.plot.paint.brushes import colour
from explorer.presentation.compare.flip_chips import FlipLine, FlipWords
from explorer.presentation.palette import Theme, bound_colour

_PAD, _BETWEEN, _LINE = 8.0, 8.0, 26.0


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
    unit, title, text = style.unit, style.best, style.value
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
    if line.rest:
        end = placed[-1][1] if placed else rect
        x = end.right() + 12 * unit
        if x + text.width(line.rest) <= rect.right():
            baseline = QPointF(x, end.top() + _LINE * unit / 2 + text.cap / 2)
            _write(painter, baseline, line.rest, style, theme.muted)
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
    words = style.best.width(chip.names) + style.value.width(chip.word) + style.value.width(chip.where)
    return words + (2 * _PAD + 32) * style.unit


def _chip(painter: QPainter, box: QRectF, chip: FlipWords, theme: Theme, style: TableStyle) -> None:
    unit = style.unit
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(theme.raised))
    painter.drawRoundedRect(box, 6 * unit, 6 * unit)
    word = style.value.width(chip.word)
    room = box.width() - (2 * _PAD + 32) * unit - word
    names = style.best.elided(chip.names, max(room * 0.5, room - style.value.width(chip.where)))
    baseline = box.center().y() + style.value.cap / 2
    x = box.left() + _PAD * unit
    _write(painter, QPointF(x, baseline), names, style, theme.text, bold=True)
    x += style.best.width(names) + 8 * unit
    ink = bound_colour(theme, chip.bound)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(colour(ink, 0.14))
    pill = QRectF(x, box.top() + 4 * unit, word + 14 * unit, box.height() - 8 * unit)
    painter.drawRoundedRect(pill, pill.height() / 2, pill.height() / 2)
    _write(painter, QPointF(x + 7 * unit, baseline), chip.word, style, ink)
    x = pill.right() + 8 * unit
    where = style.value.elided(chip.where, box.right() - _PAD * unit - x + 1)
    _write(painter, QPointF(x, baseline), where, style, theme.text)


def _write(painter: QPainter, at: QPointF, text: str, style: TableStyle, ink: str, *, bold: bool = False) -> None:
    painter.setFont((style.best if bold else style.value).font)
    painter.setPen(colour(ink))
    painter.drawText(at, text)
