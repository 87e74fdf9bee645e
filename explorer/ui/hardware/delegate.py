"""Paints the picker's rows and says what of a row lies under the mouse."""

from typing import Literal

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPainterPath, QPen
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem

from explorer.presentation.hardware.picker_rows import HardwareRow
from explorer.presentation.palette import LIGHT, Theme, device_colour, device_dash
from explorer.ui.hardware.glyphs import chevron, eye, rounded, tick
from explorer.ui.hardware.rows_model import ROW_ROLE
from explorer.ui.widgets.chip import LEAST

Index = QModelIndex | QPersistentModelIndex
Part = Literal["box", "eye", "count", "row"]
SEPARATOR = " · "
MOST_LINES = 4  # a figure is never cut for fewer
DETAIL_SIZE = 0.86
_PERIODS = 1.6  # of a dash that tell it from others
RADIUS = 6.0


class HardwareDelegate(QStyledItemDelegate):
    """One delegate for sections, entries and devices; all lengths follow the font."""

    def __init__(self, view: QListView) -> None:
        super().__init__(view)
        self._view = view
        self.theme: Theme = LIGHT
        self.keyed = False  # whether the user moves by keys: then the current row must stand out
        self._lines: dict[tuple[tuple[str, ...], int], tuple[str, ...]] = {}
        self.take_font(view.font())

    def take_font(self, font: QFont) -> None:
        """Measure a font anew."""
        self.name_font, self.bold_font = QFont(font), QFont(font)
        self.bold_font.setWeight(QFont.Weight.DemiBold)
        self.detail_font = QFont(font)
        self.detail_font.setPointSizeF(font.pointSizeF() * DETAIL_SIZE)
        self.section_font = QFont(self.detail_font)
        self.section_font.setWeight(QFont.Weight.DemiBold)
        self.names = QFontMetricsF(self.name_font)
        self.bolds = QFontMetricsF(self.bold_font)
        self.details = QFontMetricsF(self.detail_font)
        self.em = self.names.height()
        self._lines.clear()

    # measures

    @property
    def pad(self) -> float:
        """Room between a row's edge and what stands in it."""
        return self.em * 0.36

    @property
    def box(self) -> float:
        """Side of a swatch or box."""
        return float(round(self.em * 0.74))

    @property
    def text_left(self) -> float:
        """Where the texts begin."""
        return self.pad + self.box + self.em * 0.5

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        row = index.data(ROW_ROLE)
        width = self._view.viewport().width()
        if row.kind == "section":
            return QSize(width, round(self.em * (1.5 if index.row() == 0 else 1.85)))
        lines = len(self.wrapped(row, width)) + bool(row.history)
        return QSize(width, round(2 * self.pad + self.names.height() + lines * self.details.height()))

    def wrapped(self, row: HardwareRow, width: int) -> tuple[str, ...]:
        """The figures on as few lines as the width allows, broken between figures."""
        room = int(width - self.text_left - self.pad)
        key = (row.details, room)
        if key not in self._lines:
            self._lines[key] = self._broken(row.details, room)
        return self._lines[key]

    def _broken(self, details: tuple[str, ...], room: float) -> tuple[str, ...]:
        lines: list[str] = []
        for part in details:
            joined = f"{lines[-1]}{SEPARATOR}{part}" if lines else part
            if lines and (self.details.horizontalAdvance(joined) <= room or len(lines) == MOST_LINES):
                lines[-1] = joined
            else:
                lines.append(part)
        return tuple(self._elided(line, room) for line in lines)

    def _elided(self, text: str, room: float) -> str:
        return self.details.elidedText(text, Qt.TextElideMode.ElideRight, room)

    def part_at(self, row: HardwareRow, rect: QRectF, point: QPointF) -> Part:
        """What a click hits: the box with the room around it, the eye, or the row."""
        if row.kind == "section":
            return "row"
        if point.x() < rect.left() + max(LEAST, self.text_left - self.em * 0.15):
            return "box"
        if row.kind == "entry" and _reach(self._eye_rect(rect)).contains(point):
            return "eye"
        if row.kind == "entry" and _reach(self.count_rect(row, rect)).contains(point):
            return "count"
        return "row"

    def count_rect(self, row: HardwareRow, rect: QRectF) -> QRectF:
        """Where the number of an entry's devices stands, or would: before the eye."""
        width = max(float(LEAST), self.bolds.horizontalAdvance(_count_of(row)))
        return QRectF(_reach(self._eye_rect(rect)).left() - width, rect.top() + self.pad, width, self.names.height())

    def _named(self, row: HardwareRow, rect: QRectF, *, eyed: bool) -> str:
        """A row's name as it finds room."""
        counted = row.kind == "entry" and (eyed or row.count)
        right = self.count_rect(row, rect).left() - self.em * 0.3 if counted else rect.right() - self.pad
        metrics = self.bolds if row.active else self.names
        room = right - rect.left() - self.text_left
        fits = not row.short or metrics.horizontalAdvance(row.name) <= room
        return metrics.elidedText(row.name if fits else row.short, Qt.TextElideMode.ElideMiddle, room)

    def _eye_rect(self, rect: QRectF) -> QRectF:
        side = self.em
        return QRectF(rect.right() - self.pad - side, rect.top() + self.pad, side, self.names.height())

    # painting

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: HardwareRow = index.data(ROW_ROLE)
        rect = QRectF(option.rect)
        state = option.state
        hovered = bool(state & QStyle.StateFlag.State_MouseOver)
        current = index == self._view.currentIndex()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if row.kind == "section":
            self._paint_section(painter, rect, row, current=current)
        else:
            self._paint_row(painter, rect, row, hovered=hovered, current=current)
        painter.restore()

    def _paint_section(self, painter: QPainter, rect: QRectF, row: HardwareRow, *, current: bool) -> None:
        line = QRectF(rect.left(), rect.bottom() - self.em * 1.3, rect.width(), self.em * 1.2)
        muted = QColor(self.theme.muted)
        painter.setFont(self.section_font)
        painter.setPen(muted)
        text = line.adjusted(2, 0, -self.em, 0)
        painter.drawText(text, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, row.name)
        if row.count:
            left = QFontMetricsF(self.section_font).horizontalAdvance(row.name) + self.em * 0.5
            painter.setFont(self.detail_font)
            painter.drawText(text.adjusted(left, 0, 0, 0), Qt.AlignmentFlag.AlignVCenter, row.count)
        if row.foldable:
            middle = QPointF(rect.right() - self.pad - self.em * 0.35, line.center().y())
            chevron(painter, middle, self.em * 0.22, muted, closed=not row.visible)
        if current:
            self._ring(painter, line)

    def _paint_row(self, painter: QPainter, rect: QRectF, row: HardwareRow, *, hovered: bool, current: bool) -> None:
        plate = rect.adjusted(0, 0.5, 0, -0.5)
        shown = row.kind == "entry" and row.visible
        if shown or hovered:
            rounded(painter, plate, RADIUS, QColor(self.theme.selected if shown else self.theme.raised))
        if row.active:
            self._bar(painter, plate)
        if current:
            self._ring(painter, plate)
        box = QRectF(rect.left() + self.pad, 0, self.box, self.box)
        box.moveTop(rect.top() + self.pad + (self.names.height() - self.box) / 2)
        self._paint_box(painter, box, row)
        self._paint_texts(
            painter, rect, row, eyed=row.kind == "entry" and (hovered or (current and self.keyed) or not row.visible)
        )

    def _bar(self, painter: QPainter, plate: QRectF) -> None:
        """The mark of the device that the answer speaks of."""
        clip = QPainterPath()
        clip.addRoundedRect(plate, RADIUS, RADIUS)
        painter.save()
        painter.setClipPath(clip)
        painter.fillRect(QRectF(plate.left(), plate.top(), 3.0, plate.height()), QColor(self.theme.accent))
        painter.restore()

    def _ring(self, painter: QPainter, plate: QRectF) -> None:
        painter.setBrush(Qt.BrushStyle.NoBrush)
        keyed = self.keyed and self._view.hasFocus()
        painter.setPen(QPen(QColor(self.theme.accent if keyed else self.theme.border), 1.0))
        painter.drawRoundedRect(plate.adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)

    def _paint_box(self, painter: QPainter, box: QRectF, row: HardwareRow) -> None:
        radius = box.width() * 0.24
        if row.colour is None or not row.visible:
            colour = QColor(self.theme.muted if row.colour is None else device_colour(self.theme, row.colour))
            colour.setAlphaF(0.55 if row.colour is None else 0.9)
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(colour, 1.2))
            painter.drawRoundedRect(box.adjusted(0.6, 0.6, -0.6, -0.6), radius, radius)
        else:
            colour = QColor(device_colour(self.theme, row.colour))
            rounded(painter, box, radius, colour)
            if row.kind == "device":
                tick(painter, box, QColor(self.theme.panel))
        if row.kind == "entry" and row.colour is not None and row.visible:
            self._paint_dash(painter, box, row.colour, colour)

    def _paint_dash(self, painter: QPainter, box: QRectF, index: int, colour: QColor) -> None:
        """The line's dash under the swatch: the second cue beside the colour."""
        pen = QPen(colour, max(1.5, self.em * 0.1))
        pen.setCapStyle(Qt.PenCapStyle.FlatCap)
        if dash := device_dash(index):  # the chart's own, as small as shows it whole
            small = min(1.0, box.width() / (_PERIODS * sum(dash) * pen.widthF()))
            pen.setDashPattern([length * small for length in dash])
        y = box.bottom() + self.pad * 0.5 + self.details.height() * 0.5
        painter.setPen(pen)
        painter.drawLine(QPointF(box.left(), y), QPointF(box.right(), y))

    def _paint_texts(self, painter: QPainter, rect: QRectF, row: HardwareRow, *, eyed: bool) -> None:
        theme = self.theme
        dim = row.kind == "entry" and not row.visible
        left, top = rect.left() + self.text_left, rect.top() + self.pad
        metrics = self.bolds if row.active else self.names
        name = self._named(row, rect, eyed=eyed)
        painter.setFont(self.bold_font if row.active else self.name_font)
        painter.setPen(QColor(theme.muted if dim else theme.text))
        painter.drawText(QPointF(left, top + metrics.ascent()), name)
        if row.count or (eyed and row.kind == "entry"):
            painter.setFont(self.bold_font)
            painter.setPen(QColor(theme.muted if dim or not row.count else theme.accent))
            x = self.count_rect(row, rect).right() - self.bolds.horizontalAdvance(_count_of(row))
            painter.drawText(QPointF(x, top + metrics.ascent()), _count_of(row))
        painter.setFont(self.detail_font)
        painter.setPen(QColor(theme.muted))
        y = top + self.names.height() + self.details.ascent()
        for line in self.wrapped(row, int(rect.width())):
            painter.drawText(QPointF(left, y), line)
            y += self.details.height()
        if row.history:
            painter.drawText(QPointF(left, y), self._elided(row.history, rect.right() - self.pad - left))
        if eyed:
            eye(painter, self._eye_rect(rect), QColor(theme.muted), crossed=not row.visible)


def _count_of(row: HardwareRow) -> str:
    return row.count or f"×{row.number}"


def _reach(rect: QRectF) -> QRectF:
    """Where a click still means a small sign."""
    wider, higher = max(0.0, LEAST - rect.width()) / 2, max(0.0, LEAST - rect.height()) / 2
    return rect.adjusted(-wider, -higher, wider, higher)
