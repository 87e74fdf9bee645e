"""A row of controls goes on in the next line where there is no room."""

import pytest
from PySide6.QtCore import QRect
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from explorer.ui.compare.flow import FlowLayout


def flow(qtbot: QtBot, *widths: int, last_right: bool = False) -> tuple[QWidget, FlowLayout, list[QWidget]]:
    host = QWidget()
    qtbot.addWidget(host)
    layout = FlowLayout(host, gap=10, last_right=last_right)
    layout.setContentsMargins(5, 5, 5, 5)
    parts = []
    for width in widths:
        part = QWidget()
        part.setFixedSize(width, 20)
        layout.addWidget(part)
        parts.append(part)
    return host, layout, parts


@pytest.mark.parametrize(("width", "lines"), [(230, 1), (229, 2), (110, 3)])
def test_it_takes_as_many_lines_as_its_width_asks_for(qtbot: QtBot, width: int, lines: int) -> None:
    _host, layout, _ = flow(qtbot, 100, 50, 50)
    assert layout.heightForWidth(width) == 10 + 20 * lines + 10 * (lines - 1)


def test_parts_stand_beside_and_below_each_other_and_never_overlap(qtbot: QtBot) -> None:
    host, layout, parts = flow(qtbot, 100, 50, 70)
    host.show()
    layout.setGeometry(QRect(0, 0, 180, 60))
    assert [(p.x(), p.y()) for p in parts] == [(5, 5), (115, 5), (5, 35)]


def test_the_last_one_stands_at_the_right_edge_of_its_line(qtbot: QtBot) -> None:
    host, layout, parts = flow(qtbot, 100, 40, last_right=True)
    host.show()
    layout.setGeometry(QRect(0, 0, 300, 40))
    assert parts[1].geometry().right() == 300 - 5 - 1


def test_what_is_hidden_takes_no_room(qtbot: QtBot) -> None:
    host, layout, parts = flow(qtbot, 100, 50)
    host.show()
    parts[0].hide()
    assert layout.sizeHint().width() == 60
