"""One chart below the table: a kept picture, shaded while it is stale; its marks say and do something."""

from collections.abc import Generator, Sequence
from typing import Any

from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFocusEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.plot.live.hover_card import HoverCard
from explorer.plot.views.compared.marks import ComparedMark
from explorer.ui.compare.chart_kind import ChartKind, acts
from explorer.ui.session import Shown

STALE_OPACITY = 0.45
_MARGIN = 10.0
_GAP = 12.0
_STEPS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}


class ChartCard(QWidget):
    """`wanted(spot)` tells a click on a mark, or Enter on the one that the arrows chose."""

    wanted = Signal(object)

    def __init__(self, kind: ChartKind, card: HoverCard, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.kind = kind
        self._card = card  # of all charts: it floats over its parent, for a chart is narrow
        self.spots: Sequence[ComparedMark] = ()
        self._shown: Shown | None = None
        self._figure: Any = None
        self._picture: QPixmap | None = None
        self._stale = True
        self._at: int | None = None
        self.setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(kind.title)

    @property
    def figure(self) -> Any:
        """What is drawn."""
        return self._figure

    @property
    def stale(self) -> bool:
        """Whether the picture belongs to an earlier state."""
        return self._stale

    def set_stale(self) -> None:
        """Shade what is drawn until it is made anew."""
        if not self._stale:
            self._stale = True
            self.update()

    def make(self, shown: Shown) -> Generator[None, None, None]:
        """Make the figure anew, a slice at a time."""
        found = None
        for part in self.kind.make(shown):
            found = part
            yield
        self._shown, self._figure, self._picture, self._stale = shown, found, None, False
        self._point_at(None)
        self.setAccessibleDescription(self.kind.says(found))
        self.update()

    # painting

    def sizeHint(self) -> QSize:
        return QSize(320, 260)

    def minimumSizeHint(self) -> QSize:
        return QSize(60, 8 * self.fontMetrics().height())  # three must not keep the pane from becoming narrow

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._picture = None
        self._point_at(None)
        super().resizeEvent(event)

    def changeEvent(self, event: QEvent) -> None:
        if event.type() in {QEvent.Type.FontChange, QEvent.Type.PaletteChange}:
            self._picture = None
        super().changeEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._shown is None or self._figure is None:
            return
        if self._picture is None or self._picture.devicePixelRatio() != self.devicePixelRatio():
            self._picture = self._painted(self._shown)
        painter = QPainter(self)
        painter.setOpacity(STALE_OPACITY if self._stale else 1.0)
        painter.drawPixmap(0, 0, self._picture)
        painter.setOpacity(1.0)
        self._paint_ring(painter, self._shown)
        painter.end()

    def _painted(self, shown: Shown) -> QPixmap:
        ratio = self.devicePixelRatio()
        picture = QPixmap(self.size() * ratio)
        picture.setDevicePixelRatio(ratio)
        picture.fill(shown.look.theme.panel)
        painter = QPainter(picture)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN / 2, -_MARGIN, -_MARGIN / 2)
        self.spots = self.kind.paint(painter, box, self._figure, shown.look.theme, self.font())
        painter.end()
        return picture

    def _paint_ring(self, painter: QPainter, shown: Shown) -> None:
        if self._at is None or not self.hasFocus():
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(shown.look.theme.accent), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(self.spots[self._at].area.adjusted(-2, -2, 2, 2), 3, 3)

    # pointing

    def spot_at(self, at: QPointF) -> int | None:
        """The mark at a position; of several the smallest, which lies on the others."""
        hits = [i for i, spot in enumerate(self.spots) if spot.area.contains(at)]
        return min(hits, key=lambda i: self.spots[i].area.width() * self.spots[i].area.height(), default=None)

    def _point_at(self, index: int | None, at: QPointF | None = None) -> None:
        if index is None:
            changed, self._at = self._at is not None, None
            if changed:
                self._card.hide()
                self.unsetCursor()
        else:
            changed, self._at = self._at != index, index
            self._say(self.spots[index], at)
        if changed:
            self.update()

    def _say(self, spot: ComparedMark, at: QPointF | None) -> None:
        host = self._card.parentWidget()
        if self._shown is not None and host is not None:
            self._card.theme = self._shown.look.theme
            place = QPointF(self.mapTo(host, (at or spot.area.center()).toPoint()))
            self._card.show_text(spot.text, place, _GAP, QRectF(host.rect()))
            self._card.raise_()
        self.setCursor(Qt.CursorShape.PointingHandCursor if acts(spot) else Qt.CursorShape.ArrowCursor)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._point_at(self.spot_at(event.position()), event.position())

    def leaveEvent(self, event: QEvent) -> None:
        self._point_at(None)

    def hideEvent(self, event: QHideEvent) -> None:
        self._point_at(None)
        super().hideEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        self._point_at(None)
        super().focusOutEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self.spot_at(event.position())
        if event.button() == Qt.MouseButton.LeftButton and found is not None and acts(self.spots[found]):
            self.wanted.emit(self.spots[found])

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key = Qt.Key(event.key())
        if key in _STEPS and self.spots:
            step = _STEPS[key]
            start = 0 if step > 0 else len(self.spots) - 1
            self._point_at(start if self._at is None else (self._at + step) % len(self.spots))
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space} and self._at is not None:
            if acts(self.spots[self._at]):
                self.wanted.emit(self.spots[self._at])
        elif key == Qt.Key.Key_Escape and self._at is not None:
            self._point_at(None)
        else:
            super().keyPressEvent(event)
