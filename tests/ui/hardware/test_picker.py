from collections.abc import Callable

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtTest import QAbstractItemModelTester
from PySide6.QtWidgets import QApplication, QMenu, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.study.edits import add_hardware, change_hardware
from explorer.analysis.study.study import HardwareEntry
from explorer.presentation.hardware.picker_rows import HardwareRow
from explorer.presentation.look import Look
from explorer.presentation.palette import DARK
from explorer.ui.hardware.menus import fill_menu
from explorer.ui.hardware.picker import HardwarePicker
from explorer.ui.session import Session

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
H100, A100, MI300X = "nvidia-h100-sxm5-80gb", "nvidia-a100-sxm4-80gb", "amd-instinct-mi300x"
B200 = "nvidia-b200-sxm-180gb"


def row(picker: HardwarePicker, key: str) -> HardwareRow:
    return next(r for r in picker.model.rows if r.key == key)


def entries(session: Session) -> dict[str, HardwareEntry]:
    return {e.id: e for e in session.store.study.hardware}


def click(qtbot: QtBot, picker: HardwarePicker, key: str, part: str) -> None:
    picker.list.make_current(key)
    rect = QRectF(picker.list.visualRect(picker.model.index_of(key)))
    painter = picker.list.painter_of_rows
    middle = QPointF(rect.center().x(), rect.top() + painter.pad + painter.em / 2)
    point = {
        "box": QPointF(rect.left() + painter.pad + painter.box / 2, middle.y()),
        "row": middle,
        "eye": QPointF(rect.right() - painter.pad - painter.em / 2, middle.y()),
    }[part]
    qtbot.mouseClick(picker.list.viewport(), Qt.MouseButton.LeftButton, pos=point.toPoint())


def test_the_model_keeps_qts_rules_while_rows_come_and_go(picker: HardwarePicker, session: Session) -> None:
    tester = QAbstractItemModelTester(picker.model, QAbstractItemModelTester.FailureReportingMode.Warning)
    picker.commands.add(row(picker, f"device:{B200}"))
    picker.commands.what_if(row(picker, f"entry:{H100}"), "bandwidth")
    picker.commands.move(row(picker, f"entry:{H100}"), 1)
    picker.search.setText("2024")
    picker.search.setText("nothing like it")
    picker.search.clear()
    session.store.undo_stack.undo()
    assert picker.model.rowCount() == len(picker.model.rows) > 90
    tester.deleteLater()


def test_the_search_field_counts_the_devices(picker: HardwarePicker) -> None:
    assert picker.search.placeholderText() == "Search 275 devices"


def test_before_the_database_is_read_the_studys_devices_are_there(
    qtbot: QtBot, session: Session, settings: object
) -> None:
    widget = HardwarePicker(session, settings)  # type: ignore[arg-type]
    qtbot.addWidget(widget)
    widget.apply(None, session.state)
    assert [r.name for r in widget.model.rows] == ["Compared", "H100 SXM5 80GB", "A100 SXM4 80GB", "Instinct MI300X"]
    assert widget.search.placeholderText() == "Search devices"


def test_a_click_on_a_box_adds_the_device_and_another_takes_it_out(
    qtbot: QtBot, picker: HardwarePicker, session: Session
) -> None:
    click(qtbot, picker, f"device:{B200}", "box")
    assert B200 in entries(session)
    assert session.store.undo_stack.undoText() == "Add B200 SXM 180GB"
    click(qtbot, picker, f"device:{B200}", "box")
    assert B200 not in entries(session)
    session.store.undo_stack.undo()
    session.store.undo_stack.undo()
    assert list(entries(session)) == [H100, A100, MI300X]
    assert session.store.undo_stack.index() == 0


def test_the_row_under_the_mouse_stays_while_entries_come_in_above(qtbot: QtBot, picker: HardwarePicker) -> None:
    key = f"device:{B200}"
    picker.list.make_current(key)
    before = picker.list.visualRect(picker.model.index_of(key)).top()
    click(qtbot, picker, key, "box")
    assert picker.list.visualRect(picker.model.index_of(key)).top() == before


def test_a_click_on_a_compared_device_makes_it_active_without_an_undo_step(
    qtbot: QtBot, picker: HardwarePicker, session: Session
) -> None:
    click(qtbot, picker, f"entry:{MI300X}", "row")
    assert session.store.study.view.active_hardware == MI300X
    assert [r.id for r in picker.model.rows if r.active] == [MI300X]
    assert session.store.undo_stack.count() == 0


