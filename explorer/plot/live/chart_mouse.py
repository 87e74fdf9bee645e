"""The chart's mouse: a drag is not a click, a wheel turn zooms about the cursor."""

from enum import Enum, auto
from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

STEP = 1.25  # zoom factor of one wheel notch
NOTCH = 120.0  # angle of one notch
MOST_NOTCHES = 8.0


class MouseTarget(Protocol):
    """What the mouse does to a chart; positions in logical pixels of the viewport."""

    def hover(self, pos: QPointF | None) -> None: ...
    def click(self, pos: QPointF, *, add: bool) -> None: ...
    def double_click(self, pos: QPointF) -> None: ...
    def begin_gesture(self) -> None: ...
    def pan_pixels(self, delta: QPointF, to: QPointF | None = None) -> None: ...
    def zoom_pixels(self, pos: QPointF, factor: float, *, x: bool, y: bool) -> None: ...
    def show_band(self, band: QRectF | None) -> None: ...
    def zoom_to(self, band: QRectF) -> None: ...
    def plot_rect(self) -> QRectF: ...


class _State(Enum):
    IDLE = auto()
    PRESSED = auto()
    PANNING = auto()
    BOXING = auto()


class ChartMouse:
    """Presses, moves and wheel turns become gestures of a chart."""

    def __init__(self, target: MouseTarget) -> None:
        self._target = target
        self._state = _State.IDLE
        self._start = QPointF()
        self._last = QPointF()
        self.box_mode = False

    @property
    def dragging(self) -> bool:
        """Whether a pan or a box is under way."""
        return self._state in {_State.PANNING, _State.BOXING}

    def press(self, event: QMouseEvent) -> bool:
        """A button went down; False where it is not ours."""
        if event.button() not in {Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton}:
            return False
        self._state = _State.PRESSED
        self._start = self._last = event.position()
        return True

    def move(self, event: QMouseEvent) -> None:
        """Hover without a button, else drag once the threshold is passed."""
        pos = event.position()
        if self._state is _State.IDLE:
            self._target.hover(pos)
        elif self._state is _State.PRESSED:
            far = (pos - self._start).manhattanLength() >= QApplication.startDragDistance()
            if far:
                self._begin_drag(event)
        if self.dragging:
            self._drag(pos)

    def _begin_drag(self, event: QMouseEvent) -> None:
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        inside = self._target.plot_rect().contains(self._start)
        boxing = (shift or self.box_mode) and inside and bool(event.buttons() & Qt.MouseButton.LeftButton)
        self._state = _State.BOXING if boxing else _State.PANNING
        self._target.hover(None)
        if not boxing:
            self._target.begin_gesture()

    def _drag(self, pos: QPointF) -> None:
        if self._state is _State.BOXING:
            self._target.show_band(self._band(pos))
        else:
            self._target.pan_pixels(pos - self._last, pos)
            self._last = pos

    def release(self, event: QMouseEvent) -> None:
        """A click, or the end of a drag."""
        state, self._state = self._state, _State.IDLE
        pos = event.position()
        if state is _State.BOXING:
            self._target.show_band(None)
            self._zoom_to(self._band(pos))
        elif state is _State.PRESSED and event.button() == Qt.MouseButton.LeftButton:
            self._target.click(pos, add=bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier))
        elif state is _State.PANNING:
            self._target.hover(pos)

    def _zoom_to(self, band: QRectF) -> None:
        least = QApplication.startDragDistance() / 2
        if band.width() > least and band.height() > least:
            self.box_mode = False
            self._target.zoom_to(band)

    def _band(self, pos: QPointF) -> QRectF:
        return QRectF(self._start, pos).normalized() & self._target.plot_rect()

    def double_click(self, event: QMouseEvent) -> None:
        """Left twice: fit."""
        self._state = _State.IDLE
        if event.button() == Qt.MouseButton.LeftButton:
            self._target.double_click(event.position())

    def leave(self) -> None:
        """The pointer left the chart."""
        if self._state is _State.IDLE:
            self._target.hover(None)

    def cancel(self) -> bool:
        """Give up a drag or the box mode; False where there was none."""
        active = self.dragging or self.box_mode
        self._state, self.box_mode = _State.IDLE, False
        self._target.show_band(None)
        return active

    def wheel(self, event: QWheelEvent) -> None:
        """Both axes alike; Shift only x, Alt only y; over an axis only that axis."""
        angle = event.angleDelta()
        # Alt and Shift turn the wheel sideways on some systems
        notches = (angle.y() or angle.x()) / NOTCH
        notches = min(max(notches, -MOST_NOTCHES), MOST_NOTCHES)
        if notches:
            pos = event.position()
            only_x, only_y = self._axes(pos, event.modifiers())
            self._target.begin_gesture()
            self._target.zoom_pixels(pos, STEP**-notches, x=not only_y, y=not only_x)

    def _axes(self, pos: QPointF, modifiers: Qt.KeyboardModifier) -> tuple[bool, bool]:
        plot = self._target.plot_rect()
        only_x = bool(modifiers & Qt.KeyboardModifier.ShiftModifier) or pos.y() > plot.bottom()
        only_y = bool(modifiers & Qt.KeyboardModifier.AltModifier) or pos.x() < plot.left()
        return (False, False) if only_x and only_y else (only_x, only_y)
