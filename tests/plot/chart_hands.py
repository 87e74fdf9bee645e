"""Hands for tests of the chart: mouse, wheel and keys as Qt delivers them, and figures to work on."""

from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractScrollArea, QApplication

from explorer.plot.live.ranges import Ranges
from explorer.plot.live.roofline_chart import RooflineChart
from explorer.presentation.roofline.figure import DrawnRoof, Figure, Mark, Strip
from tests.plot.recorder import Recorder

LEFT = Qt.MouseButton.LeftButton
PLAIN = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
ALT = Qt.KeyboardModifier.AltModifier

ROOFS = (
    DrawnRoof("fast", "Fast", 0, 12.5, 15.0, "3.2 TB/s", "1,000 TFLOP/s", "ridge 316", active=True),
    DrawnRoof("slow", "Slow", 1, 12.0, 14.5, "1 TB/s", "316 TFLOP/s", "ridge 316"),
)


def mark(x: float, y: float, *rows: str, **more: Any) -> Mark:
    """A point of the fast device."""
    given: dict[str, Any] = {"device": "fast", "colour": 0, "label": "", "area": 0.2, "bound": "memory", **more}
    return Mark(x=x, y=y, rows=rows or ("row",), **given)


def figure(**more: Any) -> Figure:
    """Three points under two roofs, the middle one a ring of two operators."""
    marks = (
        mark(0.0, 12.5, "norm", area=0.05),
        mark(1.0, 13.5, "up", "down", area=0.6, label="up, down 60 % of time"),
        mark(2.0, 14.5, "head", area=0.35, label="head 35 %"),
    )
    made = Figure((-1.0, 4.0), (11.5, 15.5), "Intensity", "Performance", roofs=ROOFS, marks=marks, zone=2.5)
    return replace(made, **more)


def with_strip() -> Figure:
    """The same with one operator that computes nothing."""
    return figure(strips=(Strip(("lookup",), "fast", 0, "lookup 1 %", 0.01),), strip_text="1 operator without FLOPs")


def cloud(count: int) -> tuple[Mark, ...]:
    """Many points of different sizes under the fast roof."""
    return tuple(
        mark(-0.9 + 3.0 * i / count, 11.6 + 2.0 * i / count, f"row{i}", area=i / count**2) for i in range(count)
    )


def send(view: QAbstractScrollArea, kind: QEvent.Type, pos: QPointF, button: Any, buttons: Any, keys: Any) -> None:
    """One mouse event to the viewport."""
    target = view.viewport()
    globally = QPointF(target.mapToGlobal(QPoint(0, 0))) + pos
    QApplication.sendEvent(target, QMouseEvent(kind, pos, globally, button, buttons, keys))


def same(one: Ranges, other: Ranges) -> bool:
    """Whether two views differ by rounding only."""
    return max(abs(a - b) for p, q in zip(one, other, strict=True) for a, b in zip(p, q, strict=True)) < 1e-9


def press(view: QAbstractScrollArea, pos: QPointF, keys: Any = PLAIN) -> None:
    send(view, QEvent.Type.MouseButtonPress, pos, LEFT, LEFT, keys)


def move(view: QAbstractScrollArea, pos: QPointF, *, held: bool = False, keys: Any = PLAIN) -> None:
    none = Qt.MouseButton.NoButton
    send(view, QEvent.Type.MouseMove, pos, none, LEFT if held else none, keys)


def release(view: QAbstractScrollArea, pos: QPointF, keys: Any = PLAIN) -> None:
    send(view, QEvent.Type.MouseButtonRelease, pos, LEFT, Qt.MouseButton.NoButton, keys)


def click(view: QAbstractScrollArea, pos: QPointF, keys: Any = PLAIN) -> None:
    press(view, pos, keys)
    release(view, pos, keys)


def double_click(view: QAbstractScrollArea, pos: QPointF) -> None:
    click(view, pos)
    send(view, QEvent.Type.MouseButtonDblClick, pos, LEFT, LEFT, PLAIN)
    release(view, pos)


def drag(view: QAbstractScrollArea, start: QPointF, end: QPointF, keys: Any = PLAIN) -> None:
    press(view, start, keys)
    for i in range(1, 5):
        move(view, start + (end - start) * (i / 4), held=True, keys=keys)
    release(view, end, keys)


def wheel(view: QAbstractScrollArea, pos: QPointF, notches: float, keys: Any = PLAIN) -> None:
    target = view.viewport()
    globally = QPointF(target.mapToGlobal(QPoint(0, 0))) + pos
    angle = QPoint(0, round(120 * notches))
    phase = Qt.ScrollPhase.NoScrollPhase
    none = Qt.MouseButton.NoButton
    QApplication.sendEvent(target, QWheelEvent(pos, globally, QPoint(), angle, none, keys, phase, False))  # noqa: FBT003


def over(chart: RooflineChart) -> list[Any]:
    """What is drawn over the chart's own picture."""
    painter = Recorder()
    before = Recorder()
    chart.picture.paint_over(before)  # type: ignore[arg-type]
    chart.drawForeground(painter, QRectF())  # type: ignore[arg-type]
    return painter.drawn[len(before.drawn) :]
