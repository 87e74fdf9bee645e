"""The export dialog shows the slide, offers what can be drawn, remembers in the study and says what was saved."""

from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractSpinBox, QComboBox, QLineEdit, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from explorer.analysis.study.slides import slide_of
from explorer.app import make_window
from explorer.files.study.examples import opening_study
from explorer.files.study.study import read_study, write_study
from explorer.presentation.views.declared import VIEWS
from explorer.report.figure_export import can_draw
from explorer.report.paper_sizes import SIZES
from explorer.ui.documents.export_dialog import ExportDialog
from explorer.ui.settings import Settings
from explorer.ui.window import MainWindow


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    return make_window(opening_study(), Settings())


@pytest.fixture
def dialog(window: MainWindow, qtbot: QtBot) -> ExportDialog:
    made = ExportDialog(window.session, window.settings, "roofline", window)
    made.show()
    qtbot.waitExposed(made)
    qtbot.waitUntil(lambda: made.preview.image is not None and not made.preview.waiting)
    return made


def test_the_preview_follows_what_is_typed_and_nothing_moves(dialog: ExportDialog, qtbot: QtBot) -> None:
    before, places = dialog.preview.image, _places(dialog)
    dialog.title.setText("Quite another title")
    assert dialog.preview.image is before  # not while one types
    qtbot.waitUntil(lambda: not dialog.preview.waiting)
    assert dialog.preview.image != before
    dialog.export(Path("/nowhere/at/all/a.png"))
    assert dialog.problem.text()
    assert _places(dialog) == places


def _places(dialog: ExportDialog) -> list[object]:
    shown = [dialog.size(), *(w.geometry() for w in dialog.findChildren(QWidget) if w.isVisible())]
    return [value.toTuple() if hasattr(value, "toTuple") else value.getRect() for value in shown]


def test_every_view_can_be_chosen_and_has_its_own_texts(dialog: ExportDialog, tmp_path: Path) -> None:
    dialog.title.setText("Of the roofline")
    shown = []
    for i in range(dialog.form.view.count()):
        dialog.form.view.setCurrentIndex(i)
        shown.append(dialog.view)
        assert dialog.title.text() == ("Of the roofline" if dialog.view == "roofline" else "")
        assert dialog.title.placeholderText()
        dialog.scale.setValue(0.5)
        assert dialog.export(tmp_path / f"{dialog.view}.png")
    assert shown == [v.name for v in VIEWS.values() if not v.bare]
    dialog.form.view.setCurrentIndex(0)
    assert dialog.title.text() == "Of the roofline"


def test_texts_blocks_size_and_theme_are_remembered_in_the_study_as_one_edit(
    dialog: ExportDialog, window: MainWindow, tmp_path: Path
) -> None:
    store = window.session.store
    dialog.title.setText("Mine")
    dialog.form.paragraphs["read"].setPlainText("one\ntwo")
    dialog.form.blocks["help"].setChecked(False)
    dialog.form.size_choice.setCurrentText("4:3")
    dialog.theme.setCurrentIndex(1)
    dialog.accept()
    kept = slide_of(store.study, "roofline")
    assert (kept.texts.title, kept.texts.read, kept.theme, kept.size) == ("Mine", "one\ntwo", "dark", SIZES["4:3"])
    assert kept.blocks is not None
    assert "help" not in kept.blocks
    assert store.dirty
    write_study(store.study, tmp_path / "a.roofline.yaml")
    assert read_study(tmp_path / "a.roofline.yaml").slides == store.study.slides
    again = ExportDialog(window.session, window.settings, "roofline", window)
    assert again.title.text() == "Mine"
    assert again.form.paragraphs["read"].toPlainText() == "one\ntwo"
    assert not again.form.blocks["help"].isChecked()
    assert again.form.size_choice.currentText() == "4:3"
    again.accept()
    store.undo_stack.undo()
    assert store.study.slides == ()
    assert not store.dirty


def test_looking_and_leaving_changes_nothing(dialog: ExportDialog, window: MainWindow) -> None:
    for i in range(dialog.form.view.count()):
        dialog.form.view.setCurrentIndex(i)
    dialog.reject()
    assert window.session.store.study.slides == ()
    assert not window.session.store.dirty


def test_what_was_proposed_comes_back_at_a_button(dialog: ExportDialog, window: MainWindow, tmp_path: Path) -> None:
    dialog.title.setText("Mine")
    dialog.remember()
    dialog.form.proposed.click()
    assert dialog.export(tmp_path / "a.svg")
    assert "Mine" not in (tmp_path / "a.svg").read_text("utf-8")
    assert window.session.store.study.slides == ()


