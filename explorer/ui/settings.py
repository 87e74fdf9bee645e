"""The one reader of QSettings: what belongs to this user and machine, never to a study."""

from pathlib import Path
from typing import cast

from PySide6.QtCore import QByteArray, QDir, QSettings, QStandardPaths

from explorer.presentation.numbers import CapacityUnit
from explorer.ui.theme import ThemeChoice

RECENT_LIMIT = 10


class Settings:
    """Typed access to the user's settings."""

    def __init__(self, store: QSettings | None = None) -> None:
        self._store = store or QSettings()

    @property
    def theme(self) -> ThemeChoice:
        """The chosen theme."""
        value = str(self._store.value("look/theme", "system"))
        return cast("ThemeChoice", value if value in ("system", "light", "dark") else "system")

    @theme.setter
    def theme(self, value: ThemeChoice) -> None:
        self._store.setValue("look/theme", value)

    @property
    def capacity_unit(self) -> CapacityUnit:
        """Decimal GB or binary GiB for memory sizes."""
        return "GiB" if str(self._store.value("look/capacity_unit", "GB")) == "GiB" else "GB"

    @capacity_unit.setter
    def capacity_unit(self, value: CapacityUnit) -> None:
        self._store.setValue("look/capacity_unit", value)

    @property
    def language(self) -> str:
        """The interface language, empty for the system's."""
        return str(self._store.value("look/language", ""))

    @language.setter
    def language(self, value: str) -> None:
        self._store.setValue("look/language", value)

    @property
    def recent(self) -> tuple[Path, ...]:
        """Recently used files, the newest first."""
        value = self._store.value("files/recent", [])
        names = [value] if isinstance(value, str) else list(cast("list[str]", value or []))
        return tuple(Path(n) for n in names if n)[:RECENT_LIMIT]

    def add_recent(self, path: Path) -> None:
        """Put a file first among the recent ones."""
        kept = [path, *(p for p in self.recent if p != path)]
        self._store.setValue("files/recent", [str(p) for p in kept[:RECENT_LIMIT]])

    def clear_recent(self) -> None:
        self._store.setValue("files/recent", [])

    @property
    def folder(self) -> Path:
        """Where file dialogs open."""
        return Path(
            str(self._store.value("files/folder", "")) or QDir.homePath()
        )  # Path.home() raises where there is none

    @folder.setter
    def folder(self, value: Path) -> None:
        self._store.setValue("files/folder", str(value))

    @property
    def hardware_folder(self) -> Path:
        """The folder of the user's own hardware files, watched for changes."""
        chosen = str(self._store.value("files/hardware_folder", ""))
        return Path(chosen) if chosen else data_folder() / "hardware"

    @hardware_folder.setter
    def hardware_folder(self, value: Path) -> None:
        self._store.setValue("files/hardware_folder", str(value))

    @property
    def measure_python(self) -> str:
        """The Python whose torch measures."""
        return str(self._store.value("measure/python", ""))

    @measure_python.setter
    def measure_python(self, value: str) -> None:
        self._store.setValue("measure/python", value)

    @property
    def measure_host(self) -> str:
        """The machine it runs on, empty for this one."""
        return str(self._store.value("measure/host", ""))

    @measure_host.setter
    def measure_host(self, value: str) -> None:
        self._store.setValue("measure/host", value)

    def layout(self, name: str) -> QByteArray | None:
        """A saved window geometry or splitter state."""
        value = self._store.value(f"window/{name}")
        return value if isinstance(value, QByteArray) else None

    def set_layout(self, name: str, value: QByteArray) -> None:
        self._store.setValue(f"window/{name}", value)

    def text(self, name: str, default: str = "") -> str:
        """A small text of a panel, such as its chosen columns."""
        return str(self._store.value(f"panels/{name}", default))

    def set_text(self, name: str, value: str) -> None:
        self._store.setValue(f"panels/{name}", value)


def data_folder() -> Path:
    """The program's folder of this user: autosaves and own hardware."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation))
