"""The one place that makes labels, tooltips, questions, titles and texts of menus."""

import os
import subprocess
import sys

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import QKeySequence, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QListWidget, QMainWindow, QMenu, QMessageBox

from explorer.presentation.words.visible import one_line, visible
from explorer.ui.widgets.plain_text import (
    MOST_LINES,
    MOST_OF_A_TIP,
    PlainLabel,
    SafeBrowser,
    add_action,
    guard_copies,
    menu_text,
    message_box,
    progress_dialog,
    set_title,
    show_tip,
    tip,
)
from tests.strangers import FORMULAS, IMAGE, NAMES, ODD_NAMES
from tests.ui.documents_seen import as_qt_shows

ALL = (*NAMES, *ODD_NAMES)


def unbroken(text: str) -> str:
    return text.replace("\n", "")


def test_the_names_do_load_files_where_nobody_guards_against_it() -> None:
    shown, loaded = as_qt_shows(IMAGE)
    assert IMAGE not in shown
    assert loaded == ["file:///nowhere/mark.png"]


@pytest.mark.parametrize("name", ALL)
def test_a_tooltip_says_the_name_and_loads_nothing(name: str) -> None:
    shown, loaded = as_qt_shows(tip(name))
    assert loaded == []
    assert unbroken(visible(name)).startswith(unbroken(shown).rstrip("…"))
    assert len(shown) > 5 or shown == name
    assert len(shown) <= MOST_OF_A_TIP + 50


def test_a_tooltip_that_nobody_would_take_for_html_stays_as_it_is() -> None:
    for text in ("Twice the bandwidth", "R&D", "5 < 6", "two\nlines", "a\u2009b", ""):
        assert tip(text) == text


def test_a_tooltip_of_several_lines_keeps_them() -> None:
    assert as_qt_shows(tip("<b>one\n  two\tthree")) == ("<b>one\n  two\tthree", [])


def test_a_tooltip_shown_at_once_says_the_tag(qtbot, monkeypatch) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    shown: list[str] = []
    monkeypatch.setattr("PySide6.QtWidgets.QToolTip.showText", lambda _at, text, _widget: shown.append(text))
    show_tip(QPoint(5, 5), f"name {IMAGE}", window)
    assert as_qt_shows(shown[0]) == (f"name {IMAGE}", [])


@pytest.mark.parametrize("name", ALL)
def test_a_label_says_the_name(qtbot, name: str) -> None:
    label = PlainLabel(name)
    qtbot.addWidget(label)
    assert label.textFormat() == Qt.TextFormat.PlainText
    assert visible(name).startswith(label.text().rstrip("…"))
    label.setText("x")
    label.setText(name)
    assert visible(name).startswith(label.text().rstrip("…"))
    assert len(label.text()) <= 10_000


@pytest.mark.parametrize("name", ALL)
def test_a_menu_shows_the_name_without_a_shortcut_or_a_column(qtbot, name: str) -> None:
    menu = QMenu()
    qtbot.addWidget(menu)
    action = add_action(menu, name)
    shown = action.text().replace("&&", "&")
    assert "\t" not in shown
    assert one_line(name).startswith(shown.rstrip("…"))
    assert menu_text("R&D") == "R&&D"
    assert as_qt_shows(action.toolTip())[1] == []


def test_a_title_shows_the_mark_of_unsaved_changes_only_where_it_is_meant(qtbot) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    set_title(window, "a[*]b \x1b")
    assert window.windowTitle() == "a[*][*]b \\x1b", "Qt shows a doubled mark as the name's own"


@pytest.mark.parametrize("name", ALL)
def test_boxes_and_dialogs_say_the_name(qtbot, monkeypatch, name: str) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    box = message_box(window, QMessageBox.Icon.Warning, f"Save {name}?")
    assert box.textFormat() == Qt.TextFormat.PlainText
    assert visible(f"Save {name}?").startswith(box.text().rstrip("…"))
    dialog = progress_dialog(window, f"Reading {name}")
    assert {label.textFormat() for label in dialog.findChildren(QLabel)} == {Qt.TextFormat.PlainText}
    dialog.cancel()


def test_a_browser_shows_names_and_loads_nothing(qtbot) -> None:
    browser = SafeBrowser()
    qtbot.addWidget(browser)
    browser.show_paragraphs([("h3", IMAGE), ("b", f"{IMAGE}\x1b"), ("p", "R&D")])
    assert browser.toPlainText() == f"{IMAGE}\n{IMAGE}\\x1b\nR&D"
    assert browser.loadResource(2, "file:///etc/hostname") is None
    assert not browser.openLinks()


@pytest.mark.parametrize("name", FORMULAS[:-1])
def test_a_name_copied_from_a_list_is_no_formula(qtbot, name: str) -> None:
    view = QListWidget()
    qtbot.addWidget(view)
    guard_copies(view)
    view.addItem(name)
    view.setCurrentRow(0)
    QTest.keySequence(view, QKeySequence.StandardKey.Copy)
    assert QApplication.clipboard().text() == f"'{name}"
    view.item(0).setText("q_proj")
    QTest.keySequence(view, QKeySequence.StandardKey.Copy)
    assert QApplication.clipboard().text() == "q_proj"


def test_no_label_or_tooltip_grows_beyond_the_screen(qtbot) -> None:
    lines = "x\n" * 2_000
    label = PlainLabel(lines)
    qtbot.addWidget(label)
    box = message_box(label, QMessageBox.Icon.Warning, lines)
    assert {t.count("\n") for t in (label.text(), tip(lines), tip(f"<b>{lines}"), box.text())} == {MOST_LINES - 1}
    assert max(map(len, tip("y" * 1_900).split("\n"))) <= 100


PIPE = """
import sys
from PySide6.QtWidgets import QApplication, QLabel, QMessageBox
from explorer.ui.widgets.plain_text import PlainLabel, SafeBrowser, message_box, tip
app = QApplication([])
name = f'x <img src="{sys.argv[1]}">'
label, browser = PlainLabel(name), SafeBrowser()
browser.show_paragraphs([("p", name)])
for widget in (label, QLabel(tip(name)), message_box(label, QMessageBox.Icon.Warning, name), browser):
    widget.grab()
print("alive")
"""


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs a file that never ends")
def test_a_name_that_names_a_pipe_freezes_nothing(root, tmp_path) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    command = [sys.executable, "-c", PIPE, str(tmp_path / "pipe.png")]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False, timeout=60)
    assert done.stdout == "alive\n", done.stderr
