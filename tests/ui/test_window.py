"""The window as a whole: opening, saving, dropping, undoing, looking."""

import json
from pathlib import Path

import pytest
import yaml
from msgspec.structs import replace
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QAction, QDropEvent
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSpinBox,
    QApplication,
    QComboBox,
    QLineEdit,
    QMessageBox,
    QSlider,
)

from explorer.analysis.study.study import Study
from explorer.app import make_window, offer_recovery
from explorer.document.autosave import left_behind
from explorer.files.catalogue import load_catalogue
from explorer.files.hardware.devices import write_device
from explorer.files.study.examples import example_studies, opening_study
from explorer.files.study.study import read_study, write_study
from explorer.presentation.views.declared import tab_views
from explorer.ui.dialogs import About, Conventions, Preferences, Shortcuts, StudyNotes, diagnostics
from explorer.ui.settings import Settings, data_folder
from tests.analysis.test_decode import LLAMA_2_13B
from tests.files.gguf_models import SMALL
from tests.files.weights import write_gguf


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue()


@pytest.fixture
def window(qapp, qtbot, catalogue):
    made = make_window(opening_study(), Settings())
    made.take_catalogue(catalogue)
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    return made


def answer_dialog(qtbot, kind: QMessageBox.StandardButton, monkeypatch) -> list[str]:
    asked: list[str] = []

    def answer(box: QMessageBox) -> int:
        asked.append(box.text())
        return kind

    monkeypatch.setattr(QMessageBox, "exec", answer)
    return asked


def drop(window, qtbot, *paths: Path) -> None:
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(p)) for p in paths])
    event = QDropEvent(
        QPointF(10, 10), Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    window.dropEvent(event)


def test_the_window_opens_with_an_example_and_an_answer(window):
    assert len(window.session.state.evaluation.devices) == 3
    assert "Llama" in window.windowTitle()
    window.roofline.describe()
    chart = window.roofline.chart or window.roofline.still
    assert "5.76 ms" in chart.accessibleDescription()
    assert "5.76" in window.answer.line.accessibleName() + window.answer.line.accessibleDescription()


def test_a_dropped_config_becomes_the_active_model(window, qtbot, tmp_path):
    path = tmp_path / "Llama-2-13b" / "config.json"
    path.parent.mkdir()
    path.write_text(json.dumps(LLAMA_2_13B))
    drop(window, qtbot, path)
    qtbot.waitUntil(lambda: len(window.session.store.study.models) == 2)
    assert window.session.state.evaluation.model.parameters == 13015864320
    assert window.header.model.currentText() == "Llama-2-13b"


def test_a_models_whole_name_is_in_sight(window):
    store = window.session.store
    model = replace(store.study.models[0], name="Qwen3-30B-A3B-Instruct-2507")
    store.put(replace(store.study, models=(model,)))
    chosen = window.header.model
    assert chosen.width() >= chosen.sizeHint().width()
    assert chosen.sizeHint().width() > chosen.fontMetrics().horizontalAdvance(model.name)


def test_a_dropped_device_joins_the_study(window, qtbot, tmp_path, catalogue):
    path = tmp_path / "mine.yaml"
    write_device(catalogue.device_by_id["nvidia-l40s"], path)
    drop(window, qtbot, path)
    qtbot.waitUntil(lambda: len(window.session.store.study.hardware) == 4)


def test_a_dropped_study_replaces_the_open_one(window, qtbot, tmp_path):
    path = tmp_path / "other.roofline.yaml"
    write_study(Study(name="other"), path)
    drop(window, qtbot, path)
    qtbot.waitUntil(lambda: window.session.store.study.name == "other")
    assert window.windowTitle().startswith("other.roofline.yaml")
    assert not window.session.store.dirty


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.json", b"{"),
        ("b.yaml", b"\x00\xff\xfe"),
        ("c.json", b'{"model_type": "nosuch"}'),
        ("d.yaml", b"hardware: 3\nformat: 1\n"),
        ("e.png", b"\x89PNG\r\n\x1a\n"),
        ("f.yaml", b""),
        ("g.json", b"[" * 100_000),
        ("h.yaml", b"memory: 3\npeaks: x\n"),
    ],
)
def test_a_bad_file_is_one_sentence_and_loses_nothing(window, tmp_path, name, content):
    before = window.session.store.study
    path = tmp_path / name
    path.write_bytes(content)
    assert not window.documents.open(path)
    assert window.notice.isVisible()
    text = window.notice.label.text()
    assert name in text
    assert "\n" not in text
    assert "Traceback" not in text
    assert window.session.store.study is before


def test_a_missing_file_is_said(window, tmp_path):
    assert not window.documents.open(tmp_path / "gone.yaml")
    assert "gone.yaml" in window.notice.label.text()


def test_saving_writes_what_reads_back_and_clears_the_mark(window, tmp_path):
    window.session.store.path = tmp_path / "mine.roofline.yaml"
    window.session.store.edit_workload("Batch", batch=77)
    assert window.isWindowModified()
    assert window.documents.save()
    assert not window.isWindowModified()
    assert read_study(window.session.store.path).workload.batch == 77
    assert window.settings.recent[0] == window.session.store.path.resolve()


