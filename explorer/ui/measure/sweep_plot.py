"""A sweep's times against bytes and against FLOPs, side by side; what they follow stands out."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.plot.views.sweep import paint_sweep
from explorer.presentation.measured.sweep import SweepPanel
from explorer.presentation.palette import LIGHT, Theme
from explorer.ui.look.text import tr


class SweepPlot(QWidget):
    """Paints panels; hidden while there is nothing to show."""

    def __init__(self, theme: Theme = LIGHT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.theme = theme
        self.panels: tuple[SweepPanel, ...] = ()
        self.setAccessibleName(tr("Time against bytes and against FLOPs"))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.hide()

    def show_panels(self, panels: Sequence[SweepPanel], sentence: str) -> None:
        """Draw panels; the sentence is their description for who does not see them."""
        self.panels = tuple(panels)
        self.setAccessibleDescription(sentence)
        self.setVisible(bool(self.panels))
        self.update()

    def sizeHint(self) -> QSize:
        em = self.fontMetrics().height()
        return QSize(40 * em, 11 * em)

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        width = self.width() / max(1, len(self.panels))
        for i, panel in enumerate(self.panels):
            rect = QRectF(i * width, 0, width, self.height()).adjusted(4, 4, -4, -4)
            paint_sweep(painter, rect, panel, self.theme, self.font())
        painter.end()
