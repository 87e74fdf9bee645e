"""A field of a form: a line of text, checked while it is typed, with its fault or meaning beside it."""

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from explorer.analysis.problem import Refused
from explorer.ui.grid.figures import ShownFigure
from explorer.ui.widgets.elided import ElidedLabel

_SMALL = 0.88  # of the usual size


class FormField(QWidget):
    """`value` is what the text means, None while it is refused; the fault stands below the line.

    A field of a `figure` reads a bare number in the unit that stands there, and says below what that comes to.
    """

    def __init__(
        self, text: str, name: str, read: Callable[[str], Any], sentence: Callable[[Refused], str],
        changed: Callable[[], None], parent: QWidget | None = None, figure: ShownFigure | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._read = read
        self._figure = figure
        self._sentence = sentence
        self._changed = changed
        self.value: Any = None
        self.fault = ""
        self.line = QLineEdit(text, self)
        self.line.setAccessibleName(name)
        self.note = ElidedLabel(self)  # its line is there without a text too: nothing moves for it
        small = self.note.font()
        small.setPointSizeF(small.pointSizeF() * _SMALL)
        self.note.setFont(small)
        self.note.setFixedHeight(self.note.fontMetrics().height())
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Maximum)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.line)
        box.addWidget(self.note)
        self.line.textChanged.connect(lambda _text: self._refresh())
        self.read_again()

    def read_again(self) -> None:
        """Read the text again."""
        text, figure = self.line.text(), self._figure
        try:
            self.value, fault = self._read(text if figure is None else figure.completed(text)), ""
        except Refused as refused:
            self.value, fault = None, self._sentence(refused)
        self.show_note(fault or ("" if figure is None else figure.stored(text)), fault=bool(fault))

    def show_note(self, text: str, *, fault: bool) -> None:
        """Say something below the line, as a fault or as a figure."""
        self.fault = text if fault else ""
        self.line.setAccessibleDescription(text)
        palette = self.palette()
        role = palette.ColorRole.BrightText if fault else palette.ColorRole.PlaceholderText
        palette.setColor(palette.ColorRole.WindowText, palette.color(role))
        self.note.setPalette(palette)
        self.note.show_text(text)

    def _refresh(self) -> None:
        self.read_again()
        self._changed()
