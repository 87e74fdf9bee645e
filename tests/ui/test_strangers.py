"""A stranger's study in the window: every widget shows its names as they are, and nothing acts on them."""

from pathlib import Path

import pytest
from PySide6.QtGui import Qt
from PySide6.QtWidgets import QApplication, QDialog, QMenu, QMessageBox

from explorer.app import make_window, offer_recovery
from explorer.files.catalogue import load_catalogue
from explorer.files.study.study import write_study
from explorer.presentation.words.visible import one_line, visible
from explorer.ui.documents.save_place import may_replace
from explorer.ui.forms.problem_list import ProblemList
from explorer.ui.hardware.menus import fill_menu
from explorer.ui.settings import Settings, data_folder
from explorer.ui.window import MainWindow
from tests.strange_study import strange_study
from tests.strangers import IMAGE
from tests.ui.documents_seen import as_qt_shows
from tests.ui.surfaces import Surface, surfaces

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support (propagateSizeHints|raise)")
NAMES = {
    "image": IMAGE,
    "marks": "<b>&amp;&lt;R&D a[*]b {x} {0} %1 %n <a href='/dev/stdin'>c</a>",
}
ODD = f"{IMAGE}\n<b>\x1b[31m\x00\u202e\u2066\ttab {{x}} &amp; <!doctype> " + f"{IMAGE} long " * 400


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue()


@pytest.fixture(params=NAMES, ids=str)
def name(request) -> str:
    return NAMES[request.param]


@pytest.fixture
def window(qapp, qtbot, catalogue, tmp_path, name) -> MainWindow:
    settings = Settings()
    settings.hardware_folder = tmp_path / "hardware"
    made = make_window(strange_study(name, ODD.replace(IMAGE, name)), settings)
    made.take_catalogue(catalogue)
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    made.answer.later.finish()
    return made


def seen() -> list[Surface]:
    """What is shown now; fails where a text would act, be read as HTML or hide something."""
    QApplication.processEvents()
    found = [s for s in surfaces() if s.text]
    bad = [s for s in found if acts(s)]
    assert bad == []
    hidden = [s for s in found if visible(s.text) != s.text]
    assert hidden == []
    return found


def acts(surface: Surface) -> bool:
    if not surface.guessed or not Qt.mightBeRichText(surface.text):
        return False
    return bool(as_qt_shows(surface.text)[1]) or not surface.text.startswith('<p style="white-space: pre')


def shows(found: list[Surface], where: str, text: str) -> bool:
    return any(where in s.where and text in (as_qt_shows(s.text)[0] if s.guessed else s.text) for s in found)


def test_the_window_and_its_tables_show_the_names(window, qtbot, name):
    window.actions_by_name  # noqa: B018 - the window is made
    for table in (window.tables.operators, window.tables.models, window.tables.measurements):
        window.tables.setCurrentWidget(table)
        for column in table.every_column:
            table.choose_column(column.key.partition("@")[0], show=True)
        if hasattr(table, "later"):
            table.later.finish()
        table.view.selectRow(0)
        found = seen()
        assert shows(found, "cell", name)
    for tab in range(window.tabs.count()):
        window.tabs.setCurrentIndex(tab)
        seen()
    window.session.store.set_view(selection=(f"O {name}",))
    found = seen()
    assert shows(found, "BlockText", name) or shows(found, "ElidedLabel", name)  # whole in its tooltip
    assert shows(found, "QComboBox", f"M {name}")
    assert name.replace("[*]", "[*][*]") in window.windowTitle()
    assert name in window.answer.line.plain_text or f"d0 {name}"[:10] in window.answer.line.plain_text


