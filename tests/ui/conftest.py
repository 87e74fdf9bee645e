"""What every test of the window needs: settings of its own, and no window left for the next test."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QSettings, QStandardPaths
from PySide6.QtWidgets import QApplication


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


@pytest.fixture(autouse=True)
def no_window_left(qapp: QApplication) -> Iterator[None]:
    """Take every window away after the test; hidden rather than closed, for closing may ask to save."""
    yield
    for widget in QApplication.topLevelWidgets():
        if widget.parent() is None:
            widget.hide()
            widget.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qapp.processEvents()
