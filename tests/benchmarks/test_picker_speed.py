"""From a letter of a search among all devices to the painted picker, in repaints of one plain plot."""

from PySide6.QtWidgets import QApplication

from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.settings import Settings
from tests.benchmarks.floors import painted
from tests.benchmarks.judged import Floor, Judge

SEARCHED = ("r", "rt", "rtx", "rtx 4", "rtx 40", "apple", "2024", "laptop 16gb", "hbm", "")


def test_a_step_of_a_search_costs_less_than_a_step_of_a_slider(
    qapp: QApplication, qtbot, judge: Judge, plain: Floor
) -> None:
    window = make_window(opening_study(), Settings())
    window.take_catalogue(load_catalogue())
    window.resize(1600, 1000)
    window.show()
    qtbot.waitExposed(window)
    qtbot.waitUntil(lambda: window.roofline.chart is not None)
    search, model = window.picker.search, window.picker.model
    seen = set()

    def step(i: int) -> None:
        search.setText(SEARCHED[i % len(SEARCHED)])
        seen.add(model.rowCount())

    judge("picker: a letter of a search among 275 devices", painted(step), plain, goal=8, limit=12, goal_ms=16)
    assert len(seen) > 5
    window.hide()  # closing would ask to save
