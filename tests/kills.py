"""By hand: `.venv/bin/python -m tests.kills --kills 300 --seed 7`.

Starts the program in a home of its own, lets it edit, save, import, export and measure, ends it at any moment, and
looks at what is left: every file whole, every saved study as it was saved, unsaved edits kept, no worker alive.
"""

import argparse
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from explorer.analysis.problem import Refused
from explorer.analysis.study.study import Study
from explorer.files.hardware.devices import read_device
from explorer.files.study.study import read_study
from tests.kill_child import INTERVAL_MS, digest
from tests.ui.monkey_files import AUTOSAVE, whole
from tests.ui.monkey_world import marked

ROOT = Path(__file__).resolve().parent.parent
MARK = "ROOFLINE_KILLS"
STARTS_S, ENDS_S = 60.0, 10.0
WORKERS_S = 30.0  # ssh gives up an address that nobody answers after 15
LONGEST_S = 4.0  # until the kill
EARLY = 0.15  # of the runs are killed while the program starts
WRITING = 0.5  # of them just as something is written
WRITES = ("save", "export", "export_table", "open", "hardware", "measure")
MOMENT_S = 0.05
LATE_S = 1.0  # for a write beside the window on a busy machine
TURNS = 3  # acts after which a timer that is due has had its turn
LEFT = 5  # files that kills may leave behind, over all runs
MUST_END = frozenset({"SIGINT", "SIGTERM", "SIGHUP"})
CRASHES = frozenset({-signal.SIGSEGV, -signal.SIGABRT})
MAY_CLEAN = frozenset({"save", "open", "drop", "undo", "redo", "measure"})
FIGURES = frozenset({".png", ".svg", ".pdf"})
SIGNALS = ("SIGKILL", "SIGKILL", "SIGKILL", "SIGKILL", "SIGTERM", "SIGINT", "SIGHUP")

Entry = dict[str, Any]


class Wrong(AssertionError):  # noqa: N818 - reads as what it says
    """What a kill broke."""


