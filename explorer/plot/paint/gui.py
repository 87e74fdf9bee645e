"""A QGuiApplication for drawing without a window."""

import os
import sys

from PySide6.QtCore import QCoreApplication
from PySide6.QtGui import QGuiApplication

_kept: list[QCoreApplication] = []


def ensure_gui() -> QCoreApplication:
    """The running application, else one that needs no screen; fonts and painters work from then on."""
    running = QCoreApplication.instance()
    if running is not None:
        return running
    if sys.platform not in {"win32", "darwin"}:  # there the native platforms draw without a screen, with all fonts
        os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    os.environ.setdefault(
        "QT_NO_GUI_THREADPOOL", "1"
    )  # waking threads for small translucent fills costs more than they
    _kept.append(QGuiApplication(["roofline-explorer"]))
    return _kept[0]
