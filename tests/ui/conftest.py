"""What every test of the window needs: settings of its own, and no window left for the next test."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QStandardPaths
from PySide6.QtWidgets import QApplication, QWidget

from explorer.ui.window import MainWindow


@pytest.fixture(autouse=True)
def own_settings(qapp: QApplication, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the test a home of its own: settings, data and caches never meet the user's."""
    home = tmp_path / "home"
    for variable in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(variable, str(home / variable))
    QStandardPaths.setTestModeEnabled(sys.platform in {"darwin", "win32"})  # these read no XDG variables
    QCoreApplication.setOrganizationName("roofline-explorer-tests")
    QCoreApplication.setApplicationName("roofline-explorer-tests")
    QSettings.setDefaultFormat(QSettings.Format.IniFormat)
    for form in (QSettings.Format.IniFormat, QSettings.Format.NativeFormat):
        QSettings.setPath(form, QSettings.Scope.UserScope, str(home / "settings"))
    return home


@pytest.fixture
def held_windows(monkeypatch: pytest.MonkeyPatch) -> list[QWidget]:
    """Windows made, and widgets shown, in a test.

    Events run once more after the test's own names for them are gone. Python's collector would then take a window
    apart in the middle of its own work: the end of the whole run.
    """
    found: list[QWidget] = []
    make, show = MainWindow.__init__, QWidget.show

    def made(window: MainWindow, *args: Any) -> None:
        found.append(window)
        make(window, *args)

    def shown(widget: QWidget) -> None:
        found.append(widget)
        show(widget)

    monkeypatch.setattr(MainWindow, "__init__", made)
    monkeypatch.setattr(QWidget, "show", shown)
    return found


@pytest.fixture(autouse=True)
def no_window_left(qapp: QApplication, held_windows: list[QWidget]) -> Iterator[None]:
    """Take every window away after the test; hidden rather than closed, for closing may ask to save."""
    yield
    for widget in QApplication.topLevelWidgets():
        if widget.parent() is None:
            widget.hide()
            widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qapp.processEvents()
    held_windows.clear()
