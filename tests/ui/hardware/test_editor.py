import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication, QComboBox, QDialogButtonBox, QFileDialog, QStyleOptionViewItem
from pytestqt.qtbot import QtBot

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.files.hardware.devices import read_device
from explorer.presentation.look import ENGLISH
from explorer.presentation.palette import LIGHT
from explorer.ui.grid.ghost_line import GhostLine
from explorer.ui.hardware.editor import DeviceEditor
from explorer.ui.hardware.picker import HardwarePicker
from explorer.ui.hardware.update_dialog import UpdateDialog
from explorer.ui.look.theme import apply_theme
from explorer.ui.session import Session

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support")
H100 = "nvidia-h100-sxm5-80gb"


def row(picker: HardwarePicker, key: str) -> object:
    return next(r for r in picker.model.rows if r.key == key)


@pytest.fixture
def editor(qtbot: QtBot, catalogue: Catalogue) -> DeviceEditor:
    dialog = DeviceEditor(catalogue.device_by_id[H100], "Edit", ENGLISH, taken=frozenset({"taken"}))
    qtbot.addWidget(dialog)
    return dialog


def ok(editor: DeviceEditor) -> bool:
    return editor.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()


def test_an_untouched_editor_gives_the_device_back(editor: DeviceEditor, catalogue: Catalogue) -> None:
    assert ok(editor)
    editor.accept()
    assert editor.device == catalogue.device_by_id[H100]


def test_a_wrong_figure_is_said_with_its_path_and_keeps_ok_disabled(editor: DeviceEditor) -> None:
    cell = editor.peaks.table.item(0, 3)
    assert cell is not None
    cell.setText("1,2 P")
    assert editor.problem.text().startswith("peaks[0].rate: “1,2 P” has a comma")
    assert not ok(editor)
    editor.accept()
    assert editor.result() == 0
    cell.setText("1.2 P")
    assert editor.problem.text() == ""
    assert ok(editor)
    assert editor.device.peaks[0].rate == 1.2e15
    assert editor.device.sources[editor.device.peaks[0].source].kind == "typed"


def test_the_kind_of_the_users_figures_can_be_chosen(editor: DeviceEditor) -> None:
    cell = editor.memory.table.item(0, 2)
    assert cell is not None
    cell.setText("3 TB/s")
    editor.kind.setCurrentIndex(editor.kind.findData("measured"))
    level = editor.device.memory[0]
    assert editor.device.sources[level.source].kind == "measured"


def test_lines_are_added_moved_and_removed(editor: DeviceEditor) -> None:
    count = editor.peaks.table.rowCount()
    editor.peaks.add()
    assert not ok(editor)  # a peak needs a rate
    cell = editor.peaks.table.item(count, 3)
    assert cell is not None
    cell.setText("2 P")
    assert "bf16 fp32 tensor" in editor.problem.text()  # the format stands twice
    editor.peaks.remove()
    assert ok(editor)
    editor.memory.table.setCurrentCell(1, 0)
    editor.memory.move_line(-1)
    assert [m.level for m in editor.device.memory] == ["L2", "HBM3", "L1/shared"]
    assert {m.level: m.source for m in editor.device.memory}["HBM3"] == "ml-engineering"


def test_an_id_that_another_device_has_is_refused(editor: DeviceEditor) -> None:
    editor.fields["id"].setText("taken")  # type: ignore[union-attr]
    assert "taken" in editor.problem.text()
    assert not ok(editor)


def test_cells_with_few_values_offer_a_list(editor: DeviceEditor) -> None:
    table = editor.peaks.table
    delegate, index = table.itemDelegate(), table.model().index(0, 0)
    box = delegate.createEditor(table.viewport(), QStyleOptionViewItem(), index)
    assert isinstance(box, QComboBox)
    delegate.setEditorData(box, index)
    assert box.currentText() == "bf16"
    box.setCurrentText("fp6")
    delegate.setModelData(box, table.model(), index)
    assert editor.device.peaks[0].format == "fp6"
    box.deleteLater()


def test_every_input_has_an_accessible_name(editor: DeviceEditor) -> None:
    inputs = [*editor.fields.values(), editor.kind, *(t.table for t in (editor.peaks, editor.memory, editor.links))]
    assert all(w.accessibleName() for w in inputs)


