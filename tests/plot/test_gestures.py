"""What mouse and keys ask of a chart, call by call."""

from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QWheelEvent
from PySide6.QtWidgets import QApplication

from explorer.plot.live.chart_keys import act_on_key, next_mark
from explorer.plot.live.chart_mouse import ChartMouse
from explorer.presentation.roofline.figure import Figure
from tests.plot.hand_made import bare_figure, mark

pytestmark = pytest.mark.usefixtures("qapp")

PLOT = QRectF(100, 50, 400, 200)
LEFT, MIDDLE, RIGHT = Qt.MouseButton.LeftButton, Qt.MouseButton.MiddleButton, Qt.MouseButton.RightButton
NONE = Qt.MouseButton.NoButton
PLAIN, SHIFT, CTRL, ALT = (
    Qt.KeyboardModifier.NoModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.AltModifier,
)


class Target:
    """Notes what it is asked to do."""

    def __init__(self) -> None:
        self.asked: list[tuple[Any, ...]] = []

    def plot_rect(self) -> QRectF:
        return QRectF(PLOT)

    def __getattr__(self, name: str) -> Any:
        def note(*given: Any, **named: Any) -> None:
            self.asked.append((name, *(plain(g) for g in given), *named.values()))

        return note


def plain(value: Any) -> Any:
    if isinstance(value, QPointF):
        return (value.x(), value.y())
    if isinstance(value, QRectF):
        return value.getRect()
    return round(value, 6) if isinstance(value, float) else value


@pytest.fixture
def target() -> Target:
    return Target()


@pytest.fixture
def mouse(target: Target) -> ChartMouse:
    return ChartMouse(target)


def event(x: float, y: float, button: Any = NONE, buttons: Any = NONE, keys: Any = PLAIN) -> QMouseEvent:
    at = QPointF(x, y)
    return QMouseEvent(QEvent.Type.MouseMove, at, at, button, buttons, keys)


def turn(x: float, y: float, up: int, sideways: int = 0, keys: Any = PLAIN) -> QWheelEvent:
    at, phase = QPointF(x, y), Qt.ScrollPhase.NoScrollPhase
    return QWheelEvent(at, at, QPoint(), QPoint(sideways, up), NONE, keys, phase, False)  # noqa: FBT003


def key(code: Qt.Key, keys: Any = PLAIN) -> QKeyEvent:
    return QKeyEvent(QEvent.Type.KeyPress, code, keys)


# mouse


def test_without_a_button_the_pointer_hovers(mouse: ChartMouse, target: Target) -> None:
    mouse.move(event(120, 60))
    assert target.asked == [("hover", (120, 60))]


def test_a_drag_begins_at_the_platforms_distance_and_pans_step_by_step(mouse: ChartMouse, target: Target) -> None:
    far = QApplication.startDragDistance()
    assert mouse.press(event(200, 100, LEFT, LEFT))
    mouse.move(event(200 + far - 1, 100, NONE, LEFT))
    assert (target.asked, mouse.dragging) == ([], False)
    mouse.move(event(200 + far - 3, 103, NONE, LEFT))
    mouse.move(event(230, 110, NONE, LEFT))
    assert mouse.dragging
    mouse.leave()
    mouse.release(event(231, 111, LEFT))
    assert target.asked == [
        ("hover", None),
        ("begin_gesture",),
        ("pan_pixels", (far - 3, 3), (200 + far - 3, 103)),
        ("pan_pixels", (33 - far, 7), (230, 110)),
        ("hover", (231, 111)),
    ]
    assert not mouse.dragging


def test_the_middle_button_pans_and_the_right_one_is_not_ours(mouse: ChartMouse, target: Target) -> None:
    assert not mouse.press(event(200, 100, RIGHT, RIGHT))
    mouse.move(event(300, 100, NONE, RIGHT))
    assert target.asked == [("hover", (300, 100))]
    assert mouse.press(event(200, 100, MIDDLE, MIDDLE))
    mouse.move(event(300, 100, NONE, MIDDLE, SHIFT))
    assert target.asked[-1] == ("pan_pixels", (100, 0), (300, 100)), "a box is for the left button"


