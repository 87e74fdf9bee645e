"""Hands for files: opening, dropping, importing, saving, exporting, and what happens to files meanwhile."""

import errno
import os
import re
import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QEvent, QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QDialog, QProgressDialog, QPushButton

from explorer.analysis.problem import Refused
from explorer.analysis.study.study import Study
from explorer.app import offer_recovery
from explorer.files.study.study import read_study, study_to_text, write_study
from explorer.ui.documents.export_dialog import ExportDialog
from explorer.ui.settings import data_folder
from tests.ui.monkey import Monkey
from tests.ui.monkey_samples import Samples

AUTOSAVE = ".autosave.roofline.yaml"
PATIENCE_S = 30.0
LARGE = 500  # rows of a study that may be written beside the window


class Disk:
    """Fails on demand, as a full or a read-only disk does."""

    def __init__(self) -> None:
        self.fault: int | None = None
        self._fsync, self._replace = os.fsync, os.replace

    def fsync(self, handle: int) -> None:
        self._fail(errno.ENOSPC)
        self._fsync(handle)

    def replace(self, source: object, target: object) -> None:
        self._fail(errno.EROFS)
        self._replace(source, target)  # type: ignore[arg-type]

    def _fail(self, kind: int) -> None:
        if self.fault == kind:
            raise OSError(kind, os.strerror(kind))