def accepting(monkeypatch: pytest.MonkeyPatch, bandwidth: str) -> None:
    """Let the next editor be filled in and accepted."""

    def run(dialog: DeviceEditor) -> int:
        cell = dialog.memory.table.item(0, 2)
        assert cell is not None
        cell.setText(bandwidth)
        dialog.accept()
        return dialog.result()

    monkeypatch.setattr(DeviceEditor, "exec", run)


def test_editing_an_entry_is_one_undo_step_and_moves_it_to_the_what_ifs(
    picker: HardwarePicker, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepting(monkeypatch, "4 TB/s")
    picker.commands.edit(row(picker, f"entry:{H100}"))  # type: ignore[arg-type]
    assert session.store.study.hardware[0].device.bandwidth == 4e12
    assert session.store.undo_stack.undoText() == "Edit H100 SXM5 80GB"
    found = row(picker, f"entry:{H100}")
    assert (found.section, found.history) == ("what_if", "edited")  # type: ignore[attr-defined]
    session.store.undo_stack.undo()
    assert row(picker, f"entry:{H100}").section == "compared"  # type: ignore[attr-defined]


def test_an_editor_that_is_left_changes_nothing(
    picker: HardwarePicker, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(DeviceEditor, "exec", lambda _dialog: 0)
    for act in (picker.commands.edit, picker.commands.what_if, picker.commands.save_as_own):
        act(row(picker, f"entry:{H100}"))  # type: ignore[operator]
    assert session.store.undo_stack.count() == 0
    assert not picker.user.folder.exists()


def test_editing_a_device_of_the_database_makes_a_what_if_copy(
    picker: HardwarePicker, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    accepting(monkeypatch, "9 TB/s")
    picker.commands.edit(row(picker, "device:nvidia-b200-sxm-180gb"))  # type: ignore[arg-type]
    copy = session.store.study.hardware[-1].device
    assert (copy.name, copy.bandwidth) == ("NVIDIA B200 SXM 180GB, what-if", 9e12)


def test_newer_figures_of_the_database_are_shown_and_taken_in_one_step(
    picker: HardwarePicker, session: Session, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = catalogue.device_by_id[H100]
    older = replace(known, memory=(replace(known.memory[0], bandwidth=3.0e12), *known.memory[1:]))
    first, *rest = session.store.study.hardware
    session.store.reset(replace(session.store.study, hardware=(replace(first, device=older, count=4), *rest)))
    seen: list[tuple[str, ...]] = []

    def run(dialog: UpdateDialog) -> int:
        items = [dialog.table.item(0, j) for j in range(3)]
        seen.append(tuple(i.text() for i in items if i is not None))
        return 1

    monkeypatch.setattr(UpdateDialog, "exec", run)
    picker.commands.update(row(picker, f"entry:{H100}"))  # type: ignore[arg-type]
    assert seen == [("memory.HBM3.bandwidth", "3 TB/s", "3.35 TB/s")]
    entry = session.store.study.hardware[0]
    assert (entry.device, entry.count) == (known, 4)
    assert session.store.undo_stack.count() == 1


def test_a_device_is_exported_as_a_file_that_reads_back(
    picker: HardwarePicker, catalogue: Catalogue, monkeypatch: pytest.MonkeyPatch, tmp_path: object, qtbot: QtBot
) -> None:
    target = tmp_path / "shared"  # type: ignore[operator]
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(target), ""))
    with qtbot.waitSignal(picker.said) as said:
        picker.commands.export(row(picker, f"entry:{H100}"))  # type: ignore[arg-type]
    assert "H100 SXM5 80GB" in said.args[0]
    assert read_device(target.with_name("shared.yaml")) == catalogue.device_by_id[H100]


@pytest.mark.parametrize(
    ("table", "column", "field", "typed", "stored"),
    [
        ("memory", "bandwidth", "bandwidth", "256", 256e12),
        ("memory", "capacity", "capacity", "96", 96 * 2**30),
        ("memory", "latency", "latency", "500", 500e-9),
        ("peaks", "rate", "rate", "1200", 1200e12),
        ("links", "per_direction", "per_direction", "900", 900e9),
    ],
)
def test_a_bare_number_keeps_the_unit_of_its_cell(
    editor: DeviceEditor, table: str, column: str, field: str, typed: str, stored: float
) -> None:
    parts = getattr(editor, table)
    place = [c.field for c in parts.columns].index(column)
    cell = parts.table.item(0, place)
    unit = parts.ending_at(0, place)
    cell.setText(typed)
    assert cell.text() == f"{typed} {unit}"  # what is stored stands there
    assert ok(editor)
    assert getattr(getattr(editor.device, table)[0], field) == pytest.approx(stored, rel=1e-12)
    cell.setText("")
    cell.setText(typed)
    assert cell.text() == f"{typed} {unit}"


def test_a_line_moved_keeps_the_units_of_its_cells(editor: DeviceEditor) -> None:
    editor.memory.table.setCurrentCell(1, 0)
    editor.memory.table.item(0, 2).setText("")
    editor.memory.move_line(-1)
    editor.memory.table.item(1, 2).setText("4")
    assert editor.memory.table.item(1, 2).text() == "4 TB/s"


@pytest.mark.parametrize(
    ("name", "typed", "figure", "stored"),
    [("launch_overhead", "3", "3 µs", 3e-6), ("on_chip_per_core", "100", "100 KiB", 102400), ("tdp_w", "5", "5 W", 5)],
)
def test_a_bare_number_in_a_field_keeps_its_unit_and_what_is_stored_is_shown(
    editor: DeviceEditor, qtbot: QtBot, name: str, typed: str, figure: str, stored: float
) -> None:
    line = editor.fields[name]
    assert isinstance(line, GhostLine)
    line.selectAll()
    qtbot.keyClicks(line, typed)
    assert line.ghost == f"= {figure}"
    assert ok(editor)
    told = editor.device.launch_overhead.seconds if name == "launch_overhead" else getattr(editor.device, name)
    assert told == pytest.approx(stored, rel=1e-12)
    line.editingFinished.emit()
    assert line.text() == figure
    assert line.ghost == ""


def test_the_editor_of_a_cell_shows_what_will_be_stored(editor: DeviceEditor, qtbot: QtBot) -> None:
    table = editor.memory.table
    index = table.model().index(0, 2)
    line = table.itemDelegate().createEditor(table.viewport(), QStyleOptionViewItem(), index)
    assert isinstance(line, GhostLine)
    table.itemDelegate().setEditorData(line, index)
    assert line.text() == table.item(0, 2).text()
    line.selectAll()
    qtbot.keyClicks(line, "256")
    assert line.ghost == "= 256 TB/s"
    table.itemDelegate().setModelData(line, table.model(), index)
    assert table.item(0, 2).text() == "256 TB/s"


def test_a_new_line_takes_bare_figures_in_the_units_of_datasheets(editor: DeviceEditor) -> None:
    editor.memory.add()
    line = editor.memory.table.rowCount() - 1
    for column, text in (("level", "L9"), ("capacity", "8"), ("bandwidth", "900"), ("measured", "2"), ("latency", "9")):
        editor.memory.table.item(line, [c.field for c in editor.memory.columns].index(column)).setText(text)
    level = editor.device.memory[-1]
    assert (level.capacity, level.bandwidth, level.latency) == (8e9, 900e9, pytest.approx(9e-9))
    assert level.measured is not None
    assert level.measured.bandwidth == 2e9


def test_every_peak_of_a_device_is_whole_and_in_sight(qtbot: QtBot, qapp: QApplication, catalogue: Catalogue) -> None:
    apply_theme(qapp, LIGHT)
    device = catalogue.device_by_id["nvidia-h100-sxm5-80gb"]
    editor = DeviceEditor(device, "Edit", ENGLISH, fixed_id=True)
    qtbot.addWidget(editor)
    editor.show()
    table = editor.peaks.table
    metrics = table.fontMetrics()
    for line in range(table.rowCount()):
        for i, column in enumerate(editor.peaks.columns):
            if column.unit is not None:
                item = table.item(line, i)
                assert item is not None
                assert metrics.horizontalAdvance(item.text()) + 4 <= table.columnWidth(i)
    assert table.viewport().height() >= len(device.peaks) * table.rowHeight(0)
    assert table.horizontalScrollBar().maximum() == 0
