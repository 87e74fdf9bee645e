"""From a slider step to the painted window, in repaints of one plain plot."""

from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QObject
from PySide6.QtWidgets import QApplication, QWidget

from explorer.analysis.study.edits import add_hardware
from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.settings import Settings
from explorer.ui.views.compare_tab import CompareTab
from explorer.ui.window import MainWindow
from tests.benchmarks.floors import painted
from tests.benchmarks.judged import Floor, Judge

MORE_DEVICES = ("nvidia-h200-sxm-141gb", "nvidia-geforce-rtx-4090", "nvidia-l40s")


class Painted(QObject):
    """Which of a window's parts were painted, in themselves or in something within them."""

    def __init__(self, window: MainWindow) -> None:
        super().__init__()
        # the inspector may follow a drag less often
        self.parts = (window.answer, window.roofline, window.decode_panel, window.tables)
        self.seen: set[QWidget] = set()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:  # noqa: N802 - Qt names it
        if event.type() == QEvent.Type.Paint and isinstance(watched, QWidget):
            self.seen.update(p for p in self.parts if p is watched or p.isAncestorOf(watched))
        return False


def parts_not_painted(window: MainWindow, step: Callable[[int], object], app: QApplication) -> list[str]:
    """The parts that some of a few steps leave as they were."""
    watcher = Painted(window)
    missed = []
    app.installEventFilter(watcher)
    for i in range(5):
        watcher.seen.clear()
        step(i)
        missed += [type(p).__name__ for p in watcher.parts if p not in watcher.seen]
    app.removeEventFilter(watcher)
    return missed


def opened(qtbot, tab: str = "roofline") -> MainWindow:
    """The window on the first study with six devices, as it is dragged."""
    study = opening_study()
    catalogue = load_catalogue()
    for ident in MORE_DEVICES:
        study = add_hardware(study, catalogue.device_by_id[ident])
    window = make_window(replace(study, view=replace(study.view, tab=tab)), Settings())
    window.take_catalogue(catalogue)
    window.resize(1600, 1000)
    window.show()
    qtbot.waitExposed(window)
    assert len(window.session.state.evaluation.devices) == 6
    return window


def test_a_slider_step_reaches_the_screen_in_few_plain_plots(qapp, qtbot, judge: Judge, plain: Floor) -> None:
    window = opened(qtbot)
    qtbot.waitUntil(lambda: window.roofline.chart is not None)
    store = window.session.store
    step = painted(lambda i: store.edit_workload("Batch", merge="batch", batch=1 + (i * 7) % 120))
    assert parts_not_painted(window, step, qapp) == []
    turns = judge("whole window: slider step", step, plain, goal=12, limit=16, goal_ms=16)
    judge.ratio("whole window: dearest steps", "typical steps", turns.tail, goal=1.5, limit=2)
    assert parts_not_painted(window, step, qapp) == []
    window.hide()  # closing would ask to save


def test_a_slider_step_beside_a_comparison_reaches_the_screen_as_soon(qapp, qtbot, judge: Judge, plain: Floor) -> None:
    window = opened(qtbot, "compare")
    tab = window.tabs.views["compare"]
    assert isinstance(tab, CompareTab)
    tab.finish()
    store = window.session.store
    step = painted(lambda i: store.edit_workload("Batch", merge="batch", batch=1 + (i * 7) % 120))
    judge("whole window, comparing: slider step", step, plain, goal=16, limit=32, goal_ms=16)
    qtbot.waitUntil(lambda: not any(tab.charts.cards[name].stale for name in tab.charts.in_sight))
    window.hide()
