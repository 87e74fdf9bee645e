"""The roofline before the live chart is there: the same picture without mouse, and without pyqtgraph."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QWidget

from explorer.plot.live.picture import Picture
from explorer.presentation.palette import LIGHT, Theme
from explorer.presentation.roofline.figure import Figure


class StillChart(QWidget):
    """Paints a figure."""

    painted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.picture = Picture()
        self._figure: Figure | None = None
        self._theme: Theme = LIGHT
        self._stale = True  # the window is resized several times before it is first seen
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_figure(self, figure: Figure, theme: Theme) -> None:
        """Draw a figure in its own ranges."""
        self._figure, self._theme = figure, theme
        self._stale = True
        self.update()

    def _lay_out(self) -> None:
        if self._stale and self._figure is not None and not self.rect().isEmpty():
            self._stale = False
            self.picture.lay_out(self._figure, QRectF(self.rect()), self._theme, self.font())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._stale = True

    def paintEvent(self, _event: QPaintEvent) -> None:
        self._lay_out()
        painter = QPainter(self)
        self.picture.paint_under(painter, self.devicePixelRatioF())
        self.picture.paint_over(painter)
        painter.end()
        if self.picture.layout is not None:
            self.painted.emit()
