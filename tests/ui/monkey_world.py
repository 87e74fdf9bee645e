"""The world of a monkey: a folder, a window that may be closed and opened again, and what must hold after each act."""

import gc
import json
import os
import random
import sys
import threading
import time
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack, chdir, contextmanager
from pathlib import Path
from unittest.mock import patch

from msgspec.structs import replace
from PySide6.QtCore import QCoreApplication, QEvent, QtMsgType, QTranslator, qInstallMessageHandler
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMessageBox

from explorer.analysis.step.evaluate import evaluate
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.study import Study, View
from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.files.study.study import study_from_text, study_to_text
from explorer.presentation.answer.json_result import evaluation_json
from explorer.ui.settings import Settings
from explorer.ui.window import MainWindow
from tests.ui.monkey_files import LARGE, Disk
from tests.ui.monkey_measure import MeasureHands
from tests.ui.monkey_samples import Samples

MARK = "ROOFLINE_MONKEY"  # in the environment of every process that the program starts
TOLD = 30  # acts that the report of a failure lists
_QUIET = ("This plugin does not support",)  # of the offscreen platform, not ours
_MOST_DIALOGS, _MOST_MB = 60, 1500
_MOST_UNDONE = 60


class Faults:
    """Hears of every exception and every warning, wherever it comes up."""

    def __init__(self) -> None:
        self.said: list[str] = []

    def _exception(self, kind: object, error: BaseException | None, *_: object) -> None:
        self.said.append("".join(traceback.format_exception(error)) if error is not None else str(kind))

    def _thread(self, args: threading.ExceptHookArgs) -> None:
        self._exception(args.exc_type, args.exc_value, args.exc_traceback)

    def _unraisable(self, args: "sys.UnraisableHookArgs") -> None:
        self.said.append(f"{args.err_msg} {args.object!r}")
        self._exception(args.exc_type, args.exc_value, args.exc_traceback)

    def _qt(self, kind: QtMsgType, _context: object, message: str) -> None:
        if kind not in {QtMsgType.QtDebugMsg, QtMsgType.QtInfoMsg} and not message.startswith(_QUIET):
            self.said.append(f"Qt: {message}")

    @contextmanager
    def heard(self) -> Iterator[None]:
        """Listen."""
        before = qInstallMessageHandler(self._qt)
        with (
            patch.object(sys, "excepthook", self._exception),
            patch.object(threading, "excepthook", self._thread),
            patch.object(sys, "unraisablehook", self._unraisable),
            warnings.catch_warnings(),
        ):
            warnings.simplefilter("error")
            try:
                yield
            finally:
                qInstallMessageHandler(before)


class Brackets(QTranslator):
    """A language of its own: every sentence in brackets."""

    def translate(self, _context: str, text: str, *_more: object) -> str:
        return f"⟦{text}⟧"

    def isEmpty(self) -> bool:  # noqa: N802 - Qt's name
        return False


class EveryHand(MeasureHands):
    """A monkey that does everything; `world` opens its windows."""

    def __init__(self, world: "World", window: MainWindow, seed: int) -> None:
        super().__init__(window, seed)
        self.world, self.folder, self.samples, self.disk = world, world.folder, world.samples, world.disk
        self.rough, self.renew = world.rough, world.renew

    def do_language(self) -> None:
        self.world.brackets = self.rng.random() < 0.3  # from the next window on, as the program has it
        self.window.settings.language = self.rng.choice(("", "en", "zh_CN", "garbage"))


