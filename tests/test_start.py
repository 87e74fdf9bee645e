"""What the program does before its first frame, and what it leaves for after it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QRect, QTranslator
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QWidget

from explorer.app import make_window, once_painted
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.presentation.palette import DARK, LIGHT
from explorer.presentation.quantities.numbers import CapacityUnit
from explorer.ui.look.theme import ThemeChoice
from explorer.ui.settings import Settings
from explorer.ui.window import MainWindow
from tests.first_frame import program, run
from tests.ui.conftest import held_windows, no_window_left, own_settings

__all__ = ["held_windows", "no_window_left", "own_settings"]

NEVER_BEFORE = (
    "asyncio", "csv", "email", "explorer.analysis.models.checkpoint.stored", "explorer.api", "explorer.bench",
    "explorer.files.importers", "explorer.files.models.model_file", "explorer.files.typed.arguments",
    "explorer.files.typed.pasted", "explorer.files.typed.typed_hardware", "explorer.presentation.answer.json_result",
    "explorer.presentation.roofline.hover",
    "explorer.presentation.slide.slide", "explorer.report.figure_export", "explorer.report.tables",
    "explorer.ui.documents.export_dialog",
    "explorer.ui.hardware.editor", "explorer.ui.forms.kind_editor",
    "explorer.ui.tables.measurements_table", "explorer.ui.tables.models_table", "http", "multiprocessing",
    "pyqtgraph", "PySide6.QtNetwork", "PySide6.QtSvg", "sqlite3", "ssl", "subprocess", "unittest", "urllib.request",
    "xml",
)  # fmt: skip


@pytest.fixture
def window(qapp) -> MainWindow:
    return make_window(opening_study(), Settings())


def test_no_module_is_loaded_that_the_first_frame_does_not_show(root: Path, tmp_path: Path) -> None:
    """The child fails by itself where the program reads its database or imports the live chart before the frame."""
    loaded = run(program("sorted(sys.modules)"), root, tmp_path)
    assert "explorer.ui.window" in loaded
    assert [name for name in loaded if name in NEVER_BEFORE] == []


def test_what_is_left_for_later_waits_for_the_first_paint(window: MainWindow, qtbot) -> None:
    painted: list[bool] = []
    still = window.roofline.still
    assert still is not None
    once_painted(window, lambda: painted.append(still.picture.layout is not None))
    window.show()
    qtbot.waitUntil(lambda: painted != [])
    assert painted == [True]


def test_a_window_that_is_never_painted_goes_on_all_the_same(window: MainWindow, qtbot) -> None:
    calls: list[int] = []
    once_painted(window, lambda: calls.append(1))
    qtbot.waitUntil(lambda: calls == [1])


class Signs(QTranslator):
    """A language that puts every text in brackets."""

    def translate(self, _context: str, source: str, *_: object) -> str:
        return f"⟦{source}⟧"

    def isEmpty(self) -> bool:  # noqa: N802 - Qt asks for this very name
        return False


@pytest.fixture
def foreign(qapp: QApplication) -> Iterator[None]:
    signs = Signs()
    qapp.installTranslator(signs)
    yield
    qapp.removeTranslator(signs)


def first_window(theme: ThemeChoice, unit: CapacityUnit) -> MainWindow:
    """The window that never goes on after its first frame."""
    settings = Settings()
    settings.theme, settings.capacity_unit = theme, unit
    made = make_window(opening_study(), settings)
    assert made.roofline.still is not None
    made.roofline.still.blockSignals(True)  # noqa: FBT003 - Qt has it so
    made.show()
    QApplication.processEvents()
    return made


def put_on_again(window: MainWindow) -> list[QImage]:
    """Pictures before and after the look is put on once more, as the preferences do it."""
    first = window.grab().toImage()
    window.apply_look()
    QApplication.processEvents()
    return [first, window.grab().toImage()]


@pytest.mark.parametrize("unit", ["GB", "GiB"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_the_first_frame_has_theme_and_unit_of_the_settings_in_every_part(qapp, theme, unit) -> None:
    window = first_window(theme, unit)
    shown = window.session.state
    assert (shown.look.theme, shown.look.unit) == (DARK if theme == "dark" else LIGHT, unit)
    assert f" {unit}" in window.decode_panel.memory.accessibleName()
    chart = window.roofline.still.grab().toImage()
    assert chart.pixelColor(3, 3) == QColor(shown.look.theme.panel)
    first, again = put_on_again(window)
    assert first == again


def test_the_first_frame_speaks_the_language_of_the_settings_in_every_part(qapp, foreign) -> None:
    window = first_window("light", "GB")
    assert window.roofline._figure.y_title.startswith("⟦")
    first, again = put_on_again(window)
    assert first == again


def places(window: MainWindow) -> dict[QWidget, QRect]:
    return {w: QRect(w.mapTo(window, w.rect().topLeft()), w.size()) for w in seen(window)}


def seen(window: MainWindow) -> list[QWidget]:
    # the live chart takes the still one's place; the list of devices gets a scroll bar with the database
    inside = (window.roofline, *window.roofline.findChildren(QWidget), window.picker.list.viewport())
    return [w for w in window.findChildren(QWidget) if w.isVisible() and w not in inside]


def test_nothing_moves_when_the_parts_come_that_the_first_frame_did_not_need(window: MainWindow, qtbot) -> None:
    window.show()
    qtbot.waitExposed(window)
    QApplication.processEvents()
    before = places(window)
    window.take_catalogue(load_catalogue())
    for _ in range(5):
        QApplication.processEvents()
    after = places(window)
    assert {w: after.get(w) for w in before} == before


def test_a_table_behind_the_first_is_made_when_it_is_looked_for(window: MainWindow) -> None:
    tables = window.tables
    window.session.store.set_view(selection=("attention",))
    assert [tables.models, tables.measurements] == [tables.widget(1), tables.widget(2)]
    assert [row.entry.name for row in tables.models.model.rows] == ["Llama-3.1-8B"]
    assert tables.currentWidget() is tables.operators
    assert tables.tabText(1) == "Models 1"


def test_choosing_a_tab_shows_its_table_and_its_toolbar(window: MainWindow, qtbot) -> None:
    window.show()
    qtbot.waitExposed(window)
    window.tables.setCurrentIndex(2)
    assert window.tables.currentWidget() is window.tables.measurements
    assert window.tables.measurements.toolbar.isVisible()
    assert not window.tables.operators.toolbar.isVisible()
