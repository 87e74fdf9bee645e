"""Each picture of the window, its panels and its dialogs: its name, and the widget to draw."""

from collections.abc import Iterator, Mapping

from PySide6.QtWidgets import QTabWidget, QWidget

from devtools.screenshots.dialogs import MEASURED, PLAIN, Make
from devtools.screenshots.quiet import settle
from devtools.screenshots.samples import with_measurements
from explorer.files.study.examples import example_path, opening_study
from explorer.files.study.study import read_study
from explorer.ui.window import MainWindow

SIZES = {"small": (1280, 800), "main": (1600, 1000), "large": (2560, 1440)}
EXAMPLES = ("gpt-oss-spark", "qwen3-30b-home", "mistral-h200", "resnet-50", "dit-xl", "qwen3-4b-apple")

Picture = tuple[str, QWidget]


def pictures(window: MainWindow) -> Iterator[Picture]:
    """Yield each picture's name and the widget to draw, once it looks as it should."""
    yield from views(window)
    for name, panel in panels(window).items():
        yield settled(f"panel-{name}", panel)
    yield from tables(window.tables)
    yield from dialogs(window, PLAIN)
    window.prefill()
    yield settled("prefill", window)
    window.session.store.undo_stack.undo()
    yield from examples(window)
    yield from measured(window)


def views(window: MainWindow) -> Iterator[Picture]:
    """Every view that is declared, in every size."""
    for size, (width, height) in SIZES.items():
        window.resize(width, height)
        for index in range(window.tabs.count()):
            window.tabs.setCurrentIndex(index)
            yield settled(f"view-{window.tabs.current_view()}-{size}", window)
    window.resize(*SIZES["main"])
    window.tabs.setCurrentIndex(0)


def examples(window: MainWindow) -> Iterator[Picture]:
    window.tables.setCurrentIndex(0)
    for name in EXAMPLES:
        window.open_study(read_study(example_path(name)))
        yield settled(f"example-{name}", window)


def measured(window: MainWindow) -> Iterator[Picture]:
    """A study with measurements: chart, table, and the dialogs that have something to say of them."""
    window.open_study(with_measurements(opening_study()))
    window.tables.setCurrentWidget(window.tables.measurements)
    yield settled("measured", window)
    window.tables.measurements.select(["step"])
    yield settled("measured-gap", window)
    yield from dialogs(window, MEASURED)


def dialogs(window: MainWindow, made: Mapping[str, Make]) -> Iterator[Picture]:
    for name, make in made.items():
        dialog = make(window)
        dialog.show()
        yield settled(f"dialog-{name}", dialog)
        dialog.hide()
        dialog.deleteLater()


def panels(window: MainWindow) -> dict[str, QWidget]:
    return {
        "answer": window.answer,
        "hardware": window.picker,
        "roofline": window.roofline,
        "decode": window.decode_panel,
        "inspector": window.inspector,
    }


def tables(bottom: QWidget) -> Iterator[Picture]:
    tabs = bottom if isinstance(bottom, QTabWidget) else bottom.findChild(QTabWidget)
    if isinstance(tabs, QTabWidget):
        for index in range(tabs.count()):
            tabs.setCurrentIndex(index)
            yield settled(f"table-{index + 1}", bottom)


def settled(name: str, widget: QWidget) -> Picture:
    settle(widget.window(), widget)
    return name, widget