@pytest.mark.parametrize(("keys", "add"), [(PLAIN, False), (CTRL, True), (SHIFT, False)])
def test_a_press_and_a_release_are_a_click_that_ctrl_adds(
    mouse: ChartMouse, target: Target, keys: Any, add: bool
) -> None:
    mouse.press(event(200, 100, LEFT, LEFT, keys))
    mouse.release(event(201, 101, LEFT, NONE, keys))
    assert target.asked == [("click", (201, 101), add)]


def test_the_middle_button_does_not_click(mouse: ChartMouse, target: Target) -> None:
    mouse.press(event(200, 100, MIDDLE, MIDDLE))
    mouse.release(event(200, 100, MIDDLE))
    mouse.release(event(200, 100, LEFT))
    assert target.asked == []


def test_a_box_is_cut_at_the_plot_and_zoomed_to(mouse: ChartMouse, target: Target) -> None:
    mouse.press(event(450, 200, LEFT, LEFT, SHIFT))
    mouse.move(event(600, 150, NONE, LEFT, SHIFT))
    mouse.release(event(600, 100, LEFT))
    assert target.asked == [
        ("hover", None),
        ("show_band", (450, 150, 50, 50)),
        ("show_band", None),
        ("zoom_to", (450, 100, 50, 100)),
    ]


def test_a_box_from_the_menu_waits_until_one_is_drawn(mouse: ChartMouse, target: Target) -> None:
    mouse.box_mode = True
    least = QApplication.startDragDistance() / 2
    for across, down, drawn in ((40, least, False), (least, 40, False), (least + 1, least + 1, True)):
        mouse.press(event(200, 100, LEFT, LEFT))
        mouse.move(event(240, 140, NONE, LEFT))
        mouse.release(event(200 + across, 100 + down, LEFT))
        assert mouse.box_mode is not drawn
    assert [a for a in target.asked if a[0] == "zoom_to"] == [("zoom_to", (200, 100, least + 1, least + 1))]


def test_a_box_begins_inside_the_plot_only(mouse: ChartMouse, target: Target) -> None:
    mouse.press(event(50, 100, LEFT, LEFT, SHIFT))
    mouse.move(event(150, 100, NONE, LEFT, SHIFT))
    assert target.asked[-1] == ("pan_pixels", (100, 0), (150, 100))


def test_two_clicks_of_the_left_button_alone_are_a_double_click(mouse: ChartMouse, target: Target) -> None:
    mouse.press(event(200, 100, LEFT, LEFT))
    mouse.double_click(event(200, 100, LEFT, LEFT))
    mouse.release(event(200, 100, LEFT))
    mouse.double_click(event(200, 100, RIGHT, RIGHT))
    assert target.asked == [("double_click", (200, 100))]


def test_leaving_ends_the_hover(mouse: ChartMouse, target: Target) -> None:
    mouse.leave()
    assert target.asked == [("hover", None)]


def test_giving_up_says_whether_there_was_something_to_give_up(mouse: ChartMouse, target: Target) -> None:
    assert not mouse.cancel()
    mouse.box_mode = True
    assert mouse.cancel()
    mouse.press(event(200, 100, LEFT, LEFT))
    assert not mouse.cancel()
    mouse.press(event(200, 100, LEFT, LEFT))
    mouse.move(event(300, 100, NONE, LEFT))
    assert mouse.cancel()
    assert (mouse.dragging, mouse.box_mode) == (False, False)
    assert target.asked[-1] == ("show_band", None)


