"""Opening, saving and dropping of files: what the File menu does."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar, cast

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QFileDialog, QMessageBox, QWidget

from explorer.analysis.problem import Refused
from explorer.analysis.step.expand import built_model
from explorer.analysis.study.edits import add_hardware, add_model
from explorer.analysis.study.study import Study
from explorer.document.store import same_work
from explorer.document.writing import Writing
from explorer.files.disk.atomic import Stamp, stamp_of
from explorer.files.disk.leftovers import sweep
from explorer.files.disk.places import is_folder
from explorer.files.hardware.devices import read_device
from explorer.files.study.study import read_study, write_study
from explorer.files.study.writing import takes_long
from explorer.presentation.words.messages import render_problem
from explorer.ui.background import waited
from explorer.ui.documents.save_place import ask_place, ask_save, file_name
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.settings import Settings
from explorer.ui.widgets.modal import ask
from explorer.ui.widgets.plain_text import message_box

STUDY_SUFFIX = ".roofline.yaml"
T = TypeVar("T")
_QUICK = 2**16  # bytes that every reader takes in less time than a frame


class Documents(QObject):
    """The study's life on disk; every refusal is one sentence through `say`."""

    def __init__(
        self,
        window: QWidget,
        session: Session,
        settings: Settings,
        say: Callable[[str], None],
        unsay: Callable[[str], None] = lambda _text: None,
    ) -> None:
        super().__init__(window)
        self._window = window
        self._session = session
        self._settings = settings
        self._say = say
        self._unsay = unsay
        self.import_file: Callable[[Path], None] = lambda _path: None  # measurements of other tools
        self._writing: tuple[Writing, Study, Path] | None = None  # beside the window
        self._saved = True  # what became of the last one
        self._tidied: Path | None = None
        self._again = False  # the study was to be saved again meanwhile

    def new(self) -> None:
        if self.may_leave():
            self._session.store.reset(Study(name=tr("Untitled")))

    def show_example(self, study: Study) -> None:
        """Open an example as an unsaved study."""
        if self.may_leave():
            self._session.store.reset(study)

    def open_dialog(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self._window,
            tr("Open a study, a model, a hardware file or measurements"),
            str(self._settings.folder),
            tr("Studies, models and hardware (*.yaml *.yml *.json *.gguf *.safetensors);;All files (*)"),
        )
        if name:
            self.open(Path(name))

    def open(self, path: Path) -> bool:
        """Open what a file holds: a study replaces the open one; a config, device or measurements are added to it."""
        from explorer.files.detect import detect  # many readers, which the first frame does not need

        try:
            kind = detect(path)
            if kind == "measurements":
                self.import_file(path)
                return True
            if kind == "study":
                return self._open_study(path)
            if kind == "device":
                self._add_device(path)
            else:
                self.add_config(path)
        except Refused as refused:
            self._refuse(path, refused)
            return False
        self._remember(path)
        return True

    def open_all(self, paths: Iterable[Path]) -> None:
        """Open several dropped files one after the other, studies first: what comes with them is added to them."""
        for path in sorted(paths, key=lambda p: not p.name.lower().endswith(STUDY_SUFFIX)):
            self.open(path)

    def add_config_dialog(self) -> None:
        name, _ = QFileDialog.getOpenFileName(
            self._window,
            tr("Read a model: config.json, GGUF or safetensors"),
            str(self._settings.folder),
            tr("Models (*.json *.gguf *.safetensors);;All files (*)"),
        )
        if name:
            self.open(Path(name))

    def add_config(self, path: Path) -> None:
        """Add a model from its file or folder and make it the active one."""
        from explorer.files.models.model_file import read_model  # as above

        entry = self._read(path, lambda: read_model(path))
        if entry is None:
            return
        built_model(entry)
        store = self._session.store
        store.replace(add_model(store.study, entry), tr("Add {name}", name=entry.name))

    def save(self) -> bool:
        """Save; False where that failed or was given up. A large study is still being written when this returns."""
        path = self._session.store.path
        if path is None:
            return self.save_as()
        if self._writing is not None and self._writing[2] == path:
            self._again = not same_work(self._writing[1], self._session.store.study)
            return True
        return self._may_replace(path) and self._write(path)

    def save_as(self) -> bool:
        store = self._session.store
        suggestion = store.path or self._settings.folder / (file_name(store.study.name, "study") + STUDY_SUFFIX)
        title, filters = tr("Save the study"), tr("Studies (*.roofline.yaml)")
        path = ask_place(self._window, title, suggestion, filters, (STUDY_SUFFIX, ".yaml", ".yml"))
        return path is not None and self._write(path)

    def revert(self) -> None:
        self.finish()
        store = self._session.store
        path = store.path
        if path is None:
            return
        try:
            stamp = stamp_of(path)  # before it is read: a change in between is asked about
            study = self._read(path, lambda: read_study(path))
            if study is not None and store.path == path:  # and no other study was opened meanwhile
                store.revert(study, stamp, tr("Revert"))
        except Refused as refused:
            self._refuse(path, refused)

    def finish(self) -> bool:
        """Wait for a study that is being written; False where it could not be."""
        while self._writing is not None:
            self._writing[0].wait()
        return self._saved

    def may_leave(self) -> bool:
        """Ask about unsaved edits; False when the user wants to stay."""
        self.finish()
        if not self._session.store.dirty:
            return True
        button = QMessageBox.StandardButton
        question = tr("Save the changes to “{name}” first?", name=self._session.store.study.name or tr("Untitled"))
        box = message_box(self._window, QMessageBox.Icon.Question, question)
        box.setStandardButtons(button.Save | button.Discard | button.Cancel)
        box.setDefaultButton(button.Save)
        answer = ask(box)
        if answer == button.Save:
            saved = self.save() and self.finish()
            return saved and (not self._session.store.dirty or self.may_leave())  # what came in meanwhile
        return bool(answer == button.Discard)

    def _read(self, path: Path, reader: Callable[[], T]) -> T | None:
        """What a reader makes of a file, beside the window where it may take long; None where that was cancelled."""
        stamp = stamp_of(path)
        if stamp is None or (stamp[1] <= _QUICK and not is_folder(path)):
            return reader()
        return cast("T | None", waited(reader, tr("Open"), tr("Reading {file}…", file=path.name), self._window))

    def _open_study(self, path: Path) -> bool:
        stamp = stamp_of(path)  # before it is read: a change in between is asked about
        study = self._read(path, lambda: read_study(path))
        if study is None or not self.may_leave():
            return False
        if stamp_of(path) != stamp:  # while the question waited, as where its answer saved to this very file
            stamp, study = stamp_of(path), self._read(path, lambda: read_study(path))
        if study is None:
            return False
        self._session.store.reset(study, path, stamp)
        self._remember(path)
        self._tidy(path)
        return True

    def _add_device(self, path: Path) -> None:
        device = read_device(path)
        store = self._session.store
        store.replace(add_hardware(store.study, device), tr("Add {name}", name=device.name))

    def _may_replace(self, path: Path) -> bool:
        """Ask where someone else has changed the file since it was read or written here; a file gone is made anew."""
        now = stamp_of(path)
        if now is None or now == self._session.store.stamp:
            return True
        question = tr("{name} was changed by another program. Save over those changes?", name=path.name)
        return ask_save(self._window, question)

    def _write(self, path: Path) -> bool:
        self.finish()
        self._again = False
        study = self._session.store.study
        if takes_long(study):
            self._say(_saving(path))
            writing = Writing(lambda pause: write_study(study, path, pause), self._on_written, self)
            self._writing = (writing, study, path)
            return True
        try:
            self._took(study, path, write_study(study, path))
        except Refused as refused:
            self._not_saved(path, refused)
        return self._saved

    def _on_written(self, result: Stamp | Refused) -> None:
        if self._writing is None:
            return
        (writing, study, path), self._writing = self._writing, None
        writing.deleteLater()
        self._unsay(_saving(path))
        if isinstance(result, Refused):
            self._not_saved(path, result)
            return
        self._took(study, path, result)
        if self._again:
            self.save()

    def _took(self, study: Study, path: Path, stamp: Stamp) -> None:
        self._saved = True
        self._session.store.saved(study, path, stamp)
        self._remember(path)
        self._tidy(path)

    def _tidy(self, path: Path) -> None:
        """Once for each file, remove what a program killed while saving it has left beside it."""
        if path != self._tidied:
            self._tidied = path
            target = path.resolve()
            sweep(target.parent, target.name)

    def _not_saved(self, path: Path, refused: Refused) -> None:
        self._saved = False
        why = render_problem(refused.problems[0], self._session.look)
        self._say(tr("{file} was not saved. {why}", file=path.name, why=why))

    def _remember(self, path: Path) -> None:
        self._settings.add_recent(path.resolve())
        self._settings.folder = path.resolve().parent

    def _refuse(self, path: Path, refused: Refused) -> None:
        lines = [render_problem(p, self._session.look) for p in refused.problems]
        more = tr(" ({count} more)", count=len(lines) - 1) if len(lines) > 1 else ""
        self._say(tr("{file} was not opened. {why}{more}", file=path.name, why=lines[0], more=more))


def _saving(path: Path) -> str:
    return tr("Saving {file}…", file=path.name)
