"""Where the picker's search finds nothing: what can be done about it, and devices typed by their figures."""

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from explorer.presentation.hardware.filters import HardwareFilter
from explorer.ui.hardware.picker import HardwarePicker
from explorer.ui.session import Session
from tests.ui.hardware.test_picker import H100

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")


def test_nothing_found_offers_to_give_up_the_search_and_the_filter(picker: HardwarePicker, qtbot: QtBot) -> None:
    picker.filter.choose(HardwareFilter(vendors=frozenset({"Google"})))
    picker.search.setText("radeon")
    empty = picker.list.empty
    assert not empty.isHidden()
    assert [b.text() for b in empty.buttons] == ["Clear the search", "Show all devices"]
    empty.buttons[1].click()
    qtbot.waitUntil(lambda: picker.filter.chosen.is_open)
    assert empty.isHidden()
    assert picker.model.rows
    picker.search.setText("abacus")
    empty.buttons[0].click()
    qtbot.waitUntil(lambda: picker.search.text() == "")


def test_an_active_filter_is_plain_to_see_and_one_click_clears_it(picker: HardwarePicker, qtbot: QtBot) -> None:
    usual = picker.filter.palette().button().color()
    assert picker.all_button.isHidden()
    picker.filter.choose(HardwareFilter(classes=frozenset({"tpu"}), since=2022))
    assert picker.filter.text() == "Filter: 2"
    assert picker.filter.palette().button().color() == picker.palette().highlight().color() != usual
    assert not picker.all_button.isHidden()
    picker.all_button.click()
    assert picker.filter.chosen.is_open
    assert (picker.filter.text(), picker.all_button.isHidden()) == ("Filter", True)
    assert picker.filter.palette().button().color() == usual


@pytest.mark.parametrize("by", ["button", "enter"])
def test_a_device_typed_by_its_figures_is_offered_and_joins_the_study(
    picker: HardwarePicker, session: Session, qtbot: QtBot, by: str
) -> None:
    picker.search.setText("2TB/s,300TFLOP/s,80GB")
    empty = picker.list.empty
    assert empty.label.text() == "A device of these figures: 2TB/s, 300TFLOP/s, 80GB"
    count = len(session.store.study.hardware)
    if by == "button":
        empty.buttons[0].click()
    else:
        qtbot.keyClick(picker.search, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: len(session.store.study.hardware) == count + 1)
    device = session.store.study.hardware[-1].device
    assert (device.bandwidth, device.peaks[0].rate, device.capacity) == (2e12, 3e14, 80e9)
    assert picker.search.text() == ""
    session.store.undo_stack.undo()
    assert len(session.store.study.hardware) == count


def test_figures_that_lack_one_say_which(picker: HardwarePicker) -> None:
    picker.search.setText("2TB/s, 80GB")
    empty = picker.list.empty
    assert "2TB/s,300TFLOP/s,80GB" in empty.label.text()
    assert [b.text() for b in empty.buttons] == ["Clear the search"]


def test_a_search_that_finds_something_offers_nothing(picker: HardwarePicker) -> None:
    picker.search.setText("h100")
    assert picker.list.empty.isHidden()
    assert H100 in {row.id for row in picker.model.rows}
