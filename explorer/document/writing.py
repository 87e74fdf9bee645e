"""A file being written beside the window, which never waits for it."""

import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from PySide6.QtCore import QEventLoop, QObject, Qt, Signal

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.atomic import Stamp

Pause = Callable[[], None]
_BREATH_S: Final = 5e-5  # long enough for a waiting thread to be let in
_EVERY_S: Final = 4e-3
_SWITCH_S: Final = 1e-3  # Python's own 5 ms make a paint, which lets go many times, wait many times


class _Given(Exception):  # noqa: N818 - no error
    """The file is not wanted any more."""


class Writing(QObject):
    """Runs one write in a thread; `done` is called in the thread of the window, unless it was given up."""

    _over = Signal()

    def __init__(
        self, write: Callable[[Pause], Stamp], done: Callable[[Stamp | Refused], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._write = write
        self._done = done
        self._result: Stamp | Refused | None = None
        self._given_up = threading.Event()
        self._ended = threading.Event()  # set before `_over` is told: a thread may live on for a while after it
        self._told = False
        self._breath = 0.0  # when others are to be let in again
        self._over.connect(self._tell, Qt.ConnectionType.QueuedConnection)
        self._thread = threading.Thread(target=self._run, name="writing")  # no daemon: the file is finished at exit
        _hurry(self._thread)

    def wait(self) -> None:
        """Let the window draw, but take no input, until the file is written."""
        if not self._told:
            loop = QEventLoop()
            self._over.connect(loop.quit, Qt.ConnectionType.QueuedConnection)
            if not self._ended.is_set():
                loop.exec(QEventLoop.ProcessEventsFlag.ExcludeUserInputEvents)
        self.join()

    def join(self) -> None:
        """Wait without drawing."""
        self._thread.join()
        self._tell()

    def give_up(self) -> None:
        """Leave the old file as it is, and tell nobody."""
        self._told = True
        self._given_up.set()
        self._thread.join()

    def _run(self) -> None:
        try:
            self._result = self._write(self._pause)
        except Refused as refused:
            self._result = refused
        except _Given:
            pass
        except Exception as error:
            reason = type(error).__name__
            self._result = Refused(Problem("file.write", values={"file": "", "reason": reason}))
            raise
        finally:
            self._ended.set()
            with suppress(RuntimeError):  # the window is gone
                self._over.emit()

    def _pause(self) -> None:
        if self._given_up.is_set():
            raise _Given
        now = time.perf_counter()
        if now > self._breath:
            time.sleep(_BREATH_S)
            self._breath = now + _EVERY_S

    def _tell(self) -> None:
        if not self._told and self._result is not None:
            self._told = True
            self._thread.join()  # it may still be telling: what hears `_done` may have this object deleted
            self._done(self._result)


def _hurry(thread: threading.Thread) -> None:
    """Start a thread; from the first one on, threads take turns in short steps."""
    if sys.getswitchinterval() > _SWITCH_S:
        sys.setswitchinterval(_SWITCH_S)
    thread.start()
