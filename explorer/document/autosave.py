"""Autosave: unsaved edits are kept in a file of their own until the study is saved."""

import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from PySide6.QtCore import QLockFile, QObject, QTimer

from explorer.analysis.problem import Refused
from explorer.document.kept import SUFFIX, left_behind, lock_of, write_kept
from explorer.document.store import StudyStore
from explorer.document.writing import Writing
from explorer.files.disk.atomic import Stamp
from explorer.presentation.words.messages import render_problem

__all__ = ["INTERVAL_MS", "SUFFIX", "Autosave", "left_behind"]

INTERVAL_MS = 5000


class Autosave(QObject):
    """Writes unsaved edits a few seconds after the first one; one file per running program, guarded by a lock."""

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
        self._writing: Writing | None = None
        store.changed.connect(self._on_changed)
        store.dirty_changed.connect(self._on_dirty)

    def _on_changed(self) -> None:
        if self._store.dirty and not self._timer.isActive():
            self._timer.start()

    def _on_dirty(self, dirty: bool) -> None:
        if dirty:
            self._on_changed()
        else:
            self.discard()

    def save(self) -> bool:
        """Write now, where there is something to lose; False where that failed."""
        self._give_up()
        if not self._store.dirty:
            return True
        if not self._prepare():
            return False
        store = self._store
        try:
            write_kept(store.study, self.path, store.path, store.stamp)
        except Refused as refused:
            self._failed(refused)
            return False
        return True

    def save_beside(self) -> None:
        """Write now, without the window waiting for it."""
        if not self._store.dirty:
            return
        if self._writing is not None:
            self._timer.start()  # once the one before is written
            return
        if self._prepare():
            store, target = self._store, self.path
            study, path, stamp = store.study, store.path, store.stamp
            self._writing = Writing(lambda pause: write_kept(study, target, path, stamp, pause), self._on_written, self)

    def _prepare(self) -> bool:
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            self._on_error(error.strerror or str(error))
            return False
        if self._lock is None:
            self._lock = lock_of(self.path)
            self._lock.tryLock(0)
        return True

    def _on_written(self, result: Stamp | Refused) -> None:
        self._forget()
        if isinstance(result, Refused):
            self._failed(result)

    def _give_up(self) -> None:
        """Stop a write in progress: what it writes is no longer wanted, or will be written again."""
        if self._writing is not None:
            self._writing.give_up()
            self._forget()

    def _forget(self) -> None:
        if self._writing is not None:
            self._writing.deleteLater()
            self._writing = None

    def _failed(self, refused: Refused) -> None:
        problem = refused.problems[0]
        self._on_error(str(problem.values.get("reason") or render_problem(problem)))

    def discard(self) -> None:
        """Forget what was kept: the study is saved or given up on purpose."""
        self._timer.stop()
        self._give_up()
        with suppress(OSError):  # a folder that nothing could be written to
            self.path.unlink(missing_ok=True)
        if self._lock is not None:
            self._lock.unlock()
            self._lock = None
