"""The database is read between the events of the window."""

from time import perf_counter

from PySide6.QtCore import QTimer

from explorer.files.catalogue import load_catalogue
from explorer.ui.hardware.reading import DatabaseReading


def test_the_whole_catalogue_comes_in_turns_between_which_the_window_lives(qtbot) -> None:
    reading, told, beats = DatabaseReading(), [], []
    reading.done.connect(told.append)
    beating = QTimer()
    beating.setInterval(0)
    beating.timeout.connect(lambda: beats.append(perf_counter()))
    beating.start()
    reading.start()
    qtbot.waitUntil(lambda: bool(told), timeout=20_000)
    beating.stop()
    whole = load_catalogue()
    assert (told[0].devices, told[0].presets, told[0].formats) == (whole.devices, whole.presets, whole.formats)
    assert len(beats) > 5