class FileHands(Monkey):
    """A monkey with a folder of its own; `renew` closes what is left of a window and opens another."""

    folder: Path
    samples: Samples
    disk: Disk
    renew: Callable[[], None]
    rough = True  # closes in mid-import too

    # what file dialogs answer

    def open_name(self, *_asked: object) -> tuple[str, str]:
        return (str(self.any_file()) if self.rng.random() < 0.8 else ""), ""

    def open_names(self, *_asked: object) -> tuple[list[str], str]:
        return [str(self.any_file()) for _ in range(self.rng.choice((0, 1, 1, 3)))], ""

    def save_name(self, *asked: object) -> tuple[str, str]:
        endings = re.findall(r"\*(\.[\w.]+)", str(asked[3]) if len(asked) > 3 else "") or [".yaml"]
        name = f"file {self.rng.randrange(12)}{self.rng.choice((*endings, *endings, ''))}"
        place = self.folder / "saved" / name
        odd = (self.folder / "no such folder" / name, self.folder, Path("/proc/nothing.yaml"))
        return str(self.rng.choice(("", *[place] * 12, *odd))), ""

    def any_file(self) -> Path:
        saved = sorted((self.folder / "saved").iterdir())
        pick = self.rng.random()
        if pick < 0.15 and saved:
            return self.rng.choice(saved)
        return self.samples.spoiled() if pick < 0.3 else self.samples.any()

    # waiting

    def wait(self, done: Callable[[], bool], seconds: float = PATIENCE_S) -> bool:
        end = time.monotonic() + seconds
        while not done():
            if time.monotonic() > end:
                return False
            QApplication.processEvents()
            time.sleep(0.002)
        return True

    def importing(self) -> bool:
        return getattr(self.window.measuring, "job", None) is not None

    def finish_imports(self) -> None:
        """Read to the end, give up in the middle, or leave it running for what comes next."""
        choice = self.rng.choice(("wait", "wait", "wait", "cancel", "leave"))
        self.note(choice)
        if choice == "cancel":
            self.wait(lambda: not self.importing(), self.rng.uniform(0, 0.02))
            for dialog in self.window.findChildren(QProgressDialog):
                dialog.cancel()
        if choice != "leave":
            assert self.wait(lambda: not self.importing()), "an import does not end"

    # opening

    def do_open(self) -> None:
        path = self.any_file()
        self.note(path.name)
        self.window.documents.open(path)
        self.finish_imports()

    def do_drop(self) -> None:
        paths = [self.any_file() for _ in range(self.rng.choice((1, 1, 2, 4)))]
        self.note([p.name for p in paths])
        data = QMimeData()
        data.setUrls([*(QUrl.fromLocalFile(str(p)) for p in paths), QUrl("https://example.com/x.yaml")])
        actions, left, plain = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
        QApplication.sendEvent(self.window, QDragEnterEvent(QPoint(5, 5), actions, data, left, plain))
        drop = QDropEvent(QPointF(5, 5), actions, data, left, plain, QEvent.Type.Drop)
        QApplication.sendEvent(self.window, drop)
        QApplication.processEvents()
        self.finish_imports()

    def do_import(self) -> None:
        self.window.import_measurements()
        self.finish_imports()

    def do_example(self) -> None:
        menus = self.window.file_menus
        menu = self.rng.choice((menus.examples, menus.recent))
        menu.aboutToShow.emit()
        actions = [a for a in menu.actions() if a.isEnabled() and not a.isSeparator()]
        if actions:
            action = self.rng.choice(actions)
            self.note(action.text())
            action.trigger()
            self.finish_imports()

    # saving

    def do_save(self) -> None:
        save = self.rng.choice((self.window.documents.save, self.window.documents.save, self.window.documents.save_as))
        self.save_with(save)

    def do_save_on_a_bad_disk(self) -> None:
        self.disk.fault = self.rng.choice((errno.ENOSPC, errno.EROFS))
        try:
            self.save_with(self.window.documents.save)
            self.autosave_at_once()
            self.fill_export()
        finally:
            self.disk.fault = None

    def save_with(self, save: Callable[[], bool]) -> None:
        """Save: then the file is the study, or, where that was not done, what it was before."""
        study, path, before = self.store.study, self.store.path, content(self.store.path)
        was_dirty = self.store.dirty
        saved = save()
        self.note("saved" if saved else "not saved")
        if saved and self.disk.fault is None:
            assert self.wait(lambda: holds(self.store.path, study)), "the saved file is another study"
            assert self.wait(lambda: not self.store.dirty or self.store.study != study)
        elif not saved:
            assert content(path) == before, "a study that was not saved changed its file"
            assert self.store.dirty == was_dirty
        assert self.store.study == study

    def do_autosave(self) -> None:
        self.autosave_at_once()

    def autosave_at_once(self) -> None:
        autosave, study = self.window.autosave, self.store.study
        done = autosave.save()
        if not self.store.dirty or self.disk.fault is not None:
            return
        assert done
        assert self.wait(lambda: holds(autosave.path, study)), "the autosave is another study"

    def do_change_the_file_meanwhile(self) -> None:
        path = self.store.path
        if path is None or not path.is_relative_to(self.folder / "saved"):
            return
        way = self.rng.choice(("other", "junk", "gone", "folder", "touched"))
        self.note(way)
        with suppress(OSError, Refused):
            if way == "other":
                write_study(Study(name="by another program"), path)
            elif way == "touched":
                os.utime(path)
            else:
                shutil.rmtree(path) if path.is_dir() else path.unlink()
                if way == "junk":
                    path.write_bytes(b"\xff junk")
                elif way == "folder":
                    path.mkdir()

    def do_recover(self) -> None:
        """Find what an earlier run left behind."""
        folder = data_folder() / "autosave"
        folder.mkdir(parents=True, exist_ok=True)
        study = replace(self.samples_study(), name=f"left behind {self.rng.randrange(999)}")
        path = folder / f"1-{self.rng.randrange(1 << 30):x}{AUTOSAVE}"
        path.write_text(study_to_text(study) if self.rng.random() < 0.8 else "format: 1\nhalf")
        offer_recovery(self.window)
        if self.rng.random() < 0.7:
            self.press_words("Recover")
        path.unlink(missing_ok=True)

    def samples_study(self) -> Study:
        return read_study(self.rng.choice(self.samples.studies))

    def shows(self, words: str) -> QPushButton | None:
        """A button that can be pressed, by its words."""
        buttons = self.window.findChildren(QPushButton)
        return next((b for b in buttons if words in b.text() and b.isVisible() and b.isEnabled()), None)

    def press_words(self, words: str) -> None:
        """Press a button by its words, where it is shown."""
        if (button := self.shows(words)) is not None:
            button.click()

    # leaving

    def do_close_and_open_again(self) -> None:
        if not self.rough:
            self.wait(lambda: not self.importing())
        autosave = self.window.autosave
        if not self.window.close():
            self.note("stayed")
            return
        assert not autosave.path.exists(), "an autosave outlives a window that was closed"
        self.renew()

    # exporting

    def do_export(self) -> None:
        self.fill_export()

    def fill_export(self) -> None:
        """The figure of the current view, as each kind of file."""
        view = self.window.tabs.current_view()
        dialog = ExportDialog(self.window.session, self.window.settings, view, self.window)
        dialog.width_box.setValue(self.rng.choice((320, 640, 900)))
        dialog.height_box.setValue(self.rng.choice((320, 500, 900)))
        dialog.scale.setValue(self.rng.choice((0.5, 1.0, 1.0, 2.0)))
        dialog.theme.setCurrentIndex(self.rng.randrange(2))
        dialog.slide.setChecked(self.rng.random() < 0.5)
        dialog.title.setText(self.garbage())
        path = self.folder / "saved" / f"figure{self.rng.choice(('.png', '.svg', '.pdf', '.PNG', '.bmp'))}"
        before = content(path)
        self.note(f"{view} {path.name}")
        if dialog.export(path):
            assert self.disk.fault is not None or whole(path), f"{path.name} is not whole"
        else:
            assert dialog.problem.text()
            assert content(path) == before
        dialog.deleteLater()

    def do_export_table(self) -> None:
        self.window.export_table()

    # the user's own folder

    def do_own_folder(self) -> None:
        own = data_folder() / "hardware"
        folder = self.window.settings.hardware_folder  # which may be any, as garbage was typed
        if folder not in {own, self.folder / "own"}:
            self.window.settings.hardware_folder = folder = own
            self.window.picker.user.set_folder(own)
        with suppress(OSError):
            folder.mkdir(parents=True, exist_ok=True)
        files = sorted(folder.glob("*.yaml")) if folder.is_dir() else []
        way = self.rng.choice(("add", "add", "spoil", "remove", "all", "rename"))
        self.note(way)
        if way == "add":
            source = self.rng.choice(self.samples.devices)
            shutil.copy(source, folder / source.name)
        elif way == "spoil":
            (folder / "spoiled.yaml").write_bytes(self.samples.spoiled().read_bytes())
        elif way == "all":
            shutil.rmtree(folder)
        elif files:
            path = self.rng.choice(files)
            path.unlink() if way == "remove" else path.rename(path.with_suffix(".yml"))
        if self.rng.random() < 0.5:
            self.window.picker.user.scan()
        else:  # as the watcher does
            self.window.picker.user.rescan()
            self.wait(lambda: False, self.rng.choice((0.0, 0.0, 0.2)))

    def answer(self, dialog: QDialog) -> int:
        if isinstance(dialog, QProgressDialog):
            self.finish_imports()
            return 0
        if isinstance(dialog, ExportDialog):  # sizes that take no seconds
            dialog.width_box.setValue(400)
            dialog.height_box.setValue(400)
            dialog.scale.setValue(1.0)
        return super().answer(dialog)


def content(path: Path | None) -> bytes | None:
    """A file as it is, None where there is none."""
    try:
        return None if path is None else path.read_bytes()
    except OSError:
        return None


def holds(path: Path | None, study: Study) -> bool:
    """Whether a file is this study."""
    try:
        return path is not None and read_study(path) == study
    except Refused:
        return False


def whole(path: Path) -> bool:
    """Whether a figure's file begins and ends as it must."""
    data = path.read_bytes()
    ending = path.suffix.lower()
    if ending == ".png":
        return data.startswith(b"\x89PNG") and b"IEND" in data[-16:]
    if ending == ".svg":
        return data.lstrip().startswith(b"<") and data.rstrip().endswith(b"</svg>")
    return data.startswith(b"%PDF") and data.rstrip().endswith(b"%%EOF")