class Kills:
    """Run after run in one home, as a user who starts the program again after each crash."""

    def __init__(
        self, folder: Path, seed: int, *, longest_s: float = LONGEST_S, signals: Sequence[str] = SIGNALS
    ) -> None:
        self.longest_s, self.signals = longest_s, signals
        self.home, self.folder = folder / "home", folder / "work"
        self.folder.mkdir(parents=True)
        self.rng = random.Random(seed)  # noqa: S311 - no secrets here
        self.counted: Counter[str] = Counter()
        self._read, self._offset = 0, 0
        self._all: list[Entry] = []
        self._saved: dict[str, str] = {}  # path: the study of its last save
        self._known: set[str] = set()  # every study that there ever was
        self._due = ""  # the study that the next start must offer

    # one run

    def kill_once(self) -> list[Entry]:
        """Start, wait, kill, look; what the run wrote down."""
        child = self._start()
        try:
            self._wait_for(child, "start" if self.rng.random() < EARLY else "ready")
            time.sleep(self.rng.uniform(0, self.longest_s))
            if self.rng.random() < WRITING:
                self._wait_for(child, *WRITES)
                time.sleep(self.rng.uniform(0, MOMENT_S))
            name = self.rng.choice(self.signals)
            self._end(child, name)
        finally:
            if child.poll() is None:
                child.kill()
            child.wait()
        entries = self._new_entries()
        self.look(entries, name)
        return entries

    def _start(self) -> "subprocess.Popen[bytes]":
        variables = {n: str(self.home / n) for n in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME")}
        environment = {**os.environ, **variables, "QT_QPA_PLATFORM": "offscreen", MARK: str(self.folder)}
        environment["PYTHONPATH"] = str(ROOT)
        log = (self.folder / "said.txt").open("ab")
        with log:
            return subprocess.Popen(
                [sys.executable, "-m", "tests.kill_child", str(self.folder), str(self.rng.randrange(10**6))],
                cwd=self._nowhere(), env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
            )  # fmt: skip

    def _nowhere(self) -> Path:
        deep = self.folder / "here" / "and" / "now"  # what is typed may name a folder above
        deep.mkdir(parents=True, exist_ok=True)
        return deep

    def _wait_for(self, child: "subprocess.Popen[bytes]", *wanted: str) -> None:
        """Until the program has written down one of these, from now on where it is an act."""
        moment = len(wanted) > 1
        end = time.monotonic() + (self.longest_s if moment else STARTS_S)
        begun = len(self._entries()) if moment else self._read
        while not any(e["what"] in wanted or e.get("name") in wanted for e in self._entries()[begun:]):
            if child.poll() is not None:
                raise Wrong(f"the program ended with {child.returncode} by itself: {self._last_words()}")
            if time.monotonic() > end:
                if moment:
                    return  # this run writes nothing
                raise Wrong(f"the program does not start: {self._last_words()}")
            time.sleep(0.002)

    def _end(self, child: "subprocess.Popen[bytes]", name: str) -> None:
        if child.poll() is not None:
            raise Wrong(f"the program ended with {child.returncode} by itself: {self._last_words()}")
        child.send_signal(getattr(signal, name))
        try:
            code = child.wait(ENDS_S)
        except subprocess.TimeoutExpired:
            code = "none, until killed"
            child.kill()
            child.wait()
        self.counted[f"{name}: {code}"] += 1
        if code in CRASHES or (isinstance(code, str) and name in MUST_END):
            raise Wrong(f"{name} ends the program with {code}: {self._last_words()}")

    # what the child wrote down

    def _entries(self) -> list[Entry]:
        """All of them so far; only what is new is read."""
        path = self.folder / "diary.jsonl"
        if path.exists():
            with path.open("rb") as file:
                file.seek(self._offset)
                new = file.read()
            new = new[: new.rfind(b"\n") + 1]
            self._offset += len(new)
            self._all += [json.loads(line) for line in new.splitlines()]
        return self._all

    def _new_entries(self) -> list[Entry]:
        entries = self._entries()
        found, self._read = entries[self._read :], len(entries)
        return found

    def _last_words(self) -> str:
        return (self.folder / "said.txt").read_text(encoding="utf-8", errors="replace")[-3000:]

    # what must hold after a kill

    def look(self, entries: list[Entry], name: str) -> None:
        """Everything that a kill may not break."""
        asked = "KeyboardInterrupt" if name == "SIGINT" else "\0"
        if faults := [e for e in entries if e["what"] == "fault" and asked not in e["text"]]:
            raise Wrong(f"{faults[0]['text']}\ndid: {faults[0]['did']}")
        states = [e for e in entries if e["what"] == "state"]
        self._known |= {e["study"] for e in states}
        self._check_recovered(entries)
        self._check_workers()
        self._check_studies(states)
        self._check_files()
        self._check_autosaves(entries, states)
        self.counted["acts"] += sum(e["what"] == "act" for e in entries)
        self.counted[name] += 1

    def _check_recovered(self, entries: list[Entry]) -> None:
        """What was kept is offered at the next start; where that was killed early, it is there for the one after."""
        recovered = [e["study"] for e in entries if e["what"] == "recovered"]
        self.counted["recovered"] += len(recovered)
        early = not any(e["what"] == "ready" for e in entries)
        there = {digest(_must(path)) for path in self._kept()} if early else set()
        if self._due and self._due not in {*recovered, *there}:
            raise Wrong(f"unsaved edits were kept, but not offered at the next start (offered: {recovered})")
        if not early:
            self._due = ""

    def _kept(self) -> list[Path]:
        """Autosaves, the newest first."""
        found = [p for p in self.home.rglob(f"*{AUTOSAVE}") if p.is_file()]
        return sorted(found, key=lambda p: p.stat().st_mtime, reverse=True)

    def _check_workers(self) -> None:
        end = time.monotonic() + WORKERS_S
        while alive := marked(MARK, str(self.folder)):
            if time.monotonic() > end:
                raise Wrong(f"still running: {alive}")
            time.sleep(0.05)

    def _check_studies(self, states: list[Entry]) -> None:
        """A file that was saved holds what was saved, or a later state that was being saved."""
        later = {path: {e["study"] for e in states} for path in self._saved}
        for i, entry in enumerate(states):
            if path := entry.get("path"):
                self._saved[path] = entry["study"]
                later[path] = {e["study"] for e in states[i:]}
        for path, study in self._saved.items():
            found = _study_at(Path(path))
            if found is None or digest(found) not in {study, *later[path]}:
                raise Wrong(f"{path} is {'no study' if found is None else 'another study'} after it was saved")
            self._saved[path] = digest(found)  # a kill may have come between the write and its line in the diary

    def _check_files(self) -> None:
        """Figures and tables are whole, own hardware can be read, settings too."""
        for path in (self.folder / "saved").iterdir():
            if path.suffix in FIGURES and not whole(path):
                raise Wrong(f"{path.name} is half a file")
            if path.suffix in {".csv", ".tsv", ".md"} and not path.read_bytes().endswith(b"\n"):
                raise Wrong(f"{path.name} is half a table")
        for path in self.home.rglob("hardware/*.yaml"):
            try:
                read_device(path)
            except Refused as refused:
                raise Wrong(f"{path.name} of own hardware cannot be read: {refused}") from None
            self.counted["own hardware"] = max(self.counted["own hardware"], 1)
        for path in self.home.rglob("*.conf"):
            if not path.read_bytes().strip():
                raise Wrong(f"{path.name} is empty")

    def _check_autosaves(self, entries: list[Entry], states: list[Entry]) -> None:
        found = [digest(_must(path)) for path in self._kept()]
        if strange := set(found) - self._known:
            raise Wrong(f"an autosave holds what never was: {strange}")
        wanted = _due(entries)
        if wanted is None:
            return
        self.counted["unsaved"] += 1
        good = {e["study"] for e in states if e["number"] >= wanted}
        if not set(found) & good:
            raise Wrong(f"edits older than the autosave's interval are lost: from state {wanted} on; kept: {found}")
        self._due = found[0]

    def tidy(self) -> None:
        """Halves of files and locks do not pile up."""
        left = [p for f in (self.home, self.folder) for p in f.rglob("*") if p.name.endswith((".tmp", ".lock"))]
        if len(left) > LEFT:
            raise Wrong(f"{len(left)} files are left behind: {[str(p.relative_to(self.folder.parent)) for p in left]}")


def _due(entries: list[Entry]) -> int | None:
    """The number of the newest state that the autosave must hold, or a later one; None where nothing was unsaved."""
    found = None
    turns = [e for e in entries if e["what"] == "after"]
    end = max((e["at"] for e in entries), default=0.0)
    for entry in entries:
        if entry.get("clean") or (entry["what"] == "after" and not entry["dirty"]):
            found = None
        elif entry["what"] == "after":
            by = entry["at"] + INTERVAL_MS / 1000 + LATE_S
            if by < end and sum(t["at"] > by - LATE_S for t in turns) > TURNS:
                found = entry["number"]
    last = next((e for e in reversed(entries) if e["what"] in {"act", "after"}), None)
    in_between = last is not None and last.get("name") in MAY_CLEAN  # the autosave may be gone already
    return None if in_between else found


def _study_at(path: Path) -> Study | None:
    try:
        return read_study(path)
    except Refused:
        return None


def _must(path: Path) -> Study:
    try:
        return read_study(path)
    except Refused as refused:
        raise Wrong(f"an autosave cannot be read: {refused}") from None


def main() -> int:
    """Kill as often as asked; 0 where nothing broke."""
    parser = argparse.ArgumentParser(prog="python -m tests.kills", description=__doc__)
    parser.add_argument("--kills", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--every", type=int, default=10, help="kills between two lines of progress")
    asked = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="roofline-kills-"))
    kills, begun = Kills(folder, asked.seed), time.monotonic()
    for number in range(1, asked.kills + 1):
        try:
            kills.kill_once()
            kills.tidy()
        except Exception as error:  # noqa: BLE001 - whatever it is, the seed is told
            print(f"FAILED at kill {number} of seed {asked.seed}: {error!r}\n{error}\nits files are in {folder}")
            return 1
        if number % asked.every == 0:
            print(
                f"{number} kills, {(time.monotonic() - begun) / number:.1f} s each: {dict(kills.counted)}", flush=True
            )
    print(f"{asked.kills} kills of seed {asked.seed}: all held; {dict(kills.counted)}")
    shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
