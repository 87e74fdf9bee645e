"""The database of devices, read between the events of the window: some files at each turn."""

from time import perf_counter
from typing import Final

from msgspec.structs import replace
from PySide6.QtCore import QObject, QTimer, Signal

from explorer.analysis.catalogue.device import Device
from explorer.files.catalogue import database_folder, load_catalogue
from explorer.files.hardware.devices import each_device

_TURN_S: Final = 0.008  # half a frame


class DatabaseReading(QObject):
    """Reads all devices and presets without keeping the window waiting, then tells the whole catalogue."""

    done = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._files = each_device(database_folder())
        self._devices: list[Device] = []
        self._timer = QTimer(self)
        self._timer.setInterval(0)
        self._timer.timeout.connect(self._turn)

    def start(self) -> None:
        """Begin with the next turn of the event loop."""
        self._timer.start()

    def _turn(self) -> None:
        until = perf_counter() + _TURN_S
        while perf_counter() < until:
            device = next(self._files, None)
            if device is None:
                self._timer.stop()
                self.done.emit(replace(load_catalogue(devices=False, presets=True), devices=tuple(self._devices)))
                return
            self._devices.append(device)
