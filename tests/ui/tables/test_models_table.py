"""The Models table."""

from collections.abc import Callable

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QItemSelectionModel, Qt

from explorer.analysis.study.study import ModelEntry, QuickModel
from explorer.presentation.look import Look
from explorer.presentation.quantities.numbers import CapacityUnit
from explorer.ui.session import Session
from explorer.ui.tables.models_table import ModelsTable

# the offscreen platform says so for any window with a least size
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

Select = QItemSelectionModel.SelectionFlag


@pytest.fixture
def two(session: Session, models: ModelsTable) -> ModelsTable:
    quick = ModelEntry(id="q", name="quick", quick=QuickModel(params=7e9, layers=32, kv_heads=8, head_dim=128))
    study = session.store.study
    session.store.put(replace(study, models=(*study.models, quick)))
    return models


def select(table: ModelsTable, *keys: str) -> None:
    selection = table.view.selectionModel()
    selection.clearSelection()
    for key in keys:
        selection.setCurrentIndex(table.model.index(table.model.position(key), 1), Select.Select | Select.Rows)


def index(table: ModelsTable, key: str, column: str):
    return table.model.index(table.model.position(key), table.model.column_position(column))


EDITS: dict[str, Callable[[ModelsTable], object]] = {
    "use": lambda t: (select(t, "q"), t.activate()),
    "tick": lambda t: t.model.setData(index(t, "q", "active"), Qt.CheckState.Checked, Qt.ItemDataRole.CheckStateRole),
    "rename": lambda t: t.model.setData(index(t, "q", "model"), "renamed"),
    "size of the file": lambda t: t.model.setData(index(t, "q", "weights_size"), "4.1 GB"),
    "duplicate": lambda t: (select(t, "q"), t.duplicate()),
    "delete": lambda t: (select(t, "q"), t.delete()),
    "move": lambda t: (select(t, "q"), t.shift(-1)),
    "drop": lambda t: t.view.dropped.emit(["q"], t.model.rows[0].key),
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_every_edit_is_one_step_that_undo_takes_back_and_redo_repeats(two: ModelsTable, session: Session, edit) -> None:
    store = session.store
    before = store.study
    edit(two)
    after = store.study
    assert store.undo_stack.count() == 1
    assert after != before
    store.undo_stack.undo()
    assert store.study == before
    assert [r.entry for r in two.model.rows] == list(before.models)
    store.undo_stack.redo()
    assert [r.entry for r in two.model.rows] == list(after.models)


def test_a_step_of_a_slider_changes_nothing(two: ModelsTable, session: Session) -> None:
    announced: list[object] = []
    two.model.dataChanged.connect(lambda *_a: announced.append(1))
    session.store.edit_workload("Batch", batch=77)
    assert announced == []


def test_deleting_the_active_model_makes_its_neighbour_active(two: ModelsTable, session: Session) -> None:
    select(two, session.store.study.active_model)
    two.delete()
    assert session.store.study.active_model == "q"


def test_a_refused_config_says_why_and_the_others_stay(two: ModelsTable, session: Session) -> None:
    odd = ModelEntry(id="odd", name="odd", config={"model_type": "strange"})
    session.store.edit("Add", models=(*session.store.study.models, odd))
    row = two.model.rows[two.model.position("odd")]
    assert "strange" in two.delegate.fault(row)
    assert two.delegate.fault(two.model.rows[0]) == ""
    assert not two.grab().isNull()


def test_a_name_that_is_taken_is_refused(two: ModelsTable, session: Session) -> None:
    assert two.model.setData(index(two, "q", "model"), session.store.study.models[0].name) is False
    assert two.remark.text()


def test_a_quick_model_is_added_from_six_numbers(two: ModelsTable, session: Session) -> None:
    two.add_quick()
    form = two.quick_form
    form.fields["name"].line.setText("70B")
    form.fields["params"].line.setText("70B")
    form.fields["layers"].line.setText("80")
    form.fields["kv_heads"].line.setText("8")
    form.fields["head_dim"].line.setText("128")
    assert "140 GB" in form.summary.text()
    assert "328 kB" in form.summary.text()  # 2 x 80 x 8 x 128 x 2 bytes
    form.accept()
    assert session.store.undo_stack.count() == 1
    added = session.store.study.models[-1]
    assert added.quick == QuickModel(params=70e9, layers=80, kv_heads=8, head_dim=128)
    assert session.store.study.active_model == added.id


@pytest.mark.parametrize("text", ["1,5", "", "abc", "0", "1.5"])
def test_a_number_that_cannot_be_keeps_ok_shut(two: ModelsTable, session: Session, text: str) -> None:
    two.add_quick()
    two.quick_form.fields["layers"].line.setText(text)
    assert not two.quick_form.buttons.buttons()[0].isEnabled()
    two.quick_form.accept()
    assert session.store.undo_stack.count() == 0
    two.quick_form.reject()


def test_the_window_is_asked_for_a_config(qtbot, two: ModelsTable) -> None:
    with qtbot.waitSignal(two.config_requested):
        two.config_action.trigger()


def test_sizes_follow_the_unit_the_user_chose(two: ModelsTable, session: Session) -> None:
    assert two.model.data(index(two, "q", "weights_size")) == "14.0 GB"
    session.set_look(Look(unit="GiB"))
    assert two.model.data(index(two, "q", "weights_size")) == "13.0 GiB"


def test_the_size_of_a_models_file_is_typed_into_its_cell(two: ModelsTable, session: Session) -> None:
    key = session.store.study.models[0].id
    two.model.setData(index(two, key, "weights_size"), "4.92 GB")
    assert session.store.study.models[0].file_bytes == 4.92e9
    assert two.model.data(index(two, key, "weights_size")) == "4.91 GB"
    assert session.state.evaluation.model is not None
    assert session.state.evaluation.model.weights_format == "Q4_K_M"
    two.model.setData(index(two, key, "weights_size"), "")
    assert session.store.study.models[0].file_bytes is None


def test_a_size_that_no_file_of_the_model_has_is_said_while_it_is_typed(two: ModelsTable, session: Session) -> None:
    row = two.model.rows[0]
    column = next(c for c in two.model.columns if c.key == "weights_size")
    editor = two.make_editor(two, row, column)
    editor.setText("4 MB")
    assert not editor.accepts()
    assert editor.accessibleDescription().startswith("No file of this model takes 4,000,000 bytes")
    assert session.store.study.models[0].file_bytes is None


@pytest.mark.parametrize(("unit", "stored"), [("GB", 13e9), ("GiB", 13 * 2**30)])
def test_a_bare_size_keeps_the_unit_of_its_cell(
    two: ModelsTable, session: Session, qtbot, unit: CapacityUnit, stored: float
) -> None:
    session.set_look(Look(unit=unit))
    column = next(c for c in two.model.columns if c.key == "weights_size")
    editor = two.make_editor(two, next(r for r in two.model.rows if r.key == "q"), column)
    editor.selectAll()
    qtbot.keyClicks(editor, "13")
    assert editor.ghost == f"= 13 {unit}"
    assert editor.value() == stored
    assert two.model.setData(index(two, "q", "weights_size"), "13")
    quick = next(m for m in session.store.study.models if m.id == "q").quick
    assert quick is not None
    assert quick.file_bytes == stored


def test_a_bare_number_of_parameters_stays_in_billions(two: ModelsTable) -> None:
    two.add_quick()
    line = two.quick_form.fields["params"].line
    assert line.text() == "7B"
    for typed, stored, shown in (("8", 8e9, "8.00B"), ("8030000000", 8.03e9, "8.03B"), ("500M", 5e8, "500M")):
        line.setText(typed)
        assert two.quick_form.fields["params"].value == stored
        assert two.quick_form.summary.text().startswith(f"{shown} parameters")
    two.quick_form.reject()


VIT = {
    "model_type": "vit", "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
    "intermediate_size": 3072, "image_size": 224, "patch_size": 16, "num_channels": 3, "hidden_act": "gelu",
    "qkv_bias": True, "torch_dtype": "float32", "architectures": ["ViTForImageClassification"],
}  # fmt: skip


def test_models_that_run_once_are_counted_in_inputs_and_others_in_tokens(two: ModelsTable, session: Session) -> None:
    study = session.store.study
    session.store.put(replace(study, models=(*study.models, ModelEntry(id="vit", name="ViT", config=VIT))))
    session.store.edit_workload("Phase", phase="prefill")
    two.later.finish()
    keys = [c.key for c in two.model.columns]
    assert {"in_all", "inputs_per_s"} <= set(keys)
    figures = two.figures["vit"]
    assert figures is not None
    assert figures.tokens_per_input == 197  # 14 x 14 patches and one token of the class
    assert two.model.data(index(two, "vit", "in_all")) == "–"
    assert index(two, "vit", "inputs_per_s").data(Qt.ItemDataRole.UserRole) == figures.inputs_per_s
    assert figures.inputs_per_s == pytest.approx(8 / figures.floor_s)
    assert two.model.data(index(two, study.models[0].id, "inputs_per_s")) == "–"
    session.store.put(replace(study, models=(ModelEntry(id="vit", name="ViT", config=VIT),), active_model="vit"))
    assert "in_all" not in [c.key for c in two.model.columns]
    session.store.put(study)
    assert "inputs_per_s" not in [c.key for c in two.model.columns]
