"""What a slide may be asked: view, size, scale, theme, blocks, texts; only what can be drawn is offered."""

import math
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtGui import QStandardItemModel
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from explorer.analysis.study.slides import LONGEST
from explorer.analysis.study.study import SlideChoice, SlideTexts
from explorer.presentation.slide.blocks import BLOCKS
from explorer.presentation.views.declared import VIEWS
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP
from explorer.presentation.words.visible import visible
from explorer.report.figure_export import LARGEST, MOST_PIXELS, SMALLEST
from explorer.report.paper_sizes import SIZES
from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import PlainLabel, set_tip

_SIDES: Final = (320, 8000)
_SCALES: Final = (0.5, 4.0)
_LINES: Final = ("title", "subtitle")
_PARAGRAPHS: Final = ("help", "read", "footer")
_ON_PAPER: Final = {  # views without a tab, whose words a tab would have
    "paired": QT_TRANSLATE_NOOP("ui", "Time by operator, side by side"),
    "frontier": QT_TRANSLATE_NOOP("ui", "Throughput against speed of a request"),
    "speedup": QT_TRANSLATE_NOOP("ui", "Speed-up over batch and context"),
    "rooflines": QT_TRANSLATE_NOOP("ui", "Rooflines side by side"),
    "years": QT_TRANSLATE_NOOP("ui", "Hardware over the years"),
}


def view_name(view: str) -> str:
    """How a view is called in a list."""
    words = VIEWS[view].tab or _ON_PAPER.get(view, "")
    return tr(words) if words else view.replace("_", " ").capitalize()


