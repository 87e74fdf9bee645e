import pytest
from pytestqt.qtbot import QtBot

from explorer.presentation.look import Look
from explorer.presentation.palette import DARK
from explorer.ui.inspector import Inspector
from explorer.ui.session import Session
from tests.presentation.llama import device, study
from tests.ui.decode_hands import select, session, shown

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


def inspector(qtbot: QtBot, of: Session, width: int = 330) -> Inspector:
    made = Inspector(of)
    shown(qtbot, of, made, width, 400)
    return made


def test_the_selected_operator_is_explained_and_can_be_copied(qtbot: QtBot) -> None:
    of = session()
    made = inspector(qtbot, of)
    select(of, "up_proj")
    text = made.text.toPlainText()
    assert made.heading.text() == "up_proj"
    assert "FLOPs = 2·m·n·k" in text
    assert "940 MFLOP" in text
    made.text.selectAll()
    assert made.text.textCursor().selectedText()


def test_figures_follow_a_drag(qtbot: QtBot) -> None:
    of = session()
    made = inspector(qtbot, of)
    select(of, "up_proj")
    of.store.edit_workload("Batch", merge="batch", batch=16)
    assert "2·16·14336·4096" in made.text.toPlainText()


def test_a_total_is_explained_until_the_selection_changes(qtbot: QtBot) -> None:
    of = session()
    made = inspector(qtbot, of)
    made.show_total("memory_bytes")
    assert made.heading.text() == "memory held"
    of.store.edit_workload("Batch", batch=16)
    assert made.heading.text() == "memory held"
    select(of, "attention")
    assert made.heading.text() == "attention"


def test_several_operators_are_summed(qtbot: QtBot) -> None:
    of = session()
    made = inspector(qtbot, of)
    select(of, "up_proj", "gate_proj")
    assert made.heading.text() == "2 operators"


def test_the_active_device_is_the_one_that_is_spoken_of(qtbot: QtBot) -> None:
    of = session()
    made = inspector(qtbot, of)
    of.store.set_view(active_hardware="second")
    assert made.heading.text() == "The step on Second"


def test_a_heading_that_is_too_long_ends_in_an_ellipsis_and_is_whole_in_its_tooltip(qtbot: QtBot) -> None:
    name = "a-device-with-a-very-long-name" * 4
    made = inspector(qtbot, session(of=study(device(name))))
    assert made.heading.text().endswith("…")
    assert name in made.heading.toolTip()


def test_lines_are_wrapped_to_the_width(qtbot: QtBot) -> None:
    of = session()
    select(of, "attention")
    made = inspector(qtbot, of, 260)
    narrow = made.text.toPlainText().count("\n")
    assert made.text.horizontalScrollBar().maximum() == 0
    made.resize(700, 400)
    assert made.text.toPlainText().count("\n") < narrow


def test_lines_fill_the_width_from_the_first_picture_on(qtbot: QtBot) -> None:
    of = session()
    made = inspector(qtbot, of, 400)
    first = made.text.toPlainText()
    made.resize(300, 400)
    made.resize(400, 400)
    assert made.text.toPlainText() == first
    assert max(map(len, first.split("\n"))) > made.text.columns() - 12


def test_a_heading_with_nothing_to_add_takes_one_line(qtbot: QtBot) -> None:
    of = session()
    made = inspector(qtbot, of)
    assert made.about.isHidden()
    select(of, "up_proj")
    assert made.about.isVisible()


def test_the_place_is_kept_while_numbers_change(qtbot: QtBot) -> None:
    of = session()
    select(of, "attention")
    made = inspector(qtbot, of)
    bar = made.text.verticalScrollBar()
    bar.setValue(9)
    of.store.edit_workload("Batch", batch=16)
    assert bar.value() == 9
    select(of, "up_proj")
    assert bar.value() == 0


def test_it_takes_on_the_theme(qtbot: QtBot) -> None:
    of = session()
    made = inspector(qtbot, of)
    of.set_look(Look(DARK))
    assert made.text.palette().base().color().name() == DARK.raised


def test_it_follows_a_change_of_model_and_never_explains_a_row_that_is_gone(qtbot: QtBot) -> None:
    of = session()
    made = inspector(qtbot, of)
    select(of, "up_proj")
    of.store.edit("No model", active_model="")
    assert made.heading.text().startswith("The step")
    of.store.undo_stack.undo()
    assert made.heading.text() == "up_proj"
    made.show_total("memory_bytes")
    of.store.edit("No model", active_model="")
    assert made.heading.text().startswith("The step")


def test_beside_a_comparison_the_devices_come_first_and_follow_the_baseline(qtbot: QtBot) -> None:
    of = session()
    made = inspector(qtbot, of)
    select(of, "up_proj")
    first, second = (e.id for e in of.store.study.hardware)
    assert made.text.toPlainText().startswith("FLOPs")
    of.store.set_view(tab="compare")
    assert made.text.toPlainText().startswith("up_proj on 2 devices, ratios to")
    before = made.text.toPlainText()
    of.store.set_view(baseline=second)
    assert made.text.toPlainText() != before
    of.store.set_view(tab="roofline", baseline=first)
    assert made.text.toPlainText().startswith("FLOPs")
