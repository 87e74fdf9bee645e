"""The one reader of QSettings: what belongs to this user and machine, never to a study.

A settings file is a stranger's file too: a value that cannot be is passed over, as if it were not there, and named.
"""

import re
import stat
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final, Protocol, cast

from PySide6.QtCore import QByteArray, QCoreApplication, QDir, QSettings, QStandardPaths

from explorer.presentation.look import Look
from explorer.presentation.quantities.numbers import CapacityUnit
from explorer.ui.look.language import translate
from explorer.ui.look.theme import ThemeChoice, chosen_theme

RECENT_LIMIT = 10
TEXT_SIZES: Final = (100, 115, 130, 150, 175)  # percent
_LONGEST_PATH: Final = 4096
_LONGEST_TEXT: Final = 10_000
_LARGEST_LAYOUT: Final = 65536
_LARGEST_FILE: Final = 2**22
_LANGUAGE: Final = re.compile(r"|[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8})*")
_LAYOUTS: Final = ("geometry", "middle", "outer", "right")

Check = Callable[[str], bool]


class Store(Protocol):
    """What is needed of QSettings."""

    def value(self, key: str, default: object = None, /) -> object: ...
    def setValue(self, key: str, value: object, /) -> None: ...
    def fileName(self) -> str: ...


class Settings:
    """Typed access to the user's settings; `ignored` names the values that cannot be used."""

    def __init__(self, store: QSettings | None = None) -> None:
        self._store: Store = store or _standard_store()
        self.ignored: set[str] = set()

    @property
    def look(self) -> Look:
        """Theme, unit and language, as everything is to be shown."""
        return Look(chosen_theme(self.theme), self.capacity_unit, translate)

    @property
    def theme(self) -> ThemeChoice:
        """The chosen theme."""
        return cast("ThemeChoice", self._text("look/theme", "system", ("system", "light", "dark").__contains__))

    @theme.setter
    def theme(self, value: ThemeChoice) -> None:
        self._put("look/theme", value)

    @property
    def capacity_unit(self) -> CapacityUnit:
        """Decimal GB or binary GiB for memory sizes."""
        return cast("CapacityUnit", self._text("look/capacity_unit", "GB", ("GB", "GiB").__contains__))

    @capacity_unit.setter
    def capacity_unit(self, value: CapacityUnit) -> None:
        self._put("look/capacity_unit", value)

    @property
    def text_size(self) -> int:
        """The size of all words, in percent of the usual one."""
        return int(self._text("look/text_size", "100", {str(size) for size in TEXT_SIZES}.__contains__))

    @text_size.setter
    def text_size(self, value: int) -> None:
        self._put("look/text_size", str(value))

    @property
    def language(self) -> str:
        """The interface language, empty for the system's."""
        return self._text("look/language", "", lambda text: bool(_LANGUAGE.fullmatch(text)))

    @language.setter
    def language(self, value: str) -> None:
        self._put("look/language", value)

    @property
    def recent(self) -> tuple[Path, ...]:
        """Recently used files, the newest first."""
        value = self._store.value("files/recent", [])
        names = [value] if isinstance(value, str) else value if isinstance(value, list) else []
        good = [n for n in names if isinstance(n, str) and _is_path(n)]
        if len(good) < len([n for n in names if n]) or not (value is None or isinstance(value, str | list)):
            self.ignored.add("files/recent")
        return tuple(map(Path, good[:RECENT_LIMIT]))

    def add_recent(self, path: Path) -> None:
        """Put a file first among the recent ones."""
        kept = [path, *(p for p in self.recent if p != path)]
        self._put("files/recent", [str(p) for p in kept[:RECENT_LIMIT]])

    def clear_recent(self) -> None:
        self._put("files/recent", [])

    @property
    def folder(self) -> Path:
        """Where file dialogs open."""
        return Path(
            self._text("files/folder", "", _is_path) or QDir.homePath()
        )  # Path.home() raises where there is none

    @folder.setter
    def folder(self, value: Path) -> None:
        self._put("files/folder", str(value))

    @property
    def hardware_folder(self) -> Path:
        """The folder of the user's own hardware files, watched for changes."""
        chosen = self._text("files/hardware_folder", "", may_be_folder)
        return Path(chosen) if chosen else data_folder() / "hardware"

    @hardware_folder.setter
    def hardware_folder(self, value: Path) -> None:
        self._put("files/hardware_folder", str(value.absolute()))

    @property
    def measure_python(self) -> str:
        """The Python whose torch measures."""
        return self._text("measure/python", "", _is_line)

    @measure_python.setter
    def measure_python(self, value: str) -> None:
        self._put("measure/python", value)

    @property
    def measure_host(self) -> str:
        """The machine it runs on, empty for this one."""
        return self._text("measure/host", "", lambda text: _is_line(text) and not text.startswith("-"))

    @measure_host.setter
    def measure_host(self, value: str) -> None:
        self._put("measure/host", value)

    def layout(self, name: str) -> QByteArray | None:
        """A saved window geometry or splitter state."""
        value = self._store.value(f"window/{name}")
        good = isinstance(value, QByteArray) and value.size() <= _LARGEST_LAYOUT
        if value is not None and not good:
            self.ignored.add(f"window/{name}")
        return cast("QByteArray", value) if good else None

    def set_layout(self, name: str, value: QByteArray) -> None:
        self._put(f"window/{name}", value)

    def text(self, name: str, default: str = "") -> str:
        """A small text of a panel, such as its chosen columns."""
        return self._text(f"panels/{name}", default, lambda text: len(text) <= _LONGEST_TEXT and "\0" not in text)

    def set_text(self, name: str, value: str) -> None:
        self._put(f"panels/{name}", value)

    def read_all(self) -> None:
        """Look at every setting, so that `ignored` names all that cannot be used."""
        for name in ("theme", "text_size", "capacity_unit", "language", "recent", "folder", "hardware_folder"):
            getattr(self, name)
        _ = self.measure_python, self.measure_host
        for name in _LAYOUTS:
            self.layout(name)

    @property
    def file(self) -> Path:
        """The file they are kept in, or would be."""
        return Path(self._store.fileName())

    @property
    def damaged(self) -> bool:
        """Whether the file is not as the program writes it."""
        store = self._store
        return isinstance(store, QSettings) and store.status() == QSettings.Status.FormatError

    @property
    def kept(self) -> bool:
        """Whether changes outlast the program."""
        return isinstance(self._store, QSettings) and self._store.isWritable()

    def _text(self, key: str, default: str, good: Check) -> str:
        value = self._store.value(key)
        if value is None:
            return default
        if isinstance(value, str) and good(value):
            return value
        self.ignored.add(key)
        return default

    def _put(self, key: str, value: object) -> None:
        self.ignored.discard(key)
        self._store.setValue(key, value)


