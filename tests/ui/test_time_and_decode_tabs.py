import math

import pytest
from PySide6.QtCore import QPoint, Qt
from pytestqt.qtbot import QtBot

from explorer.analysis.study.study import Study
from explorer.ui.session import Session
from explorer.ui.views.decode_tab import DecodeTab
from explorer.ui.views.time_tab import TimeTab
from tests.ui.decode_hands import session, shown

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


def time_tab(qtbot: QtBot, of: Session) -> TimeTab:
    made = TimeTab(of)
    shown(qtbot, of, made, 900, 900)
    made.grab()
    return made


def decode_tab(qtbot: QtBot, of: Session) -> DecodeTab:
    made = DecodeTab(of)
    shown(qtbot, of, made, 900, 640)
    made.later.finish()
    made.grab()
    return made


def spot(made: TimeTab, name: str) -> QPoint:
    bars = made.bars
    return next(QPoint(200, y) for y in range(bars.height()) if bars.row_at(200, y) == name)


def test_a_click_selects_control_adds_and_empty_space_clears(qtbot: QtBot) -> None:
    of = session()
    made = time_tab(qtbot, of)
    left = Qt.MouseButton.LeftButton
    qtbot.mouseClick(made.bars, left, pos=spot(made, "attention"))
    assert of.store.study.view.selection == ("attention",)
    qtbot.mouseClick(made.bars, left, Qt.KeyboardModifier.ControlModifier, spot(made, "up_proj"))
    assert of.store.study.view.selection == ("attention", "up_proj")
    qtbot.mouseClick(made.bars, left, pos=QPoint(200, 2))
    assert of.store.study.view.selection == ()
    assert of.store.undo_stack.count() == 0


def test_arrows_walk_through_the_operators_and_escape_clears(qtbot: QtBot) -> None:
    of = session()
    made = time_tab(qtbot, of)
    made.bars.setFocus()
    qtbot.keyClick(made.bars, Qt.Key.Key_Down)
    first = of.store.study.view.selection
    qtbot.keyClick(made.bars, Qt.Key.Key_Down)
    second = of.store.study.view.selection
    view = made.bars.view
    assert view is not None
    assert (first, second) == ((view.bars[0].name,), (view.bars[1].name,))
    qtbot.keyClick(made.bars, Qt.Key.Key_Escape)
    assert of.store.study.view.selection == ()


def test_the_order_can_be_that_of_execution(qtbot: QtBot) -> None:
    of = session()
    made = time_tab(qtbot, of)
    made.set_order("execution")
    view = made.bars.view
    assert view is not None
    assert view.bars[0].name == of.state.evaluation.rows[0].name


def test_the_time_view_speaks_of_the_active_device(qtbot: QtBot) -> None:
    of = session()
    made = time_tab(qtbot, of)
    of.store.set_view(active_hardware="second")
    assert "on Second" in made.bars.accessibleDescription()


def test_curves_are_kept_while_the_batch_moves_and_swept_anew_with_the_context(qtbot: QtBot) -> None:
    of = session()
    made = decode_tab(qtbot, of)
    view = made.view
    of.store.edit_workload("Batch", batch=16)
    assert made.view is view
    assert not made.later.waiting
    of.store.edit_workload("Context", context=512)
    qtbot.waitUntil(lambda: made.view is not view)


def test_another_active_device_has_its_own_marks(qtbot: QtBot) -> None:
    of = session()
    made = decode_tab(qtbot, of)
    of.store.set_view(active_hardware="second")
    assert made.view is not None
    assert "Second full" in {m.text for m in made.view.charts[0].marks}


def test_the_pointer_reads_values(qtbot: QtBot) -> None:
    made = decode_tab(qtbot, session())
    before = made.grab().toImage()
    qtbot.mouseMove(made, QPoint(450, 250))
    qtbot.waitUntil(lambda: made.grab().toImage() != before)


@pytest.mark.parametrize("place", [QPoint(300, 200), QPoint(150, 480), QPoint(600, 480)])
def test_the_batch_under_the_pointer_is_read_in_all_three_charts(qtbot: QtBot, place: QPoint) -> None:
    """Wherever it rests, every chart has its line and its card at that batch: pixels change in each."""
    made = decode_tab(qtbot, session())
    before = made.grab().toImage()
    frames = made._frames
    qtbot.mouseMove(made, place)
    qtbot.waitUntil(lambda: made.grab().toImage() != before)
    after = made.grab().toImage()
    under = next(f for f in frames if f.plot.contains(place.toPointF()))
    at = math.log2(max(1, round(2.0 ** under.batch_at(place.x()))))
    for frame in frames:
        x, y = round(frame.x(at)), round(frame.plot.bottom()) - 3
        assert any(after.pixel(x + dx, y) != before.pixel(x + dx, y) for dx in (-1, 0, 1))


def test_the_axis_is_chosen_beside_the_tabs_kept_in_the_study_and_left_to_the_program_again(qtbot: QtBot) -> None:
    of = session()
    made = decode_tab(qtbot, of)
    assert made.log_action in made.actions()
    assert not made.log_action.isChecked()
    made.log_action.trigger()
    assert of.store.study.view.log_curves is True
    assert made.view is not None
    assert all(c.log for c in made.view.charts)
    assert made.log_action.isChecked()
    assert not of.store.dirty
    made.log_action.trigger()
    assert of.store.study.view.log_curves is None
    assert not any(c.log for c in made.view.charts)


def test_an_empty_study_says_what_to_do_in_both_views(qtbot: QtBot) -> None:
    of = session()
    time, decode = time_tab(qtbot, of), decode_tab(qtbot, of)
    of.store.replace(Study(), "Nothing")
    decode.later.finish()
    assert decode.view is not None
    assert decode.view.empty_text
    assert time.bars.view is not None
    assert time.bars.view.empty_text
    assert not decode.grab().isNull()
    assert not time.grab().isNull()
