"""Autosave and recovery: unsaved edits are kept in a file of their own until the study is saved."""

import os
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer, Signal

from explorer.analysis.problem import Refused
from explorer.analysis.study import Study
from explorer.document.store import StudyStore
from explorer.files.study import write_study
from explorer.presentation.messages import render_problem

INTERVAL_MS = 5000
SUFFIX = ".autosave.roofline.yaml"
MANY = 500  # measurements that take long to write: more are written beside the window


class Autosave(QObject):
    """Writes unsaved edits a few seconds after the last one; one file per running program, guarded by a lock."""

    _written = Signal(object)  # Refused, or None: a study was written beside the window

    def __init__(
        self, store: StudyStore, folder: Path, on_error: Callable[[str], None], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._folder = folder
        self._on_error = on_error
        self._lock: QLockFile | None = None
        # a process id comes again, and with it an earlier run's file that nobody has recovered yet
        self.path = folder / f"{os.getpid()}-{time.time_ns():x}{SUFFIX}"
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(INTERVAL_MS)
        self._timer.timeout.connect(self.save_beside)
        self._writer: threading.Thread | None = None
        self._written.connect(self._on_written)
        store.changed.connect(self._on_changed)
        store.undo_stack.cleanChanged.connect(self._on_clean)

    def _on_changed(self) -> None:
        if self._store.dirty and not self._timer.isActive():
            self._timer.start()

    def _on_clean(self, clean: bool) -> None:
        if clean:
            self.discard()

    def save(self) -> bool:
        """Write now, where there is something to lose; False where that failed."""
        self._wait()
        if not self._store.dirty:
            return True
        try:
            self._prepare()
            write_study(self._store.study, self.path)
        except OSError as error:
            self._on_error(error.strerror or str(error))
        except Refused as refused:
            self._failed(refused)
        else:
            return True
        return False

    def save_beside(self) -> None:
        """Write now; a study of many measurements without the window waiting for it."""
        study = self._store.study
        if len(study.measurements) <= MANY or not self._store.dirty:
            self.save()
            return
        if self._writer is not None:
            self._timer.start()  # once the one before is written
            return
        try:
            self._prepare()
        except OSError as error:
            self._on_error(error.strerror or str(error))
            return
        self._writer = threading.Thread(target=self._write, args=(study,))
        self._writer.start()

    def _prepare(self) -> None:
        self._folder.mkdir(parents=True, exist_ok=True)
        if self._lock is None:
            self._lock = QLockFile(str(_lock_of(self.path)))
            self._lock.setStaleLockTime(0)
            self._lock.tryLock(0)

    def _write(self, study: Study) -> None:
        found: Refused | None = None
        try:
            write_study(study, self.path)
        except Refused as refused:
            found = refused
        with suppress(RuntimeError):  # the window is gone
            self._written.emit(found)

    def _on_written(self, refused: Refused | None) -> None:
        self._wait()
        if refused is not None:
            self._failed(refused)

    def _wait(self) -> None:
        if self._writer is not None:
            self._writer.join()
            self._writer = None

    def _failed(self, refused: Refused) -> None:
        problem = refused.problems[0]
        self._on_error(str(problem.values.get("reason") or render_problem(problem)))

    def discard(self) -> None:
        """Forget what was kept: the study is saved or given up on purpose."""
        self._timer.stop()
        self._wait()
        with suppress(OSError):  # a folder that nothing could be written to
            self.path.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None


def left_behind(folder: Path) -> list[Path]:
    """Autosaves of programs that are no longer running, the newest first."""
    try:
        found = [p for p in folder.iterdir() if p.name.endswith(SUFFIX) and _is_orphan(p)]
    except OSError:  # no such folder, or none that may be read
        return []
    return sorted(found, key=_age, reverse=True)


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:  # another program has recovered it meanwhile
        return 0.0


def _lock_of(path: Path) -> Path:
    return path.with_name(path.name + ".lock")


def _is_orphan(path: Path) -> bool:
    lock = QLockFile(str(_lock_of(path)))
    lock.setStaleLockTime(0)
    if not lock.tryLock(0):
        return False
    lock.unlock()
    return True