def test_a_remembered_title_is_on_the_slide_of_the_command_line_too(window: MainWindow, tmp_path: Path) -> None:
    from explorer.report.figure_export import export_figure

    dialog = ExportDialog(window.session, window.settings, "memory", window)
    dialog.title.setText("Kept in the study")
    dialog.accept()
    export_figure(window.session.state.evaluation, tmp_path / "a.svg", view="memory")
    assert "Kept in the study" in (tmp_path / "a.svg").read_text("utf-8")


@pytest.mark.parametrize("size", [*SIZES.values(), (320, 320), (8000, 8000), (320, 8000)])
def test_only_scales_that_can_be_drawn_are_offered(dialog: ExportDialog, size: tuple[int, int]) -> None:
    dialog.width_box.setValue(size[0])
    dialog.height_box.setValue(size[1])
    for scale in (dialog.scale.minimum(), dialog.scale.value(), dialog.scale.maximum()):
        assert can_draw(size, scale)
    dialog.scale.setValue(100.0)
    width, height = (round(side * dialog.scale.value()) for side in size)
    assert dialog.form.pixels.text() == f"{width:,} × {height:,} pixels"
    assert (dialog.form.size_choice.currentText() == "Free") is (size not in SIZES.values())


def test_what_was_saved_and_where_is_said_and_can_be_copied(
    dialog: ExportDialog, window: MainWindow, tmp_path: Path
) -> None:
    heard: list[str] = []
    dialog.said.connect(heard.append)
    assert not dialog.path_button.isEnabled()
    assert dialog.export(tmp_path / "a.png")
    assert dialog.problem.text() == f"Saved: {tmp_path / 'a.png'}"
    assert heard == [dialog.problem.text()]
    assert window.settings.folder == tmp_path
    dialog.path_button.click()
    assert QGuiApplication.clipboard().text() == str(tmp_path / "a.png")
    with Image.open(tmp_path / "a.png") as image:
        assert image.size == (3200, 1800)


def test_all_views_are_saved_as_pages_with_their_own_texts(dialog: ExportDialog, tmp_path: Path) -> None:
    dialog.title.setText("Of the roofline alone")
    assert dialog.export_deck(tmp_path / "deck.pdf")
    assert (tmp_path / "deck.pdf").read_bytes().startswith(b"%PDF")


def test_the_slide_is_copied_as_picture_and_as_svg(dialog: ExportDialog) -> None:
    dialog.title.setText("Copied")
    dialog.copy_button.click()
    data = QGuiApplication.clipboard().mimeData()
    assert data.hasImage()
    assert b"Copied" in bytes(data.data("image/svg+xml").data())
    assert QGuiApplication.clipboard().image().width() == 3200


def test_axes_are_pinned_as_they_are_and_set_free_again(dialog: ExportDialog, window: MainWindow) -> None:
    dialog.form.pinned.setChecked(True)
    view = window.session.store.study.view
    assert view.x_range is not None
    assert view.y_range is not None
    window.session.store.edit_workload("Batch", batch=64)
    assert window.session.store.study.view.x_range == view.x_range
    dialog.form.pinned.setChecked(False)
    assert window.session.store.study.view.x_range is None
    study = window.session.store.study
    window.session.store.put(replace(study, view=replace(study.view, x_range=(-1.0, 3.0), y_range=(9.0, 15.0))))
    assert ExportDialog(window.session, window.settings, "roofline", window).form.pinned.isChecked()


def test_it_fits_a_small_screen_and_every_input_has_a_name(dialog: ExportDialog) -> None:
    assert dialog.width() <= 1280
    assert dialog.height() <= 760
    kinds = (QComboBox, QLineEdit, QPlainTextEdit, QAbstractSpinBox)
    inputs = [w for kind in kinds for w in dialog.findChildren(kind) if not w.objectName().startswith("qt_")]
    assert inputs
    assert all(w.accessibleName() for w in inputs)
    assert all(b.text() for b in dialog.findChildren(QPushButton))


def test_texts_of_blocks_that_are_left_out_cannot_be_typed(dialog: ExportDialog) -> None:
    dialog.form.view.setCurrentIndex(dialog.form.view.findData("compare"))
    for name in ("help", "read"):
        assert dialog.form.paragraphs[name].isEnabled() is dialog.form.blocks[name].isChecked()
    dialog.form.blocks["help"].setChecked(True)
    assert dialog.form.paragraphs["help"].isEnabled()
    dialog.slide.setChecked(False)
    assert not any(text.isEnabled() for name, text in dialog.form.paragraphs.items() if name != "footer")
    assert dialog.title.isEnabled()
