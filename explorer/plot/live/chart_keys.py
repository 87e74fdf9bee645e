"""The chart by keyboard: what each key does, as the table of actions has it; Tab steps through the points."""

from collections.abc import Callable, Mapping
from typing import Final, Protocol

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QKeySequence

from explorer.presentation.actions import ACTIONS
from explorer.presentation.roofline.figure import Figure, Mark

PAN = 0.1  # of the plot's size
ZOOM = 1.25


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
    held = event.modifiers() & ~(Qt.KeyboardModifier.KeypadModifier | Qt.KeyboardModifier.ShiftModifier)
    act = None if held else _ACTS.get(_KEYS.get(Qt.Key(event.key()), ""))
    if act is None:
        return False
    act(chart)
    return True


def _pan(across: float, down: float) -> Callable[[KeyTarget], None]:
    def pan(chart: KeyTarget) -> None:
        plot = chart.plot_rect()
        chart.begin_gesture()
        chart.pan_pixels(QPointF(across * plot.width(), down * plot.height()))

    return pan


_ACTS: Final[Mapping[str, Callable[[KeyTarget], None]]] = {
    "fit": lambda chart: chart.fit(),
    "escape": lambda chart: chart.escape(),
    "zoom_in": lambda chart: chart.zoom_centre(1 / ZOOM),
    "zoom_out": lambda chart: chart.zoom_centre(ZOOM),
    "pan_left": _pan(PAN, 0.0),
    "pan_right": _pan(-PAN, 0.0),
    "pan_up": _pan(0.0, PAN),
    "pan_down": _pan(0.0, -PAN),
}
_KEYS: Final = {
    QKeySequence(text)[0].key(): action.key  # type: ignore[index]  # which the stubs do not know
    for action in ACTIONS
    for text in action.on_chart
}


def next_mark(figure: Figure, *, forward: bool) -> Mark | None:
    """The next point from left to right after the selected one; None past either end, to leave the chart."""
    marks = sorted((m for m in figure.every_mark if m.active), key=lambda m: (m.x, m.y))
    at = next((i for i, m in enumerate(marks) if figure.selection == frozenset(m.rows)), None)
    if at is None:
        at = -1 if forward else len(marks)
    at += 1 if forward else -1
    return marks[at] if 0 <= at < len(marks) else None
