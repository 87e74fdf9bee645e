"""A device that nobody listed: the editor opens blank, and what is typed joins the study."""

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QDialogButtonBox, QLineEdit

from explorer.ui.hardware import commands
from explorer.ui.hardware.editor import DeviceEditor
from explorer.ui.hardware.picker import HardwarePicker
from explorer.ui.session import Session


def typed(editor: DeviceEditor, **cells: str) -> None:
    name = editor.fields["name"]
    assert isinstance(name, QLineEdit)
    name.setText("My accelerator")
    vendor = editor.fields["vendor"]
    assert isinstance(vendor, QLineEdit)
    vendor.setText("Home")
    for table, column, text in ((editor.peaks, 3, cells["peak"]), (editor.memory, 2, cells["bandwidth"])):
        item = table.table.item(0, column)
        assert item is not None
        item.setText(text)


def answered(monkeypatch: pytest.MonkeyPatch, fill: Callable[[DeviceEditor], bool]) -> None:
    def ask(editor: DeviceEditor) -> bool:
        agreed = fill(editor)
        if agreed:
            editor.accept()
        return agreed

    monkeypatch.setattr(commands, "ask", ask)


def test_a_new_device_is_typed_by_its_figures(
    picker: HardwarePicker, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[str] = []

    def fill(editor: DeviceEditor) -> bool:
        ok = editor.buttons.button(QDialogButtonBox.StandardButton.Ok)
        seen.append(f"{ok.isEnabled()} {editor.problem.text()}")
        typed(editor, peak="300 TFLOP/s", bandwidth="2 TB/s")
        seen.append(f"{ok.isEnabled()} {editor.problem.text()}")
        return True

    answered(monkeypatch, fill)
    before = len(session.store.study.hardware)
    picker.commands.new()
    assert seen[0].startswith("False ")
    assert seen[1] == "True "
    added = session.store.study.hardware[before:]
    assert [(e.device.name, e.device.bandwidth, e.device.capacity) for e in added] == [("My accelerator", 2e12, None)]
    assert [(p.format, p.rate) for p in added[0].device.peaks] == [("bf16", 3e14)]
    session.store.undo_stack.undo()
    assert len(session.store.study.hardware) == before


def test_a_new_device_that_is_cancelled_changes_nothing(
    picker: HardwarePicker, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered(monkeypatch, lambda _editor: False)
    before = session.store.study
    picker.commands.new()
    assert session.store.study is before


def test_a_new_device_can_be_asked_for_without_any_row(picker: HardwarePicker) -> None:
    picker.search.setText("no such device at all")
    picker.more_button.menu().aboutToShow.emit()
    texts = [action.text().replace("&", "") for action in picker.more_button.menu().actions()]
    assert picker.more_button.isEnabled()
    assert "New device…" in texts
