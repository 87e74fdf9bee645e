"""Waiting until a window has done what it puts off: slices after a paint, throttled work, a layout."""

from time import perf_counter

from PySide6.QtCore import QCoreApplication, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

_STEP_MS, _CALM, _MOST_S = 8, 3, 4.0
_SHORT_MS = 300  # what is put off for longer is not for the eye: autosave, polling


def settle(*widgets: QWidget) -> None:
    """Let events run until nothing that shows is put off any more."""
    until, calm = perf_counter() + _MOST_S, 0
    while calm < _CALM and perf_counter() < until:
        QTest.qWait(_STEP_MS)
        QCoreApplication.sendPostedEvents()
        calm = 0 if any(_busy(widget) for widget in widgets) else calm + 1


def _busy(widget: QWidget) -> bool:
    timers = widget.findChildren(QTimer)
    return any(t.isActive() and t.isSingleShot() and t.interval() <= _SHORT_MS for t in timers)
