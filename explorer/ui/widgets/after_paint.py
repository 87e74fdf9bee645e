"""Work that waits until the window has painted: coalesced, and in slices where it comes as a generator."""

from collections.abc import Callable, Generator
from time import perf_counter

from PySide6.QtCore import QObject, QTimer

SLICE_S = 0.008
Work = Callable[[], Generator[None, None, None] | None]


class AfterPaint(QObject):
    """Runs `work` once the event loop is idle; asking again while it waits or runs starts it anew."""

    def __init__(self, work: Work, parent: QObject) -> None:
        super().__init__(parent)
        self._work = work
        self._running: Generator[None, None, None] | None = None
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._go_on)

    def ask(self) -> None:
        """Run after the next paint; whatever ran before is given up."""
        self._running = None
        self._timer.start()

    def stop(self) -> None:
        """Give up what waits or runs."""
        self._running = None
        self._timer.stop()

    @property
    def waiting(self) -> bool:
        """Whether there is work left."""
        return self._timer.isActive()

    def finish(self) -> None:
        """Do all waiting work now."""
        while self._timer.isActive():
            self._timer.stop()
            self._go_on()

    def _go_on(self) -> None:
        if self._running is None:
            self._running = self._work()
        if self._running is None:
            return
        until = perf_counter() + SLICE_S
        for _ in self._running:
            if perf_counter() >= until:
                self._timer.start()
                return
        self._running = None
