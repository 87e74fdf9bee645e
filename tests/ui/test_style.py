import pytest
from PySide6.QtCore import QRect
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import (
    QApplication,
    QCheckBox,
    QComboBox,
    QDialogButtonBox,
    QLineEdit,
    QMenu,
    QMessageBox,
    QPushButton,
    QScrollBar,
    QSpinBox,
    QStyle,
    QStyleOptionSlider,
    QToolButton,
    QWidget,
)
from pytestqt.qtbot import QtBot

from explorer.presentation.palette import DARK, LIGHT, Theme
from explorer.ui.look.style import STYLE, FlatStyle, FlatStyleWithoutIcons, flat_style
from explorer.ui.look.theme import apply_theme

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture(params=[LIGHT, DARK], ids=lambda t: t.name)
def theme(request: pytest.FixtureRequest, qapp: QApplication) -> Theme:
    chosen: Theme = request.param
    apply_theme(qapp, chosen)
    return chosen


def edge_colour(widget: QWidget) -> str:
    picture = widget.grab().toImage()
    return picture.pixelColor(picture.width() // 2, 0).name()


def test_the_style_is_set_once(qapp: QApplication) -> None:
    apply_theme(qapp, LIGHT)
    style = qapp.style()
    apply_theme(qapp, DARK)
    assert qapp.style() is style
    assert style.objectName() == STYLE


@pytest.mark.parametrize("kind", [QLineEdit, QComboBox, QSpinBox, QPushButton])
def test_inputs_have_the_themes_thin_border(qtbot: QtBot, theme: Theme, kind: type[QWidget]) -> None:
    widget = kind()
    qtbot.addWidget(widget)
    widget.resize(120, 28)
    assert edge_colour(widget) == theme.border


def test_a_default_button_and_a_ticked_box_carry_the_accent(qtbot: QtBot, theme: Theme) -> None:
    button, box = QPushButton("Save"), QCheckBox("With title")
    for widget in (button, box):
        qtbot.addWidget(widget)
    button.setDefault(True)
    button.resize(120, 28)
    assert edge_colour(button) == theme.accent
    plain = box.grab().toImage()
    box.setChecked(True)
    assert box.grab().toImage() != plain


def test_scroll_bars_are_a_handle_and_nothing_else(qtbot: QtBot, theme: Theme) -> None:
    bar = QScrollBar()
    qtbot.addWidget(bar)
    bar.setRange(0, 100)
    bar.setPageStep(20)
    bar.resize(11, 200)
    option = QStyleOptionSlider()
    bar.initStyleOption(option)
    complex_, parts = QStyle.ComplexControl.CC_ScrollBar, QStyle.SubControl
    for part in (parts.SC_ScrollBarAddLine, parts.SC_ScrollBarSubLine):
        assert bar.style().subControlRect(complex_, option, part, bar) == QRect()
    assert bar.sizeHint().width() == 11


def test_the_sign_of_a_menu_stands_behind_the_words_of_its_button(qtbot: QtBot, theme: Theme) -> None:
    button = QToolButton()
    qtbot.addWidget(button)
    button.setText("More")
    button.resize(120, 28)
    without = button.grab().toImage()
    button.setMenu(QMenu(button))
    button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
    with_menu = button.grab().toImage()
    assert with_menu != without
    corner = with_menu.pixelColor(with_menu.width() - 8, with_menu.height() - 7).name()
    assert corner == button.palette().color(QPalette.ColorRole.Button).name()


def test_buttons_of_dialogs_have_words_and_no_stock_icons(qtbot: QtBot, theme: Theme) -> None:
    kinds = QDialogButtonBox.StandardButton
    box = QDialogButtonBox(kinds.Ok | kinds.Cancel | kinds.Save | kinds.Discard | kinds.Close | kinds.Apply)
    qtbot.addWidget(box)
    question = QMessageBox()
    qtbot.addWidget(question)
    question.setStandardButtons(QMessageBox.StandardButton.Save | QMessageBox.StandardButton.Cancel)
    buttons = [*box.buttons(), *question.buttons()]
    assert len(buttons) == 8
    assert [button.text() for button in buttons if not button.icon().isNull()] == []


def test_only_a_desktop_with_icons_on_its_buttons_is_asked_for_hints_in_python(monkeypatch) -> None:
    hint = QStyle.StyleHint.SH_DialogButtonBox_ButtonsHaveIcons
    for icons, kind in ((0, FlatStyle), (1, FlatStyleWithoutIcons)):
        monkeypatch.setattr(FlatStyle, "styleHint", lambda _self, _hint, icons=icons: icons, raising=False)
        assert type(flat_style()) is kind
    monkeypatch.undo()
    assert FlatStyleWithoutIcons().styleHint(hint) == 0
    assert "styleHint" not in vars(FlatStyle)  # thousands of hints at the start would go through it
