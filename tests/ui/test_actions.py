"""Words and keys of what a user can do stand in one table, and every place reads it."""

import re
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.analysis.study.study import View
from explorer.app import make_window
from explorer.files.study.examples import opening_study
from explorer.plot.live.chart_keys import _ACTS, _KEYS
from explorer.presentation.actions import ACTIONS, MENUS, VIEW_KEYS, Action, action_of
from explorer.presentation.views.declared import tab_views
from explorer.ui.actions import SLOTS, in_menus, shortcut_rows
from explorer.ui.settings import Settings
from explorer.ui.views.chart_menu import chart_menu
from explorer.ui.window import MainWindow

STANDARD = QKeySequence.StandardKey
OF_THE_DESKTOP = (STANDARD.Copy, STANDARD.Paste, STANDARD.Delete, STANDARD.Undo, STANDARD.Redo)
BY_QT = {"next_point", "previous_point"}  # Tab moves the focus: Qt asks the chart where to


@pytest.fixture
def window(qtbot: QtBot) -> MainWindow:
    made = make_window(opening_study(), Settings())
    made.show()
    qtbot.waitExposed(made)
    return made


def keys_of(action: Action) -> list[str]:
    return [k for k in (action.shortcut, *action.on_chart, action.on_table) if k]


def sequence(text: str) -> str:
    return QKeySequence(text).toString(QKeySequence.SequenceFormat.PortableText)


def test_no_key_stands_for_two_actions_nor_for_what_the_desktop_does(qapp: QApplication) -> None:
    written = Counter(sequence(key) for action in ACTIONS for key in keys_of(action))
    assert [key for key, times in written.items() if times > 1] == []
    taken = {sequence(s.toString()) for standard in OF_THE_DESKTOP for s in QKeySequence.keyBindings(standard)}
    assert taken & set(written) == set()


def test_no_key_of_a_view_is_that_of_an_action(qapp: QApplication) -> None:
    assert {sequence(k) for k in VIEW_KEYS} & {sequence(k) for a in ACTIONS for k in keys_of(a)} == set()
    assert len(tab_views()) <= len(VIEW_KEYS)


def test_an_action_has_one_name_in_menu_and_context_menu() -> None:
    assert [a.key for a in ACTIONS if a.in_chart and a.menu and a.text.replace("&", "") != a.in_chart] == []


def test_a_key_for_each_view_goes_to_it(window: MainWindow, qtbot: QtBot) -> None:
    for view, key in reversed(list(zip(tab_views(), VIEW_KEYS, strict=False))):
        qtbot.keyClick(window, Qt.Key(ord(key[-1])), Qt.KeyboardModifier.AltModifier)
        qtbot.waitUntil(lambda name=view.name: window.tabs.current_view() == name)


def test_every_key_is_one_that_qt_knows(qapp: QApplication) -> None:
    assert [k for a in ACTIONS for k in keys_of(a) if sequence(k) != k and k != "Ins"] == []
    assert all(QKeySequence(k).count() == 1 for a in ACTIONS for k in keys_of(a))


def test_no_shortcut_is_written_a_second_time(root: Path) -> None:
    """A key in quotes belongs into the table; `Ctrl+C` in a sentence is no shortcut of ours."""
    keys = {k for a in ACTIONS for k in keys_of(a) if len(k) > 1 and k not in {"Left", "Right", "Up", "Down"}}
    table = root / "explorer" / "presentation" / "actions.py"
    quoted = re.compile("|".join(rf'"{re.escape(key)}"' for key in sorted(keys)) + r'|"(?:Ctrl|Alt|Shift|Meta)\+[^"]+"')
    found = [
        f"{path.relative_to(root)}: {match[0]}"
        for path in (root / "explorer").rglob("*.py")
        if path != table
        for match in quoted.finditer(path.read_text("utf-8"))
    ]
    assert found == []


def test_every_action_has_a_name_of_its_own_and_every_menu_is_there() -> None:
    assert len({a.key for a in ACTIONS}) == len(ACTIONS)
    assert {a.menu for a in ACTIONS if a.menu} == {key for key, _title in MENUS}


def test_every_action_of_the_menus_calls_the_method_of_its_name() -> None:
    class Asked:
        def __getattr__(self, name: str) -> str:
            return name

    assert {key: slot(Asked()) for key, slot in SLOTS.items()} == {a.key: a.key for a in in_menus()}  # type: ignore[arg-type]


def test_every_key_of_the_chart_does_something() -> None:
    on_chart = {a.key for a in ACTIONS if a.on_chart}
    assert on_chart - BY_QT == set(_ACTS)
    assert set(_KEYS.values()) - BY_QT == set(_ACTS)
    assert _KEYS[Qt.Key.Key_Plus] == _KEYS[Qt.Key.Key_Equal] == "zoom_in"


def test_the_charts_menu_shows_the_keys_that_work_on_the_chart(window: MainWindow) -> None:
    menu = chart_menu(window.roofline, View(), (), window)
    shown = {a.text(): a.shortcut().toString() for a in menu.actions() if a.text()}
    wanted = {a.in_chart: next(iter(a.on_chart), a.shortcut) for a in ACTIONS if a.in_chart}
    assert shown == wanted
    assert shown["Fit chart"] == "Home"
    assert shown["Export figure…"] == action_of("export_figure").shortcut
    menu.deleteLater()


def test_the_help_names_every_key(qapp: QApplication) -> None:
    told = ", ".join(keys for keys, _words in shortcut_rows()).split(", ")
    keys = [*(k for a in ACTIONS for k in keys_of(a)), *VIEW_KEYS[: len(tab_views())]]
    native = [QKeySequence(k).toString(QKeySequence.SequenceFormat.NativeText) for k in keys]
    assert sorted(told) == sorted(native)
    words = [text for _keys, text in shortcut_rows()]
    assert all(one != other for one, other in combinations(words, 2))


def test_a_tables_buttons_have_the_keys_of_the_table(window: MainWindow) -> None:
    operators = window.tables.operators
    assert operators.duplicate_action.shortcut() == QKeySequence(action_of("table_duplicate").on_table)
    assert action_of("table_duplicate").on_table in operators.duplicate_action.toolTip()


LED_BY_A_LINE = {
    "swap_baseline",
    "add_preset",
    "batch_up",
    "find_in_table",
    "fit",
    "fit_measurements",
    "per_value",
    "preferences",
    "quit",
    "save",
}


def test_lines_part_the_menus_before_these_actions() -> None:
    led = {action.key for action in ACTIONS if action.separator}
    assert led == LED_BY_A_LINE


def test_each_place_of_per_value_frees_both_pinned_axes(window: MainWindow) -> None:
    for turn in (window.actions_by_name["per_value"].trigger, lambda: window.roofline.switch("per_value")):
        window.session.store.set_view(x_range=(-1.0, 3.0), y_range=(9.0, 15.0))
        before = window.session.store.study.view.per_value
        turn()
        view = window.session.store.study.view
        assert view.per_value is not before
        assert (view.x_range, view.y_range) == (None, None)
