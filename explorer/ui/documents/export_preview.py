"""The slide as it will be written, painted small beside the window once the typing rests."""

from collections.abc import Callable
from typing import NamedTuple

from PySide6.QtCore import QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QImage, QPainter, QPaintEvent, QPen, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QWidget

from explorer.analysis.problem import Refused
from explorer.plot.views.slide import paint_view
from explorer.report.figure_export import Paper
from explorer.ui.background import Beside
from explorer.ui.look.text import tr
from explorer.ui.widgets.after_paint import AfterPaint

_REST_MS = 120  # without an edit, before anything is painted
_EDGE = 8

Wanted = Callable[[], tuple[str, Paper]]
Built = Callable[[str, Paper], object]


class _Request(NamedTuple):
    """All that a thread needs to paint one picture: nothing in it is a widget's."""

    number: int
    view: str
    figure: object
    paper: Paper
    pixels: QSize
    ratio: float

    def painted(self) -> QImage:
        """The slide in so many pixels."""
        width, height = self.paper.size
        image = QImage(self.pixels, QImage.Format.Format_RGB32)
        image.fill(self.paper.look.theme.panel)
        painter = QPainter(image)
        try:
            painter.scale(self.pixels.width() / width, self.pixels.height() / height)
            paint_view(self.view, painter, QRectF(0, 0, width, height), self.figure, self.paper.look.theme)
        finally:
            painter.end()  # a picture that goes before its painter takes the program with it
        image.setDevicePixelRatio(self.ratio)
        return image


class SlidePreview(QWidget):
    """Shows what `wanted` asks for; built after the window's own paint, painted beside it, one picture at a time."""

    def __init__(self, wanted: Wanted, built: Built, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Preview"))
        self.setMinimumSize(QSize(320, 240))
        self._wanted = wanted
        self._built = built
        self.image: QImage | None = None
        self._asked = 0
        self._painting: tuple[_Request, Beside] | None = None
        self._next: _Request | None = None
        self._work = AfterPaint(self._renew, self)
        self._rest = QTimer(self)
        self._rest.setSingleShot(True)
        self._rest.setInterval(_REST_MS)
        self._rest.timeout.connect(self._work.ask)

    def ask(self) -> None:
        """Show what is wanted now, once nothing more is typed."""
        self._forget_older()
        self._rest.start()

    def finish(self) -> None:
        """Do it at once, in the window's thread."""
        self._forget_older()
        request = self._request()
        if request is not None:
            self._show(request.painted())

    def stop(self) -> None:
        """Want nothing more; what is being painted is waited for by no one."""
        self._forget_older()
        if self._painting is not None:
            _, job = self._painting
            self._painting = None
            job.cancel()
            job.deleteLater()

    @property
    def waiting(self) -> bool:
        """Whether what is shown is not yet what is wanted."""
        painting = self._painting is not None and self._painting[0].number == self._asked
        return self._rest.isActive() or self._work.waiting or painting or self._next is not None

    def _forget_older(self) -> None:
        self._asked += 1
        self._next = None
        self._work.stop()
        self._rest.stop()

    def _renew(self) -> None:
        request = self._request()
        if request is None:
            return
        if self._painting is None:
            self._paint_beside(request)
        else:
            self._next = request

    def _request(self) -> _Request | None:
        """The slide in the place that there is, as fine as the screen."""
        view, paper = self._wanted()
        try:
            figure = self._built(view, paper)
        except Refused:
            return None
        width, height = paper.size
        scale = min((self.width() - 2 * _EDGE) / width, (self.height() - 2 * _EDGE) / height)
        ratio = self.devicePixelRatioF()
        pixels = QSize(max(1, round(width * scale * ratio)), max(1, round(height * scale * ratio)))
        return _Request(self._asked, view, figure, paper, pixels, ratio)

    def _paint_beside(self, request: _Request) -> None:
        job = Beside(lambda _progress: request.painted(), self)
        self._painting = request, job
        job.finished.connect(self._came)
        job.start()

    def _came(self) -> None:
        if self._painting is None:
            return
        (request, job), self._painting = self._painting, None
        job.deleteLater()
        if self._next is not None:
            following, self._next = self._next, None
            self._paint_beside(following)
        if job.error is not None:
            raise job.error
        if request.number == self._asked and isinstance(job.result, QImage):
            self._show(job.result)

    def _show(self, image: QImage) -> None:
        self.image = image
        self.update()

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

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.ask()
