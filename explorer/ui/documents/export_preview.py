"""The slide as it will be written, painted small once the typing rests."""

from collections.abc import Callable, Generator

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QWidget

from explorer.analysis.problem import Refused
from explorer.plot.views.slide import paint_view
from explorer.report.figure_export import Paper
from explorer.ui.look.text import tr
from explorer.ui.widgets.after_paint import AfterPaint

_REST_MS = 120  # without an edit, before anything is painted
_EDGE = 8

Wanted = Callable[[], tuple[str, Paper]]
Built = Callable[[str, Paper], object]


class SlidePreview(QWidget):
    """Shows what `wanted` asks for; built and painted in two steps after the window's own paint."""

    def __init__(self, wanted: Wanted, built: Built, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Preview"))
        self.setMinimumSize(QSize(320, 240))
        self._wanted = wanted
        self._built = built
        self.image: QImage | None = None
        self._work = AfterPaint(self._renewed, self)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._work.ask)

    def ask(self) -> None:
        """Show what is wanted now, once nothing more is typed."""
        self._rest.start()

    def finish(self) -> None:
        """Do it at once."""
        self._rest.stop()
        self._work.ask()
        self._work.finish()

    @property
    def waiting(self) -> bool:
        """Whether what is shown is not yet what is wanted."""
        return self._rest.isActive() or self._work.waiting

    def _renewed(self) -> Generator[None, None, None]:
        view, paper = self._wanted()
        try:
            figure = self._built(view, paper)
        except Refused:
            return
        yield
        self.image = self._painted(view, figure, paper)
        self.update()

    def _painted(self, view: str, figure: object, paper: Paper) -> QImage:
        """The slide in the place that there is, as fine as the screen."""
        width, height = paper.size
        scale = min((self.width() - 2 * _EDGE) / width, (self.height() - 2 * _EDGE) / height)
        ratio = self.devicePixelRatioF()
        size = QSize(max(1, round(width * scale * ratio)), max(1, round(height * scale * ratio)))
        image = QImage(size, QImage.Format.Format_RGB32)
        image.fill(paper.look.theme.panel)
        painter = QPainter(image)
        painter.scale(size.width() / width, size.height() / height)
        paint_view(view, painter, QRectF(0, 0, width, height), figure, paper.look.theme)
        painter.end()
        image.setDevicePixelRatio(ratio)
        return image

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.image is None:
            return
        painter = QPainter(self)
        shown = self.image.deviceIndependentSize()
        place = QRectF((self.width() - shown.width()) / 2, (self.height() - shown.height()) / 2, *shown.toTuple())
        painter.drawImage(place, self.image)
        painter.setPen(QPen(self.palette().mid().color(), 1.0))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRect(place.adjusted(-0.5, -0.5, 0.5, 0.5))
        painter.end()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.ask()
