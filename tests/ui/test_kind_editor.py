"""The editor of operator kinds."""

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QDialogButtonBox

from explorer.analysis.study.study import OwnRow, Study
from explorer.document.store import StudyStore
from explorer.files.catalogue import load_catalogue
from explorer.ui.forms.kind_editor import KindEditor
from explorer.ui.session import Session

# the offscreen platform says so for any window with a least size
pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")

Button = QDialogButtonBox.StandardButton


@pytest.fixture
def session() -> Session:
    return Session(StudyStore(Study()), load_catalogue(devices=False))


@pytest.fixture
def editor(qtbot, session: Session) -> KindEditor:
    made = KindEditor(session)
    qtbot.addWidget(made)
    return made


def ok(editor: KindEditor) -> bool:
    return editor.buttons.button(Button.Ok).isEnabled()


def test_a_copy_of_a_built_in_kind_is_edited_and_saved_in_one_step(editor: KindEditor, session: Session) -> None:
    editor.duplicate()
    editor.form.name.line.setText("my_matmul")
    editor.form.formulas["flops"].line.setText("4 * m * n * k")
    assert "= 67.1 MFLOP" in editor.form.formulas["flops"].note.text()  # 4 x 1 x 4096 x 4096
    editor.accept()
    assert session.store.undo_stack.count() == 1
    assert [k.id for k in session.store.study.kinds] == ["my_matmul"]
    assert session.store.study.kinds[0].flops == "4 * m * n * k"
    session.store.undo_stack.undo()
    assert session.store.study.kinds == ()


@pytest.mark.parametrize(
    "formula", ["", "q * m", "m *", "__import__('os')", "m - 2 * m", "m / (n - n)", "m.real", "9" * 600]
)
def test_a_wrong_formula_says_why_beside_it_and_keeps_ok_shut(
    editor: KindEditor, session: Session, formula: str
) -> None:
    editor.duplicate()
    editor.form.formulas["bytes_read"].line.setText(formula)
    assert editor.form.formulas["bytes_read"].fault
    assert editor.form.formulas["flops"].fault == ""
    assert not ok(editor)
    editor.accept()
    assert session.store.study.kinds == ()


def test_the_other_formulas_show_their_value_while_one_is_wrong(editor: KindEditor) -> None:
    editor.duplicate()
    editor.form.formulas["bytes_read"].line.setText("nothing")
    assert "33.6 MFLOP" in editor.form.formulas["flops"].note.text()
    assert editor.form.summary.text() == ""


@pytest.mark.parametrize("dims", ["m=1 m=2", "m", "m=1,5", "class=1", "a=1"])
def test_wrong_dims_keep_ok_shut(editor: KindEditor, dims: str) -> None:
    editor.new_kind()
    editor.form.dims.line.setText(dims)
    assert not ok(editor)


def test_derived_figures_are_read_line_by_line(editor: KindEditor) -> None:
    editor.new_kind()
    editor.form.derived.setPlainText("twice = 2 * values\nfour = 2 * twice")
    editor.form.formulas["flops"].line.setText("four")
    assert ok(editor)
    editor.form.derived.setPlainText("twice 2 * values")
    assert not ok(editor)
    assert "Line 1" in editor.form.derived_fault


def test_a_name_that_is_taken_is_refused(editor: KindEditor) -> None:
    editor.new_kind()
    editor.form.name.line.setText("matmul")
    assert editor.form.name.fault
    assert not ok(editor)


def test_built_in_kinds_can_only_be_read(editor: KindEditor) -> None:
    assert editor.form.name.line.isReadOnly()
    assert not editor.delete_button.isEnabled()
    editor.duplicate()
    assert not editor.form.name.line.isReadOnly()


def test_a_kind_in_use_is_not_deleted_and_the_rows_are_named(editor: KindEditor, session: Session) -> None:
    editor.new_kind()
    assert editor.save()
    kind = session.store.study.kinds[0]
    session.store.edit("Add", operators=(OwnRow(id="x", name="user of it", kind=kind.id),))
    editor.delete()
    assert session.store.study.kinds == (kind,)
    assert "user of it" in editor.remark.text()
    session.store.edit("Delete", operators=())
    editor.delete()
    assert session.store.study.kinds == ()


def test_rows_follow_a_renamed_kind_and_lose_dims_that_are_gone(editor: KindEditor, session: Session) -> None:
    editor.new_kind()
    editor.save()
    kind = session.store.study.kinds[0]
    session.store.edit("Add", operators=(OwnRow(id="x", name="x", kind=kind.id, dims={"values": 3.0}),))
    editor.form.name.line.setText("renamed")
    editor.form.dims.line.setText("things=5")
    for key in ("flops", "bytes_read", "bytes_written"):
        editor.form.formulas[key].line.setText("things")
    assert editor.save()
    assert session.store.study.operators == (OwnRow(id="x", name="x", kind="renamed"),)
    assert session.state.evaluation.problems == ()


def test_formulas_that_a_row_cannot_take_are_not_saved(editor: KindEditor, session: Session) -> None:
    editor.new_kind()
    editor.save()
    kind = session.store.study.kinds[0]
    session.store.edit("Add", operators=(OwnRow(id="x", name="odd row", kind=kind.id, dims={"values": 0.0}),))
    editor.form.formulas["flops"].line.setText("1 / values")
    assert ok(editor)
    assert not editor.save()
    assert "odd row" in editor.remark.text()
    assert session.store.study.kinds == (kind,)


def test_what_a_kind_has_besides_the_form_survives(editor: KindEditor, session: Session) -> None:
    editor.duplicate()
    editor.save()
    kind = session.store.study.kinds[0]
    assert kind.dims[0].en == "rows (tokens)"
    session.store.edit("x", kinds=(replace(kind, note="kept"),))
    editor._fill(kind.id)
    editor.form.meaning.line.setText("mine")
    editor.save()
    assert session.store.study.kinds[0].note == "kept"
    assert session.store.study.kinds[0].en == "mine"
