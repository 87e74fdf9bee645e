"""A change of theme, unit or language is one new Look, and every panel takes it on."""

import ast
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QSettings, Qt
from pytestqt.qtbot import QtBot

from explorer.app import make_window
from explorer.files.study.examples import opening_study
from explorer.presentation.look import Look
from explorer.presentation.palette import DARK, LIGHT
from explorer.presentation.views.declared import tab_views
from explorer.ui.session import Shown
from explorer.ui.settings import Settings
from explorer.ui.views.compare_tab import CompareTab
from explorer.ui.views.decode_tab import DecodeTab
from explorer.ui.views.memory_tab import MemoryTab
from explorer.ui.views.time_tab import TimeTab
from explorer.ui.window import MainWindow

OTHER = Look(DARK, "GiB", lambda _context, text: f"⟦{text}⟧")


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    made = make_window(opening_study(), Settings())
    made.show()
    qtbot.waitExposed(made)
    return made


def roofline_words(window: MainWindow) -> str:
    return window.roofline.go_live().figure.x_title


def time_words(window: MainWindow) -> str:
    tab = window.tabs.views["time"]
    assert isinstance(tab, TimeTab)
    return "" if tab.bars.view is None else tab.bars.view.title


def decode_words(window: MainWindow) -> str:
    tab = window.tabs.views["decode"]
    assert isinstance(tab, DecodeTab)
    return "" if tab.view is None else tab.view.title


def memory_words(window: MainWindow) -> str:
    tab = window.tabs.views["memory"]
    assert isinstance(tab, MemoryTab)
    return "" if tab.bars.chart is None else f"{tab.bars.chart.title} {tab.bars.chart.devices[0].now.text}"


def compare_words(window: MainWindow) -> str:
    tab = window.tabs.views["compare"]
    assert isinstance(tab, CompareTab)
    return "" if tab.panel.table is None else tab.panel.table.header


WORDS: dict[str, Callable[[MainWindow], str]] = {
    "roofline": roofline_words,
    "time": time_words,
    "decode": decode_words,
    "compare": compare_words,
    "memory": memory_words,
}


@pytest.mark.parametrize("name", [view.name for view in tab_views()])
def test_every_view_takes_on_a_new_look(window: MainWindow, qtbot: QtBot, name: str) -> None:
    window.session.store.set_view(tab=name)
    qtbot.waitUntil(lambda: WORDS[name](window) != "")
    assert "⟦" not in WORDS[name](window)
    window.session.set_look(OTHER)
    qtbot.waitUntil(lambda: WORDS[name](window).startswith("⟦"))
    if name == "memory":
        assert "GiB" in memory_words(window)


def test_panels_get_one_look_and_the_evaluation_stays(window: MainWindow) -> None:
    seen: list[tuple[Shown, Shown]] = []
    window.session.shown.connect(lambda old, new: seen.append((old, new)))
    window.session.set_look(OTHER)
    assert [(old.look.theme, new.look) for old, new in seen] == [(LIGHT, OTHER)]
    assert seen[0][0].evaluation is seen[0][1].evaluation


def test_a_tables_titles_follow_the_language_and_its_widths_a_theme_do_not(window: MainWindow) -> None:
    model = window.tables.operators.model
    view = window.tables.operators.view
    widths = [view.columnWidth(i) for i in range(model.columnCount())]
    window.session.set_look(Look(DARK))
    assert [view.columnWidth(i) for i in range(model.columnCount())] == widths
    window.session.set_look(OTHER)
    title = model.headerData(0, Qt.Orientation.Horizontal, Qt.ItemDataRole.DisplayRole)
    assert str(title).startswith("⟦")


def test_a_window_starts_in_the_look_of_the_settings(qapp: object, tmp_path: object) -> None:
    settings = Settings(QSettings(f"{tmp_path}/settings.ini", QSettings.Format.IniFormat))
    settings.theme, settings.capacity_unit = "dark", "GiB"
    window = make_window(opening_study(), settings)
    assert (window.session.state.look.theme, window.session.state.look.unit) == (DARK, "GiB")


def speaking(root: Path) -> dict[str, int]:
    """Functions that speak English unless a look is given, with how many arguments come before it."""
    found: dict[str, int] = {}
    for path in (*(root / "explorer" / "presentation").rglob("*.py"), *(root / "explorer" / "report").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
                names = [a.arg for a in node.args.args if a.arg != "self"]
                if "look" in names or "look" in [a.arg for a in node.args.kwonlyargs]:
                    found[node.name] = names.index("look") if "look" in names else len(names)
    return found


def test_the_window_says_nothing_without_its_look(root: Path) -> None:
    speak = speaking(root)
    assert {"render", "render_problem", "answer", "table_text"} <= set(speak)
    silent = []
    for path in (root / "explorer" / "ui").rglob("*.py"):
        for call in (n for n in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(n, ast.Call)):
            name = getattr(call.func, "id", "")
            given = len(call.args) > speak.get(name, 0) or any(k.arg in {"look", None} for k in call.keywords)
            if name in speak and not given:
                silent.append(f"{path.relative_to(root)}:{call.lineno} {name}")
    assert silent == []
