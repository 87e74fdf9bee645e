"""A view is declared once: its tab, its exported figure and its name on the command line come of that."""

import importlib.util
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from msgspec.structs import replace
from PIL import Image
from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from explorer.analysis.step.evaluate import Evaluation
from explorer.app import make_window
from explorer.cli.main import main
from explorer.files.study.examples import opening_study
from explorer.plot.views import registered as painters
from explorer.plot.views.registered import register_painter
from explorer.presentation.look import Look
from explorer.presentation.palette import Theme
from explorer.presentation.views import declared
from explorer.presentation.views.declared import VIEWS, ViewSpec, register_build, register_view, tab_views
from explorer.ui.documents.export_dialog import ExportDialog
from explorer.ui.session import Session, Shown
from explorer.ui.settings import Settings
from explorer.ui.views import registered as tabs
from explorer.ui.views.registered import register_tab
from explorer.ui.window import MainWindow

GREEN = (0, 128, 0)


class Count(NamedTuple):
    """The figure of the dummy view."""

    rows: int


class CountTab(QLabel):
    """Its tab."""

    def __init__(self, _session: Session) -> None:
        super().__init__()

    def apply(self, _old: Shown | None, new: Shown) -> None:
        self.setText(str(len(new.evaluation.rows)))


def counted(evaluation: Evaluation, _look: Look, _texts: object) -> Count:
    return Count(len(evaluation.rows))


def paint_count(painter: QPainter, rect: QRectF, figure: Count, _theme: Theme) -> None:
    assert figure.rows > 0
    painter.fillRect(rect, "#008000")


@pytest.fixture
def dummy() -> Iterator[ViewSpec]:
    """A view that this test declares, in the four lines that any view needs."""
    view = ViewSpec("dummy", "Dummy")
    register_view(view)
    register_build("dummy", counted)
    register_painter(Count, paint_count)
    register_tab("dummy", CountTab)
    yield view
    del VIEWS["dummy"], declared._BUILDS["dummy"], painters._PAINTERS[Count], tabs._TABS["dummy"]


@pytest.fixture
def window(dummy: ViewSpec, qtbot: QtBot) -> MainWindow:
    made = make_window(opening_study(), Settings())
    made.show()
    qtbot.waitExposed(made)
    return made


def command(*arguments: str) -> int:
    return main(arguments, lambda _path: 0, lambda _path: 0)


def pixel(path: Path, x: int, y: int) -> object:
    with Image.open(path) as image:
        return image.convert("RGB").getpixel((x, y))


def test_a_declared_view_has_a_tab_that_shows_the_study(window: MainWindow) -> None:
    assert [window.tabs.tabText(i) for i in range(window.tabs.count())][-1] == "Dummy"
    window.session.store.set_view(tab="dummy")
    assert window.tabs.current_view() == "dummy"
    shown = window.tabs.views["dummy"]
    assert isinstance(shown, CountTab)
    assert shown.text() == str(len(window.session.state.evaluation.rows))


def test_the_export_dialog_writes_it_with_the_title_asked_for(window: MainWindow, tmp_path: Path) -> None:
    window.session.store.set_view(tab="dummy")
    dialog = ExportDialog(window.session, window.settings, window.tabs.current_view(), window)
    dialog.slide.setChecked(False)  # the view alone, without table and conditions
    dialog.scale.setValue(1.0)
    assert dialog.export(tmp_path / "plain.png")
    dialog.title.setText("Rows")
    assert dialog.export(tmp_path / "titled.png")
    assert pixel(tmp_path / "plain.png", 800, 30) == GREEN
    assert pixel(tmp_path / "titled.png", 800, 5) != GREEN
    assert pixel(tmp_path / "titled.png", 800, 800) == GREEN


def test_the_command_line_renders_and_names_it(
    dummy: ViewSpec, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert command("render", "--view", "dummy", "-o", str(tmp_path / "a.png")) == 0
    assert pixel(tmp_path / "a.png", 500, 500) == GREEN
    assert command("render", "--view", "nothing", "-o", str(tmp_path / "b.png")) == 2
    assert "dummy" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        command("render", "--help")
    assert "dummy" in capsys.readouterr().out


@pytest.mark.parametrize("name", list(VIEWS))
def test_every_view_has_the_modules_that_its_name_promises(name: str) -> None:
    module = VIEWS[name].module
    rooms = [f"explorer.presentation.views.{module}", f"explorer.plot.views.{module}"]
    if VIEWS[name].tab:
        rooms.append(f"explorer.ui.views.{name}_tab")
    assert [room for room in rooms if importlib.util.find_spec(room) is None] == []


def test_a_title_typed_for_the_chart_alone_is_drawn(qtbot: QtBot, tmp_path: Path) -> None:
    made = make_window(opening_study(), Settings())
    dialog = ExportDialog(made.session, made.settings, "roofline", made)
    dialog.slide.setChecked(False)
    dialog.title.setText("Typed by hand")
    assert dialog.export(tmp_path / "a.svg")
    written = (tmp_path / "a.svg").read_text("utf-8")
    assert "Typed by hand" in written
    assert "What would help" not in written


def test_a_study_whose_tab_is_unknown_opens_on_the_first_view(qtbot: QtBot) -> None:
    study = opening_study()
    made = make_window(replace(study, view=replace(study.view, tab="of a later version")), Settings())
    assert made.tabs.current_view() == tab_views()[0].name