@pytest.mark.parametrize("part", ["eye", "box"])
def test_eye_and_swatch_hide_and_show_an_entry(
    part: str, qtbot: QtBot, picker: HardwarePicker, session: Session
) -> None:
    click(qtbot, picker, f"entry:{A100}", part)
    assert not entries(session)[A100].visible
    assert session.store.undo_stack.undoText() == "Hide A100 SXM4 80GB"
    click(qtbot, picker, f"entry:{A100}", part)
    assert entries(session)[A100].visible


def test_making_a_hidden_entry_active_shows_it(picker: HardwarePicker, session: Session) -> None:
    picker.commands.set_visible(row(picker, f"entry:{A100}"), visible=False)
    picker.commands.make_active(row(picker, f"entry:{A100}"))
    assert entries(session)[A100].visible
    assert session.state.evaluation.active is not None
    assert session.state.evaluation.active.entry.id == A100


def test_keys_toggle_make_active_and_remove(qtbot: QtBot, picker: HardwarePicker, session: Session) -> None:
    picker.list.make_current(f"device:{B200}")
    qtbot.keyClick(picker.list, Qt.Key.Key_Space)
    assert B200 in entries(session)
    qtbot.keyClick(picker.list, Qt.Key.Key_Return)
    assert session.store.study.view.active_hardware == B200
    qtbot.keyClick(picker.list, Qt.Key.Key_Delete)
    assert B200 not in entries(session)
    picker.list.make_current(f"entry:{A100}")
    qtbot.keyClick(picker.list, Qt.Key.Key_Space)
    assert not entries(session)[A100].visible
    qtbot.keyClick(picker.list, Qt.Key.Key_Delete)
    assert A100 not in entries(session)


def test_a_double_click_adds_a_device_and_lets_the_answer_speak_of_it(
    qtbot: QtBot, picker: HardwarePicker, session: Session
) -> None:
    picker.list.make_current(f"device:{B200}")
    rect = picker.list.visualRect(picker.model.index_of(f"device:{B200}"))
    qtbot.mouseDClick(picker.list.viewport(), Qt.MouseButton.LeftButton, pos=rect.center())
    assert session.store.study.view.active_hardware == B200


def test_typing_letters_over_an_empty_list_does_nothing(qtbot: QtBot, picker: HardwarePicker) -> None:
    picker.search.setText("nothing like it")
    qtbot.keyClicks(picker.list, "a 8")  # an exception below a call of super() ends the process
    assert not picker.list.currentIndex().isValid()


def test_typing_letters_finds_a_device(qtbot: QtBot, picker: HardwarePicker) -> None:
    picker.list.setFocus()
    picker.list.make_current(f"entry:{H100}")
    qtbot.keyClicks(picker.list, "MI3")
    current = picker.list.current_row()
    assert current is not None
    assert current.key == f"entry:{MI300X}"


def test_search_narrows_the_list_and_enter_goes_to_the_first_match(qtbot: QtBot, picker: HardwarePicker) -> None:
    picker.focus_search()
    qtbot.keyClicks(picker.search, "sxm5 h100")
    assert {r.name for r in picker.model.rows if r.kind != "section"} == {"H100 SXM5 80GB"}
    qtbot.keyClick(picker.search, Qt.Key.Key_Return)
    current = picker.list.current_row()
    assert current is not None
    assert current.key == f"device:{H100}"
    qtbot.keyClick(picker.search, Qt.Key.Key_Escape)
    assert picker.search.text() == ""
    assert len(picker.model.rows) > 90


def test_a_search_without_a_match_says_so(picker: HardwarePicker) -> None:
    picker.search.setText("abacus")
    assert picker.model.rowCount() == 0
    assert picker.list.empty.label.text() == "No device matches “abacus”."
    picker.grab()


def test_a_section_closes_and_opens_and_is_remembered(
    qtbot: QtBot, picker: HardwarePicker, session: Session, catalogue: Catalogue
) -> None:
    key = "section:vendor:NVIDIA:data_centre"
    click(qtbot, picker, key, "row")
    assert not any(r.section == "vendor:NVIDIA:data_centre" and r.kind == "device" for r in picker.model.rows)
    again = HardwarePicker(session, picker._settings)
    qtbot.addWidget(again)
    again.apply(None, session.state)
    assert not any(r.section == "vendor:NVIDIA:data_centre" and r.kind == "device" for r in again.model.rows)
    picker.list.make_current(key)
    qtbot.keyClick(picker.list, Qt.Key.Key_Right)
    assert any(r.section == "vendor:NVIDIA:data_centre" and r.kind == "device" for r in picker.model.rows)


def test_a_colour_is_chosen_and_left_to_the_place_again(picker: HardwarePicker, session: Session) -> None:
    picker.commands.set_colour(row(picker, f"entry:{H100}"), 4)
    assert entries(session)[H100].colour == "4"
    assert row(picker, f"entry:{H100}").colour == 4
    picker.commands.set_colour(row(picker, f"entry:{H100}"), None)
    assert row(picker, f"entry:{H100}").colour == 0


