"""Sentences with bold figures on two lines that are always there, painted without a document.

Figures and what stands last are never cut: where the usual size does not hold the text a smaller one does.
"""

import re
from collections.abc import Callable, Sequence
from functools import cache
from html import unescape
from typing import Final

from PySide6.QtCore import QEvent, QPointF, QSize
from PySide6.QtGui import QFont, QHelpEvent, QPainter, QPaintEvent, QPalette, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.presentation.words.visible import one_line
from explorer.ui.widgets.plain_text import set_tip, show_tip
from explorer.ui.widgets.widget_fonts import FontPair, WidgetFonts, scaled

Run = tuple[str, bool]
Line = list[tuple[float, str, bool]]
_TAG = re.compile(r"(</?b>)")
_WIDE = r"\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef"  # scripts that break between any two signs
_NARROW_WORD = re.compile(r"\d[\d.,]*\s[^\d\s]\S*\s*|\S+\s*|\s+")
_WIDE_WORD = (
    rf"\d[\d.,]*\s[^\d\s][^\s{_WIDE}]*\s*"  # a number stays with its unit
    rf"|[{_WIDE}][。，、：；！？）」]*\s*|[^\s{_WIDE}]+[。，、：；！？）」]*\s*|\s+"
)
_FIRST_WIDE = "\u2e80"
_FIGURE = re.compile(r"\d[\d.,]*\s|[\d.,]+\D?$")
MOST_LINES = 2
_SIZES: Final = ((1.0, 2), (0.92, 2), (0.84, 2), (0.75, 3), (0.68, 3))  # of the usual size, and lines that fit then
_LONGEST_NAMES: Final = (24, 16, 10)  # letters of one word, where nothing else helps


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
    """As high for one word as for a long answer, so that nothing below it moves."""

    def __init__(self, parent: QWidget | None = None, *, scale: float = 1.15) -> None:
        super().__init__(parent)
        self.more: Callable[[], str] = lambda: ""
        self._sizes = [(WidgetFonts(_in_size(scale * size)), most) for size, most in _SIZES]
        self._faces = self._sizes[0][0]
        self._runs: tuple[Run, ...] = ()
        self._text = ""
        self._lines: list[Line] = []
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
    def lines(self) -> list[Line]:
        """Each line's runs: where they begin, words, bold."""
        return self._lines

    @property
    def plain_text(self) -> str:
        """What is shown, without marks."""
        return "".join(text for text, _ in self._runs)

    def sizeHint(self) -> QSize:
        usual = self._sizes[0][0].of(self.font()).second.height
        return QSize(300, round(usual * 1.15 * MOST_LINES + 4))

    def minimumSizeHint(self) -> QSize:
        return QSize(160, self.sizeHint().height())

    def event(self, event: QEvent) -> bool:
        """What is said beyond the line, under the pointer."""
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip and (more := self.more()):
            show_tip(event.globalPos(), f"{self.plain_text}\n{more}", self)
            return True
        return super().event(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._lay_out()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._lay_out()
            self.updateGeometry()

    def _lay_out(self) -> None:
        """In the largest size that holds all; long words are shortened only where the smallest does not."""
        words = _words(self._runs)
        for fonts, most in self._sizes:
            lines = _broken(words, fonts.of(self.font()), self.width(), most)
            if lines is not None:
                self._show(lines, fonts)
                return
        for longest in _LONGEST_NAMES:
            lines = _broken([_shortened(word, longest) for word in words], fonts.of(self.font()), self.width(), most)
            if lines is not None:
                break
        self._show(lines or _cut(words, fonts.of(self.font()), self.width(), most), fonts)
        set_tip(self, self.plain_text)

    def _show(self, lines: list[Line], fonts: WidgetFonts) -> None:
        self._lines, self._faces = lines, fonts
        if self.toolTip():
            set_tip(self, "")

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setPen(self.palette().color(QPalette.ColorRole.WindowText))
        faces = self._faces.of(self.font())
        high = faces.second.height
        step = min(high * 1.15, (self.height() - 2) / max(1, len(self._lines)))
        y = (self.height() - step * len(self._lines)) / 2 + faces.second.ascent + (step - high) / 2
        for line in self._lines:
            for x, word, bold in line:
                painter.setFont(faces[bold].font)
                painter.drawText(QPointF(x, y), word)
            y += step
        painter.end()


def _in_size(scale: float) -> Callable[[QFont], tuple[QFont, QFont]]:
    def fonts(font: QFont) -> tuple[QFont, QFont]:
        plain, bold = scaled(font, scale, least=0.0), scaled(font, scale, least=0.0)
        bold.setBold(True)
        return plain, bold

    return fonts


def _broken(words: Sequence[Run], faces: FontPair, width: float, most: int) -> list[Line] | None:
    """Lines broken at spaces, at a sentence's end if the rest fits then; None where there would be too many."""
    room = width - faces.first.width(":")  # a sign behind a figure stays on its line
    widths = [faces[bold].width(word) for word, bold in words]
    early = _sentence_break(words, widths, room) if most == MOST_LINES else None
    lines: list[Line] = [[]]
    x, breakable = 0.0, False
    for i, ((word, bold), wide) in enumerate(zip(words, widths, strict=True)):
        bare = wide if x + wide <= room else faces[bold].width(word.rstrip())
        full = x + bare > room
        if (i == early or (full and (breakable or _is_wide(word[0])))) and lines[-1]:
            lines.append([])
            x = 0.0
        if full and x + bare > width:
            return None
        breakable = word[-1].isspace() or _is_wide(word[0])
        _append(lines[-1], x, word, bold)
        x += wide
    return lines if len(lines) <= most else None


def _append(line: Line, x: float, word: str, bold: bool) -> None:
    if line and line[-1][2] == bold:
        start, before, _ = line[-1]
        line[-1] = (start, before + word, bold)
    else:
        line.append((x, word, bold))


def _cut(words: Sequence[Run], faces: FontPair, width: float, most: int) -> list[Line]:
    """As many words as fit, with an ellipsis."""
    for count in range(len(words) - 1, 0, -1):
        word, bold = words[count - 1]
        kept = [*words[: count - 1], (word.rstrip(" .,:") + "…", bold)]
        lines = _broken(kept, faces, width, most)
        if lines is not None:
            return lines
    return [[(0.0, "…", False)]]


def _shortened(word: Run, longest: int) -> Run:
    """A long word without its middle; a figure stays as it is."""
    text, bold = word
    bare = text.rstrip()
    if len(bare) <= longest or _FIGURE.match(bare):
        return word
    half = (longest - 1) // 2
    return f"{bare[: longest - 1 - half]}…{bare[-half:]}{text[len(bare) :]}", bold


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


def _is_wide(sign: str) -> bool:
    return sign >= _FIRST_WIDE and _wide_sign().match(sign) is not None


# ranges of thousands of signs take milliseconds to compile: not for a start in a script without them


@cache
def _wide_sign() -> re.Pattern[str]:
    return re.compile(f"[{_WIDE}]")


@cache
def _wide_word() -> re.Pattern[str]:
    return re.compile(_WIDE_WORD)


def _words(runs: Sequence[Run]) -> list[Run]:
    found: list[Run] = []
    for text, bold in runs:
        narrow = text.isascii() or max(text) < _FIRST_WIDE
        found += [(word, bold) for word in (_NARROW_WORD if narrow else _wide_word()).findall(text)]
    return found
