"""Painter of speed-ups over batch and context: shades, one label a region, room as a dashed line, now as a box."""

from typing import Final, NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import QLineF, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFont, QPainter

from explorer.plot.paint.brushes import colour, pen
from explorer.plot.paint.fonts import Face, Fonts, fonts, sans
from explorer.plot.paint.wrap import in_one_line, wrapped
from explorer.plot.views.compared.hatch import hatch_lines
from explorer.plot.views.compared.marks import ComparedMark
from explorer.plot.views.compared.paper import note_lines, paint_head, paint_lines, paint_notes, paint_on_paper, write
from explorer.plot.views.page import paint_empty
from explorer.plot.views.registered import register_painter
from explorer.presentation.palette import Theme, device_colour
from explorer.presentation.views.compared.speedup import SpeedCell, SpeedLabel, SpeedupFigure

_FASTER, _SLOWER = 0, 1  # blue and orange of the palette, told apart by everyone
_LEAST, _MOST = 0.10, 0.95  # how strong a shade is
_BEND = 1.4  # small speed-ups stay light
_READ: Final = 4.5  # contrast of a text and its ground
_TALLEST: Final = 1.3  # height of a cell over its width


class CellFrame(NamedTuple):
    """Where the cells lie."""

    plot: QRectF
    width: float
    height: float
    rows: int

    def area(self, row: int, column: int, last_row: int | None = None, last_column: int | None = None) -> QRectF:
        """The place of a cell, or of a rectangle of cells; the first row is the lowest."""
        high = row if last_row is None else last_row
        right = column if last_column is None else last_column
        top = self.plot.bottom() - (high + 1) * self.height
        left = self.plot.left() + column * self.width
        return QRectF(left, top, (right - column + 1) * self.width, (high - row + 1) * self.height)


def paint_speedup(
    painter: QPainter, rect: QRectF, figure: SpeedupFigure, theme: Theme, font: QFont | None = None
) -> list[ComparedMark]:
    """Paint the map; returns the place of every cell, with its batch and context."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    faces = fonts(font)
    top = paint_head(painter, rect, figure.title, figure.finding, faces, theme)
    if figure.empty_text:
        paint_empty(painter, rect.adjusted(0, top - rect.top(), 0, 0), figure.empty_text, faces, theme)
        return []
    bottom = paint_notes(painter, rect, note_lines(figure.notes, faces, rect), faces, theme)
    frame = cell_frame(QRectF(rect.left(), top, rect.width(), max(1.0, bottom - top)), figure, faces)
    _axes(painter, QRectF(rect.left(), top, rect.width(), bottom - top), frame, figure, faces, theme)
    for r, row in enumerate(figure.cells):
        for c, cell in enumerate(row):
            _cell(painter, frame.area(r, c), cell, figure.hatched[r][c], figure, faces, theme, frame.plot.topLeft())
    _room_lines(painter, frame, figure, faces, theme)
    for label in figure.labels:
        _label(painter, frame, label, figure, faces, theme)
    if figure.now is not None:
        _now(painter, frame.area(*figure.now), faces, theme)
    return [
        ComparedMark(frame.area(r, c), cell.tip, batch=cell.batch, context=cell.context)
        for r, row in enumerate(figure.cells)
        for c, cell in enumerate(row)
    ]


def cell_frame(rect: QRectF, figure: SpeedupFigure, faces: Fonts) -> CellFrame:
    """Lay the cells out: what is said above, ticks left and below, limits at the foot."""
    unit, tick = faces.unit, faces.tick
    left = max(tick.width(t) for t in figure.rows) + (6 * unit if figure.y_title else 0.0)
    foot = tick.height * (1 + len(_limit_lines(figure, faces, rect.width()))) + 8 * unit
    plot = rect.adjusted(left, tick.height + 4 * unit, -unit, -foot)
    width = max(1.0, plot.width()) / len(figure.columns)
    height = min(max(1.0, plot.height()) / len(figure.rows), _TALLEST * width if width > 3 * tick.height else width * 2)
    plot = QRectF(plot.left(), plot.top(), max(1.0, plot.width()), height * len(figure.rows))
    return CellFrame(plot, width, height, len(figure.rows))


def shaded(shade: float, theme: Theme) -> QColor:
    """The colour of a speed-up on the panel."""
    ink = QColor(device_colour(theme, _FASTER if shade >= 0 else _SLOWER))
    paper, strong = QColor(theme.panel), 0.0 if shade == 0 else _LEAST + (_MOST - _LEAST) * abs(shade) ** _BEND
    parts = ((ink.red(), paper.red()), (ink.green(), paper.green()), (ink.blue(), paper.blue()))
    return QColor(*(round(i * strong + p * (1 - strong)) for i, p in parts))


def readable(ground: QColor, theme: Theme) -> str:
    """The text colour of the theme that stands out best on a ground; black or white where neither does enough."""
    best = max((theme.text, theme.panel), key=lambda name: contrast(QColor(name), ground))
    if contrast(QColor(best), ground) >= _READ:
        return best
    return max(("#000000", "#ffffff"), key=lambda name: contrast(QColor(name), ground))


def contrast(one: QColor, other: QColor) -> float:
    """The contrast ratio of WCAG 2."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(found: QColor) -> float:
    parts = [
        c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
        for c in (found.redF(), found.greenF(), found.blueF())
    ]
    return float(0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2])