class World:
    """One run of a monkey in a folder; `rough` closes in mid-import too, `hostile` opens what was made to do harm."""

    def __init__(self, folder: Path, seed: int, *, rough: bool = True, hostile: bool = True) -> None:
        self.folder, self.rough = folder, rough
        (folder / "saved").mkdir(parents=True, exist_ok=True)
        self.disk, self.faults = Disk(), Faults()
        self.samples = Samples(folder / "samples", random.Random(seed), hostile=hostile)  # noqa: S311 - no secrets here
        self.catalogue = load_catalogue()
        self.brackets = False
        self._translator = Brackets()
        self._bottom: Study | None = None
        self._checked: Study | None = None
        self._most_dialogs = 0
        self.monkey = EveryHand(self, self._open(), seed)
        self.monkey.window.session.store.path_changed.connect(self._forget_bottom)
        os.environ[MARK] = str(folder)

    @property
    def window(self) -> MainWindow:
        return self.monkey.window

    def _open(self) -> MainWindow:
        settings = Settings()
        settings.measure_python = sys.executable
        QCoreApplication.removeTranslator(self._translator)
        if self.brackets:
            QCoreApplication.installTranslator(self._translator)
        window = make_window(opening_study(), settings)
        window.take_catalogue(self.catalogue)
        window.resize(1280, 800)
        window.show()
        self._bottom = None
        return window

    def renew(self) -> None:
        """Another window; the one before is gone, as at the end of the program."""
        self.window.hide()
        self.window.deleteLater()
        self.delete_later()
        self.monkey.window = self._open()
        self.monkey.window.session.store.path_changed.connect(self._forget_bottom)

    @staticmethod
    def delete_later() -> None:
        """What the event loop of the program would delete by now."""
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
        QApplication.processEvents()

    @contextmanager
    def alive(self) -> Iterator[None]:
        """Questions are answered, disks fail on demand, workers are made up, faults are heard."""
        monkey, dialog = self.monkey, QFileDialog
        replaced: tuple[tuple[object, str, Callable[..., object]], ...] = (
            (QDialog, "exec", lambda box: monkey.answer(box)),  # noqa: PLW0108 - to be bound
            (QMessageBox, "exec", lambda box: monkey.rng.choice(box.buttons() and _answers(box))),
            (dialog, "getOpenFileName", monkey.open_name), (dialog, "getOpenFileNames", monkey.open_names),
            (dialog, "getSaveFileName", monkey.save_name), (QDesktopServices, "openUrl", lambda *_: True),
            (dialog, "getExistingDirectory", lambda *_: str(self.folder / monkey.rng.choice(("", "own", "none")))),
            (os, "fsync", self.disk.fsync), (os, "replace", self.disk.replace),
        )  # fmt: skip
        deep = self.folder / "here" / "and" / "now"  # what is typed may name a folder above
        deep.mkdir(parents=True, exist_ok=True)
        with ExitStack() as stack:
            stack.enter_context(chdir(deep))
            stack.enter_context(self.faults.heard())
            for owner, name, ours in replaced:
                stack.enter_context(patch.object(owner, name, ours))
            stack.enter_context(patch("explorer.bench.interpreter.worker_text", monkey.worker))
            stack.enter_context(patch("explorer.ui.measure.interpreter_choice.candidates", monkey.pythons))
            try:
                yield
            finally:
                self.disk.fault = None
                QCoreApplication.removeTranslator(self._translator)
                os.environ.pop(MARK, None)

    def play(
        self, actions: int, seconds: float = float("inf"), told: "Callable[[World, int], None] | None" = None
    ) -> int:
        """Act and look, again and again; a failure says what was done before. The number of acts done."""
        end, step = time.monotonic() + seconds, 0
        try:
            with self.alive():
                while step < actions and time.monotonic() < end:
                    self.monkey.act()
                    self._log()
                    self.check(step)
                    step += 1
                    if told is not None:
                        told(self, step)
                self.leave()
        except BaseException as error:
            did = self.monkey.did
            error.add_note(f"act {len(did)}; the last ones: " + "; ".join(did[-TOLD:]))
            raise
        return step

    def _log(self) -> None:
        """What was done, for an end without a traceback."""
        with (self.folder / "acts.log").open("a", encoding="utf-8", errors="replace") as file:
            file.write(f"{self.monkey.did[-1]}\n")

    # what must hold

    def check(self, step: int) -> None:
        """After each act; what takes long only now and then."""
        self.delete_later()
        assert not self.faults.said, "\n".join(self.faults.said)
        self.check_study()
        if step % 10 == 9:
            self.check_shown()
        if step % 25 == 24:
            self.check_dialogs()
        if step % 100 == 99:
            self.check_undo()
            self.check_memory()
            self.check_processes()

    def check_study(self) -> None:
        """The study can be saved and reads back equal."""
        store = self.window.session.store
        if not store.undo_stack.count() and self._bottom is None:
            self._bottom = bare(store.study)
        study = store.study
        if study is self._checked:
            return
        self._checked = study
        large = len(study.measurements) + len(study.operators) > LARGE
        if not large or self.monkey.rng.random() < 0.05:
            assert study_problems(study, self.window.session.catalogue) == ()
            assert study_from_text(study_to_text(study)) == study

    def check_shown(self) -> None:
        """What is shown is what a fresh evaluation says: every figure finite, or none and why."""
        session = self.window.session
        state, fresh = session.state, evaluate(session.store.study, session.catalogue)
        assert state.study == replace(session.store.study, workload=state.evaluation.study.workload)
        assert evaluation_json(state.evaluation) == evaluation_json(fresh)
        json.dumps(evaluation_json(fresh), allow_nan=False)
        self.check_selection()

    def check_selection(self) -> None:
        """Chart and table show the study's selection."""
        selection, chart = set(self.window.session.store.study.view.selection), self.window.roofline.chart
        table = self.window.tables.operators
        if chart is not None and self.window.tabs.current_view() == "roofline":
            assert chart.figure.selection == selection
        rows = {r.key: r.name for r in table.model.rows}
        chosen = {rows[key] for key in table.view.selected_keys()}
        assert chosen == selection & set(rows.values())

    def check_dialogs(self) -> None:
        """No dialog is open, and those that were do not pile up."""
        assert self.monkey.wait(lambda: not self.monkey.importing())  # it would ask while we look
        self.monkey.close_what_opened()
        self.delete_later()
        tops = QApplication.topLevelWidgets()
        still = [type(w).__name__ for w in tops if isinstance(w, QDialog) and w.isVisible()]
        assert not [name for name in still if name != "QProgressDialog"], f"open: {still}"
        self._most_dialogs = max(self._most_dialogs, len(tops))
        if self.rough:
            names = sorted(type(w).__name__ for w in tops)
            assert len(tops) < _MOST_DIALOGS, f"{len(tops)} windows: { {n: names.count(n) for n in names} }"

    def check_undo(self) -> None:
        """Undone to the bottom it is the study that was opened; redone it is this one again."""
        store = self.window.session.store
        stack, here = store.undo_stack, bare(store.study)
        first = max(0, stack.index() - _MOST_UNDONE)
        steps = stack.index() - first
        for _ in range(steps):
            stack.undo()
        if first == 0 and self._bottom is not None and stack.count() < stack.undoLimit():
            assert bare(store.study) == self._bottom, "undo does not lead back"
        assert study_problems(store.study, self.window.session.catalogue) == ()
        for _ in range(steps):
            stack.redo()
        assert bare(store.study) == here, "redo does not lead here again"

    def check_memory(self) -> None:
        """The program does not grow without end."""
        gc.collect()
        assert (mb := resident_mb()) < _MOST_MB, f"{mb} MB"

    def check_processes(self) -> None:
        """No worker outlives its dialog."""
        here = str(self.folder)
        assert self.monkey.wait(lambda: not marked(MARK, here), 10.0), marked(MARK, here)

    def leave(self) -> None:
        """The end: nothing is read any more, everything that was edited can be kept safe, and the folders are tidy."""
        assert self.monkey.wait(lambda: not self.monkey.importing())
        self.monkey.close_what_opened()
        assert self.window.autosave.save()
        self.check(-1)
        self.check_processes()
        left = sorted(str(p) for p in self.folder.rglob("*.tmp"))
        assert not left, left

    def _forget_bottom(self) -> None:
        self._bottom = None


def _answers(box: QMessageBox) -> list[QMessageBox.StandardButton]:
    return [box.standardButton(b) for b in box.buttons()]


def bare(study: Study) -> Study:
    """A study however it is looked at."""
    return replace(study, view=View())


def resident_mb() -> int:
    """Memory that this process has now; 0 where the system does not say."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def marked(name: str, value: str) -> list[str]:
    """Other processes with this in their environment, by their command lines; none where the system does not say."""
    wanted, found = f"{name}={value}".encode(), []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            if folder.name != str(os.getpid()) and wanted in (folder / "environ").read_bytes().split(b"\0"):
                found.append((folder / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:200])
        except OSError:  # gone meanwhile, or another user's
            continue
    return [f for f in found if f]
