"""Work beside the window: progress, cancel, one result or one fault; a reader that hangs is left to itself."""

import threading
from collections.abc import Callable
from contextlib import suppress

from PySide6.QtCore import QEventLoop, QObject, Qt, Signal
from PySide6.QtWidgets import QProgressDialog, QWidget

from explorer.ui.widgets.plain_text import progress_dialog, set_title

SHOWN_MS = 400  # quick work needs no dialog
Progress = Callable[[float], bool]


class Beside(QObject):
    """Runs one function in a thread that the program does not wait for when it ends.

    All signals come in the window's thread; after `cancel` none comes from the work.
    """

    told = Signal(int)  # percent done
    finished = Signal()
    cancelled = Signal()
    _said = Signal(object)

    def __init__(self, work: Callable[[Progress], object], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._work = work
        self._lock = threading.Lock()
        self._stopped = False
        self._percent = -1
        self.result: object = None
        self.error: BaseException | None = None
        self._said.connect(self._take, Qt.ConnectionType.QueuedConnection)

    def start(self) -> None:
        """Begin."""
        # no QThread: destroying one that still runs ends the program
        threading.Thread(target=self._run, name="beside", daemon=True).start()

    def cancel(self) -> None:
        """Wait no longer; the work stops when it next tells how far it is."""
        with self._lock:
            if self._stopped:
                return
            self._stopped = True
        self.cancelled.emit()
        self.finished.emit()

    def _run(self) -> None:
        try:
            said: object = _Done(self._work(self._progress))
        except BaseException as error:  # noqa: BLE001 - whatever it is, the window must hear of it
            said = error
        self._say(said)

    def _say(self, said: object) -> None:
        with self._lock:
            if not self._stopped:
                with suppress(RuntimeError):  # the window is gone
                    self._said.emit(said)

    def _progress(self, done: float) -> bool:
        percent = round(100 * done)
        if percent != self._percent:
            self._percent = percent
            self._say(percent)
        return not self._stopped

    def _take(self, said: object) -> None:
        if self._stopped:
            return
        if isinstance(said, int):
            self.told.emit(said)
            return
        with self._lock:  # the thread may still be telling: what hears `finished` may have this object deleted
            self._stopped = True
        if isinstance(said, _Done):
            self.result = said.value
        elif isinstance(said, BaseException):
            self.error = said
        self.ended()
        self.finished.emit()

    def ended(self) -> None:
        """What comes of the result or the error; called in the window's thread."""


class _Done:
    def __init__(self, value: object) -> None:
        self.value = value


def progress_of(job: Beside, title: str, label: str, window: QWidget) -> QProgressDialog:
    """A dialog that shows how far a job is, once it takes long, and can cancel it."""
    progress = progress_dialog(window, label)
    progress.setRange(0, 100)
    progress.setMinimumDuration(SHOWN_MS)
    progress.setValue(0)  # from here on the time is counted; before the first value Qt waits for its own 4 seconds
    progress.setAutoReset(False)
    progress.setAutoClose(False)
    set_title(progress, title)
    progress.canceled.connect(job.cancel)
    job.told.connect(progress.setValue)
    return progress


def take_away(progress: QProgressDialog) -> None:
    """End a progress dialog now: where a question follows, Qt deletes it only after the answer."""
    progress.reset()  # it no longer shows itself
    progress.hide()
    progress.deleteLater()


def waited(work: Callable[[], object], title: str, label: str, window: QWidget) -> object:
    """What a function gives, while the window stays alive; None where the user cancelled it.

    Raises
    ------
    BaseException
        Whatever the function raises.
    """
    job = Beside(lambda _progress: work(), window)
    progress = progress_of(job, title, label, window)
    progress.setWindowModality(Qt.WindowModality.WindowModal)
    progress.setRange(0, 0)
    loop = QEventLoop()
    job.finished.connect(loop.quit)
    job.start()
    loop.exec()
    job.cancel()
    take_away(progress)
    job.deleteLater()
    if job.error is not None:
        raise job.error
    return job.result