class ExportForm(QWidget):
    """The controls; `changed` tells that the slide is another one."""

    changed = Signal()
    view_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.view = QComboBox(self)
        self.view.setAccessibleName(tr("View"))
        self.view.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.view.setMinimumContentsLength(12)
        for name, spec in VIEWS.items():
            if not spec.bare:
                self.view.addItem(view_name(name), name)
        self.size_choice = QComboBox(self)
        self.size_choice.setAccessibleName(tr("Size"))
        for name, size in SIZES.items():
            self.size_choice.addItem(name.replace("-", " "), size)
        self.size_choice.addItem(tr("Free"), None)
        self.width_box = self._side(tr("Width"))
        self.height_box = self._side(tr("Height"))
        self.scale = QDoubleSpinBox(self)
        self.scale.setRange(*_SCALES)
        self.scale.setSingleStep(0.5)
        self.scale.setDecimals(1)
        self.scale.setSuffix("×")
        self.scale.setValue(2.0)
        self.scale.setAccessibleName(tr("Scale of a PNG"))
        self.pixels = PlainLabel(self)
        self.theme = QComboBox(self)
        self.theme.addItem(tr("Light"), "light")
        self.theme.addItem(tr("Dark"), "dark")
        self.theme.setAccessibleName(tr("Theme"))
        self.slide = QCheckBox(tr("With title, table and notes"), self)
        self.slide.setChecked(True)
        self.pinned = QCheckBox(tr("Pin the axes of the roofline"), self)
        self.blocks = {name: QCheckBox(tr(spec.words), self) for name, spec in BLOCKS.items()}
        self.title = self._line(tr("Title"))
        self.subtitle = self._line(tr("Subtitle"))
        self.paragraphs = {
            "help": self._paragraph(tr("What would help")),
            "read": self._paragraph(tr("How to read it")),
            "footer": self._paragraph(tr("Sources in the footer")),
        }
        self.proposed = QPushButton(tr("Back to the proposed texts"), self)
        self._lay_out()
        self._connect()
        self._limit()

    def _side(self, name: str) -> QSpinBox:
        box = QSpinBox(self)
        box.setRange(*_SIDES)
        box.setSuffix(tr(" px"))
        box.setAccessibleName(name)
        return box

    def _line(self, name: str) -> QLineEdit:
        line = QLineEdit(self)
        line.setMaxLength(LONGEST)
        line.setAccessibleName(name)
        return line

    def _paragraph(self, name: str) -> QPlainTextEdit:
        text = QPlainTextEdit(self)
        text.setAccessibleName(name)
        text.setTabChangesFocus(True)
        text.setFixedHeight(3 * text.fontMetrics().lineSpacing() + 14)
        return text

    def _lay_out(self) -> None:
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 8, 0)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.addRow(tr("View"), self.view)
        sides = QHBoxLayout()
        for box in (self.size_choice, self.width_box, self.height_box):
            sides.addWidget(box)
        form.addRow(tr("Size"), sides)
        scale = QHBoxLayout()
        scale.addWidget(self.scale)
        scale.addWidget(self.pixels, 1)
        form.addRow(tr("Scale of a PNG"), scale)
        form.addRow(tr("Theme"), self.theme)
        form.addRow("", self.slide)
        blocks = QVBoxLayout()
        for check in self.blocks.values():
            blocks.addWidget(check)
        form.addRow(tr("Blocks"), blocks)
        form.addRow("", self.pinned)
        form.addRow(tr("Title"), self.title)
        form.addRow(tr("Subtitle"), self.subtitle)
        for name, text in self.paragraphs.items():
            form.addRow(text.accessibleName(), self.paragraphs[name])
        form.addRow("", self.proposed)

    def _connect(self) -> None:
        self.view.currentIndexChanged.connect(lambda _: self.view_chosen.emit(self.view.currentData()))
        self.size_choice.currentIndexChanged.connect(self._take_size)
        for box in (self.width_box, self.height_box):
            box.valueChanged.connect(self._take_sides)
        self.scale.valueChanged.connect(self._limit)
        self.theme.currentIndexChanged.connect(self.changed)
        for check in (self.slide, *self.blocks.values()):
            check.toggled.connect(self._enable)
            check.toggled.connect(self.changed)
        for line in (self.title, self.subtitle):
            line.textChanged.connect(self.changed)
        for text in self.paragraphs.values():
            text.textChanged.connect(self.changed)
        self.proposed.clicked.connect(self.forget_texts)

    @property
    def size_asked(self) -> tuple[int, int]:
        """Logical pixels."""
        return self.width_box.value(), self.height_box.value()

    @property
    def choice(self) -> SlideChoice:
        """What the study would remember."""
        view = self.view.currentData()
        chosen = tuple(name for name, box in self.blocks.items() if box.isChecked())
        texts: dict[str, str] = {"title": self.title.text().strip(), "subtitle": self.subtitle.text().strip()}
        texts |= {name: text.toPlainText().strip()[:LONGEST] for name, text in self.paragraphs.items()}
        return SlideChoice(
            view=view,
            texts=SlideTexts(**{name: visible(text) for name, text in texts.items() if text}),
            blocks=None if chosen == VIEWS[view].blocks else chosen,
            size=self.size_asked,
            theme=self.theme.currentData(),
        )

    def show_choice(self, choice: SlideChoice, proposed: dict[str, str]) -> None:
        """Show what is remembered of a view; what is proposed stands where nothing was typed."""
        with QSignalBlocker(self):
            self.view.setCurrentIndex(max(0, self.view.findData(choice.view)))
            shown = VIEWS[choice.view].blocks if choice.blocks is None else choice.blocks
            for name, box in self.blocks.items():
                box.setChecked(name in shown)
            self.theme.setCurrentIndex(self.theme.findData(choice.theme))
            self.width_box.setValue(choice.size[0])
            self.height_box.setValue(choice.size[1])
            self.title.setText(choice.texts.title or "")
            self.subtitle.setText(choice.texts.subtitle or "")
            for name, text in self.paragraphs.items():
                text.setPlainText(getattr(choice.texts, name) or "")
        self._propose(proposed)
        self._enable()
        self.changed.emit()

    def say_empty(self, view: str, reason: str) -> None:
        """A view that has nothing to show is not offered, and its tip says why; no reason: it is."""
        model, place = self.view.model(), self.view.findData(view)
        item = model.item(place) if isinstance(model, QStandardItemModel) else None
        if item is not None:
            item.setEnabled(not reason)
            item.setAccessibleDescription(reason)
            set_tip(item, reason)

    def _propose(self, proposed: dict[str, str]) -> None:
        self.title.setPlaceholderText(proposed["title"])
        self.subtitle.setPlaceholderText(proposed["subtitle"])
        for name, text in self.paragraphs.items():
            text.setPlaceholderText(proposed[name])

    def forget_texts(self) -> None:
        """Back to what the program proposes."""
        for line in (self.title, self.subtitle):
            line.clear()
        for text in self.paragraphs.values():
            text.clear()

    def _take_size(self) -> None:
        size = self.size_choice.currentData()
        if size is not None:
            self.width_box.setValue(size[0])
            self.height_box.setValue(size[1])

    def _take_sides(self) -> None:
        """The name of the size typed, and scales that can be drawn of it."""
        found = next((i for i, size in enumerate(SIZES.values()) if size == self.size_asked), len(SIZES))
        with QSignalBlocker(self.size_choice):
            self.size_choice.setCurrentIndex(found)
        self._limit()
        self.changed.emit()

    def _limit(self) -> None:
        """Offer the scales that a picture of this size can have, and say the pixels that come out."""
        width, height = self.size_asked
        most = min(_SCALES[1], LARGEST / max(width, height), math.sqrt(MOST_PIXELS / (width * height)))
        least = max(_SCALES[0], SMALLEST / min(width, height))
        with QSignalBlocker(self.scale):
            self.scale.setRange(math.ceil(least * 10) / 10, math.floor(most * 10) / 10)
        pixels = [round(side * self.scale.value()) for side in (width, height)]
        self.pixels.setText(tr("{width} × {height} pixels", width=f"{pixels[0]:,}", height=f"{pixels[1]:,}"))

    def _enable(self) -> None:
        whole = self.slide.isChecked()
        for box in self.blocks.values():
            box.setEnabled(whole)
        for name, text in self.paragraphs.items():
            text.setEnabled(whole and (name == "footer" or self.blocks[name].isChecked()))


def merged(known: SlideChoice, shown: SlideChoice) -> SlideChoice:
    """What is shown, with the texts that the form has no field for."""
    return replace(
        shown,
        texts=replace(shown.texts, help_title=known.texts.help_title, read_title=known.texts.read_title),
    )
