"""The program itself, driven at random and writing down what it does; `tests.kills` ends it at any moment.

Run as `python -m tests.kill_child FOLDER SEED` in a home of its own.
"""

import hashlib
import json
import os
import random
import sys
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QInputDialog, QMessageBox

from explorer.analysis.study.study import Study, View
from explorer.app import main as program
from explorer.app import make_application
from explorer.document import autosave
from explorer.ui.settings import data_folder
from explorer.ui.window import MainWindow
from tests.ui.monkey_files import AUTOSAVE, Disk
from tests.ui.monkey_measure import MeasureHands, fake_worker
from tests.ui.monkey_samples import Samples
from tests.ui.monkey_world import Faults

INTERVAL_MS = 300  # of the autosave, which has seconds in the program
EDITS = (
    "batch", "batch", "batch", "rename", "paste", "edit_a_cell", "undo", "redo", "hardware", "table_action", "export",
    "export_table", "measure", "measure", "import", "nothing", "nothing",
)  # fmt: skip
FILES = ("save", "save", "save", "save", "open", "drop")
ONE = ("nothing",)  # after one edit
RUNS = (EDITS, EDITS, (*EDITS, *FILES), (*EDITS, *FILES), ONE)


class Diary:
    """Lines that are in the system's hands at once: a kill takes none of them back."""

    def __init__(self, path: Path) -> None:
        self._handle = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)

    def say(self, what: str, **more: object) -> None:
        os.write(self._handle, json.dumps({"what": what, "at": time.time(), **more}).encode() + b"\n")


def digest(study: Study) -> str:
    """A study's work as a short text, however it is looked at."""
    plain = msgspec.to_builtins(msgspec.convert(msgspec.to_builtins(replace(study, view=View())), Study))
    return hashlib.sha256(msgspec.json.encode(_whole(plain))).hexdigest()[:20]


def _whole(value: Any) -> Any:
    """The same value with whole numbers as integers: a config's 30.0 may be written as 30."""
    if isinstance(value, dict):
        return {key: _whole(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_whole(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


class Driver(MeasureHands):
    """A monkey with few acts, each written down."""

    def __init__(self, window: MainWindow, folder: Path, seed: int, diary: Diary) -> None:
        super().__init__(window, seed)
        self.folder, self.diary, self.disk = folder, diary, Disk()
        self.samples = Samples(folder / "samples", random.Random(seed))  # noqa: S311 - no secrets here
        self.renew = lambda: None
        self._number, self._known = 0, ""
        self.chosen = self.rng.choice(RUNS)
        store = window.session.store
        store.changed.connect(lambda _old, _new: self.state())
        store.undo_stack.cleanChanged.connect(lambda clean: self.state(clean=clean))
        store.path_changed.connect(lambda: self.state(path=self.saved_path()))

    def saved_path(self) -> str:
        return str(self.store.path) if self.store.path is not None and not self.store.dirty else ""

    def state(self, **more: object) -> None:
        """Write down the study as it is now, before anything else can happen to it."""
        found = digest(self.store.study)
        if found != self._known:
            self._number, self._known = self._number + 1, found
        self.diary.say("state", number=self._number, study=found, dirty=self.store.dirty, **more)

    def worker(self) -> bytes:
        return fake_worker(self.rng.choice((0.0, 0.02, 30.0)))

    def turn(self) -> None:
        """One act, in the event loop of the program."""
        name = self.rng.choice(self.chosen) if self.did else "batch"
        self.did.append(name)
        self.diary.say("act", name=name)
        self.acts[name]()
        self.close_what_opened()
        self.diary.say("after", number=self._number, dirty=self.store.dirty)

    def recover(self) -> None:
        """Take what an earlier run left behind, all of it."""
        if any((data_folder() / "autosave").glob(f"*{AUTOSAVE}")):
            self.wait(lambda: self.shows("Recover"), 5.0)
        for _ in range(20):
            before = self._number
            self.press_words("Recover")
            if self._number == before:
                return
            self.diary.say("recovered", study=self._known)

    def do_batch(self) -> None:
        self.store.edit_workload("Batch", batch=self.rng.randrange(1, 4096))

    def do_rename(self) -> None:
        self.store.edit("Rename", name=f"name {self.rng.randrange(10**9)}")

    def do_nothing(self) -> None:
        self.wait(lambda: False, self.rng.choice((0.05, 0.2, 0.6)))


def main(folder: Path, seed: int) -> int:
    """Run the program until it is killed, or for as many turns as the seed says."""
    diary = Diary(folder / "diary.jsonl")
    diary.say("start", seed=seed, interval_ms=INTERVAL_MS)
    autosave.INTERVAL_MS = INTERVAL_MS
    make_application([])
    faults, stack = Faults(), ExitStack()
    (folder / "saved").mkdir(exist_ok=True)

    def begin() -> None:
        windows = [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)]
        if not windows or not windows[0].session.catalogue.devices:
            QTimer.singleShot(5, begin)
            return
        stack.enter_context(faults.heard())  # after what the program itself listens with
        driver = Driver(windows[0], folder, seed, diary)
        live(stack, driver)
        driver.recover()
        diary.say("ready")
        go_on(driver)

    def go_on(driver: Driver) -> None:
        try:
            driver.turn()
        except Exception as error:
            diary.say("fault", text=repr(error), did=driver.did[-20:])
            raise
        if faults.said:
            diary.say("fault", text="\n".join(faults.said), did=driver.did[-20:])
            faults.said.clear()
        QTimer.singleShot(driver.rng.choice((0, 0, 5, 40)), lambda: go_on(driver))

    QTimer.singleShot(0, begin)
    return program(None)


def live(stack: ExitStack, driver: Driver) -> None:
    """Questions are answered, and workers are made up."""
    no_yes = (QMessageBox.StandardButton.Discard, QMessageBox.StandardButton.Save)
    for owner, name, ours in (
        (QDialog, "exec", lambda box: driver.answer(box)),  # noqa: PLW0108 - to be bound
        (QMessageBox, "exec", lambda _box: driver.rng.choice(no_yes)),
        (QInputDialog, "getInt", lambda *_: (8, True)),
        (QFileDialog, "getOpenFileName", driver.open_name),
        (QFileDialog, "getOpenFileNames", driver.open_names),
        (QFileDialog, "getSaveFileName", driver.save_name),
    ):
        stack.enter_context(patch.object(owner, name, ours))
    stack.enter_context(patch("explorer.bench.interpreter.worker_text", driver.worker))
    stack.enter_context(patch("explorer.ui.measure.interpreter_choice.candidates", driver.pythons))


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2])))
