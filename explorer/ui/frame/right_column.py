"""The column at the right: what is run above how it comes about, or one of both where there is no room for two."""

from PySide6.QtCore import QByteArray, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QVBoxLayout, QWidget

from explorer.ui.decode.panel import DecodePanel
from explorer.ui.inspector import Inspector
from explorer.ui.look.text import tr
from explorer.ui.session import Shown
from explorer.ui.widgets.segmented import Segmented

SHARES = (490, 180)
RUN, WHY = "run", "why"


class RightColumn(QWidget):
    """Whether both are shown follows from height and font alone, never from what is in them: nothing jumps."""

    def __init__(self, decode: DecodePanel, inspector: Inspector, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.decode, self.inspector = decode, inspector
        self._low = False
        self._chosen = RUN
        self.splitter = QSplitter(Qt.Orientation.Vertical)
        self.splitter.addWidget(decode)
        self.splitter.addWidget(inspector)
        self.splitter.setStretchFactor(0, 4)
        self.splitter.setStretchFactor(1, 1)
        self.splitter.setChildrenCollapsible(False)
        self.choices = (self._choice(), self._choice())
        decode.set_corner(self.choices[0])
        inspector.set_corner(self.choices[1])
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.splitter)
        self.share()

    def _choice(self) -> Segmented:
        made = Segmented(((RUN, tr("The step")), (WHY, tr("Explanation"))), self)
        made.chosen.connect(self.choose)
        made.hide()
        return made

    @property
    def low(self) -> bool:
        """Whether one of both is shown at a time."""
        return self._low

    def share(self) -> None:
        """Share the height as at first."""
        self.splitter.setSizes([*SHARES])

    def choose(self, which: str) -> None:
        """Show one of both, where only one is shown."""
        self._chosen = which
        for choice in self.choices:
            choice.choose(which)
        self.decode.setVisible(not self._low or which == RUN)
        self.inspector.setVisible(not self._low or which == WHY)

    def explain(self, key: str) -> None:
        """Show how a total comes about."""
        self.inspector.show_total(key)
        self.choose(WHY)

    def apply(self, old: Shown | None, new: Shown) -> None:
        """Name the step by its phase."""
        del old, new
        for choice in self.choices:
            choice.rename(RUN, self.decode.title.text())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def arrange(self) -> None:
        """Take the form that the height allows."""
        both = self.decode.full_height() + self.inspector.minimumSizeHint().height() + self.splitter.handleWidth()
        low = self.height() < both
        if low != self._low:
            self._low = low
            for choice in self.choices:
                choice.setVisible(low)
            self.decode.set_low(low=low)
            self.choose(self._chosen)

    def saveState(self) -> QByteArray:
        """How the height is shared."""
        return self.splitter.saveState()

    def restoreState(self, state: QByteArray) -> None:
        """Share the height as it was."""
        self.splitter.restoreState(state)
