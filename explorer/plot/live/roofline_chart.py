"""The live roofline: gestures, keys, selection, hover and zoom history on top of the chart."""

from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, QRect, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QColor,
    QContextMenuEvent,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QNativeGestureEvent,
    QPainter,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from explorer.plot.live.band import Band
from explorer.plot.live.chart import Chart
from explorer.plot.live.chart_keys import act_on_key, next_mark
from explorer.plot.live.chart_mouse import ChartMouse
from explorer.plot.live.fan import Fan
from explorer.plot.live.hover_card import HoverCard
from explorer.plot.live.ranges import Ranges, sane
from explorer.plot.live.zoom_history import ZoomHistory
from explorer.presentation.palette import Theme
from explorer.presentation.roofline.figure import Figure, Mark, Strip

REACH = 10.0  # pixels from a mark's edge within which it is meant
_BY_KEYS = {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason}
_EXACT = 1e-6  # decades; far less than a pixel at any zoom
SETTLE_MS = 200  # a gesture has ended when nothing came for so long


class RooflineChart(Chart):
    """Emits what the user wants; what is shown comes back through `show_figure`."""

    view_settled = Signal(object)  # Ranges, or None for "fit", once a gesture has ended
    selection_wanted = Signal(tuple)  # row names
    menu_wanted = Signal(QPoint, tuple)  # global position, rows under it

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.describe_target: Callable[[Mark | Strip], str] = lambda target: target.label
        self.history = ZoomHistory()
        self.chosen: Ranges | None = None  # None: fit
        self.hovered: Mark | Strip | None = None
        self._pointed: tuple[QPointF, float] | None = None  # middle and radius of what is hovered
        self._by_keys = False  # the focus came by keyboard: show where it is
        self._built: Figure | None = None  # the figure as it came, ranges included
        self._fit: Ranges | None = None
        self._told: Ranges | None = None  # what the study last said
        self._before_click: frozenset[str] = frozenset()
        self.mouse = ChartMouse(self)
        self.card = HoverCard(self.viewport())
        self.fan = Fan(self.viewport())
        self.fan.chosen.connect(self._choose)
        self._band = Band(self.viewport())
        self._settle = QTimer(self)
        self._settle.setSingleShot(True)
        self._settle.setInterval(SETTLE_MS)
        self._settle.timeout.connect(self.settle)
        self.setMouseTracking(True)
        self.viewport().setMouseTracking(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    # what is shown

    def take(self, figure: Figure, view: Ranges | None, theme: Theme, *, dragging: bool = False) -> None:
        """Draw a figure in the ranges that the study holds; None: in ranges that hold it all."""
        if view != self._told:
            self._told = self.chosen = view
            self._settle.stop()
        before, self._built = self._built, figure
        if self.chosen is None:
            self._fit = self._fit_ranges(before, figure)
        self.card.theme = self.fan.theme = self._band.theme = theme
        self.fan.selection = figure.selection
        self.show_figure(self._placed(figure), theme, dragging=dragging)
        if before is None or before.marks is not figure.marks:
            self._marks_moved()

    def _fit_ranges(self, before: Figure | None, figure: Figure) -> Ranges:
        """The figure's own ranges; while only points move and stay in sight, those that are on screen."""
        own, held = Ranges(figure.x_range, figure.y_range), self._fit
        if held is None or before is None or _frame(before) != _frame(figure):
            return own
        corners = [(x, y) for c in figure.crowds for x, y in zip(c.x, c.y, strict=True)]
        inside = all(held.holds(m.x, m.y) for m in figure.marks) and all(held.holds(*at) for at in corners)
        return held if inside else own

    def _placed(self, figure: Figure) -> Figure:
        ranges = self.chosen or self._fit
        if ranges is None or (ranges.x == figure.x_range and ranges.y == figure.y_range):
            return figure
        return replace(figure, x_range=ranges.x, y_range=ranges.y, fitted=self.chosen is None)

    def _marks_moved(self) -> None:
        self.fan.hide()
        if self.hovered is not None:
            self.hover(None)

    def _go(self, view: Ranges | None) -> None:
        self.chosen = view
        self.hover(None)
        self.fan.hide()
        if view is None:
            self._fit = None
        if self._built is not None:
            self.show_figure(self._placed(self._built), self.theme)

    def settle(self) -> None:
        """The gesture has ended: say where it led."""
        self._settle.stop()
        self.view_settled.emit(self.chosen)

    # gestures, called by mouse and keys

    def begin_gesture(self) -> None:
        """Remember the view that the gesture leaves; a burst of wheel turns is one gesture."""
        if not self._settle.isActive():
            self.history.leave(self.chosen)
        self._settle.start()

    def _change(self, view: Ranges, held: tuple[QPointF, tuple[float, float]] | None = None) -> None:
        """Show a view of a gesture; `held` names a pixel and what must lie under it."""
        self._settle.start()
        self._go(view)
        if held is not None:
            here = self.to_log(held[0])
            off = held[1][0] - here[0], held[1][1] - here[1]
            if max(abs(off[0]), abs(off[1])) > _EXACT:
                self._go(self.visible.moved(*off))  # other tick texts moved the plot's edge

    def pan_pixels(self, delta: QPointF, to: QPointF | None = None) -> None:
        across, up = self.per_decade()
        held = None if to is None else (to, self.to_log(to - delta))
        self._change(self.visible.moved(-delta.x() / across, delta.y() / up), held)

    def zoom_pixels(self, pos: QPointF, factor: float, *, x: bool = True, y: bool = True) -> None:
        factors, about = (factor if x else 1.0, factor if y else 1.0), self.to_log(pos)
        self._change(self.visible.zoomed(factors, about), (pos, about) if x and y else None)

    def zoom_centre(self, factor: float) -> None:
        """Zoom about the middle, as keys and menus do."""
        self.begin_gesture()
        self._change(self.visible.zoomed((factor, factor), self.visible.centre))

    def zoom_to(self, band: QRectF) -> None:
        low, high = self.to_log(band.bottomLeft()), self.to_log(band.topRight())
        view = sane((low[0], high[0]), (low[1], high[1]))
        if view is not None:
            self.begin_gesture()
            self._change(view)

    def fit(self) -> None:
        """Show every roof and point."""
        if self.chosen is not None:
            self.history.leave(self.chosen)
        self._go(None)
        self.settle()

    def zoom_back(self) -> None:
        """The view before the last gesture."""
        if self.history.can_go_back:
            self._go(self.history.back(self.chosen))
            self.settle()

    def zoom_forward(self) -> None:
        """The view gone back from."""
        if self.history.can_go_forward:
            self._go(self.history.forward(self.chosen))
            self.settle()

    def start_box_zoom(self) -> None:
        """The next drag draws a box."""
        self.mouse.box_mode = True
        self.viewport().setCursor(Qt.CursorShape.CrossCursor)

    def show_band(self, band: QRectF | None) -> None:
        self._band.show_rect(band)
        if band is None:
            self.viewport().unsetCursor()

    # pointing and choosing

    def target_at(self, pos: QPointF) -> tuple[Mark | Strip, QPointF, float] | None:
        """What is meant by a position, its middle and its radius."""
        mark = self.mark_at(pos, REACH)
        if mark is not None:
            return mark, self.to_pixels(mark.x, mark.y), self.radius(mark)
        strip = self.strip_at(pos)
        return None if strip is None else (strip[0], strip[1].center(), strip[1].width() / 2)

    def hover(self, pos: QPointF | None) -> None:
        found = None if pos is None or self.fan.isVisible() else self.target_at(pos)
        target = None if found is None else found[0]
        if target is self.hovered:
            return
        self.hovered = target
        self._pointed = None if found is None else (found[1], found[2])
        self.viewport().update()
        if found is None:
            self.card.hide()
        else:
            text = self.describe_target(found[0])
            self.card.show_text(text, found[1], found[2] + 8.0, QRectF(self.viewport().rect()))
        if not self.mouse.box_mode and not self.mouse.dragging:
            shape = Qt.CursorShape.ArrowCursor if found is None else Qt.CursorShape.PointingHandCursor
            self.viewport().setCursor(shape)

    def click(self, pos: QPointF, *, add: bool) -> None:
        found = self.target_at(pos)
        self._before_click = self.figure.selection
        if found is None:
            was_open = self.fan.isVisible()
            self.fan.hide()
            if not add and not was_open and self.figure.selection:
                self.selection_wanted.emit(())
            return
        self.select(found[0], add=add)
        if len(found[0].rows) > 1 and not add:
            self._fan_out(found[0], found[1], found[2])

    def select(self, target: Mark | Strip, *, add: bool = False) -> None:
        """Select an operator's rows; `add` joins or removes them."""
        self.selection_wanted.emit(_toggled(self.figure.selection, target.rows) if add else target.rows)

    def _fan_out(self, target: Mark | Strip, at: QPointF, reach: float) -> None:
        self.hover(None)
        self.fan.open(target.rows, at, reach + 2.0, self.colour(target), QRectF(self.viewport().rect()))

    def _choose(self, row: str, add: bool) -> None:
        self.selection_wanted.emit(_toggled(self.figure.selection, (row,)) if add else (row,))

    def double_click(self, pos: QPointF) -> None:
        if self.target_at(pos) is None:
            if self._before_click and not self.figure.selection:
                self.selection_wanted.emit(tuple(self._before_click))  # the first click took it away
            self.fit()

    def escape(self) -> None:
        """Give up what is under way, else close the fan, else select nothing."""
        if self.mouse.cancel():
            return
        if self.fan.isVisible():
            self.fan.hide()
        elif self.figure.selection:
            self.selection_wanted.emit(())

    def picture_of(self, scale: float) -> QImage:
        """The chart as it is on screen, at a scale for slides."""
        return self.picture.snapshot(scale)

    # events

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.setFocus(Qt.FocusReason.MouseFocusReason)
        event.setAccepted(self.mouse.press(event))

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self.mouse.move(event)
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        self.mouse.release(event)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        self.mouse.double_click(event)
        event.accept()

    def wheelEvent(self, event: QWheelEvent) -> None:
        self.mouse.wheel(event)
        event.accept()

    def leaveEvent(self, event: QEvent) -> None:
        self.mouse.leave()
        event.accept()

    def viewportEvent(self, event: QEvent) -> bool:
        if isinstance(event, QNativeGestureEvent) and event.gestureType() == Qt.NativeGestureType.ZoomNativeGesture:
            self.begin_gesture()
            self.zoom_pixels(event.position(), 1.0 / max(0.1, 1.0 + event.value()))
            return True
        return super().viewportEvent(event)

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        by_mouse = event.reason() == QContextMenuEvent.Reason.Mouse
        found = self.target_at(QPointF(event.pos())) if by_mouse else None
        self.menu_wanted.emit(event.globalPos(), () if found is None else found[0].rows)
        event.accept()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        event.setAccepted(act_on_key(self, event))

    def focusNextPrevChild(self, following: bool) -> bool:
        mark = next_mark(self.figure, forward=following)
        if mark is None:
            return super().focusNextPrevChild(following)
        self.select(mark)
        return True

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self._by_keys = event.reason() in _BY_KEYS
        self.viewport().update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self._by_keys = False
        self.hover(None)
        self.viewport().update()

    def drawForeground(self, painter: QPainter, rect: QRectF | QRect) -> None:
        super().drawForeground(painter, rect)
        if self._pointed is None and not self._by_keys:
            return
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(QColor(self.theme.accent), 1.5))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        if self._pointed is not None:
            at, radius = self._pointed
            painter.drawEllipse(at, radius + 2.5, radius + 2.5)
        if self._by_keys:
            painter.drawRect(self.plot_rect())


def _frame(figure: Figure) -> object:
    """What the ranges of a fit hang on, the points apart."""
    return figure.roofs, figure.x_title


def _toggled(selection: frozenset[str], rows: tuple[str, ...]) -> tuple[str, ...]:
    kept = [r for r in sorted(selection) if r not in rows]
    return tuple(kept) if selection.issuperset(rows) else (*kept, *rows)
