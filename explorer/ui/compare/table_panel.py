"""The table of a comparison with the verdicts that flip below, and a sentence where there is nothing to compare."""

from collections.abc import Generator

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QVBoxLayout, QWidget

from explorer.analysis.ask.comparison.compared import compare
from explorer.analysis.ask.comparison.subjects import subjects
from explorer.presentation.compare.table import ComparedTable, table_of
from explorer.ui.compare.table.art import column_words, painter_of, row_words, shown_columns, sizer_of
from explorer.ui.compare.table.view import CompareGrid
from explorer.ui.compare.verdict_strip import VerdictStrip
from explorer.ui.look.text import tr
from explorer.ui.session import Shown
from explorer.ui.widgets.plain_text import PlainLabel


class ComparePanel(QWidget):
    """Shows one state of the study after another."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.whole: ComparedTable | None = None  # with every column
        self.table: ComparedTable | None = None
        self._shown: Shown | None = None
        self.grid = CompareGrid(self)
        self.alone = PlainLabel(self)
        self.alone.setWordWrap(True)
        em = self.fontMetrics().height()
        self.alone.setContentsMargins(em // 2, em // 2, em // 2, em // 2)
        self.verdicts = VerdictStrip(self)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.grid, 1)
        box.addWidget(self.alone)
        box.addWidget(self.verdicts)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)

    def make(self, shown: Shown) -> Generator[None, None, None]:
        """Work the table out, a slice at a time, and show it."""
        evaluation = shown.evaluation
        subjects(evaluation)
        yield
        found = compare(evaluation)
        yield
        self.whole = table_of(evaluation, found, shown.look)
        yield
        self._shown = shown
        self._show(shown_columns(self.whole, shown.view.compare_columns, self.width(), self.font()), shown)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """More columns find room, or fewer."""
        super().resizeEvent(event)
        if self.whole is not None and self._shown is not None and event.size().width() != event.oldSize().width():
            view = self._shown.view
            table = shown_columns(self.whole, view.compare_columns, self.width(), self.font())
            if self.table is None or table.columns != self.table.columns:
                self._show(table, self._shown)

    def _show(self, table: ComparedTable, shown: Shown) -> None:
        self.table = table
        self.grid.setVisible(bool(table.lines))
        self.grid.picture.take(painter_of(table), sizer_of(table), shown.look.theme)
        self.grid.words.show_words(column_words(table), row_words(table))
        active = shown.evaluation.active
        self.grid.mark_row("" if active is None or table.vary != "machines" else active.entry.id)
        self.grid.setAccessibleDescription(_described(table))
        self.grid.fit()
        self._say(table)
        self.verdicts.show_line(table.flips, shown.look.theme)

    def wanted_height(self) -> int:
        """Height at which every row is seen."""
        grid = self.grid.wanted_height() if not self.grid.isHidden() else 0
        others = (self.alone, self.verdicts)
        return grid + sum(_height(part, self.width()) for part in others if not part.isHidden())

    def _say(self, table: ComparedTable) -> None:
        text = table.empty_text
        if table.vary == "machines" and len(table.lines) == 1:
            text = tr("Tick a second device to compare.")
        self.alone.setText(text)
        self.alone.setVisible(bool(text))


def _height(part: QWidget, width: int) -> int:
    return part.heightForWidth(width) if part.hasHeightForWidth() else part.sizeHint().height()


def _described(table: ComparedTable) -> str:
    """The table as text: one sentence a row."""
    titles = [c.alone for c in table.columns]
    return " ".join(
        f"{line.names[0]}: "
        + ", ".join(f"{t} {e.text} {e.relation}".strip() for t, e in zip(titles, line.entries, strict=True))
        + "."
        for line in table.lines
    )
