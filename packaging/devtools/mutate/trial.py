"""One fault against the tests of its place."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from .loading import Mutated, load_from
from .pool import TIMED_OUT, Ended, Job, run_all
from .project import Project
from .record import Records
from .running import ALL, LEFT_OUT, run_pytest
from .sample import Mutant

WORTH = 8.0  # seconds of tests for one fault
MEMORY = 8 << 30
NO_TESTS = 5
CONTROL_SECONDS = 300


@dataclass(frozen=True)
class Trial:
    """A fault and the tests that are tried on it, by files."""

    number: int
    mutant: Mutant
    tests: tuple[str, ...]
    seconds: float
    start: float  # seconds of work that it may take beside its tests'

    def job(self, copy: Project, original: Path, scratch: Path) -> Job:
        def work() -> int:
            load_from(copy.root, Mutated(self.mutant.module, self.mutant.data), instead_of=original)
            plugin = Chosen(self.tests)
            files = dict.fromkeys(str(copy.root / test.split("::")[0]) for test in self.tests)
            code = run_pytest(copy.root, ["-m", LEFT_OUT, *files], plugin, scratch / f"trial-{self.number}")
            self.answer(scratch).write_text(json.dumps(plugin.failed[:1]))
            return code

        return Job(str(self.number), work, self.start + 3 * self.seconds, scratch / f"trial-{self.number}.txt", MEMORY)

    def answer(self, scratch: Path) -> Path:
        return scratch / f"trial-{self.number}.json"


class Chosen:
    """A plugin that keeps the chosen tests in their order, and notes those that fail."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.ranks = {name: rank for rank, name in enumerate(tests)}
        self.failed: list[str] = []

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.ranks), key=lambda item: self.ranks[item.nodeid]
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed.append(report.nodeid)


@dataclass(frozen=True)
class Verdict:
    """What became of a fault."""

    trial: Trial
    word: str  # killed, timed out, survived, no tests
    by: str  # the test that failed, or how it ended
    seconds: float

    @property
    def is_killed(self) -> bool:
        return self.word in {"killed", "timed out"}

    def taken_back(self) -> "Verdict":
        return Verdict(self.trial, "survived", "", self.seconds)


def planned(number: int, mutant: Mutant, records: Records, start: float) -> Trial:
    """The first tests up to what one fault is worth, those of one file together."""
    chosen: list[str] = []
    seconds = 0.0
    for name in records.of(mutant):
        if chosen and seconds + records.tests[name].seconds > WORTH:
            break
        chosen.append(name)
        seconds += records.tests[name].seconds
    files = list(dict.fromkeys(name.split("::")[0] for name in chosen))
    chosen.sort(key=lambda name: files.index(name.split("::")[0]))
    return Trial(number, mutant, tuple(chosen), seconds, start)


def judged(trial: Trial, ended: Ended, scratch: Path) -> Verdict:
    answer = trial.answer(scratch)
    by = "".join(json.loads(answer.read_text())) if answer.exists() else ""
    if ended.code == TIMED_OUT:
        return Verdict(trial, "timed out", "no end", ended.seconds)
    if ended.code in {0, NO_TESTS}:
        return Verdict(trial, "survived", "", ended.seconds)
    return Verdict(trial, "killed", by or f"code {ended.code}", ended.seconds)


def control(copy: Project, original: Path, tests: Sequence[str], scratch: Path) -> set[str]:
    """Those tests that fail without any fault: they have noticed nothing."""
    answer = scratch / "control.json"

    def work() -> int:
        load_from(copy.root, Mutated("", b""), instead_of=original)
        plugin = Chosen(tests)
        files = dict.fromkeys(str(copy.root / test.split("::")[0]) for test in tests)
        code = run_pytest(copy.root, [ALL, "-m", LEFT_OUT, *files], plugin, scratch / "control")
        answer.write_text(json.dumps(plugin.failed))
        return code

    if tests:
        list(run_all([Job("control", work, CONTROL_SECONDS, scratch / "control.txt", MEMORY)], 1))
    return set(json.loads(answer.read_text())) if answer.exists() else set()