def test_menus_show_the_names_and_give_them_no_shortcut(window, qtbot, name):
    store = window.session.store
    store.edit(f"Rename {name}", name="x")
    store.undo_stack.undo()
    store.undo_stack.redo()
    edit = window.actions_by_name["find_in_table"].associatedObjects()
    assert edit
    undo = next(a for m in window.menuBar().findChildren(QMenu) for a in m.actions() if a.text().startswith("&Undo"))
    assert undo.text() == f"&Undo Rename {name.replace('&', '&&')}"
    kinds = window.tables.operators.kinds
    kinds.open()
    texts = [kinds.list.item(i).text().strip() for i in range(kinds.list.count())]
    assert any(t.startswith(one_line(f"E {name}")) for t in texts)
    window.settings.add_recent(Path(f"/x/{name.replace('/', '')} \x1b.yaml"))
    window.file_menus.fill_recent()
    found = seen()
    assert shows(found, "action's tooltip", name.replace("/", ""))
    row = next(r for r in window.picker.model.rows if r.kind == "entry")
    menu = QMenu(window)
    fill_menu(menu, row, window.picker.commands, window.session.look.theme)
    seen()


def opened(monkeypatch) -> list[str]:
    """The dialogs that wait, by name, boxes by text: each is walked when it opens, and gone once it is answered."""
    found: list[str] = []

    def show(dialog: QDialog) -> int:
        found.append(dialog.text() if isinstance(dialog, QMessageBox) else type(dialog).__name__)
        dialog.show()
        seen()
        dialog.hide()
        return int(QMessageBox.StandardButton.Cancel) if isinstance(dialog, QMessageBox) else 0

    monkeypatch.setattr(QDialog, "exec", show)
    monkeypatch.setattr(QMessageBox, "exec", show)
    return found


def test_every_dialog_of_the_menus_shows_the_names(window, qtbot, monkeypatch, name):
    found = opened(monkeypatch)
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getOpenFileName", lambda *_a, **_k: ("", ""))
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getOpenFileNames", lambda *_a, **_k: ([], ""))
    monkeypatch.setattr("PySide6.QtWidgets.QFileDialog.getSaveFileName", lambda *_a, **_k: ("", ""))
    for key, action in window.actions_by_name.items():
        if key not in {"quit", "new_study", "measure_operators", "measure_ceilings", "trace_model"}:
            action.trigger()
    seen()
    assert set(found) >= {"KindEditor", "StudyNotes", "About", "Conventions", "Shortcuts"}


def test_forms_of_rows_models_and_measurements_show_the_names(window, qtbot, name):
    tables = window.tables
    for table, act in (
        (tables.operators, "edit_row"), (tables.models, "edit_entry"), (tables.measurements, "edit_entry"),
        (tables.models, "add_preset"), (tables.models, "add_quick"), (tables.measurements, "add"),
    ):  # fmt: skip
        tables.setCurrentWidget(table)
        table.view.setCurrentIndex(table.model.index(0, 0))
        getattr(table, act)()
        found = seen()
        assert any(isinstance(w, QDialog) and w.isVisible() for w in QApplication.topLevelWidgets()), act
        assert found
        for dialog in [w for w in QApplication.topLevelWidgets() if isinstance(w, QDialog)]:
            dialog.hide()
    faults = window.tables.operators
    QApplication.clipboard().setText(f"{name}\tnothing {name}\n")
    tables.setCurrentWidget(tables.operators)
    faults.paste()
    assert isinstance(faults.problem_list, ProblemList)
    seen()


def test_hardware_dialogs_show_the_names(window, qtbot, monkeypatch, name):
    found = opened(monkeypatch)
    commands = window.picker.commands
    for row in [r for r in window.picker.model.rows if r.kind == "entry"][:2]:
        commands.edit(row)
        commands.count_wanted.emit(row)
        commands.update(row)
        commands.what_if(row)
    assert found
    editor = window.picker.list.count_editor
    assert as_qt_shows(editor.toolTip())[1] == []
    assert "\n" not in editor.accessibleName()