def test_entries_move_up_and_down(picker: HardwarePicker, session: Session) -> None:
    picker.commands.move(row(picker, f"entry:{A100}"), -1)
    assert list(entries(session)) == [A100, H100, MI300X]
    assert session.store.undo_stack.undoText() == "Move A100 SXM4 80GB up"


def test_a_what_if_copy_is_one_undo_step_and_comes_into_view(picker: HardwarePicker, session: Session) -> None:
    picker.commands.what_if(row(picker, f"entry:{H100}"), "bandwidth")
    copy = entries(session)[f"{H100}-2"].device
    assert copy.name == "NVIDIA H100 SXM5 80GB, 2× bandwidth"
    assert copy.bandwidth == 6.7e12
    current = picker.list.current_row()
    assert current is not None
    assert (current.id, current.section) == (f"{H100}-2", "what_if")
    session.store.undo_stack.undo()
    assert list(entries(session)) == [H100, A100, MI300X]


def test_a_what_if_of_a_device_that_is_not_compared_adds_only_the_copy(
    picker: HardwarePicker, session: Session
) -> None:
    picker.commands.what_if(row(picker, f"device:{B200}"), "compute")
    assert list(entries(session)) == [H100, A100, MI300X, B200]
    assert not row(picker, f"device:{B200}").chosen


def test_an_entry_of_a_name_in_chinese_is_listed(
    picker: HardwarePicker, session: Session, catalogue: Catalogue
) -> None:
    device = replace(catalogue.device_by_id[H100], id="ascend", name="华为昇腾 910B1 训练加速卡")
    session.store.replace(add_hardware(session.store.study, device), "Add")
    assert row(picker, "entry:ascend").name == "华为昇腾 910B1 训练加速卡"
    picker.grab()


def test_the_menu_of_an_entry_does_what_it_says(picker: HardwarePicker, session: Session) -> None:
    menu = QMenu(picker)
    fill_menu(menu, row(picker, f"entry:{A100}"), picker.commands, session.look.theme)
    texts = [a.text().replace("&", "") for a in menu.actions() if a.text()]
    assert {"Make active", "Visible in the chart", "Number of devices", "Edit…", "Remove from the study"} <= set(texts)
    update = next(a for a in menu.actions() if a.text().replace("&", "") == "Update figures…")
    assert not update.isEnabled()
    next(a for a in menu.actions() if a.text().replace("&", "") == "Remove from the study").trigger()
    assert A100 not in entries(session)


def test_buttons_wait_for_a_row(picker: HardwarePicker) -> None:
    picker.list.make_current("section:vendor:NVIDIA:data_centre")
    assert not picker.edit_button.isEnabled()
    picker.list.make_current(f"device:{B200}")
    assert picker.edit_button.isEnabled()
    picker.more_button.menu().aboutToShow.emit()
    assert "Add to the study" in [a.text().replace("&", "") for a in picker.more_button.menu().actions()]


