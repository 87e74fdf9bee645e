"""The Decode view: throughput and step time against batch for every visible device."""

import math

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QAction, QColor, QMouseEvent, QPainter, QPaintEvent, QPen, QPixmap, QResizeEvent
from PySide6.QtWidgets import QWidget

from explorer.analysis.ask.batch_sweep import Sweep, same_curves, sweep_batches
from explorer.plot.paint.fonts import fonts
from explorer.plot.views.batch import BatchFrame, paint_batch, paint_spots
from explorer.plot.views.decode import paint_decode_static
from explorer.presentation.views.batch_chart import far_apart
from explorer.presentation.views.decode import METRICS, DecodeView, decode_view, read_out, shown_batch, spots_of
from explorer.presentation.views.memory_bar import fit_batch
from explorer.ui.decode.batch_plot import STALE_OPACITY
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.views.registered import register_tab
from explorer.ui.widgets.after_paint import AfterPaint
from explorer.ui.widgets.plain_text import set_tip

_MARGIN = 18.0


class DecodeTab(QWidget):
    """Curves are a kept picture; the current points and the read-out are painted over it."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: Shown | None = None
        self._sweep: Sweep | None = None
        self._view: DecodeView | None = None
        self._fit: int | None = None
        self._frames: list[BatchFrame] = []
        self._picture: QPixmap | None = None
        self._pointer: QPointF | None = None
        self.later = AfterPaint(self._sweep_now, self)
        self.log_action = QAction(tr("Log axis"), self)
        self.log_action.setCheckable(True)
        set_tip(self.log_action, tr("Values on a log axis; by itself where one curve is ten times another"))
        self.log_action.triggered.connect(self._choose_axis)
        self.addAction(self.log_action)
        self.setMouseTracking(True)
        self.setAccessibleName(tr("Throughput and step time against batch"))

    def apply(self, old: Shown | None, new: Shown) -> None:
        self._shown = new
        if old is None or self._sweep is None or not same_curves(self._sweep.study, new.study):
            self.later.ask()
        elif self._view is None or self._looks_different(old, new):
            self._make()
        self.update()

    def _looks_different(self, old: Shown, new: Shown) -> bool:
        """Whether the kept picture no longer serves: colours, words, active device or the end of the axis."""
        charts = () if self._view is None else self._view.charts
        return (
            old.look is not new.look
            or _active_id(old) != _active_id(new)
            or old.view.log_curves != new.view.log_curves
            or (bool(charts) and charts[0].x_max != shown_batch(new.evaluation, self._fit))
        )

    def _sweep_now(self) -> None:
        if self._shown is not None:
            self._sweep = sweep_batches(self._shown.evaluation)
            self._make()
            self.update()

    def _make(self) -> None:
        if self._shown is not None and self._sweep is not None:
            active = self._shown.evaluation.active
            self._fit = None if active is None else fit_batch(self._shown.evaluation, active)
            self._view = decode_view(self._shown.evaluation, self._sweep, self._shown.look)
            self.setAccessibleDescription(self._view.title)
            self.log_action.setEnabled(bool(self._view.charts))
            self.log_action.setChecked(any(c.log for c in self._view.charts))
            self._picture = None

    def _choose_axis(self, log: bool) -> None:
        """The axis as the user wants it; what the program would choose is left to the program."""
        charts = () if self._view is None else self._view.charts
        usual = bool(charts) and far_apart(charts[0].curves, charts[0].x_max)
        self._session.store.set_view(log_curves=None if log == usual else log)

    @property
    def view(self) -> DecodeView | None:
        """What is shown."""
        return self._view

    def sizeHint(self) -> QSize:
        return QSize(900, 600)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._picture = None
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.PaletteChange}:
            self._picture = None
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._view is None or self._shown is None:
            return
        if self._picture is None or self._picture.devicePixelRatio() != self.devicePixelRatio():
            self._picture = self._painted(self._view, self._shown)
        painter = QPainter(self)
        painter.setOpacity(STALE_OPACITY if self.later.waiting else 1.0)
        painter.drawPixmap(0, 0, self._picture)
        painter.setOpacity(1.0)
        for frame, metric in zip(self._frames, METRICS, strict=False):
            paint_spots(painter, frame, spots_of(self._shown.evaluation, metric), self._shown.look.theme)
        self._paint_read_out(painter, self._view, self._shown)
        painter.end()

    def _painted(self, view: DecodeView, shown: Shown) -> QPixmap:
        ratio = self.devicePixelRatio()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(shown.look.theme.panel)
        painter = QPainter(picture)
        box = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN * 0.5)
        self._frames = paint_decode_static(painter, box, view, shown.look.theme, self.font())
        painter.end()
        return picture

    # reading values under the pointer

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._pointer = event.position()
        self.update()

    def leaveEvent(self, event: QEvent) -> None:
        self._pointer = None
        self.update()

    def _under(self) -> int | None:
        if self._pointer is None:
            return None
        return next((i for i, f in enumerate(self._frames) if f.plot.contains(self._pointer)), None)

    def _paint_read_out(self, painter: QPainter, view: DecodeView, shown: Shown) -> None:
        """The batch under the pointer in every chart, with each device's value there."""
        index = self._under()
        if index is None or self._pointer is None:
            return
        batch = max(1, round(2.0 ** self._frames[index].batch_at(self._pointer.x())))
        at = math.log2(batch)
        for frame, chart in zip(self._frames, view.charts, strict=True):
            paint_batch(painter, frame, chart, at, shown.look.theme)
        for frame, chart, metric in zip(self._frames, view.charts, METRICS, strict=True):
            lines = read_out(chart, metric, at, shown.look)
            self._paint_card(painter, frame, frame.x(at), lines, shown)

    def _paint_card(self, painter: QPainter, frame: BatchFrame, x: float, lines: tuple[str, ...], shown: Shown) -> None:
        """Beside the line, on the side where the plot has room for it."""
        face = fonts(self.font()).tick
        width, step = max(face.width(line) for line in lines) + 20, face.height + 2
        plot = frame.plot
        left = x + 10 if x + 10 + width <= plot.right() or x - 10 - width < plot.left() else x - 10 - width
        card = QRectF(min(left, self.width() - width - 2), plot.top() + 4, width, step * len(lines) + 12)
        painter.setPen(QPen(QColor(shown.look.theme.border), 1.0))
        painter.setBrush(QColor(shown.look.theme.panel))
        painter.drawRoundedRect(card, 6, 6)
        painter.setFont(face.font)
        painter.setPen(QColor(shown.look.theme.text))
        for i, line in enumerate(lines):
            spot = QRectF(card.left() + 10, card.top() + 6 + i * step, width - 20, step)
            painter.drawText(spot, Qt.AlignmentFlag.AlignVCenter, line)


def _active_id(shown: Shown) -> str:
    active = shown.evaluation.active
    return "" if active is None else active.entry.id


register_tab("decode", DecodeTab)
