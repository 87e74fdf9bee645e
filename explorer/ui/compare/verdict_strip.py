"""The line of verdicts that flip under the table: how many, and a chip for each group of operators."""

from typing import Final

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QFont, QPalette, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QWidget

from explorer.presentation.compare.flip_chips import FlipLine, FlipWords
from explorer.presentation.palette import Theme
from explorer.ui.compare.verdict_chip import VerdictChip
from explorer.ui.grid.style import GridStyle
from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import PlainLabel, set_tip
from explorer.ui.widgets.widget_fonts import scaled

_MOST: Final = 5
_SMALLER: Final = 0.93  # of the window's letters


class VerdictStrip(QWidget):
    """One line, whatever its width: chips that find no room are counted. `chosen(rows)` tells a clicked chip's."""

    chosen = Signal(tuple)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFont(scaled(self.font(), _SMALLER))
        self._line = FlipLine("")
        self.title = PlainLabel(self)
        bold = QFont(self.font())
        bold.setWeight(QFont.Weight.DemiBold)
        self.title.setFont(bold)
        self.chips = [self._chip() for _ in range(_MOST)]
        self.rest = PlainLabel(self)
        quiet = self.rest.palette()
        quiet.setColor(QPalette.ColorRole.WindowText, quiet.color(QPalette.ColorRole.PlaceholderText))
        self.rest.setPalette(quiet)
        em = self.fontMetrics().height()
        self._gap = em // 2
        row = QHBoxLayout(self)
        row.setContentsMargins(em // 2, em // 4, em // 2, em // 4)
        row.setSpacing(self._gap)
        for part in (self.title, *self.chips, self.rest):
            row.addWidget(part)
        row.addStretch(1)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def _chip(self) -> VerdictChip:
        chip = VerdictChip(self)
        chip.clicked.connect(lambda: None if chip.words is None else self.chosen.emit(chip.words.rows))
        return chip

    def show_line(self, line: FlipLine, theme: Theme) -> None:
        """Show the verdicts; nothing where there is nothing to compare."""
        self._line = line
        self.setVisible(bool(line.title))
        self.title.setText(line.title)
        style = GridStyle(theme, self.font())
        for chip, words in zip(self.chips, line.chips, strict=False):
            chip.show_words(words, style)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Show the chips that find room, at least the first, and how many remain."""
        gap = self._gap
        margins = self.contentsMargins().left() + self.contentsMargins().right() + self.fontMetrics().height()
        room = self.width() - margins - self.title.sizeHint().width() - gap
        seen = 0
        for chip in self.chips[: len(self._line.chips)]:
            left = room - chip.sizeHint().width() - gap
            beyond = len(self._line.chips) - seen - 1
            if seen and left < (self._width(_beyond(beyond)) if beyond else 0):
                break
            room, seen = left, seen + 1
        for i, chip in enumerate(self.chips):
            chip.setVisible(i < seen)
            chip.setMaximumWidth(max(60, self.width() - margins - self.title.sizeHint().width() - gap))
        self._say_rest(self._line.chips[seen:])

    def _say_rest(self, beyond: tuple[FlipWords, ...]) -> None:
        text = _beyond(len(beyond)) if beyond else ""
        self.rest.setText(text)
        set_tip(self.rest, "\n".join(chip.text for chip in beyond))
        self.rest.setVisible(bool(beyond))

    def _width(self, text: str) -> int:
        return self.fontMetrics().horizontalAdvance(text) + 4


def _beyond(count: int) -> str:
    return tr("+ {count} more", count=count)
