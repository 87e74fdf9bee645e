"""The strip beside the menus."""

import pytest
from msgspec.structs import replace
from PySide6.QtWidgets import QApplication

from explorer.app import make_window
from explorer.files.study.examples import opening_study
from explorer.ui.settings import Settings

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")


@pytest.fixture
def window(qapp, qtbot):
    made = make_window(opening_study(), Settings())
    made.show()
    qtbot.waitExposed(made)
    return made


def test_a_model_of_a_long_name_leaves_the_menus_their_room_and_is_whole_in_its_tooltip(window, qtbot):
    window.resize(1024, 720)
    entry = window.session.store.study.models[0]
    name = "a-model-of-a-name-that-someone-gave-" * 4
    window.session.store.edit("Name", models=(replace(entry, name=name),))
    QApplication.processEvents()
    bar, chosen = window.menuBar(), window.header.model
    for action in bar.actions():
        assert bar.actionGeometry(action).right() < window.header.geometry().left(), action.text()
    assert name in chosen.toolTip().replace("\n", "")
    assert window.width() == 1024
