"""A count chosen by slider, typing, or doubling: label, field, ÷2, ×2 and a log slider."""

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QPalette, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QToolButton, QWidget

from explorer.analysis.problem import Problem
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.log_scale import LogScale, parse_count
from explorer.presentation.words.messages import render_problem
from explorer.ui.look.text import tr
from explorer.ui.widgets.log_slider import LogSlider
from explorer.ui.widgets.plain_text import PlainLabel, set_tip


class CountControl(QWidget):
    """`edited` tells every new count, `released` the end of one gesture; up to `most` can be typed."""

    edited = Signal(int)
    released = Signal()

    def __init__(self, name: str, tip: str, scale: LogScale, parent: QWidget | None = None, *, most: int = 0) -> None:
        super().__init__(parent)
        self._scale = scale
        self._most = most
        self._value = scale.low
        self._look: Look = ENGLISH
        self.label = PlainLabel(name, self)
        self.entry = QLineEdit(self)
        self.slider = LogSlider(scale, self)
        self.halve = self._button("÷2", tr("Halve"), -1)
        self.double = self._button("×2", tr("Double"), 1)
        self.problem = PlainLabel(self)
        self.problem.setWordWrap(True)
        self.problem.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)  # the slider below is still dragged
        self.problem.setAutoFillBackground(True)
        self.problem.setBackgroundRole(QPalette.ColorRole.Base)
        self.problem.hide()
        self._prepare(name, tip)
        self._lay_out()

    def _prepare(self, name: str, tip: str) -> None:
        self.rename(name)
        self.label.setBuddy(self.entry)
        self.entry.setAlignment(Qt.AlignmentFlag.AlignRight)
        font = self.entry.font()
        font.setBold(True)
        self.entry.setFont(font)
        self._size_entry()
        set_tip(self.entry, tr("Type a number: 4096, 4k or 128k (k = 1,024)"))
        set_tip(self.slider, tip)
        warning = self.problem.palette()
        warning.setColor(QPalette.ColorRole.WindowText, warning.color(QPalette.ColorRole.BrightText))
        self.problem.setPalette(warning)
        self.entry.editingFinished.connect(self._on_typed)
        self.entry.textEdited.connect(self._check)
        self.slider.edited.connect(self._choose)
        self.slider.released.connect(self.released)

    def _button(self, text: str, tip: str, steps: int) -> QToolButton:
        button = QToolButton(self)
        button.setText(text)
        set_tip(button, tip)
        button.setAccessibleName(tip)
        button.setAutoRaise(True)
        button.clicked.connect(lambda: self.scale_by(steps))
        return button

    def _lay_out(self) -> None:
        head = QHBoxLayout()
        head.setSpacing(2)
        head.addWidget(self.label)
        head.addStretch(1)
        for widget in (self.halve, self.double, self.entry):
            head.addWidget(widget)
        grid = QGridLayout(self)
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setVerticalSpacing(1)
        grid.addLayout(head, 0, 0)
        grid.addWidget(self.slider, 1, 0)

    def _size_entry(self) -> None:
        self.entry.setFixedWidth(self.entry.fontMetrics().horizontalAdvance("1,048,576") + 18)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._size_entry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._cover()

    def _cover(self) -> None:
        """What is wrong stands in the slider's place: nothing moves for it."""
        self.problem.setGeometry(self.slider.geometry())
        self.problem.raise_()

    def rename(self, name: str) -> None:
        """Change what the count is called."""
        if self.label.text() != name or not self.slider.accessibleName():
            self.label.setText(name)
            self.entry.setAccessibleName(name)
            self.slider.setAccessibleName(name)

    def show_count(self, value: int, scale: LogScale, look: Look = ENGLISH) -> None:
        """Show a count and the ends of the slider; nobody is told."""
        self._value, self._scale, self._look = value, scale, look
        self.slider.set_scale(scale)
        self.slider.show_value(value)
        text = f"{value:,}"
        if not self.entry.isModified() and self.entry.text() != text:
            self.entry.setText(text)

    def scale_by(self, steps: int) -> None:
        """Double (or halve, negative steps) as one gesture of its own."""
        self._choose(self._scale.doubled(self._value, steps))
        self.released.emit()

    def _choose(self, value: int) -> None:
        self.entry.setModified(False)
        self._say(None)
        if value != self._value:
            self.edited.emit(value)

    def _check(self, text: str) -> None:
        parsed = self._parsed(text)
        if not isinstance(parsed, Problem):
            self._say(None)

    def _parsed(self, text: str) -> int | Problem:
        return parse_count(text, self._scale.low, max(self._scale.high, self._most))

    def _on_typed(self) -> None:
        if not self.entry.isModified():
            return
        parsed = self._parsed(self.entry.text())
        if isinstance(parsed, Problem):
            self.entry.setText(f"{self._value:,}")
            self._say(parsed)
            return
        self._choose(parsed)
        self.entry.setText(f"{parsed:,}")
        self.released.emit()

    def _say(self, problem: Problem | None) -> None:
        """Say in one sentence what was not taken, or clear it."""
        self.problem.setVisible(problem is not None)
        self._cover()
        if problem is not None:
            self.problem.setText(render_problem(problem, self._look))
        self.entry.setAccessibleDescription("" if problem is None else self.problem.text())
