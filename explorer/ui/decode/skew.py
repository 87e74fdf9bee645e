"""How the tokens of a step choose their experts: a slider from random routing to all alike."""

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.presentation.quantities.linear_scale import LinearScale
from explorer.presentation.quantities.numbers import percent
from explorer.ui.look.text import tr
from explorer.ui.widgets.log_slider import LogSlider, SliderMark
from explorer.ui.widgets.plain_text import PlainLabel, set_tip

_ALIKE: Final = 100  # percent


class SkewControl(QWidget):
    """`edited` tells every new skew, 0 to 1; `released` the end of one gesture."""

    edited = Signal(float)
    released = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = PlainLabel(tr("Routing skew"), self)
        self.value = PlainLabel(self)
        self.value.setAlignment(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)
        font = self.value.font()
        font.setBold(True)
        self.value.setFont(font)
        self.slider = LogSlider(LinearScale(0, _ALIKE), self)
        self.slider.setAccessibleName(tr("Routing skew"))
        set_tip(self.slider, tr("How alike the tokens of a step choose their experts: fewer experts are read"))
        self.slider.set_marks(
            [
                SliderMark(0, tr("random"), tr("Random routing: times, tokens per second and knees use it")),
                SliderMark(_ALIKE, tr("all alike"), tr("All tokens choose the same experts: the fewest are read")),
            ]
        )
        self.slider.edited.connect(lambda percents: self.edited.emit(percents / _ALIKE))
        self.slider.released.connect(self.released)
        self.value.setMinimumWidth(self.value.fontMetrics().horizontalAdvance(percent(1.0)) + 4)  # nothing moves
        line = QHBoxLayout(self)
        line.setContentsMargins(0, 0, 0, 0)
        line.addWidget(self.label, 0, Qt.AlignmentFlag.AlignTop)
        line.addWidget(self.slider, 1)
        line.addWidget(self.value, 0, Qt.AlignmentFlag.AlignTop)

    def show_skew(self, skew: float) -> None:
        """Show a skew; nobody is told."""
        self.slider.show_value(round(skew * _ALIKE))
        text = percent(skew) if skew else "0 %"
        if self.value.text() != text:
            self.value.setText(text)
