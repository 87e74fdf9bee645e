"""Every dialog of the program, with something to say: on the opening study, and on one with measurements."""

import tempfile
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtWidgets import QDialog

from devtools.screenshots.samples import LLAMA_BENCH
from explorer.analysis.problem import Problem
from explorer.files.importers import read_measurements
from explorer.ui.dialogs import About, Conventions, Preferences, Shortcuts, StudyNotes
from explorer.ui.documents.export_dialog import ExportDialog
from explorer.ui.failures.failure_dialog import FailureDialog
from explorer.ui.forms.config_form import ConfigForm
from explorer.ui.forms.kind_editor import KindEditor
from explorer.ui.forms.measurement_form import MeasurementForm
from explorer.ui.forms.preset_dialog import PresetDialog
from explorer.ui.forms.problem_list import ProblemList
from explorer.ui.forms.quick_form import QuickForm
from explorer.ui.forms.row_form import RowForm
from explorer.ui.hardware.editor import DeviceEditor
from explorer.ui.hardware.update_dialog import UpdateDialog
from explorer.ui.measure.ceilings_dialog import CeilingsDialog
from explorer.ui.measure.counters_dialog import CountersDialog
from explorer.ui.measure.import_dialog import ImportDialog
from explorer.ui.measure.measure_dialog import MeasureDialog
from explorer.ui.measure.roof_fit_dialog import RoofFitDialog
from explorer.ui.measure.trace_dialog import TraceDialog
from explorer.ui.window import MainWindow

Make = Callable[[MainWindow], QDialog]


def _nothing(*_given: object) -> None:
    """What a dialog is told to do with its answer."""


def _editor(window: MainWindow) -> QDialog:
    session = window.session
    return DeviceEditor(session.store.study.hardware[0].device, "Edit a copy", session.look, parent=window)


def _update(window: MainWindow) -> QDialog:
    old = window.session.store.study.hardware[0].device
    new = replace(old, memory=(replace(old.memory[0], bandwidth=3.4e12, capacity=81e9), *old.memory[1:]))
    return UpdateDialog(old, new, window)


def _problems(window: MainWindow) -> QDialog:
    problems = [Problem("model.phase_unknown", f"row {i}", {"phase": "training"}) for i in (3, 7)]
    return ProblemList(problems, 12, window.session.look, window)


def _failure(window: MainWindow) -> QDialog:
    report = "Traceback (most recent call last):\n" + '  File "explorer/ui/window.py", line 1\n' * 12
    return FailureDialog(report, _nothing, window)


def _row(window: MainWindow) -> QDialog:
    tables = window.tables
    return RowForm(window.session, tables.operators.model.rows[2], tables)


def _import(window: MainWindow) -> QDialog:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "llama-bench.md")
        path.write_text(LLAMA_BENCH, "utf-8")
        return ImportDialog(window.session, window.picker.user, read_measurements(path), path, window)


PLAIN: dict[str, Make] = {
    "kinds": lambda w: KindEditor(w.session, w),
    "export": lambda w: ExportDialog(w.session, w.settings, w.tabs.current_view(), w),
    "preferences": lambda w: Preferences(w.settings, w),
    "notes": lambda w: StudyNotes(w.session, w),
    "shortcuts": Shortcuts,
    "conventions": Conventions,
    "about": About,
    "device": _editor,
    "update": _update,
    "problems": _problems,
    "failure": _failure,
    "row": _row,
    "quick": lambda w: QuickForm(w.session, _nothing, None, w),
    "presets": lambda w: PresetDialog(w.session, _nothing, w),
    "config": lambda w: ConfigForm(w.session, w.session.store.study.models[0], _nothing, w),
}
MEASURED: dict[str, Make] = {
    "measure": lambda w: MeasureDialog(w.session, w.settings, w),
    "ceilings": lambda w: CeilingsDialog(w.session, w.settings, w.picker.user, w),
    "trace": lambda w: TraceDialog(w.session, w.settings, w),
    "fit": lambda w: RoofFitDialog(w.session, w),
    "counters": lambda w: CountersDialog(w.session, w),
    "import": _import,
    "measurement": lambda w: MeasurementForm(
        w.session, _nothing, w.session.store.study.measurements[0], w.tables.measurements
    ),
}
