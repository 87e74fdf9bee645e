"""Painter of paired bars: for each group of operators one bar a subject, with its time and its ratio."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainter

from explorer.plot.paint.fonts import Fonts, fonts, sans
from explorer.plot.paint.wrap import wrapped
from explorer.plot.views.compared.hatch import paint_hatched
from explorer.plot.views.compared.marks import ComparedMark
from explorer.plot.views.compared.paper import (
    SMALLEST,
    is_low,
    note_lines,
    paint_head,
    paint_lines,
    paint_notes,
    paint_on_paper,
    write,
)
from explorer.plot.views.page import paint_empty
from explorer.plot.views.registered import register_painter
from explorer.presentation.palette import Theme, device_colour
from explorer.presentation.views.compared.paired import PairedBar, PairedFigure, PairedGroup, PairedSubject

_LONGEST_NAME: Final = 0.3  # of the width
_FEW_GROUPS: Final = 3
_KEPT: Final = 4  # subjects that stay when operators give way
_WIDEST_GROUP: Final = 1.5  # of its usual height
_LEAD, _APART = 20.0, 22.0  # units of a swatch in the legend, and between its entries
_LEAST_BARS: Final = 0.28  # of the width: with less, texts are short


class BarColumns(NamedTuple):
    """Where names end, where bars begin, how wide a second is; heights of a bar and of a group; short texts or not."""

    names: float
    bars: float
    per_second: float
    bar: float
    group: float
    short: bool


def paint_paired(
    painter: QPainter, rect: QRectF, figure: PairedFigure, theme: Theme, font: QFont | None = None
) -> list[ComparedMark]:
    """Paint as many groups as there is room for, and the rest as one; returns the places of bars, then the legend."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    faces = fonts(font)
    top = paint_head(painter, rect, figure.title, figure.finding, faces, theme)
    if figure.empty_text:
        paint_empty(painter, rect.adjusted(0, top - rect.top(), 0, 0), figure.empty_text, faces, theme)
        return []
    if is_low(rect, faces):
        figure = replace(figure, whole_text="")
    figure = fitted_subjects(figure, rect, top, faces)
    bottom = paint_notes(painter, rect, note_lines(figure.notes, faces, rect), faces, theme)
    marks: list[ComparedMark] = []
    legend: list[ComparedMark] = []
    bottom = _legend(painter, QRectF(rect.left(), top, rect.width(), bottom - top), figure, faces, theme, legend)
    room = QRectF(rect.left(), top, rect.width(), max(0.0, bottom - top))
    groups = shown_groups(figure, room.height(), faces)
    cols = bar_columns(room, figure, groups, faces)
    y = room.top()
    for group in groups:
        _group(painter, room, y, group, figure.subjects, cols, faces, theme, marks)
        y += cols.group
    return [*marks, *legend]


def height_on_paper(figure: PairedFigure, width: float) -> float:
    """The height at which all groups stand as far apart as they ever do, in the smallest type of a page."""
    faces = fonts(sans())
    group = _WIDEST_GROUP * (_bar_height(faces) * len(figure.subjects) + _gap(faces))
    notes = len(figure.notes) * faces.tick.height
    legend = _legend_size(figure, width / SMALLEST, faces).height
    return SMALLEST * (2 * faces.name.height + group * len(figure.groups) + notes + legend)


def fitted_subjects(figure: PairedFigure, rect: QRectF, top: float, faces: Fonts) -> PairedFigure:
    """The figure with the first subjects alone, where all of them leave no room for a few groups below `top`.

    A few subjects stay while there is room for one group: operators give way before them.
    """
    few_groups = min(_FEW_GROUPS, len(figure.groups) + bool(figure.rests[-1].rows))
    for count in range(len(figure.subjects), 2, -1):
        wanted = 1 if count <= _KEPT else few_groups
        few = _first(figure, count)
        notes = len(note_lines(few.notes, faces, rect)) * faces.tick.height
        each = _bar_height(faces) * count + _gap(faces)
        if rect.bottom() - top - notes - _legend_size(few, rect.width(), faces).height >= wanted * each:
            return few
    return _first(figure, min(2, len(figure.subjects)))