def _limit_lines(figure: SpeedupFigure, faces: Fonts, width: float) -> list[str]:
    return wrapped(figure.limits, faces.tick, width, most=2) if figure.limits else []


def _axes(painter: QPainter, rect: QRectF, frame: CellFrame, figure: SpeedupFigure, faces: Fonts, theme: Theme) -> None:
    unit, tick, plot = faces.unit, faces.tick, frame.plot
    y = rect.top() + (tick.height + tick.cap) / 2
    axes = f"{figure.y_title} × {figure.x_title}" if figure.y_title else figure.x_title
    write(painter, tick, theme.muted, rect.right() - tick.width(axes), y, axes)
    room = rect.width() - tick.width(axes) - 12 * unit
    face, says = in_one_line(figure.says, tick, max(0.0, room))
    write(painter, face, theme.muted, rect.left(), y, says)
    stride = max(1, -int(-(tick.height * 0.95) // frame.height))
    for r in range(0, frame.rows, stride):
        middle = frame.area(r, 0).center().y() + tick.cap / 2
        write(painter, tick, theme.muted, plot.left() - 6 * unit - tick.width(figure.rows[r]), middle, figure.rows[r])
    baseline = plot.bottom() + 5 * unit + tick.cap
    widest = max(tick.width(text) for text in figure.columns) + 4 * unit
    for c in range(0, len(figure.columns), max(1, -int(-widest // frame.width))):
        text = figure.columns[c]
        x = min(frame.area(0, c).center().x() - tick.width(text) / 2, rect.right() - tick.width(text))
        write(painter, tick, theme.muted, x, baseline, text)
    lines = _limit_lines(figure, faces, rect.width())
    paint_lines(painter, tick, theme.muted, rect.left(), baseline + tick.height - tick.cap, lines)


def _cell(
    painter: QPainter,
    area: QRectF,
    cell: SpeedCell,
    word: str,
    figure: SpeedupFigure,
    faces: Fonts,
    theme: Theme,
    origin: QPointF,
) -> None:
    inner = area.adjusted(0, 0, -0.7 * faces.unit, -0.7 * faces.unit)
    painter.setPen(Qt.PenStyle.NoPen)
    if cell.shade is not None:
        painter.setBrush(shaded(cell.shade, theme))
        painter.drawRect(inner)
        return
    name = theme.muted
    if word in {"over", "under"}:
        name = device_colour(theme, figure.colours[0 if word == "over" else 1])
    painter.setBrush(colour(name, 0.06))
    painter.drawRect(area)
    painter.setPen(pen(name, 1.3 * faces.unit, 0, 0.2))
    direction = "down" if word == "under" else "up"
    lines = hatch_lines(area, direction, 6.0 * faces.unit, origin)
    if lines:
        painter.drawLines(lines)


def _room_lines(painter: QPainter, frame: CellFrame, figure: SpeedupFigure, faces: Fonts, theme: Theme) -> None:
    """Where each of the two has no room any more; one line where they are the same."""
    sides = [[[w in has for w in row] for row in figure.hatched] for has in (("", "over"), ("", "under"))]
    same = sides[0] == sides[1]
    for rooms, place in zip(sides[:1] if same else sides, figure.colours, strict=False):
        name = theme.text if same else device_colour(theme, place)
        painter.setPen(pen(name, 1.6 * faces.unit, 4))
        lines = _edges(frame, rooms)
        if lines:
            painter.drawLines(lines)


def _edges(frame: CellFrame, rooms: list[list[bool]]) -> list[QLineF]:
    lines = []
    for r, row in enumerate(rooms):
        for c, room in enumerate(row):
            area = frame.area(r, c)
            if room and c + 1 < len(row) and not row[c + 1]:
                lines.append(QLineF(area.right(), area.top(), area.right(), area.bottom()))
            if room and r + 1 < len(rooms) and not rooms[r + 1][c]:
                lines.append(QLineF(area.left(), area.top(), area.right(), area.top()))
    return lines


def _label(
    painter: QPainter, frame: CellFrame, label: SpeedLabel, figure: SpeedupFigure, faces: Fonts, theme: Theme
) -> None:
    """What a region says, in the middle of its largest rectangle, where it fits there."""
    area = frame.area(*label.box)
    room = area.adjusted(2 * faces.unit, 1, -2 * faces.unit, -1)
    ink, plate = label_inks(figure, label, theme)
    for text, face, below in _sizes(label, faces):
        lines = wrapped(text, face, max(1.0, room.width()), most=9)
        under = wrapped(below, faces.tick, max(1.0, room.width()), most=9) if below else []
        height = len(lines) * face.height + len(under) * faces.tick.height
        words = {word for line in (*lines, *under) for word in line.split()}
        whole = set(f"{text} {below}".split()) == words
        if not whole or height > room.height() or (label.room and len(lines) > 1):
            continue
        y = area.center().y() - height / 2
        for line, by in (*((line, face) for line in lines), *((line, faces.tick) for line in under)):
            width = by.width(line)
            if plate:
                painter.setPen(Qt.PenStyle.NoPen)
                painter.setBrush(colour(plate))
                painter.drawRect(QRectF(area.center().x() - width / 2 - 2, y, width + 4, by.height))
            write(painter, by, ink, area.center().x() - width / 2, y + (by.height + by.cap) / 2, line)
            y += by.height
        return


def label_inks(figure: SpeedupFigure, label: SpeedLabel, theme: Theme) -> tuple[str, str]:
    """The colour of a label that can be read on all cells that it lies on, and a plate below it where none can."""
    row, column, last_row, last_column = label.box
    cells = [cell for line in figure.cells[row : last_row + 1] for cell in line[column : last_column + 1]]
    grounds = [shaded(cell.shade, theme) for cell in cells if cell.shade is not None]
    if not label.room or not grounds:
        return theme.text, theme.panel
    inks = (theme.text, theme.panel, "#000000", "#ffffff")
    worst = {ink: min(contrast(QColor(ink), ground) for ground in grounds) for ink in inks}
    found = next((ink for ink in sorted(inks[:2], key=worst.__getitem__, reverse=True) if worst[ink] >= _READ), "")
    found = found or max(inks, key=worst.__getitem__)
    return (found, "") if worst[found] >= _READ else (theme.text, theme.panel)


def _sizes(label: SpeedLabel, faces: Fonts) -> list[tuple[str, Face, str]]:
    """Texts to try, the fullest first."""
    if not label.room:
        return [(label.text, faces.tick, "")]
    bare = label.text.removesuffix("×")
    return [(label.text, faces.name, label.below), (label.text, faces.name, ""), (bare, faces.tick, "")]


def _now(painter: QPainter, area: QRectF, faces: Fonts, theme: Theme) -> None:
    unit = faces.unit
    painter.setBrush(Qt.BrushStyle.NoBrush)
    painter.setPen(pen(theme.panel, 3.6 * unit))
    painter.drawRect(area)
    painter.setPen(pen(theme.text, 2.0 * unit))
    painter.drawRect(area)


def paint_speedup_page(painter: QPainter, rect: QRectF, figure: SpeedupFigure, theme: Theme) -> None:
    """On paper, where the title of the page has the finding."""
    shown = replace(figure, finding="")
    paint_on_paper(painter, rect, lambda room: paint_speedup(painter, room, shown, theme, sans()))


register_painter(SpeedupFigure, paint_speedup_page)