def data_folder() -> Path:
    """The program's folder of this user: autosaves and own hardware."""
    return Path(QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation))


class _Memory:
    """Settings that nobody keeps, where the place of the file is taken by something else."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._values: dict[str, object] = {}

    def fileName(self) -> str:
        return str(self._path)

    def value(self, key: str, default: object = None, /) -> object:
        return self._values.get(key, default)

    def setValue(self, key: str, value: object, /) -> None:
        self._values[key] = value


def _standard_store() -> Store:
    """The user's settings; a pipe in their place would never end, and a device would become a file."""
    if sys.platform in {"win32", "darwin"}:
        return QSettings()
    scope, org = QSettings.Scope.UserScope, QCoreApplication.organizationName()
    beside = Path(QSettings(QSettings.defaultFormat(), scope, org, "-").fileName())
    path = beside.with_name(QCoreApplication.applicationName() + beside.suffix)
    try:
        status = path.stat()
    except (OSError, ValueError):
        return QSettings()
    plain = stat.S_ISREG(status.st_mode) and status.st_size <= _LARGEST_FILE
    return QSettings() if plain else _Memory(path)


def _is_line(text: str) -> bool:
    return len(text) <= _LONGEST_PATH and text.isprintable()


def _is_path(text: str) -> bool:
    return not text or (len(text) <= _LONGEST_PATH and "\0" not in text and Path(text).is_absolute())


def may_be_folder(text: str) -> bool:
    """Whether a folder is there or could be made."""
    if not text or not _is_path(text):
        return not text
    try:
        return stat.S_ISDIR(Path(text).stat().st_mode)
    except FileNotFoundError:
        return True
    except OSError as error:
        return isinstance(error, PermissionError)