def _first(figure: PairedFigure, count: int) -> PairedFigure:
    if count >= len(figure.subjects):
        return figure
    groups, rests = (tuple(replace(g, bars=g.bars[:count]) for g in found) for found in (figure.groups, figure.rests))
    notes = (figure.beyond[count], *figure.notes)
    return replace(figure, subjects=figure.subjects[:count], groups=groups, rests=rests, notes=notes)


def shown_groups(figure: PairedFigure, height: float, faces: Fonts) -> tuple[PairedGroup, ...]:
    """As many groups as fit, and what they leave in one."""
    each = _bar_height(faces) * len(figure.subjects) + _gap(faces)
    fits = max(1, int((height + 0.3 * _gap(faces)) // each))
    if fits >= len(figure.groups) and not figure.rests[len(figure.groups)].rows:
        return figure.groups
    shown = min(fits - 1, len(figure.groups))
    return (*figure.groups[:shown], figure.rests[shown])


def bar_columns(rect: QRectF, figure: PairedFigure, groups: Sequence[PairedGroup], faces: Fonts) -> BarColumns:
    """Lay names and bars out: the longest bar with its text reaches the right edge."""
    unit = faces.unit
    names = min(max(faces.name.width(g.name) for g in groups), rect.width() * _LONGEST_NAME)
    left = rect.left() + names + 8 * unit
    room = rect.right() - left
    bar = _bar_height(faces)
    group = bar * len(figure.subjects) + _gap(faces)
    group = max(group, min(_WIDEST_GROUP * group, (rect.height() + 0.3 * _gap(faces)) / len(groups)))
    full = _per_second(groups, room, faces, short=False)
    longest = max((b.seconds or 0.0 for g in groups for b in g.bars), default=0.0)
    if full * longest >= _LEAST_BARS * rect.width():
        return BarColumns(rect.left() + names, left, full, bar, group, short=False)
    return BarColumns(rect.left() + names, left, _per_second(groups, room, faces, short=True), bar, group, short=True)


def _bar_height(faces: Fonts) -> float:
    return faces.tick.height + 1.5 * faces.unit


def _gap(faces: Fonts) -> float:
    return 0.75 * faces.tick.height


def _per_second(groups: Sequence[PairedGroup], room: float, faces: Fonts, *, short: bool) -> float:
    widths = [
        (room - _text_width(bar, faces, short=short) - 6 * faces.unit) / bar.seconds
        for group in groups
        for bar in group.bars
        if bar.seconds
    ]
    return max(0.0, min(widths, default=0.0))


def _texts(bar: PairedBar, *, short: bool) -> tuple[str, str]:
    """The time and the ratio beside a bar; where there is little room, the ratio of all but the baseline."""
    if not short or not bar.ratio_text:
        return bar.time_text, bar.ratio_text
    return (bar.time_text, "") if bar.baseline else ("", bar.ratio_text)


def _text_width(bar: PairedBar, faces: Fonts, *, short: bool) -> float:
    time, ratio = _texts(bar, short=short)
    gap = 6 * faces.unit if time and ratio else 0.0
    return faces.name.width(time) + gap + faces.tick.width(ratio)


def _write_texts(
    painter: QPainter, x: float, baseline: float, bar: PairedBar, faces: Fonts, theme: Theme, *, short: bool
) -> None:
    time, ratio = _texts(bar, short=short)
    write(painter, faces.name, theme.text, x, baseline, time)
    if ratio:
        x += faces.name.width(time) + 6 * faces.unit if time else 0.0
        write(painter, faces.tick, theme.text if short else theme.muted, x, baseline, ratio)


def _group(
    painter: QPainter,
    rect: QRectF,
    top: float,
    group: PairedGroup,
    subjects: Sequence[PairedSubject],
    cols: BarColumns,
    faces: Fonts,
    theme: Theme,
    marks: list[ComparedMark],
) -> None:
    unit, height = faces.unit, cols.bar * len(subjects)
    top += (cols.group - height - _gap(faces)) / 2
    most = max(1, int(height // faces.name.height))
    lines = wrapped(group.name, faces.name, cols.names - rect.left(), most=most)
    middle = top + (height - len(lines) * faces.name.height) / 2
    paint_lines(painter, faces.name, theme.text, 0.0, middle, lines, right=cols.names)
    for i, (bar, subject) in enumerate(zip(group.bars, subjects, strict=True)):
        y = top + i * cols.bar
        width = 0.0 if not bar.seconds else max(1.5 * unit, cols.per_second * bar.seconds)
        box = QRectF(cols.bars, y + 1.0 * unit, width, cols.bar - 2.0 * unit)
        if width:
            paint_hatched(painter, box, device_colour(theme, subject.colour), subject.colour, unit)
        baseline = y + (cols.bar + faces.tick.cap) / 2
        _write_texts(painter, box.right() + 6 * unit, baseline, bar, faces, theme, short=cols.short)
        marks.append(ComparedMark(box, bar.tip, group.rows, key=subject.key))


class LegendSize(NamedTuple):
    """Entries beside each other, the width of one, the height of a line and of them all."""

    columns: int
    each: float
    line: float
    height: float


def _legend_size(figure: PairedFigure, width: float, faces: Fonts) -> LegendSize:
    line, gap = faces.tick.height + 3 * faces.unit, _APART * faces.unit
    texts = [faces.tick.width(s.name) + _text_width(s.whole, faces, short=False) for s in figure.subjects]
    each = max(texts) + (_LEAD + 8) * faces.unit
    columns = max(1, min(len(texts), int((width + gap) // (each + gap))))
    return LegendSize(columns, each, line, (bool(figure.whole_text) - len(texts) // -columns) * line)


def _legend(
    painter: QPainter, rect: QRectF, figure: PairedFigure, faces: Fonts, theme: Theme, marks: list[ComparedMark]
) -> float:
    """The whole step of every subject, at the foot of a rectangle; returns where what is above it ends."""
    unit, lead, gap = faces.unit, _LEAD * faces.unit, _APART * faces.unit
    columns, each, line, height = _legend_size(figure, rect.width(), faces)
    top = rect.bottom() - height
    write(painter, faces.tick, theme.muted, rect.left(), top + (line + faces.tick.cap) / 2, figure.whole_text)
    width = (rect.width() + gap) / columns - gap if columns > 1 else rect.width()
    for i, subject in enumerate(figure.subjects):
        x = rect.left() + (i % columns) * min(width + gap, each + gap)
        y = top + (bool(figure.whole_text) + i // columns) * line
        swatch = QRectF(x, y + (line - faces.tick.cap * 1.2) / 2, 13 * unit, faces.tick.cap * 1.2)
        paint_hatched(painter, swatch, device_colour(theme, subject.colour), subject.colour, unit)
        baseline = y + (line + faces.tick.cap) / 2
        texts = _text_width(subject.whole, faces, short=False)
        name = faces.tick.fitting(
            (subject.name, *subject.shorter), max(0.0, min(width, rect.right() - x) - lead - 8 * unit - texts)
        )
        write(painter, faces.tick, theme.text, x + lead, baseline, name)
        _write_texts(
            painter, x + lead + faces.tick.width(name) + 8 * unit, baseline, subject.whole, faces, theme, short=False
        )
        marks.append(
            ComparedMark(QRectF(x, y, lead + faces.tick.width(name), line), subject.whole.tip, key=subject.key)
        )
    return top - 6 * unit


def paint_paired_page(painter: QPainter, rect: QRectF, figure: PairedFigure, theme: Theme) -> None:
    """On paper, where the title of the page has the finding."""
    shown = replace(figure, finding="")
    paint_on_paper(painter, rect, lambda room: paint_paired(painter, room, shown, theme, sans()))


register_painter(PairedFigure, paint_paired_page)
