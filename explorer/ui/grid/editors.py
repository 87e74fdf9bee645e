"""Editors of single cells: a text that is checked before it is taken, a choice that is taken at once."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QComboBox, QWidget

from explorer.analysis.problem import Refused
from explorer.ui.grid.figures import ShownFigure
from explorer.ui.grid.ghost_line import GhostLine
from explorer.ui.widgets.plain_text import set_tip

Read = Callable[[str], Any]
Sentence = Callable[[Refused], str]
_ENDS = {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab, Qt.Key.Key_Backtab}


class TextCell(GhostLine):
    """A line of text; `read` turns it into a value or refuses it. Over a figure a bare number keeps the unit."""

    said = Signal(str)

    def __init__(
        self, parent: QWidget, text: str, read: Read, sentence: Sentence, figure: ShownFigure | None = None
    ) -> None:
        super().__init__(text, parent)
        self._read = read
        self._figure = figure
        self._sentence = sentence
        self._marked = False
        self.setFrame(False)
        self.setAutoFillBackground(True)
        self.selectAll()
        self.textEdited.connect(self._look_again)

    def value(self) -> Any:
        """The value of the text; raises Refused."""
        return self._read(self.text() if self._figure is None else self._figure.completed(self.text()))

    def accepts(self) -> bool:
        """Whether the text can be taken; marks the field and says why where not."""
        try:
            self.value()
        except Refused as refused:
            self._mark(self._sentence(refused))
            return False
        self._mark("")
        return True

    @property
    def marked(self) -> bool:
        """Whether the field shows that its text was refused."""
        return self._marked

    def _look_again(self) -> None:
        if self._figure is not None:
            self.set_ghost(self._figure.stored(self.text()))
            wanted = self.ghost_width()
            if self.ghost and wanted > self.width():
                self.resize(wanted, self.height())
        if self._marked:
            self.accepts()

    def _mark(self, sentence: str) -> None:
        self._marked = bool(sentence)
        set_tip(self, sentence)
        self.setAccessibleDescription(sentence)
        self.said.emit(sentence)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        super().paintEvent(event)
        with QPainter(self) as painter:
            painter.setPen(self.palette().brightText().color() if self._marked else self.palette().highlight().color())
            painter.drawRect(self.rect().adjusted(0, 0, -1, -1))


class ChoiceCell(QComboBox):
    """A choice among values; opens at once and is taken when one is chosen."""

    def __init__(self, parent: QWidget, choices: Sequence[tuple[str, Any]], current: Any) -> None:
        super().__init__(parent)
        for text, value in choices:
            self.addItem(text, value)
        self.setCurrentIndex(max(0, next((i for i, (_, v) in enumerate(choices) if v == current), 0)))
        self.setMaxVisibleItems(16)
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        QTimer.singleShot(0, self, self._open)

    def value(self) -> Any:
        """The chosen value."""
        return self.currentData()

    def _open(self) -> None:
        if self.isVisible() and self.hasFocus():
            self.showPopup()


CellEditor = TextCell | ChoiceCell


def holds(editor: QObject, event: QEvent) -> bool:
    """Whether an event would close an editor whose text is refused."""
    if not isinstance(editor, TextCell):
        return False
    ends = event.type() == QEvent.Type.FocusOut or (isinstance(event, QKeyEvent) and event.key() in _ENDS)
    return ends and event.type() != QEvent.Type.KeyRelease and not editor.accepts()
