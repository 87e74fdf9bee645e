"""Work that words can wait for during a drag: figures in sentences are read, and nobody reads a hundred a second."""

from collections.abc import Callable

from PySide6.QtCore import QElapsedTimer, QObject, QTimer

PACE_MS = 50


class Paced(QObject):
    """Does `work` at once, or during a drag at most every `PACE_MS`; the last of a drag is always done."""

    def __init__(self, work: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._since = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.now)

    def ask(self, *, dragging: bool) -> None:
        """Do it now, or soon where a drag did it just before."""
        left = PACE_MS - self._since.elapsed() if dragging and self._since.isValid() else 0
        if left <= 0:
            self.now()
            if not dragging:
                self._since.invalidate()  # the first step of a drag never waits
        elif not self._timer.isActive():
            self._timer.start(left)

    def now(self) -> None:
        """Do it now."""
        self._timer.stop()
        self._work()
        self._since.start()

    def finish(self) -> None:
        """Do what waits."""
        if self._timer.isActive():
            self.now()
