"""A small live chart against batch: curves are a kept picture, only the current points are painted anew."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QRectF, QSize
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent, QPixmap, QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.plot.views.batch import BatchFrame, paint_spots, paint_static
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.views.batch_chart import BatchChart, Spot
from explorer.presentation.views.decode import Metric, read_out
from explorer.ui.widgets.plain_text import show_tip

STALE_OPACITY = 0.5


class BatchPlot(QWidget):
    """One metric against batch."""

    def __init__(self, kind: Metric, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind: Metric = kind
        self._chart: BatchChart | None = None
        self._spots: tuple[Spot, ...] = ()
        self._look: Look = ENGLISH
        self._stale = False
        self._picture: QPixmap | None = None
        self._frame: BatchFrame | None = None
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setMaximumHeight(self.fontMetrics().height() * 17)

    def set_chart(self, chart: BatchChart, look: Look = ENGLISH) -> None:
        """New curves."""
        self._chart, self._look = chart, look
        self._stale = False
        self._picture = None
        self.setAccessibleName(chart.title)
        self.update()

    def set_spots(self, spots: Sequence[Spot]) -> None:
        """New current points."""
        if tuple(spots) != self._spots:
            self._spots = tuple(spots)
            self.update()

    def set_stale(self) -> None:
        """The curves belong to another study; new ones are on their way."""
        if not self._stale:
            self._stale = True
            self.update()

    @property
    def stale(self) -> bool:
        """Whether new curves are on their way."""
        return self._stale

    @property
    def chart(self) -> BatchChart | None:
        """The curves shown."""
        return self._chart

    @property
    def spots(self) -> tuple[Spot, ...]:
        """The current points shown."""
        return self._spots

    def sizeHint(self) -> QSize:
        return QSize(150, round(self.fontMetrics().height() * 6.6))

    def minimumSizeHint(self) -> QSize:
        return QSize(110, round(self.fontMetrics().height() * 5.2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._picture = None
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.PaletteChange}:
            self._picture = None
            self.setMaximumHeight(self.fontMetrics().height() * 17)
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._chart is None:
            return
        if self._picture is None or self._picture.devicePixelRatio() != self.devicePixelRatio():
            self._picture = self._painted(self._chart)
        painter = QPainter(self)
        painter.setOpacity(STALE_OPACITY if self._stale else 1.0)
        painter.drawPixmap(0, 0, self._picture)
        painter.setOpacity(1.0)
        if self._frame is not None:
            paint_spots(painter, self._frame, self._spots, self._look.theme)
        painter.end()

    def _painted(self, chart: BatchChart) -> QPixmap:
        ratio = self.devicePixelRatio()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(self._look.theme.panel)
        painter = QPainter(picture)
        self._frame = paint_static(
            painter, QRectF(0, 0, self.width(), self.height()), chart, self._look.theme, self.font(), compact=True
        )
        painter.end()
        return picture

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            if self._chart is not None and self._frame is not None and self._chart.curves:
                x = self._frame.batch_at(float(event.pos().x()))
                lines = read_out(self._chart, self.kind, x, self._look)
                show_tip(event.globalPos(), "\n".join(lines), self)
            return True
        return super().event(event)
