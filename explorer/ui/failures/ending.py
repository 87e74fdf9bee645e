"""A window that the system asks to end (Ctrl+C in its terminal, a log-out, `kill`) keeps its edits first."""

import os
import signal
import sys
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QObject, QSocketNotifier

_NAMES: Final = ("SIGINT", "SIGTERM", "SIGHUP")


class Ending(QObject):
    """Hears the signals in Qt's loop, where Python's own handlers would wait for ever; `end` is given the exit code."""

    def __init__(self, end: Callable[[int], object], parent: QObject) -> None:
        super().__init__(parent)
        self._end = end
        if sys.platform == "win32":  # there no signal ends a program without a console
            return
        self._heard, told = os.pipe()
        os.set_blocking(told, False)
        signal.set_wakeup_fd(told, warn_on_full_buffer=False)
        for name in _NAMES:
            signal.signal(getattr(signal, name), lambda *_: None)
        self._notifier = QSocketNotifier(self._heard, QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._on_signal)

    def _on_signal(self) -> None:
        for number in os.read(self._heard, 64):
            if number in {getattr(signal, name) for name in _NAMES}:
                self._end(128 + number)
                return
