"""The chart by keyboard: arrows pan, + and - zoom, 0 and Home fit, Tab steps through the points."""

from typing import Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent

from explorer.presentation.roofline.figure import Figure, Mark

PAN = 0.1  # of the plot's size
ZOOM = 1.25
_ARROWS = {
    Qt.Key.Key_Left: (PAN, 0.0),
    Qt.Key.Key_Right: (-PAN, 0.0),
    Qt.Key.Key_Up: (0.0, PAN),
    Qt.Key.Key_Down: (0.0, -PAN),
}
_ZOOMS = {
    Qt.Key.Key_Plus: 1 / ZOOM,
    Qt.Key.Key_Equal: 1 / ZOOM,
    Qt.Key.Key_Minus: ZOOM,
    Qt.Key.Key_Underscore: ZOOM,
}


class KeyTarget(Protocol):
    """What keys do to a chart."""

    def begin_gesture(self) -> None: ...
    def pan_pixels(self, delta: QPointF) -> None: ...
    def zoom_centre(self, factor: float) -> None: ...
    def fit(self) -> None: ...
    def escape(self) -> None: ...
    def plot_rect(self) -> QRectF: ...


def act_on_key(chart: KeyTarget, event: QKeyEvent) -> bool:
    """Do what the key means to a chart; False where it means nothing."""
    key = Qt.Key(event.key())
    held = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
    if held:
        return False
    if key in _ARROWS:
        plot, (across, down) = chart.plot_rect(), _ARROWS[key]
        chart.begin_gesture()
        chart.pan_pixels(QPointF(across * plot.width(), down * plot.height()))
    elif key in _ZOOMS:
        chart.zoom_centre(_ZOOMS[key])
    elif key in {Qt.Key.Key_0, Qt.Key.Key_Home}:
        chart.fit()
    elif key == Qt.Key.Key_Escape:
        chart.escape()
    else:
        return False
    return True


def stepped(figure: Figure, *, forward: bool) -> Mark | None:
    """The next point from left to right after the selected one; None past either end, to leave the chart."""
    marks = sorted((m for m in figure.every_mark if m.active), key=lambda m: (m.x, m.y))
    at = next((i for i, m in enumerate(marks) if figure.selection == frozenset(m.rows)), None)
    if at is None:
        at = -1 if forward else len(marks)
    at += 1 if forward else -1
    return marks[at] if 0 <= at < len(marks) else None
