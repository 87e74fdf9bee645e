import weakref
from pathlib import Path

from PySide6.QtCore import QSettings, QStandardPaths
from PySide6.QtWidgets import QApplication, QWidget

LEFT: list[weakref.ref[QWidget]] = []


def test_settings_and_data_lie_in_the_tests_own_folder(own_settings: Path) -> None:
    settings = QSettings()
    settings.setValue("key", "value")
    settings.sync()
    assert Path(settings.fileName()).is_relative_to(own_settings)
    data = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    assert "roofline-explorer-tests" in data


def test_settings_of_the_test_before_are_gone() -> None:
    assert QSettings().value("key") is None


def test_a_window_can_be_left_open(qapp: QApplication) -> None:
    window = QWidget()
    window.setObjectName("left open")
    window.show()
    LEFT.append(weakref.ref(window))
    qapp.setProperty("window", window)  # keeps it, as a forgotten reference would


def test_a_window_left_open_is_gone_in_the_next_test() -> None:
    assert "left open" not in {widget.objectName() for widget in QApplication.topLevelWidgets()}


def test_text_is_drawn_with_a_real_font(qapp: QApplication) -> None:
    from PySide6.QtGui import QFontDatabase, QFontMetricsF

    assert QFontDatabase.families()
    metrics = QFontMetricsF(qapp.font())
    assert metrics.horizontalAdvance("W") > metrics.horizontalAdvance("i") > 0
