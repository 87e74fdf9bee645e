"""What a mark says when the pointer rests on it: a card that floats over the chart."""

import textwrap

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from explorer.presentation.palette import LIGHT, Theme
from explorer.presentation.words.visible import visible

MOST_LINES = 16
WIDEST = 60  # characters of a sentence in one line


class HoverCard(QWidget):
    """Lines of text; the first one stands out, a tab parts a label from its figure."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.theme: Theme = LIGHT
        self.text = ""
        self._lines: list[list[str]] = []
        self._label_width = 0.0
        self.hide()

    def show_text(self, text: str, at: QPointF, gap: float, within: QRectF) -> None:
        """Show `text` beside a point, `gap` pixels away, inside `within`."""
        if text != self.text:
            self.text = text
            self._lines = [line.split("\t") for line in _wrapped(visible(text))[:MOST_LINES]]
            self.resize(self._measure())
            self.update()
        self.move(self._place(at, gap, within).toPoint())
        self.show()

    def _measure(self) -> QSize:
        plain, bold = QFontMetricsF(self.font()), QFontMetricsF(self._bold())
        pairs = [line for line in self._lines if len(line) > 1]
        width = max((bold if i == 0 else plain).horizontalAdvance(line[0]) for i, line in enumerate(self._lines))
        if pairs:
            self._label_width = max(plain.horizontalAdvance(p[0]) for p in pairs) + 1.2 * plain.height()
            width = max(width, self._label_width + max(plain.horizontalAdvance(p[1]) for p in pairs))
        pad = self._pad()
        return QSize(int(width + 2 * pad) + 2, int(len(self._lines) * self._line() + 2 * pad * 0.75) + 2)

    def _place(self, at: QPointF, gap: float, within: QRectF) -> QPointF:
        x, y = at.x() + gap, at.y() + gap
        if x + self.width() > within.right():
            x = at.x() - gap - self.width()
        if y + self.height() > within.bottom():
            y = at.y() - gap - self.height()
        return QPointF(max(within.left(), x), max(within.top(), y))

    def _bold(self) -> QFont:
        font = QFont(self.font())
        font.setBold(True)
        return font

    def _pad(self) -> float:
        return QFontMetricsF(self.font()).height() * 0.6

    def _line(self) -> float:
        return QFontMetricsF(self.font()).height() * 1.2

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.theme.border), 1.0))
        painter.setBrush(QColor(self.theme.panel))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6.0, 6.0)
        for i, line in enumerate(self._lines):
            self._paint_line(painter, i, line)
        painter.end()

    def _paint_line(self, painter: QPainter, row: int, line: list[str]) -> None:
        pad = self._pad()
        box = QRectF(pad, pad * 0.75 + row * self._line(), self.width() - 2 * pad, self._line())
        left = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft
        painter.setFont(self._bold() if row == 0 else self.font())
        painter.setPen(QColor(self.theme.muted if len(line) > 1 else self.theme.text))
        painter.drawText(box, left, line[0])
        if len(line) > 1:
            painter.setPen(QColor(self.theme.text))
            painter.drawText(box.adjusted(self._label_width, 0, 0, 0), left, line[1])


def _wrapped(text: str) -> list[str]:
    lines: list[str] = []
    for line in text.splitlines():
        lines += [line] if "\t" in line else textwrap.wrap(line, WIDEST) or [""]
    return lines
