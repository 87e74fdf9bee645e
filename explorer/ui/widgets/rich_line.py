"""Sentences with bold figures on one or two lines, painted without a document; cut with an ellipsis at the end."""

import re
from collections.abc import Sequence
from html import unescape

from PySide6.QtCore import QEvent, QPointF, QSize
from PySide6.QtGui import QFont, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.presentation.words.visible import one_line
from explorer.ui.widgets.plain_text import set_tip
from explorer.ui.widgets.widget_fonts import WidgetFonts, scaled

Run = tuple[str, bool]
_TAG = re.compile(r"(</?b>)")
_WORD = re.compile(r"\d[\d.,]*\s[^\d\s]\S*\s*|\S+\s*|\s+")  # a number stays with its unit
MOST_LINES = 2


def runs_of(text: str) -> tuple[Run, ...]:
    """Words with their weight: `<b>` and `</b>` are the only marks, for values are escaped."""
    found: list[Run] = []
    bold = False
    for part in _TAG.split(text):
        if part in {"<b>", "</b>"}:
            bold = part == "<b>"
        elif part:
            found.append((one_line(unescape(part)), bold))
    return tuple(found)


class RichLine(QWidget):
    """Grows to two lines where one is too short; shrinks again only when its width changes."""

    def __init__(self, parent: QWidget | None = None, *, scale: float = 1.15) -> None:
        super().__init__(parent)
        self._faces = WidgetFonts(lambda font: _plain_and_bold(font, scale))
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
    def lines(self) -> list[list[tuple[float, str, bool]]]:
        """Each line's runs: where they begin, words, bold."""
        return self._lines

    @property
    def plain_text(self) -> str:
        """What is shown, without marks."""
        return "".join(text for text, _ in self._runs)

    def _height_of(self, rows: int) -> int:
        return round(self._faces.of(self.font()).second.height * 1.15 * rows + 4)

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
        """Break at spaces, at a sentence's end if the rest fits then; words that are left become an ellipsis."""
        faces = self._faces.of(self.font())
        lines: list[list[tuple[float, str, bool]]] = [[]]
        room = self.width() - faces.first.width(":")  # a sign behind a figure stays on its line
        words = _words(self._runs)
        widths = [faces[bold].width(word) for word, bold in words]
        early = _sentence_break(words, widths, room)
        x, cut, after_space = 0.0, False, False
        for i, ((word, bold), width) in enumerate(zip(words, widths, strict=True)):
            full = x + faces[bold].width(word.rstrip()) > room
            breakable, after_space = after_space, word[-1].isspace()
            if (i == early or (full and breakable)) and lines[-1]:
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
        set_tip(self, self.plain_text if cut else "")
        self._rows = max(self._rows, len(lines))
        if self.height() != self._height_of(self._rows):
            self.updateGeometry()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        faces = self._faces.of(self.font())
        high = faces.second.height
        step = high * 1.15
        y = (self.height() - step * len(self._lines)) / 2 + faces.second.ascent + (step - high) / 2
        for line in self._lines:
            for x, word, bold in line:
                painter.setFont(faces[bold].font)
                painter.drawText(QPointF(x, y), word)
            y += step
        painter.end()


def _plain_and_bold(font: QFont, scale: float) -> tuple[QFont, QFont]:
    plain, bold = scaled(font, scale, least=0.0), scaled(font, scale, least=0.0)
    bold.setBold(True)
    return plain, bold


def _sentence_break(words: Sequence[Run], widths: Sequence[float], room: float) -> int | None:
    """Where the last sentence begins that lets both lines fit; None for one line, or where none does."""
    whole = sum(widths)
    if whole <= room:
        return None
    found, x = None, 0.0
    for i in range(1, len(words)):
        x += widths[i - 1]
        if x > room:
            break
        if words[i - 1][0].rstrip().endswith((".", "。")) and words[i - 1][0][-1].isspace() and whole - x <= room:
            found = i
    return found


def _words(runs: Sequence[Run]) -> list[Run]:
    return [(word, bold) for text, bold in runs for word in _WORD.findall(text)]