def test_a_sliders_step_touches_nothing(
    picker: HardwarePicker, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls: list[int] = []
    monkeypatch.setattr(picker.model, "set_rows", lambda rows: calls.append(len(rows)))
    for batch in (2, 4, 8):
        session.store.edit_workload("Batch", merge="batch", batch=batch)
    session.store.set_view(selection=("q_proj",))
    assert calls == []
    session.store.edit_workload("Format", weights="fp8", activations="fp8")
    assert len(calls) == 1


def test_a_change_of_theme_repaints_without_new_rows(picker: HardwarePicker, session: Session) -> None:
    before = picker.model.rows
    session.set_look(Look(DARK))
    assert picker.list.painter_of_rows.theme is DARK
    assert picker.model.rows is before


@pytest.mark.parametrize("width", [220, 240, 300])
def test_no_text_of_a_row_is_wider_than_the_list(width: int, picker: HardwarePicker, session: Session) -> None:
    session.store.replace(change_hardware(session.store.study, H100, count=1024), "Count")
    picker.resize(width, 900)
    painter = picker.list.painter_of_rows
    room = picker.list.viewport().width() - painter.text_left
    lines = [
        line
        for r in picker.model.rows
        if r.kind != "section"
        for line in painter.wrapped(r, picker.list.viewport().width())
    ]
    assert max(painter.details.horizontalAdvance(line) for line in lines) <= room
    assert len(lines) > 90


def test_every_input_has_an_accessible_name(picker: HardwarePicker) -> None:
    named: list[Callable[[], str]] = [w.accessibleName for w in (picker.search, picker.list, picker.edit_button)]
    named += [picker.what_if_button.accessibleName, picker.more_button.accessibleName]
    assert all(name() for name in named)
    spoken = picker.model.index_of(f"entry:{H100}").data(Qt.ItemDataRole.AccessibleTextRole)
    assert spoken == "H100 SXM5 80GB, the answer speaks of it; 989 TFLOP/s bf16, 3.35 TB/s, ridge 295"


def test_a_menu_opens_for_the_row_under_the_mouse(qtbot: QtBot, picker: HardwarePicker) -> None:
    asked: list[str] = []
    picker.list.menu_wanted.disconnect()
    picker.list.menu_wanted.connect(lambda r, _point: asked.append(r.key))
    rect = picker.list.visualRect(picker.model.index_of(f"entry:{A100}"))
    picker.list.customContextMenuRequested.emit(rect.center())
    picker.list.customContextMenuRequested.emit(QPoint(5, 2))  # a section has no menu
    assert asked == [f"entry:{A100}"]


def test_the_filter_narrows_the_database_alone_and_is_remembered(
    qtbot: QtBot, picker: HardwarePicker, session: Session, settings: object
) -> None:
    menu = picker.filter.menu()
    menu.aboutToShow.emit()
    submenus = {a.text().replace("&", ""): a.menu() for a in menu.actions() if a.menu()}
    assert "AMD" in [a.text() for a in submenus["Vendor"].actions()]
    next(a for a in submenus["Vendor"].actions() if a.text() == "AMD").trigger()
    menu.aboutToShow.emit()
    submenus = {a.text().replace("&", ""): a.menu() for a in menu.actions() if a.menu()}
    next(a for a in submenus["Year"].actions() if a.text() == "From 2024 on").trigger()
    listed = [r for r in picker.model.rows if r.kind == "device"]
    assert len(listed) > 5
    assert {(r.facets.vendor, (r.facets.year or 0) >= 2024) for r in listed if r.facets} == {("AMD", True)}
    assert [r.id for r in picker.model.rows if r.kind == "entry"] == [H100, A100, MI300X]
    assert picker.filter.isChecked()
    again = HardwarePicker(session, settings)  # type: ignore[arg-type]
    qtbot.addWidget(again)
    again.apply(None, session.state)
    assert again.model.rows == picker.model.rows
    menu.aboutToShow.emit()
    next(a for a in menu.actions() if a.text().replace("&", "") == "All devices").trigger()
    assert len([r for r in picker.model.rows if r.kind == "device"]) == 275
    assert not picker.filter.isChecked()


def test_the_memory_that_a_device_is_sold_with_is_chosen_in_its_menu_and_undone(
    picker: HardwarePicker, session: Session
) -> None:
    picker.commands.add(row(picker, "device:apple-m4-pro-20-core-gpu"))
    menu = QMenu()
    fill_menu(menu, row(picker, "entry:apple-m4-pro-20-core-gpu"), picker.commands, session.look.theme)
    memory = next(a.menu() for a in menu.actions() if a.text() == "&Memory")
    assert [(a.text(), a.isChecked()) for a in memory.actions()] == [
        ("24 GiB", False),
        ("48 GiB", False),
        ("64 GiB", True),
    ]
    memory.actions()[0].trigger()
    assert session.store.study.hardware[-1].device.capacity == 24 * 2**30
    chosen = row(picker, "entry:apple-m4-pro-20-core-gpu")
    assert (chosen.section, chosen.history) == ("compared", "")
    session.store.undo_stack.undo()
    assert session.store.study.hardware[-1].device.capacity == 64 * 2**30


def test_a_device_that_was_searched_with_a_size_is_taken_in_it_and_shows_it(
    picker: HardwarePicker, session: Session
) -> None:
    picker.search.setText("4060 ti 8gb")
    picker.list.toggled.emit(row(picker, "device:nvidia-geforce-rtx-4060-ti"))
    assert session.store.study.hardware[-1].device.capacity == 8 * 2**30
    picker.search.clear()
    assert row(picker, "entry:nvidia-geforce-rtx-4060-ti").details[-1] == "8.59 GB"


def test_rows_are_as_high_as_their_figures_after_the_picker_was_made_narrower(
    qtbot: QtBot, picker: HardwarePicker
) -> None:
    picker.resize(420, 600)
    picker.show()
    QApplication.processEvents()
    picker.resize(230, 600)
    hint = picker.list.painter_of_rows.sizeHint
    rows = [picker.model.index(i) for i in range(picker.model.rowCount())]
    bar = picker.list.verticalScrollBar()

    def laid_out() -> bool:
        wanted = sum(hint(QStyleOptionViewItem(), index).height() for index in rows)
        return bar.maximum() + picker.list.viewport().height() == wanted

    qtbot.waitUntil(laid_out)
