"""The user's own hardware: a folder of YAML files, watched; what it holds goes to the session."""

from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from explorer.analysis.catalogue.device import Device
from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.leftovers import sweep
from explorer.files.disk.places import is_file, is_folder
from explorer.files.hardware.devices import load_user_devices, read_device, write_device
from explorer.presentation.words.messages import render_problem
from explorer.ui.look.text import tr
from explorer.ui.session import Session

SETTLE_MS = 150  # programs write a file in several steps


class UserHardware(QObject):
    """Tells the session of the folder's devices, as they are and as they change; faults are one sentence by `said`.

    The folder is read once the database is there, whose ids are taken.
    """

    said = Signal(str)

    def __init__(self, session: Session, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.folder = folder
        self._session = session
        self._swept: Path | None = None  # of what killed programs left there
        self._problems: tuple[Problem, ...] = ()
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(SETTLE_MS)
        self._timer.timeout.connect(self.scan)
        self._watcher.directoryChanged.connect(self.rescan)
        self._watcher.fileChanged.connect(self.rescan)
        app = QGuiApplication.instance()
        if isinstance(app, QGuiApplication):  # a folder on a network drive may not tell of changes
            app.applicationStateChanged.connect(self._on_state)
        session.database_changed.connect(self._scan_soon)
        self._scan_soon()

    def set_folder(self, folder: Path) -> None:
        """Watch another folder, read as soon as control returns."""
        if folder != self.folder:
            self.folder = folder
            self._scan_soon()

    def rescan(self) -> None:
        """Read the folder once it has come to rest."""
        if self._session.database.devices:
            self._timer.start()

    def _scan_soon(self) -> None:
        if self._session.database.devices:
            QTimer.singleShot(0, self, self.scan)

    def scan(self) -> None:
        """Read the folder now."""
        if self.folder != self._swept:
            self._swept = self.folder
            sweep(self.folder)
        devices, problems = load_user_devices(self.folder)
        known = self._session.database.device_by_id
        taken = [d for d in devices if d.id in known]
        problems += tuple(Problem("hardware.id_taken", self._name_of(d), {"id": d.id}) for d in taken)
        self._watch()
        if problems and problems != self._problems:
            self.said.emit(self._sentence(problems))
        self._problems = problems
        self._session.set_own_devices(tuple(d for d in devices if d.id not in known))

    def save(self, device: Device, path: Path | None = None) -> Path:
        """Write a device into the folder, made where it is missing; raise Refused."""
        target = path or self.folder / f"{device.id}.yaml"
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            raise Refused(Problem("file.write", values={"file": target.parent.name, "reason": reason})) from None
        write_device(device, target)
        self.scan()
        return target

    def path_of(self, device_id: str) -> Path | None:
        """The file that describes one of the user's devices."""
        for path in self._files():
            try:
                if read_device(path).id == device_id:
                    return path
            except Refused:
                continue
        return None

    def _files(self) -> list[Path]:
        try:
            return sorted(p for p in self.folder.iterdir() if p.suffix in {".yaml", ".yml"})
        except (OSError, ValueError):
            return []

    def _name_of(self, device: Device) -> str:
        path = self.path_of(device.id)
        return path.name if path is not None else device.id

    def _watch(self) -> None:
        """Watch the folder and its files; until the folder exists, the place it will be made in."""
        folder = self.folder if is_folder(self.folder) else self.folder.parent
        wanted = {str(p) for p in (folder, *self._files()) if is_folder(p) or is_file(p)}
        watched = {*self._watcher.directories(), *self._watcher.files()}
        if gone := sorted(watched - wanted):
            self._watcher.removePaths(gone)
        if new := sorted(wanted - watched):
            self._watcher.addPaths(new)

    def _sentence(self, problems: tuple[Problem, ...]) -> str:
        first = render_problem(problems[0], self._session.look)
        if len(problems) == 1:
            return tr("My hardware: {why}", why=first)
        return tr("My hardware: {why} ({count} more)", why=first, count=len(problems) - 1)

    def _on_state(self, state: Qt.ApplicationState) -> None:
        if state == Qt.ApplicationState.ApplicationActive:
            self.rescan()