def test_an_unwritable_place_is_said_and_the_study_stays_dirty(window, tmp_path):
    window.session.store.path = tmp_path / "no" / "such" / "folder" / "x.roofline.yaml"
    window.session.store.edit_workload("Batch", batch=77)
    assert not window.documents.save()
    assert window.notice.isVisible()
    assert window.session.store.dirty


def test_revert_goes_back_to_the_saved_study_and_can_be_undone(window, tmp_path):
    window.session.store.path = tmp_path / "mine.roofline.yaml"
    window.documents.save()
    window.session.store.edit_workload("Batch", batch=77)
    window.revert()
    assert window.session.store.study.workload.batch == 8
    window.session.store.undo_stack.undo()
    assert window.session.store.study.workload.batch == 77


def test_closing_with_edits_asks_and_cancel_keeps_the_window(window, qtbot, monkeypatch):
    window.session.store.edit_workload("Batch", batch=77)
    asked = answer_dialog(qtbot, QMessageBox.StandardButton.Cancel, monkeypatch)
    assert not window.close()
    assert asked


def test_discarding_on_close_removes_the_autosave(window, qtbot, monkeypatch):
    window.session.store.edit_workload("Batch", batch=77)
    window.autosave.save()
    assert window.autosave.path.is_file()
    answer_dialog(qtbot, QMessageBox.StandardButton.Discard, monkeypatch)
    assert window.close()
    assert not window.autosave.path.exists()


def test_edits_of_a_run_that_died_are_offered_again(window, qtbot):
    folder = data_folder() / "autosave"
    folder.mkdir(parents=True, exist_ok=True)
    write_study(Study(name="lost"), folder / "99999.autosave.roofline.yaml")
    assert [p.name for p in left_behind(folder)] == ["99999.autosave.roofline.yaml"]
    offer_recovery(window)
    assert "lost" in window.notice.label.text()
    window.notice.action.click()
    assert window.session.store.study.name == "lost"
    assert left_behind(folder) == []


def test_a_running_programs_autosave_is_not_offered(window):
    window.session.store.edit_workload("Batch", batch=77)
    window.autosave.save()
    assert left_behind(window.autosave.path.parent) == []


def test_undo_and_redo_are_in_the_menu_and_work(window):
    window.session.store.edit_workload("Batch", batch=77)
    undo = next(a for a in window.findChildren(QAction) if a.text().startswith("&Undo") or a.text() == "Undo Batch")
    undo.trigger()
    assert window.session.store.study.workload.batch == 8


def test_the_phase_switch_changes_the_step_and_its_menu(window):
    window.header.phases.buttons["prefill"].click()
    assert window.session.store.study.workload.phase == "prefill"
    assert window.actions_by_name["prefill"].isChecked()
    assert not window.actions_by_name["decode"].isChecked()
    window.actions_by_name["decode"].trigger()
    assert window.header.phases.buttons["decode"].isChecked()


def test_choosing_no_model_leaves_the_own_rows(window):
    window.header.model.setCurrentIndex(0)
    window.header.model.activated.emit(0)
    assert window.session.state.evaluation.rows == ()


def test_every_tab_can_be_looked_at(window):
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)
        assert window.session.store.study.view.tab == window.tabs.current_view()
        QApplication.processEvents()
    assert list(window.tabs.views) == [view.name for view in tab_views()]
    assert {"roofline", "time", "decode", "memory"} <= set(window.tabs.views)


def test_one_selection_is_shared_by_chart_table_and_inspector(window):
    window.session.store.set_view(selection=("attention",))
    assert [window.tables.operators.model.rows[i.row()].name for i in selected_rows(window)] == ["attention"]
    window.clear_selection()
    assert selected_rows(window) == []


def selected_rows(window):
    model = window.tables.operators.view.selectionModel()
    proxy = window.tables.operators.view.model()
    indexes = model.selectedRows()
    return [proxy.mapToSource(i) for i in indexes] if hasattr(proxy, "mapToSource") else indexes


def test_every_example_opens(window, qtbot, monkeypatch):
    answer_dialog(qtbot, QMessageBox.StandardButton.Discard, monkeypatch)
    window.file_menus.fill_examples()
    actions = window.file_menus.examples.actions()
    assert len(actions) == len(example_studies())
    for action in actions:
        action.trigger()
        QApplication.processEvents()
        assert window.session.state.evaluation.problems == ()
        assert window.session.state.evaluation.devices


def test_recent_files_open_again(window, tmp_path):
    path = tmp_path / "other.roofline.yaml"
    write_study(Study(name="other"), path)
    window.settings.add_recent(path)
    window.file_menus.fill_recent()
    window.file_menus.recent.actions()[0].trigger()
    assert window.session.store.study.name == "other"


def test_dialogs_open_and_close(window):
    for dialog in (Preferences(window.settings, window), Shortcuts(window), Conventions(window), About(window)):
        dialog.show()
        QApplication.processEvents()
        dialog.reject()
    assert "Qt" in diagnostics()


