"""Reading a measurement file beside the window: progress, cancel, one result or one reason."""

from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal

from explorer.analysis.measured import Imported
from explorer.analysis.problem import Problem, Refused


class ImportJob(QThread):
    """Reads one file; exactly one of `read`, `refused` and `cancelled` comes, in the window's thread."""

    told = Signal(int)  # percent done
    read = Signal(object)  # Imported
    refused = Signal(object)  # Refused
    cancelled = Signal()

    def __init__(self, path: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.path = path
        self._percent = -1
        self._stopped = False

    def cancel(self) -> None:
        """Stop reading at the next block."""
        self._stopped = True

    def run(self) -> None:
        from explorer.files.importers import Cancelled, read_measurements  # many readers: the window need not wait

        found: Imported | Refused | None
        try:
            found = read_measurements(self.path, self._progress)
        except Refused as refused:
            found = refused
        except Cancelled:
            found = None
        except MemoryError:
            found = Refused(Problem("import.memory", values={"file": self.path.name}))
        if found is None or self._stopped:
            self.cancelled.emit()
        elif isinstance(found, Refused):
            self.refused.emit(found)
        else:
            self.read.emit(found)

    def _progress(self, done: float) -> bool:
        percent = round(100 * done)
        if percent != self._percent:
            self._percent = percent
            self.told.emit(percent)
        return not self._stopped
