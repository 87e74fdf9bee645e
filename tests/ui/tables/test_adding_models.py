"""Presets, files of weights and configs edited in the window; models compared side by side."""

import json
from pathlib import Path

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QItemSelectionModel
from PySide6.QtWidgets import QDialogButtonBox

from explorer.analysis.ask.compare import model_figures
from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.edits import add_model
from explorer.files.models.model_file import read_model
from explorer.files.models.presets import load_presets
from explorer.ui.forms.config_form import ConfigForm
from explorer.ui.forms.preset_dialog import PresetDialog
from explorer.ui.session import Session
from explorer.ui.tables.models_table import ModelsTable
from tests.files.weights import llama_metadata, llama_tensors, write_gguf

Select = QItemSelectionModel.SelectionFlag
PRESETS = {p.id: p for p in load_presets()}


def select(table: ModelsTable, key: str) -> None:
    selection = table.view.selectionModel()
    selection.clearSelection()
    selection.setCurrentIndex(table.model.index(table.model.position(key), 1), Select.Select | Select.Rows)


def cell(table: ModelsTable, key: str, column: str) -> str:
    index = table.model.index(table.model.position(key), table.model.column_position(column))
    return str(table.model.data(index))


def test_words_narrow_the_presets_and_those_chosen_are_one_step(models: ModelsTable, session: Session) -> None:
    models.add_preset()
    dialog = models.preset_dialog
    dialog.needle.setText("moe qwen3")
    assert {p.id for p in dialog.presets if not _hidden(dialog, p.id)} == {
        "qwen3-30b-a3b", "qwen3-235b-a22b", "qwen3-next-80b-a3b"
    }  # fmt: skip
    dialog.list.selectAll()
    assert len(dialog.chosen()) == 3
    dialog.accept()
    assert [m.id for m in session.store.study.models][-3:] == ["qwen3-30b-a3b", "qwen3-235b-a22b", "qwen3-next-80b-a3b"]
    assert session.store.study.active_model == "qwen3-next-80b-a3b"
    assert session.store.undo_stack.count() == 1


def test_a_presets_layers_are_told_whole_below_the_fold_too(models: ModelsTable, session: Session) -> None:
    tree = PresetDialog(session, lambda _entries: None, models).list
    items = [tree.topLevelItem(i) for i in range(tree.topLevelItemCount())]
    longest = max(tree.fontMetrics().horizontalAdvance(item.text(1)) for item in items if item is not None)
    assert tree.columnWidth(1) > longest


def _hidden(dialog: PresetDialog, ident: str) -> bool:
    at = [p.id for p in dialog.presets].index(ident)
    item = dialog.list.topLevelItem(at)
    assert item is not None
    return item.isHidden()


def test_nothing_found_cannot_be_added(models: ModelsTable) -> None:
    models.add_preset()
    dialog = models.preset_dialog
    dialog.needle.setText("no such model")
    assert dialog.chosen() == []
    assert not dialog.add_button.isEnabled()
    dialog.accept()
    assert dialog.isVisible()
    dialog.reject()


def test_a_preset_is_edited_as_json_with_a_live_check(models: ModelsTable, session: Session) -> None:
    session.store.put(add_model(session.store.study, PRESETS["qwen3-8b"]))
    select(models, "qwen3-8b")
    models.edit_action.trigger()
    form: ConfigForm = models.config_form
    ok = form.buttons.button(QDialogButtonBox.StandardButton.Ok)
    text = form.editor.toPlainText()
    form.editor.setPlainText(text.replace('"num_hidden_layers": 36', '"num_hidden_layers": 0'))
    form.check()
    assert not ok.isEnabled()
    assert "num_hidden_layers" in form.status.text()
    form.editor.setPlainText(text.replace('"num_hidden_layers": 36', '"num_hidden_layers": 18'))
    form.check()
    assert ok.isEnabled()
    form.accept()
    changed = next(m for m in session.store.study.models if m.id == "qwen3-8b")
    assert changed.config is not None
    assert changed.config["num_hidden_layers"] == 18
    session.store.undo_stack.undo()
    assert PRESETS["qwen3-8b"].config in [m.config for m in session.store.study.models]


def test_models_stand_side_by_side_at_the_current_workload(models: ModelsTable, session: Session) -> None:
    session.store.put(add_model(session.store.study, PRESETS["llama-3.1-70b"]))
    session.store.edit("Use", active_model="llama-3.1-8b")
    models.later.finish()
    totals = session.state.evaluation.active.totals  # type: ignore[union-attr]
    assert models.figures["llama-3.1-8b"].floor_s == pytest.approx(float(totals.floor_s))  # type: ignore[union-attr]
    assert cell(models, "llama-3.1-70b", "floor") == "44.7 ms"
    before = cell(models, "llama-3.1-70b", "memory")
    session.store.edit_workload("Batch", batch=64)
    models.later.finish()
    assert cell(models, "llama-3.1-70b", "memory") != before


def test_every_model_is_evaluated_as_if_it_were_the_active_one(session: Session) -> None:
    study = replace(add_model(session.store.study, PRESETS["qwen3-30b-a3b"]), operators=())
    active = evaluate(study, session.catalogue).active
    assert active is not None
    beside = evaluate(replace(study, active_model=session.store.study.active_model), session.catalogue)
    figures = model_figures(beside, PRESETS["qwen3-30b-a3b"])
    assert figures is not None
    assert figures.floor_s == pytest.approx(float(active.totals.floor_s), rel=1e-12)
    assert figures.memory_bytes == float(active.totals.memory_bytes)


def test_an_encoder_has_no_figures_in_decode(session: Session) -> None:
    study = add_model(session.store.study, PRESETS["bert-base"])
    beside = evaluate(replace(study, active_model=session.store.study.active_model), session.catalogue)
    assert model_figures(beside, PRESETS["bert-base"]) is None
    assert model_figures(beside, PRESETS["llama-3.1-8b"]) is not None


def test_a_file_of_weights_joins_the_study_with_its_own_bytes(
    models: ModelsTable, session: Session, tmp_path: Path
) -> None:
    path = write_gguf(tmp_path / "Llama-3.1-8B-Q4_K_M.gguf", llama_metadata(), llama_tensors())
    session.store.put(add_model(session.store.study, read_model(path)))
    models.later.finish()
    key = session.store.study.active_model
    assert cell(models, key, "weights_size") == "4.91 GB"
    assert session.state.evaluation.problems == ()


def test_a_model_with_tensors_refuses_a_config_that_is_not_theirs(
    models: ModelsTable, session: Session, tmp_path: Path
) -> None:
    path = write_gguf(tmp_path / "a.gguf", llama_metadata(), llama_tensors())
    session.store.put(add_model(session.store.study, read_model(path)))
    select(models, session.store.study.active_model)
    models.edit_entry()
    config = json.loads(models.config_form.editor.toPlainText())
    models.config_form.editor.setPlainText(json.dumps(config | {"intermediate_size": 512}))
    models.config_form.check()
    assert "do not belong together" in models.config_form.status.text()
    models.config_form.reject()
