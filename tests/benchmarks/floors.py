"""The plain things that timings are compared with: each is defined here, once."""

from collections.abc import Callable

import numpy as np
import pyqtgraph as pg
from PySide6.QtGui import QStandardItem, QStandardItemModel
from PySide6.QtWidgets import QApplication, QTableView, QWidget
from pytestqt.qtbot import QtBot

from tests.benchmarks.judged import Floor

SIZE = (960, 640)
ROWS, COLUMNS = 18, 10


def shown(widget: QWidget) -> QWidget:
    widget.resize(*SIZE)
    widget.show()
    QApplication.processEvents()
    return widget


def painted(step: Callable[[int], object]) -> Callable[[int], None]:
    """A step, and all that it makes Qt do until it is on the screen."""

    def both(i: int) -> None:
        step(i)
        QApplication.sendPostedEvents()
        QApplication.processEvents()

    return both


def plain_plot(qtbot: QtBot) -> Floor:
    """A PlotWidget of the chart's size that draws one line of 64 points anew."""
    widget = pg.PlotWidget()
    qtbot.addWidget(widget)  # pyqtgraph's widgets must be closed before they go
    widget.setMenuEnabled(False)
    curve = widget.plot(np.arange(64.0), np.arange(64.0))
    shown(widget)

    def step(i: int) -> None:
        assert widget.isVisible()
        curve.setData(np.arange(64.0), np.sin(np.arange(64.0) + i))

    return Floor("plain plots", painted(step))


def plain_table() -> Floor:
    """A table of standard items of which seven columns change."""
    model = QStandardItemModel(ROWS, COLUMNS)
    for row in range(ROWS):
        for column in range(COLUMNS):
            model.setItem(row, column, QStandardItem("0"))
    view = QTableView()
    view.setModel(model)
    view.resize(1264, 600)
    view.show()
    QApplication.processEvents()

    def step(i: int) -> None:
        for row in range(ROWS):
            for column in range(3, COLUMNS):
                model.item(row, column).setText(f"{row * column + i} MFLOP")
        view.viewport().repaint()

    return Floor("plain tables", step)


def plain_python() -> Floor:
    """A fixed piece of Python: numbers, texts, tuples and a dictionary."""

    def step(i: int) -> int:
        found: dict[str, tuple[float, str]] = {}
        for k in range(400):
            value = (k + i) * 1.5
            found[f"row {k}"] = (value, f"{value:.3g}")
        return len(found)

    return Floor("pieces of Python", step)


def plain_numpy() -> Floor:
    """A fixed piece of numpy: roots of as many numbers as a grid has, each time in new memory, as a grid takes it."""
    values = np.linspace(1.0, 2.0, 4 * 256 * 256)
    return Floor("pieces of numpy", lambda _: [np.sqrt(values) for _ in range(4)])
