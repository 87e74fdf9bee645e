"""The pictures: every view in every size, every dialog, in one face, on contact sheets where asked."""

import ast
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QSettings
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from devtools.screenshots import __main__ as tool
from devtools.screenshots import dialogs, pictures
from devtools.screenshots.contact import contact_sheets
from devtools.screenshots.quiet import settle
from explorer.app import make_window
from explorer.files.study.examples import opening_study
from explorer.presentation.views.declared import tab_views
from explorer.ui.settings import Settings
from explorer.ui.widgets.after_paint import AfterPaint
from explorer.ui.window import MainWindow

UI = Path(__file__).parents[2] / "explorer" / "ui"
LAID_OUT_BY_ITS_HEIRS = {"JobDialog"}


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> MainWindow:
    made = make_window(opening_study(), Settings(QSettings(str(tmp_path / "s.ini"), QSettings.Format.IniFormat)))
    qtbot.addWidget(made)
    made.show()
    qtbot.waitExposed(made)
    return made


def test_every_dialog_of_the_program_is_drawn() -> None:
    bases = {"QDialog", *LAID_OUT_BY_ITS_HEIRS}
    found = {
        node.name
        for path in UI.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef) and bases & {ast.unparse(b) for b in node.bases}
    }
    assert found - LAID_OUT_BY_ITS_HEIRS <= set(vars(dialogs)), (
        "add it to PLAIN or MEASURED of devtools/screenshots/dialogs.py"
    )


def test_every_declared_view_is_drawn_in_every_size(window: MainWindow, monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = []
    monkeypatch.setattr(pictures, "settle", lambda *_: sizes.append(window.size().toTuple()))
    names = [name for name, _ in pictures.views(window)]
    assert names == [f"view-{view.name}-{size}" for size in pictures.SIZES for view in tab_views()]
    assert sizes == [size for size in ((1280, 800), (1600, 1000), (2560, 1440)) for _ in tab_views()]


@pytest.mark.parametrize("name", dialogs.PLAIN)
def test_a_dialog_can_be_made(window: MainWindow, qtbot: QtBot, name: str) -> None:
    dialog = dialogs.PLAIN[name](window)
    dialog.show()
    qtbot.waitExposed(dialog)
    dialog.hide()
    dialog.deleteLater()


def test_a_picture_waits_for_what_comes_after_the_paint(window: MainWindow) -> None:
    done: list[int] = []

    def slices() -> object:
        for i in range(40):
            done.append(i)
            QApplication.processEvents()
            yield

    work = AfterPaint(slices, window)  # type: ignore[arg-type]
    work.ask()
    settle(window)
    assert len(done) == 40
    assert not work.waiting


def test_contact_sheets_hold_all_pictures_of_a_kind(tmp_path: Path) -> None:
    for i in range(11):
        Image.new("RGB", (160, 100), "#102030").save(tmp_path / f"view-v{i}-small-light-1x.png")
    Image.new("RGB", (160, 100), "#102030").save(tmp_path / "dialog-about-dark-2x.png")
    assert contact_sheets(tmp_path) == 3
    found = sorted(p.name for p in tmp_path.glob("contact-*.png"))
    assert found == ["contact-dialog-dark-2x-1.png", "contact-view-light-1x-1.png", "contact-view-light-1x-2.png"]
    with Image.open(tmp_path / found[1]) as sheet:
        colours = {c for _, c in sheet.getcolors(1 << 24)}
    assert (16, 32, 48) in colours
    assert contact_sheets(tmp_path) == 3, "sheets are not put on sheets"


def test_pictures_are_drawn_in_one_face_and_refused_without_it(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = qapp.font()
    monkeypatch.setattr(QFontDatabase, "families", lambda *_: ["Other"])
    with pytest.raises(SystemExit, match="Inter, which is not installed"):
        tool.in_one_face(qapp)
    monkeypatch.setattr(QFontDatabase, "families", lambda *_: ["Other", "Inter"])
    tool.in_one_face(qapp)
    assert qapp.font().families()[0] == "Inter"
    qapp.setFont(before)
