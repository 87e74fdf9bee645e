"""Reading a measurement file beside the window: progress, cancel, one result or one reason."""

from pathlib import Path

from PySide6.QtCore import QObject, Signal

from explorer.analysis.measured.imported import Imported
from explorer.analysis.problem import Refused
from explorer.ui.background import Beside, Progress


class ImportJob(Beside):
    """Reads one file; exactly one of `read`, `refused`, `failed` and `cancelled` comes, in the window's thread."""

    read = Signal(object)  # Imported
    refused = Signal(object)  # Refused
    failed = Signal(object)  # any other exception

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(self._read, parent)
        self.path = path

    def _read(self, progress: Progress) -> Imported:
        from explorer.files.importers import read_measurements  # many readers: the window need not wait

        return read_measurements(self.path, progress)

    def ended(self) -> None:
        """Say what came of it."""
        if isinstance(self.error, Refused):
            self.refused.emit(self.error)
        elif self.error is not None:
            self.failed.emit(self.error)
        else:
            self.read.emit(self.result)
