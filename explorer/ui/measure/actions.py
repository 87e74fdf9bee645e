"""What the Measure menu does: imports, timing, ceilings, traces, fits and diagnoses."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QDialog, QFileDialog, QProgressDialog, QWidget

from explorer.analysis.measured.imported import Imported
from explorer.analysis.problem import Refused
from explorer.presentation.words.messages import render_problem
from explorer.ui.background import progress_of, take_away
from explorer.ui.hardware.user_folder import UserHardware
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.settings import Settings

if TYPE_CHECKING:
    from explorer.ui.measure.import_job import ImportJob


class MeasureActions(QObject):
    """Opens the dialogs, one of each at a time; files are read beside the window."""

    def __init__(
        self, window: QWidget, session: Session, settings: Settings, user: UserHardware, say: Callable[[str], None]
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._settings = settings
        self._user = user
        self._say = say
        self._waiting: list[Path] = []
        self.job: ImportJob | None = None
        self.progress: QProgressDialog | None = None
        self.dialogs: dict[str, QDialog] = {}
        session.store.opened.connect(self.close_all)

    # files of other tools

    def import_dialog(self) -> None:
        """Ask for measurement files and read them."""
        names, _ = QFileDialog.getOpenFileNames(
            self._window,
            tr("Import measurements of another tool"),
            str(self._settings.folder),
            tr("Measurements (*.csv *.json *.jsonl *.gz *.sql *.md *.txt *.log);;All files (*)"),
        )
        for name in names:
            self.import_file(Path(name))

    def import_file(self, path: Path) -> None:
        """Read a file beside the window; several follow one another."""
        if self.job is not None:
            self._waiting.append(path)
            return
        from explorer.ui.measure.import_job import ImportJob

        self.job = job = ImportJob(path, self)
        job.read.connect(self._read)
        job.refused.connect(self._refused)
        job.failed.connect(self._failed)
        job.finished.connect(self._over)
        self.progress = progress_of(job, tr("Import"), tr("Reading {file}…", file=path.name), self._window)
        job.start()

    def stop(self) -> None:
        """Read no further: the window closes."""
        self._waiting.clear()
        if self.job is not None:
            self.job.cancel()

    def _read(self, imported: Imported) -> None:
        from explorer.ui.measure.import_dialog import ImportDialog

        if self.job is None:
            return
        path = self.job.path
        self._settings.folder = path.resolve().parent
        dialog = ImportDialog(self._session, self._user, imported, path, self._window)
        self._show(f"import {path}", dialog)

    def _refused(self, refused: Refused) -> None:
        if self.job is not None:
            why = " ".join(render_problem(p, self._session.look) for p in refused.problems[:2])
            self._say(tr("{file} was not imported. {why}", file=self.job.path.name, why=why))

    def _failed(self, error: BaseException) -> None:
        """A fault of the program, not of the file: said here, and reported as any other."""
        if self.job is not None:
            kind = type(error).__name__
            self._say(tr("{file} was not imported: the program failed ({kind}).", file=self.job.path.name, kind=kind))
        sys.excepthook(type(error), error, error.__traceback__)

    def _over(self) -> None:
        job, self.job = self.job, None
        if self.progress is not None:
            take_away(self.progress)
            self.progress = None
        if job is not None:
            job.deleteLater()
        if self._waiting:
            self.import_file(self._waiting.pop(0))

    # dialogs

    def _show(self, name: str, dialog: QDialog) -> None:
        if name in self.dialogs:  # the same file was read again
            self.dialogs[name].close()
        self.dialogs[name] = dialog
        dialog.finished.connect(lambda _result: self._closed(name))
        dialog.show()

    def close_all(self) -> None:
        """End what runs for a study that is no longer open: its results would join another one."""
        for dialog in list(self.dialogs.values()):
            dialog.close()

    def _closed(self, name: str) -> None:
        dialog = self.dialogs.pop(name, None)
        if dialog is not None:
            dialog.deleteLater()

    def _raised(self, name: str) -> bool:
        """Whether such a dialog is open already; it comes to the front."""
        dialog = self.dialogs.get(name)
        if dialog is None:
            return False
        dialog.activateWindow()
        return True

    def measure_operators(self) -> None:
        """Time the study's operators with another Python's torch."""
        from explorer.ui.measure.measure_dialog import MeasureDialog

        if not self._raised("measure"):
            dialog = MeasureDialog(self._session, self._settings, self._window)
            self._show("measure", dialog)
            dialog.open_and_search()

    def measure_ceilings(self) -> None:
        """Measure the machine's bandwidth and peaks."""
        from explorer.ui.measure.ceilings_dialog import CeilingsDialog

        if not self._raised("ceilings"):
            dialog = CeilingsDialog(self._session, self._settings, self._user, self._window)
            self._show("ceilings", dialog)
            dialog.open_and_search()

    def trace_model(self) -> None:
        """Run a model once on no device and take its operators."""
        from explorer.ui.measure.trace_dialog import TraceDialog

        if not self._raised("trace"):
            dialog = TraceDialog(self._session, self._settings, self._window)
            self._show("trace", dialog)
            dialog.open_and_search()

    def fit(self) -> None:
        """Fit a roof to the measurements of a device."""
        from explorer.ui.measure.roof_fit_dialog import RoofFitDialog

        if not self._raised("fit"):
            self._show("fit", RoofFitDialog(self._session, self._window))

    def diagnose(self) -> None:
        """Say what a profiler's counters mean."""
        from explorer.ui.measure.counters_dialog import CountersDialog

        if not self._raised("counters"):
            self._show("counters", CountersDialog(self._session, self._window))
