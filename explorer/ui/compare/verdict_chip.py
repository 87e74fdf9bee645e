"""A chip of operators whose verdict differs: their names, what they wait for and where; a click selects them."""

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from explorer.presentation.compare.flip_chips import FlipWords
from explorer.presentation.palette import LIGHT
from explorer.ui.grid.style import GridStyle
from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import set_tip

_WIDEST: Final = 64  # heights of a line; what is cut there stands in the tooltip


class VerdictChip(QAbstractButton):
    """Pills as in the table of operators."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.words: FlipWords | None = None
        self._style = GridStyle(LIGHT, self.font())
        self.setAccessibleName(tr("Operators whose verdict flips"))
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_words(self, words: FlipWords, style: GridStyle) -> None:
        """Show operators and their verdict."""
        self.words, self._style = words, style
        self.setAccessibleName(words.text)
        set_tip(self, words.tip)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        style = self._style
        return QSize(min(round(self._width()), _WIDEST * style.em), max(24, round(style.em * 1.6)))

    def minimumSizeHint(self) -> QSize:
        return QSize(8 * self._style.em, self.sizeHint().height())

    def _width(self) -> float:
        return 1.2 * self._style.em + sum(width for _, _, width in self._pieces())

    def _pieces(self, *, counted: bool = False) -> list[tuple[str, str, float]]:
        """Texts with what they are: "names", verdicts' ids or "where", each with the room it takes."""
        style, gap, said = self._style, self._style.em * 0.6, self.words
        if said is None:
            return []
        found = [("names", said.names, _advance(style.bold, said.names) + gap)]
        for i, side in enumerate(said.sides):
            after = gap if i < len(said.sides) - 1 else 0.0
            found.append((side.bound, side.word, _advance(style.small, side.word) + 0.9 * style.em + 0.7 * gap))
            where = side.short if counted else side.where
            found.append(("where", where, _advance(style.font, where) + after))
        return found

    def paintEvent(self, event: QPaintEvent) -> None:
        style: GridStyle = self._style
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75)
        lively = self.underMouse() or self.hasFocus()
        painter.setPen(style.focus if lively else Qt.PenStyle.NoPen)
        painter.setBrush(style.line)
        painter.drawRoundedRect(box, 6, 6)
        x, end = 0.6 * style.em, self.width() - 0.6 * style.em
        for kind, text, width in self._cut(end - x):
            self._paint_piece(painter, kind, text, x)
            x += width
        painter.end()

    def _cut(self, room: float) -> list[tuple[str, str, float]]:
        """The pieces; where there is too little room machines are counted, then names cut, verdicts never."""
        pieces = self._pieces()
        if _taken(pieces) <= room + 1:
            return pieces
        names, *sides = self._pieces(counted=True)
        if _taken([names, *sides]) <= room + 1:
            return [names, *sides]
        left = max(self._style.em, room - _taken(sides))
        cut = QFontMetricsF(self._style.bold).elidedText(
            names[1], Qt.TextElideMode.ElideRight, left - self._style.em * 0.3
        )
        return [(names[0], cut, left), *sides]

    def _paint_piece(self, painter: QPainter, kind: str, text: str, x: float) -> None:
        style = self._style
        middle = self.height() / 2
        if kind in {"names", "where"}:
            painter.setFont(style.bold if kind == "names" else style.font)
            painter.setPen(style.text if kind == "names" else style.muted)
            painter.drawText(QPointF(x, middle + (style.metrics.ascent() - style.metrics.descent()) / 2), text)
            return
        ground, ink = style.pills[kind]
        wide = _advance(style.small, text) + 0.9 * style.em
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(ground)
        pill = QRectF(x, middle - style.pill_height / 2, wide, style.pill_height)
        painter.drawRoundedRect(pill, style.pill_height / 2, style.pill_height / 2)
        painter.setFont(style.small)
        painter.setPen(ink)
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)


def _taken(pieces: list[tuple[str, str, float]]) -> float:
    return sum(width for _, _, width in pieces)


def _advance(font: QFont, text: str) -> float:
    return QFontMetricsF(font).horizontalAdvance(text)
