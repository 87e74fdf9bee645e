"""Each picture of the window, its panels and its dialogs: its name, and the widget to draw."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QTabWidget, QWidget

from devtools.screenshots.samples import LLAMA_BENCH, with_measurements
from explorer.files.importers import read_measurements
from explorer.files.study.examples import example_path, opening_study
from explorer.files.study.study import read_study
from explorer.ui.dialogs import About, Conventions, Preferences, Shortcuts, StudyNotes
from explorer.ui.documents.export_dialog import ExportDialog
from explorer.ui.forms.config_form import ConfigForm
from explorer.ui.forms.kind_editor import KindEditor
from explorer.ui.forms.measurement_form import MeasurementForm
from explorer.ui.forms.preset_dialog import PresetDialog
from explorer.ui.measure.ceilings_dialog import CeilingsDialog
from explorer.ui.measure.counters_dialog import CountersDialog
from explorer.ui.measure.import_dialog import ImportDialog
from explorer.ui.measure.measure_dialog import MeasureDialog
from explorer.ui.measure.roof_fit_dialog import RoofFitDialog
from explorer.ui.measure.trace_dialog import TraceDialog
from explorer.ui.window import MainWindow

SIZES = {"main": (1600, 1000), "small": (1280, 800), "large": (2560, 1440)}
EXAMPLES = ("gpt-oss-spark", "qwen3-30b-home", "mistral-h200", "resnet-50", "dit-xl", "qwen3-4b-apple")
SETTLE_MS = 400  # grids come in slices after the first paint


def pictures(window: MainWindow) -> Iterator[tuple[str, QWidget]]:
    """Yield each picture's name and the widget to draw, once it looks as it should."""
    for name, size in SIZES.items():
        window.resize(*size)
        yield settled(name, window)
    window.resize(*SIZES["main"])
    for index in range(window.tabs.count()):
        window.tabs.setCurrentIndex(index)
        yield settled(f"view-{window.tabs.current_view()}", window)
    window.tabs.setCurrentIndex(0)
    for name, panel in panels(window).items():
        yield settled(f"panel-{name}", panel)
    yield from tables(window.tables)
    for name, dialog in dialogs(window).items():
        dialog.show()
        yield settled(f"dialog-{name}", dialog)
        dialog.hide()
    window.prefill()
    yield settled("prefill", window)
    window.session.store.undo_stack.undo()
    yield from examples(window)
    yield from measured(window)


def examples(window: MainWindow) -> Iterator[tuple[str, QWidget]]:
    window.tables.setCurrentIndex(0)
    for name in EXAMPLES:
        window.open_study(read_study(example_path(name)))
        yield settled(f"example-{name}", window)


def measured(window: MainWindow) -> Iterator[tuple[str, QWidget]]:
    """A study with measurements: chart, table, and the dialogs that have something to say of them."""
    window.open_study(with_measurements(opening_study()))
    window.tables.setCurrentWidget(window.tables.measurements)
    yield settled("measured", window)
    window.tables.measurements.select(["step"])
    yield settled("measured-gap", window)
    for name, dialog in measured_dialogs(window).items():
        dialog.show()
        yield settled(f"dialog-{name}", dialog)
        dialog.hide()


def measured_dialogs(window: MainWindow) -> dict[str, QDialog]:
    session, settings, user = window.session, window.settings, window.picker.user
    study = session.store.study
    table = window.tables.measurements
    return {
        "measure": MeasureDialog(session, settings, window),
        "ceilings": CeilingsDialog(session, settings, user, window),
        "trace": TraceDialog(session, settings, window),
        "fit": RoofFitDialog(session, window),
        "counters": CountersDialog(session, window),
        "import": import_dialog(window),
        "presets": PresetDialog(session, lambda _entries: None, window),
        "config": ConfigForm(session, study.models[0], lambda _config: None, window),
        "measurement": MeasurementForm(session, lambda _found: None, study.measurements[0], table),
    }


def import_dialog(window: MainWindow) -> ImportDialog:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "llama-bench.md")
        path.write_text(LLAMA_BENCH, "utf-8")
        return ImportDialog(window.session, window.picker.user, read_measurements(path), path, window)


def panels(window: MainWindow) -> dict[str, QWidget]:
    return {
        "answer": window.answer,
        "hardware": window.picker,
        "roofline": window.roofline,
        "decode": window.decode_panel,
        "inspector": window.inspector,
    }


def dialogs(window: MainWindow) -> dict[str, QWidget]:
    session, settings = window.session, window.settings
    return {
        "kinds": KindEditor(session, window),
        "export": ExportDialog(session, settings, window.tabs.current_view(), window),
        "preferences": Preferences(settings, window),
        "notes": StudyNotes(session, window),
        "shortcuts": Shortcuts(window),
        "conventions": Conventions(window),
        "about": About(window),
    }


def tables(bottom: QWidget) -> Iterator[tuple[str, QWidget]]:
    tabs = bottom if isinstance(bottom, QTabWidget) else bottom.findChild(QTabWidget)
    if isinstance(tabs, QTabWidget):
        for index in range(tabs.count()):
            tabs.setCurrentIndex(index)
            yield settled(f"table-{index + 1}", bottom)


def settled(name: str, widget: QWidget) -> tuple[str, QWidget]:
    QTest.qWait(SETTLE_MS)
    return name, widget