def test_questions_show_the_names(window, qtbot, monkeypatch, tmp_path, name):
    found = opened(monkeypatch)
    window.session.store.edit("x", notes="y")
    assert not window.documents.may_leave()
    assert not may_replace(window, f"{name}\x1b")
    path = tmp_path / f"s {name.replace('/', '')}.roofline.yaml"
    write_study(window.session.store.study, path)
    window.session.store.undo_stack.setClean()
    assert window.documents.open(path)
    path.write_text("changed")
    window.documents.save()
    assert len(found) == 3
    assert all(name.replace("/", "")[:10] in text.replace("/", "") for text in found)
    window.documents.open(tmp_path / f"gone {name.replace('/', '')}\x1b.yaml")
    assert name.replace("/", "") in window.notice.label.text()
    seen()


def test_a_study_left_behind_is_offered_by_its_name(window, qtbot, name):
    folder = data_folder() / "autosave"
    folder.mkdir(parents=True, exist_ok=True)
    write_study(strange_study(name), folder / "left.999999.roofline.yaml")
    offer_recovery(window)
    seen()


def test_measuring_dialogs_show_the_names(window, qtbot, monkeypatch, name):
    from explorer.ui.measure.ceilings_dialog import CeilingsDialog
    from explorer.ui.measure.counters_dialog import CountersDialog
    from explorer.ui.measure.measure_dialog import MeasureDialog
    from explorer.ui.measure.roof_fit_dialog import RoofFitDialog
    from explorer.ui.measure.trace_dialog import TraceDialog

    session, settings = window.session, window.settings
    dialogs = (
        RoofFitDialog(session, window), CountersDialog(session, window), MeasureDialog(session, settings, window),
        CeilingsDialog(session, settings, window.picker.user, window), TraceDialog(session, settings, window),
    )  # fmt: skip
    for dialog in dialogs:
        dialog.show()
        found = seen()
        dialog.hide()
    assert shows(found, "item", name) or shows(found, "cell", name)


def test_an_imported_file_shows_what_it_says(window, qtbot, tmp_path, name):
    path = tmp_path / f"t{name.replace('/', '')}.md"
    table = "| model | size | params | backend | ngl | test | t/s |\n| - | - | - | - | - | - | - |\n"
    words = name.replace("|", "")
    path.write_text(
        f"  Device 0: {words}\x1b, compute capability 8.0, VMM: yes\n{table}"
        f"| {words}\x1b[31m\u202e 7B Q4_0 | 3.56 GiB | 6.74 B | {words} | 99 | pp512 | 1000.00 ± 1 |\n"
        f"| {words} 7B Q4_0 | 3.56 GiB | 6.74 B | CUDA | 99 | {words} | none |\n",
        "utf-8",
    )
    window.documents.open(path)
    qtbot.waitUntil(lambda: any(n.startswith("import") for n in window.measuring.dialogs), timeout=10_000)
    found = seen()
    assert shows(found, "PlainLabel", words)
    assert shows(found, "PlainTable", words)
    dialog = next(d for n, d in window.measuring.dialogs.items() if n.startswith("import"))
    dialog.accept()
    window.tables.setCurrentWidget(window.tables.measurements)
    window.tables.measurements.later.finish()
    seen()


def test_names_of_a_thousand_letters_are_cut(window, qtbot, name):
    window.session.store.edit("x" * 100_000, notes="y")
    assert [(s.where, len(s.text)) for s in seen() if len(s.text) > 40_000] == []


@pytest.mark.parametrize("name", [IMAGE])
def test_the_shared_studies_show_their_names(window, qtbot, shared, name):
    folder = shared / "cases" / "hostile"
    if not folder.is_dir():
        pytest.skip("no hostile inputs beside this checkout")
    for file in ("html-names", "html-name-stdin-hang", "csv-formula-names"):
        window.session.store.undo_stack.setClean()
        assert window.documents.open(folder / f"{file}.roofline.yaml")
        seen()
        window.session.store.edit("x", notes="y")
        seen()
        window.session.store.undo_stack.setClean()