@pytest.mark.parametrize(
    ("at", "angles", "keys", "asked"),
    [
        ((200, 100), (120, 0), PLAIN, (0.8, True, True)),
        ((200, 100), (-60, 0), PLAIN, (1.118034, True, True)),
        ((200, 100), (0, -120), ALT, (1.25, False, True)),
        ((200, 100), (0, 120), SHIFT, (0.8, True, False)),
        ((200, 260), (120, 0), PLAIN, (0.8, True, False)),
        ((90, 100), (120, 0), PLAIN, (0.8, False, True)),
        ((90, 260), (120, 0), PLAIN, (0.8, True, True)),
        ((200, 100), (120, 0), SHIFT | ALT, (0.8, True, True)),
        ((200, 250), (120, 0), PLAIN, (0.8, True, True)),
        ((100, 100), (120, 0), PLAIN, (0.8, True, True)),
        ((200, 100), (12000, 0), PLAIN, (0.167772, True, True)),
        ((200, 100), (-12000, 0), PLAIN, (5.960464, True, True)),
    ],
)
def test_a_wheel_turn_zooms_by_a_quarter_for_each_notch(
    mouse: ChartMouse, target: Target, at: Any, angles: Any, keys: Any, asked: Any
) -> None:
    mouse.wheel(turn(*at, *angles, keys=keys))
    assert target.asked == [("begin_gesture",), ("zoom_pixels", at, *asked)]


def test_a_wheel_that_does_not_turn_asks_for_nothing(mouse: ChartMouse, target: Target) -> None:
    mouse.wheel(turn(200, 100, 0))
    assert target.asked == []


# keys


@pytest.mark.parametrize(
    ("code", "asked"),
    [
        (Qt.Key.Key_Home, [("fit",)]),
        (Qt.Key.Key_0, [("fit",)]),
        (Qt.Key.Key_Escape, [("escape",)]),
        (Qt.Key.Key_Plus, [("zoom_centre", 0.8)]),
        (Qt.Key.Key_Equal, [("zoom_centre", 0.8)]),
        (Qt.Key.Key_Minus, [("zoom_centre", 1.25)]),
        (Qt.Key.Key_Left, [("begin_gesture",), ("pan_pixels", (40, 0))]),
        (Qt.Key.Key_Right, [("begin_gesture",), ("pan_pixels", (-40, 0))]),
        (Qt.Key.Key_Up, [("begin_gesture",), ("pan_pixels", (0, 20))]),
        (Qt.Key.Key_Down, [("begin_gesture",), ("pan_pixels", (0, -20))]),
    ],
)
@pytest.mark.parametrize("keys", [PLAIN, SHIFT, Qt.KeyboardModifier.KeypadModifier])
def test_each_key_does_what_the_table_of_actions_says(target: Target, code: Qt.Key, asked: Any, keys: Any) -> None:
    assert act_on_key(target, key(code, keys))
    assert target.asked == asked


@pytest.mark.parametrize(
    ("code", "keys"), [(Qt.Key.Key_Home, CTRL), (Qt.Key.Key_Plus, ALT), (Qt.Key.Key_A, PLAIN), (Qt.Key.Key_Tab, PLAIN)]
)
def test_other_keys_are_left_to_the_window(target: Target, code: Qt.Key, keys: Any) -> None:
    assert not act_on_key(target, key(code, keys))
    assert target.asked == []


def points(*selected: str) -> Figure:
    marks = (
        mark(2.0, 13.0, "last"),
        mark(1.0, 14.0, "upper"),
        mark(1.0, 13.0, "lower", "with it"),
        mark(0.0, 12.0, "of another", active=False),
        mark(0.5, 12.0, "first"),
    )
    return bare_figure(marks=marks, selection=frozenset(selected))


@pytest.mark.parametrize(
    ("selected", "following", "before"),
    [
        ((), "first", "last"),
        (("first",), "lower", None),
        (("lower", "with it"), "upper", "first"),
        (("upper",), "last", "lower"),
        (("last",), None, "upper"),
        (("lower",), "first", "last"),
        (("of another",), "first", "last"),
    ],
)
def test_tab_steps_through_the_points_of_the_active_device(selected: Any, following: Any, before: Any) -> None:
    for forward, wanted in ((True, following), (False, before)):
        found = next_mark(points(*selected), forward=forward)
        assert (found.rows[0] if found else None) == wanted


def test_there_is_nothing_to_step_to_without_points() -> None:
    assert next_mark(bare_figure(marks=()), forward=True) is None
    assert next_mark(bare_figure(marks=()), forward=False) is None
