"""Sentences with bold figures on one or two lines, painted without a document; cut with an ellipsis at the end."""

import re
from collections.abc import Sequence

from PySide6.QtCore import QEvent, QPointF, QSize
from PySide6.QtGui import QFont, QFontMetricsF, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

Run = tuple[str, bool]
_TAG = re.compile(r"(</?b>)")
MOST_LINES = 2


def runs_of(text: str) -> tuple[Run, ...]:
    """Words with their weight: `<b>` and `</b>` are the only marks."""
    found: list[Run] = []
    bold = False
    for part in _TAG.split(text):
        if part in {"<b>", "</b>"}:
            bold = part == "<b>"
        elif part:
            found.append((part, bold))
    return tuple(found)


class RichLine(QWidget):
    """Grows to two lines where one is too short; shrinks again only when its width changes."""

    def __init__(self, parent: QWidget | None = None, *, scale: float = 1.15) -> None:
        super().__init__(parent)
        self._scale = scale
        self._runs: tuple[Run, ...] = ()
        self._text = ""
        self._lines: list[list[tuple[float, str, bool]]] = []
        self._rows = 1
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_text(self, marked: str) -> None:
        """Show sentences marked with `<b>`."""
        if marked == self._text:
            return
        self._text = marked
        self._runs = runs_of(marked)
        self.setAccessibleName("".join(r[0] for r in self._runs))
        self._lay_out()
        self.update()

    @property
    def plain_text(self) -> str:
        """What is shown, without marks."""
        return "".join(text for text, _ in self._runs)

    def _fonts(self) -> tuple[QFont, QFont]:
        plain, bold = QFont(self.font()), QFont(self.font())
        for font in (plain, bold):
            font.setPointSizeF(font.pointSizeF() * self._scale)
        bold.setBold(True)
        return plain, bold

    def _height_of(self, rows: int) -> int:
        return round(QFontMetricsF(self._fonts()[1]).height() * 1.15 * rows + 4)

    def sizeHint(self) -> QSize:
        return QSize(300, self._height_of(self._rows))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self._height_of(self._rows))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self._rows = 1
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._lay_out()

    def _lay_out(self) -> None:
        """Break into lines at spaces; the last line ends in an ellipsis where words are left."""
        metrics = [QFontMetricsF(f) for f in self._fonts()]
        lines: list[list[tuple[float, str, bool]]] = [[]]
        x, cut = 0.0, False
        for word, bold in _words(self._runs):
            width = metrics[bold].horizontalAdvance(word)
            if x + metrics[bold].horizontalAdvance(word.rstrip()) > self.width() and lines[-1]:
                if len(lines) == MOST_LINES:
                    cut = True
                    break
                lines.append([])
                x = 0.0
            if lines[-1] and lines[-1][-1][2] == bold:
                start, before, _ = lines[-1][-1]
                lines[-1][-1] = (start, before + word, bold)
            else:
                lines[-1].append((x, word, bold))
            x += width
        if cut:
            last_x, word, bold = lines[-1][-1]
            lines[-1][-1] = (last_x, word.rstrip().rpartition(" ")[0].rstrip(" .,:") + "…", bold)
        self._lines = lines
        self.setToolTip(self.plain_text if cut else "")
        self._rows = max(self._rows, len(lines))
        if self.height() != self._height_of(self._rows):
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        fonts = self._fonts()
        metrics = QFontMetricsF(fonts[1])
        step = metrics.height() * 1.15
        y = (self.height() - step * len(self._lines)) / 2 + metrics.ascent() + (step - metrics.height()) / 2
        for line in self._lines:
            for x, word, bold in line:
                painter.setFont(fonts[bold])
                painter.drawText(QPointF(x, y), word)
            y += step
        painter.end()


def _words(runs: Sequence[Run]) -> list[Run]:
    return [(word, bold) for text, bold in runs for word in re.findall(r"\S+\s*|\s+", text)]
