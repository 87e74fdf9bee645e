"""Editing operators: each edit is one undo step that undo takes back and redo repeats."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QEvent, QItemSelectionModel, QMimeData, QPointF, Qt
from PySide6.QtGui import QDropEvent, QGuiApplication
from PySide6.QtWidgets import QAbstractItemView

from explorer.analysis.study.study import Override
from explorer.ui.grid.editors import ChoiceCell, TextCell
from explorer.ui.grid.rows_model import MIME
from explorer.ui.session import Session
from explorer.ui.tables.operators_table import OperatorsTable
from tests.ui.tables.hands import cell, names, own, select

# the offscreen platform says so for any window with a least size
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

EditRole = Qt.ItemDataRole.EditRole
Select = QItemSelectionModel.SelectionFlag


EDITS: dict[str, Callable[[OperatorsTable], object]] = {
    "add": lambda t: t.add_row(),
    "add of a kind": lambda t: t.add_row("softmax"),
    "duplicate": lambda t: (select(t, "first"), t.duplicate()),
    "duplicate a model's row": lambda t: (select(t, "q_proj"), t.duplicate()),
    "rename": lambda t: t.model.setData(cell(t, "first", "name"), "renamed"),
    "kind": lambda t: t.model.setData(cell(t, "first", "kind"), "batched_matmul"),
    "calls": lambda t: t.model.setData(cell(t, "first", "count"), 7.0),
    "dims": lambda t: t.model.setData(cell(t, "first", "dims"), "m=4k n=2 k=3"),
    "formats": lambda t: t.model.setData(cell(t, "first", "weights"), "fp8"),
    "accumulator": lambda t: t.model.setData(cell(t, "first", "accumulate"), "fp16"),
    "leave out": lambda t: t.model.setData(
        cell(t, "first", "enabled"), Qt.CheckState.Unchecked, Qt.ItemDataRole.CheckStateRole
    ),
    "fuse": lambda t: t.model.setData(cell(t, "first", "fused"), Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole),
    "override": lambda t: t.model.setData(cell(t, "q_proj", "weights"), "fp8"),
    "override fusion": lambda t: t.model.setData(
        cell(t, "q_proj", "fused"), Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole
    ),
    "delete": lambda t: (select(t, "first", "second"), t.delete()),
    "move": lambda t: (select(t, "second"), t.shift(-1)),
    "drop": lambda t: t.view.dropped.emit(["own:b"], "own:a"),
    "toggle": lambda t: (select(t, "first"), t.toggle_enabled()),
    "detach": lambda t: t.detach(),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_every_edit_is_one_step_that_undo_takes_back_and_redo_repeats(
    table: OperatorsTable, session: Session, edit
) -> None:
    stack = session.store.undo_stack
    before, rows = replace(session.store.study, view=None), names(table)
    edit(table)
    after = replace(session.store.study, view=None)
    assert stack.count() == 1
    assert stack.undoText()
    assert after != before
    shown = names(table)
    stack.undo()
    assert replace(session.store.study, view=None) == before
    assert names(table) == rows
    stack.redo()
    assert replace(session.store.study, view=None) == after
    assert names(table) == shown


def test_a_step_of_a_slider_announces_only_the_columns_that_change(table: OperatorsTable, session: Session) -> None:
    announced: list[str] = []
    resets: list[object] = []
    table.model.dataChanged.connect(
        lambda a, b, _roles: announced.extend(table.model.columns[i].key for i in range(a.column(), b.column() + 1))
    )
    for signal in (table.model.modelReset, table.model.layoutChanged, table.model.rowsInserted):
        signal.connect(lambda *_a: resets.append(1))
    batch = session.store.study.workload.batch
    session.store.edit_workload("Batch", batch=batch + 3)
    assert {"flops", "bytes", "time"} <= set(announced)
    assert set(announced).isdisjoint({"name", "kind", "count", "bound"})
    assert resets == []


def test_a_step_of_a_slider_that_changes_nothing_announces_nothing(table: OperatorsTable, session: Session) -> None:
    announced: list[object] = []
    table.model.dataChanged.connect(lambda *_a: announced.append(1))
    session.store.edit(text="Notes", notes="x")
    assert announced == []


def test_an_open_editor_keeps_what_is_typed_while_a_slider_moves(table: OperatorsTable, session: Session) -> None:
    table.view.edit(cell(table, "first", "count"))
    editor = table.view.findChild(TextCell)
    editor.setText("12")
    session.store.edit_workload("Batch", batch=session.store.study.workload.batch + 1)
    assert table.view.findChild(TextCell) is editor
    assert editor.text() == "12"


def test_a_bad_value_keeps_the_editor_open_and_says_why(qtbot, table: OperatorsTable, session: Session) -> None:
    table.view.edit(cell(table, "first", "dims"))
    editor = table.view.findChild(TextCell)
    editor.setText("m=1,5")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    assert editor.isVisible()
    assert editor.marked
    assert "two ways" in table.remark.text()
    assert session.store.undo_stack.count() == 0
    editor.setText("m=15")
    qtbot.keyClick(editor, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: session.store.undo_stack.count() == 1)
    assert own(session, "first").dims == {"m": 15.0}


def test_a_bad_value_survives_losing_the_focus(qtbot, table: OperatorsTable) -> None:
    table.view.edit(cell(table, "first", "name"))
    editor = table.view.findChild(TextCell)
    editor.setText("q_proj")  # taken by the model
    table.find_field.setFocus()
    assert editor.isVisible()
    assert editor.text() == "q_proj"
    qtbot.keyClick(editor, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: table.view.findChild(TextCell) is None)
    assert table.remark.text() == ""


@pytest.mark.parametrize(
    ("key", "value"),
    [("name", ""), ("name", "q_proj"), ("count", "-1"), ("count", "1,5"), ("dims", "q=1"), ("kind", "none"),
     ("weights", "fp7"), ("accumulate", "fp7")],
)  # fmt: skip
def test_a_value_that_cannot_be_is_refused_with_a_sentence(
    table: OperatorsTable, session: Session, key: str, value: str
) -> None:
    assert table.model.setData(cell(table, "first", key), value) is False
    assert table.remark.text()
    assert session.store.undo_stack.count() == 0


def test_dims_that_the_formulas_cannot_take_are_refused(table: OperatorsTable, session: Session) -> None:
    table.add_row("conv2d")
    assert table.model.setData(cell(table, "conv2d", "dims"), "stride=0") is False
    assert session.store.undo_stack.count() == 1


def test_an_override_shows_and_can_be_reset(table: OperatorsTable, session: Session) -> None:
    index = cell(table, "q_proj", "weights")
    plain = float(table.model.data(cell(table, "q_proj", "bytes"), EditRole))
    assert table.model.setData(index, "fp8")
    assert session.store.study.overrides == (Override(row="q_proj", weights="fp8"),)
    row = table.model.rows[cell(table, "q_proj", "name").row()]
    assert table.delegate.marked(row)
    assert "reset" in table.model.data(cell(table, "q_proj", "weights"), Qt.ItemDataRole.ToolTipRole)
    assert float(table.model.data(cell(table, "q_proj", "bytes"), EditRole)) < plain
    select(table, "q_proj")
    table.reset()
    assert session.store.study.overrides == ()


def test_as_the_model_in_the_choice_clears_an_override(qtbot, table: OperatorsTable, session: Session) -> None:
    table.model.setData(cell(table, "q_proj", "weights"), "fp8")
    table.view.edit(cell(table, "q_proj", "weights"))
    choice = table.view.findChild(ChoiceCell)
    assert choice.currentData() == "fp8"
    choice.setCurrentIndex(0)
    choice.activated.emit(0)
    assert session.store.study.overrides == ()


def test_a_models_row_offers_only_what_can_be_overridden(table: OperatorsTable) -> None:
    editable = Qt.ItemFlag.ItemIsEditable
    for key in ("name", "kind", "count", "dims", "flops"):
        assert not cell(table, "q_proj", key).flags() & editable
    for key in ("weights", "activations", "kv", "output", "accumulate"):
        assert cell(table, "q_proj", key).flags() & editable


def test_detached_rows_have_the_same_figures(table: OperatorsTable, session: Session) -> None:
    table.model.setData(cell(table, "q_proj", "weights"), "fp8")
    table.model.setData(cell(table, "act_fn", "fused"), Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole)
    before = session.state.evaluation
    table.detach()
    after = session.state.evaluation
    assert session.store.study.active_model == ""
    assert session.store.study.models
    assert [r.name for r in after.rows] == [r.name for r in before.rows]
    for a, b in zip(before.devices, after.devices, strict=True):
        assert float(b.totals.time_s) == pytest.approx(float(a.totals.time_s), rel=1e-9)
        assert b.shares == pytest.approx(a.shares, rel=1e-9)
        one, other = b.totals.traffic, a.totals.traffic
        for field in ("flops", "bytes", "weights_streamed"):
            assert getattr(one, field) == pytest.approx(getattr(other, field), rel=1e-9)
        assert one.moved.of("kv_read") == pytest.approx(other.moved.of("kv_read"), rel=1e-9)


def test_a_copy_pastes_back_as_rows_with_the_same_figures(table: OperatorsTable, session: Session) -> None:
    select(table, "q_proj", "attention", "first")
    table.copy()
    copied = QGuiApplication.clipboard().text()
    assert copied.splitlines()[0] == (
        "# Llama-3.1-8B, decode, batch 8, context 4,096, weights bf16, activations bf16, KV bf16, launch graph, "
        "on NVIDIA H100 SXM5 80GB, ratios to NVIDIA H100 SXM5 80GB"
    )
    assert copied.splitlines()[1].startswith("Operator\tKind\tCalls")
    table.paste()
    assert session.store.undo_stack.count() == 1
    figures = {r.name: (r.costs, r.row.count) for r in table.model.rows}
    for name in ("q_proj", "attention", "first"):
        assert figures[f"{name} 2"] == figures[name]


def test_good_lines_are_pasted_in_one_step_and_bad_ones_listed(table: OperatorsTable, session: Session) -> None:
    QGuiApplication.clipboard().setText("mine\tmatmul\t2\tm=1 n=2 k=3\nodd\tmatmul\t1,5\nodd\tnone\n")
    table.paste()
    assert session.store.undo_stack.count() == 1
    assert own(session, "mine").count == 2.0
    lines = [table.problem_list.list.item(i).text() for i in range(table.problem_list.list.count())]
    assert [line.partition(":")[0] for line in lines] == ["line 2, count", "line 3, kind"]
    table.problem_list.reject()


def test_a_drag_puts_own_rows_elsewhere(table: OperatorsTable, session: Session, monkeypatch) -> None:
    data = QMimeData()
    data.setData(MIME, b"own:b")
    table.view.scrollToBottom()
    rect = table.view.visualRect(cell(table, "first", "name"))
    at = QPointF(rect.center().x(), rect.top() + 2)
    event = QDropEvent(
        at, Qt.DropAction.MoveAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QEvent.Type.Drop
    )
    monkeypatch.setattr(type(event), "source", lambda _self: table.view)
    table.view.dropEvent(event)
    assert [o.name for o in session.store.study.operators] == ["second", "first"]


def test_new_names_never_repeat(table: OperatorsTable) -> None:
    table.add_row()
    table.add_row()
    table.detach()
    assert len(set(names(table))) == len(names(table))


def test_a_row_of_an_unknown_kind_says_so_in_place_of_figures(table: OperatorsTable, session: Session) -> None:
    study = session.store.study
    session.store.put(replace(study, operators=(replace(study.operators[0], kind="gone"),)))  # no edit could do this
    row = table.model.rows[-1]
    assert "gone" in table.delegate.fault(row)
    assert not table.grab().isNull()


def test_columns_are_chosen_and_kept(table: OperatorsTable, session: Session, kept) -> None:
    session.store.set_view(selection=("q_proj",))
    table.choose_column("dims", show=True)
    table.choose_column("device_times", show=True)
    shown = [c.key for c in table.model.columns]
    assert "dims" in shown
    assert sum(k.startswith("device_times@time@") for k in shown) == len(session.state.evaluation.devices)
    assert table.view.selected_keys() == ["model:q_proj"]
    again = OperatorsTable(session, kept)
    again.apply(None, session.state)
    assert [c.key for c in again.model.columns] == shown
    table.usual_columns()
    assert "dims" not in [c.key for c in table.model.columns]


def test_space_ticks_a_cell(qtbot, table: OperatorsTable, session: Session) -> None:
    index = cell(table, "first", "enabled")
    table.view.setCurrentIndex(index)
    qtbot.keyClick(table.view, Qt.Key.Key_Space)
    assert own(session, "first").enabled is False


def test_enter_on_a_figure_opens_the_form(qtbot, table: OperatorsTable, session: Session) -> None:
    table.view.setCurrentIndex(cell(table, "first", "flops"))
    qtbot.keyClick(table.view, Qt.Key.Key_Return)
    form = table.row_form
    form.dims["m"].line.setText("0,5")
    assert not form.buttons.buttons()[0].isEnabled()
    form.dims["m"].line.setText("16")
    form.fields["name"].line.setText("formed")
    form.accept()
    assert session.store.undo_stack.count() == 1
    assert own(session, "formed").dims["m"] == 16.0


def test_the_form_of_a_models_row_sets_overrides(qtbot, table: OperatorsTable, session: Session) -> None:
    table.view.setCurrentIndex(cell(table, "q_proj", "flops"))
    table.edit_row()
    box = table.row_form.boxes["weights"]
    box.setCurrentIndex(box.findData("fp8"))
    table.row_form.accept()
    assert session.store.study.overrides == (Override(row="q_proj", weights="fp8"),)


def test_an_empty_table_says_what_to_do(table: OperatorsTable, session: Session) -> None:
    session.store.edit("x", active_model="", operators=())
    assert table.view.empty_text().startswith("No operators")
    assert not table.grab().isNull()


def test_double_click_and_keys_start_editing(table: OperatorsTable) -> None:
    trigger = QAbstractItemView.EditTrigger
    assert table.view.editTriggers() & trigger.DoubleClicked
    assert table.view.editTriggers() & trigger.EditKeyPressed
