"""A live chart for tests of any of its sides."""

from collections.abc import Iterator

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from explorer.plot.live.roofline_chart import RooflineChart
from explorer.presentation.palette import LIGHT
from tests.plot.chart_hands import figure


@pytest.fixture
def chart(qtbot: QtBot) -> Iterator[RooflineChart]:
    made = RooflineChart()
    qtbot.addWidget(made)
    made.resize(800, 600)
    made.take(figure(), None, LIGHT)
    made.show()
    qtbot.waitExposed(made)
    QApplication.processEvents()
    yield made
    made.hide()