def test_preferences_change_theme_and_units_at_once(window):
    dialog = Preferences(window.settings, window)
    dialog.theme.setCurrentIndex(dialog.theme.findData("dark"))
    dialog.unit.setCurrentIndex(dialog.unit.findData("GiB"))
    dialog.accept()
    window.apply_look()
    assert window.session.state.look.theme.name == "dark"
    assert window.session.state.look.unit == "GiB"


def test_notes_are_edited_as_one_undo_step(window):
    dialog = StudyNotes(window.session, window)
    dialog.name.setText("my study")
    dialog.notes.setPlainText("why")
    dialog.accept()
    assert (window.session.store.study.name, window.session.store.study.notes) == ("my study", "why")
    assert window.session.store.undo_stack.count() == 1


def test_every_input_has_an_accessible_name(window):
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)
    kinds = (QLineEdit, QComboBox, QAbstractSpinBox, QSlider, QAbstractButton)
    nameless = [
        f"{type(w).__name__} in {type(w.parent()).__name__}"
        for kind in kinds
        for w in window.findChildren(kind)
        if not (w.accessibleName() or getattr(w, "text", str)() or w.toolTip())
        and not w.objectName().startswith("qt_")
        and not isinstance(w.parent(), QLineEdit)
        and type(w.parent()).__name__
        not in {"QComboBox", "QSpinBox", "QDoubleSpinBox", "QTabBar", "FlatTabBar", "QTableView", "TableView"}
    ]
    assert nameless == []


def test_a_bare_study_shows_empty_panels_and_no_fault(window, qtbot, monkeypatch):
    answer_dialog(qtbot, QMessageBox.StandardButton.Discard, monkeypatch)
    window.new_study()
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)
        QApplication.processEvents()
    assert window.session.state.evaluation.rows == ()


def test_a_saved_study_holds_no_path_and_nothing_that_runs(window, tmp_path):
    window.session.store.path = tmp_path / "mine.roofline.yaml"
    window.documents.save()
    text = window.session.store.path.read_text("utf-8")
    assert str(tmp_path) not in text
    assert yaml.safe_load(text)["format"] == 2


def test_find_goes_to_the_table(window):
    window.actions_by_name["find_in_table"].trigger()
    assert window.focusWidget() is window.tables.operators.find_field


def test_a_gguf_file_and_a_model_folder_join_the_study(window, tmp_path):
    small = SMALL["qwen3moe"]
    (tmp_path / "folder").mkdir()
    write_gguf(tmp_path / "folder" / "Other-MoE.gguf", small.metadata, small.tensors)
    assert window.documents.open(write_gguf(tmp_path / "Small-MoE-Q4_K_M.gguf", small.metadata, small.tensors))
    assert window.documents.open(tmp_path / "folder")
    names = [m.name for m in window.session.store.study.models]
    assert names[-2:] == ["Small-MoE-Q4_K_M", "Other-MoE"]
    model = window.session.state.evaluation.model
    assert model is not None
    assert model.stored is not None
    QApplication.processEvents()


def test_a_damaged_file_says_why_and_changes_nothing(window, tmp_path):
    path = tmp_path / "a.gguf"
    path.write_bytes(b"GGUF\x03\x00")
    before = window.session.store.study
    assert not window.documents.open(path)
    assert "a.gguf" in window.notice.label.text()
    assert window.session.store.study is before


@pytest.mark.parametrize("where", ["chart", "tables", "batch", "picker", "nowhere"])
def test_escape_clears_the_selection_wherever_the_keyboard_is(window, qtbot, where):
    rows = tuple(r.name for r in window.session.state.evaluation.rows[:2])
    window.session.store.set_view(selection=rows)
    widget = {
        "chart": window.roofline.chart or window.roofline.still,
        "tables": window.tables.operators.view,
        "batch": window.decode_panel.batch.slider,
        "picker": window.picker.list,
        "nowhere": window,
    }[where]
    widget.setFocus()
    qtbot.keyClick(widget, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: window.session.store.study.view.selection == ())


def test_escape_leaves_a_total_that_is_explained_before_it_clears_the_selection(window, qtbot):
    row = window.session.state.evaluation.rows[2].name
    window.session.store.set_view(selection=(row,))
    window.inspector.show_total("floor_s")
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.inspector.heading.text() == row
    qtbot.keyClick(window, Qt.Key.Key_Escape)
    assert window.session.store.study.view.selection == ()


def test_hiding_a_device_leaves_the_title_without_its_star_and_closing_asks_nothing(window, monkeypatch):
    monkeypatch.setattr(QMessageBox, "exec", lambda *_: pytest.fail("asked"))
    window.session.store.reset(window.session.store.study)
    row = next(r for r in window.picker.model.rows if r.kind == "entry" and not r.active)
    window.picker.commands.toggle(row)
    window.session.store.edit("No model", active_model="")
    assert not window.isWindowModified()
    assert window.close()
