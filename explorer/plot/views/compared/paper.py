"""A chart of a comparison on paper, and what all of them have: title, finding, notes, a legend."""

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QPointF, QRectF
from PySide6.QtGui import QPainter

from explorer.plot.paint.brushes import colour
from explorer.plot.paint.fonts import Face, Fonts
from explorer.plot.paint.wrap import wrapped
from explorer.presentation.palette import Theme

_DESIGN: Final = (880.0, 520.0)  # of a chart at its usual size
SMALLEST, _LARGEST = 0.7, 1.6
_LINES: Final = 3
_LOW: Final = 17.0  # lines of height with less than which a chart has its title alone and one line of notes


def paint_on_paper(painter: QPainter, rect: QRectF, paint: Callable[[QRectF], object]) -> None:
    """A chart in a rectangle of a page, larger in a large one."""
    scale = max(SMALLEST, min(_LARGEST, rect.width() / _DESIGN[0], rect.height() / _DESIGN[1]))
    painter.save()
    painter.translate(rect.topLeft())
    painter.scale(scale, scale)
    paint(QRectF(0, 0, rect.width() / scale, rect.height() / scale))
    painter.restore()


def write(painter: QPainter, face: Face, ink: str, x: float, baseline: float, text: str) -> None:
    """One line of text."""
    if text:
        painter.setFont(face.font)
        painter.setPen(colour(ink))
        painter.drawText(QPointF(x, baseline), text)


def paint_lines(
    painter: QPainter, face: Face, ink: str, x: float, top: float, lines: Sequence[str], *, right: float | None = None
) -> float:
    """Lines below each other, flush right where a right end is given; returns the bottom."""
    for line in lines:
        left = x if right is None else right - face.width(line)
        write(painter, face, ink, left, top + (face.height + face.cap) / 2, line)
        top += face.height
    return top


def is_low(rect: QRectF, faces: Fonts) -> bool:
    """Whether a chart has so little height that its bars and curves need what its sentences take."""
    return rect.height() < _LOW * faces.tick.height


def paint_head(painter: QPainter, rect: QRectF, title: str, finding: str, faces: Fonts, theme: Theme) -> float:
    """Title and, where there is height for it, finding at the top of a chart; returns where the rest begins."""
    y = rect.top()
    lines = wrapped(title, faces.label, rect.width(), most=2) if title else []
    y = paint_lines(painter, faces.label, theme.text, rect.left(), y, lines)
    told = finding and not is_low(rect, faces)
    found = wrapped(finding, faces.tick, rect.width(), most=_LINES) if told else []
    y = paint_lines(painter, faces.tick, theme.muted, rect.left(), y + faces.unit, found)
    return y + 6 * faces.unit


def note_lines(notes: Sequence[str], faces: Fonts, rect: QRectF) -> list[str]:
    """The lines of a chart's notes; where there is little height the first ones that go whole into one line."""
    if not notes:
        return []
    if not is_low(rect, faces):
        return wrapped(" ".join(notes), faces.tick, rect.width(), most=_LINES)
    line = notes[0]
    for note in notes[1:]:
        if faces.tick.width(f"{line} {note}") > rect.width():
            break
        line = f"{line} {note}"
    return wrapped(line, faces.tick, rect.width(), most=_LINES)


def paint_notes(painter: QPainter, rect: QRectF, lines: Sequence[str], faces: Fonts, theme: Theme) -> float:
    """Notes at the foot of a chart; returns where what is above them ends."""
    if not lines:
        return rect.bottom()
    top = rect.bottom() - len(lines) * faces.tick.height
    paint_lines(painter, faces.tick, theme.muted, rect.left(), top, lines)
    return top - 4 * faces.unit
