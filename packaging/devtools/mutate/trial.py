"""One fault against the tests of its place."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from .loading import Mutated, load_from
from .pool import TIMED_OUT, Ended, Job
from .project import Project
from .record import Records
from .running import LEFT_OUT, run_pytest
from .sample import Mutant

WORTH = 8.0  # seconds of tests for one fault
MEMORY = 8 << 30
NO_TESTS = 5


@dataclass(frozen=True)
class Trial:
    """A fault and the tests that are tried on it, by files."""

    number: int
    mutant: Mutant
    tests: tuple[str, ...]
    seconds: float

    def job(self, copy: Project, original: Path, scratch: Path) -> Job:
        def work() -> int:
            load_from(copy.root, Mutated(self.mutant.module, self.mutant.data), instead_of=original)
            plugin = Chosen(self.tests)
            files = dict.fromkeys(str(copy.root / test.split("::")[0]) for test in self.tests)
            code = run_pytest(copy.root, ["-m", LEFT_OUT, *files], plugin, scratch / f"trial-{self.number}")
            self.answer(scratch).write_text(json.dumps(plugin.failed))
            return code

        return Job(str(self.number), work, 12 + 3 * self.seconds, scratch / f"trial-{self.number}.txt", MEMORY)

    def answer(self, scratch: Path) -> Path:
        return scratch / f"trial-{self.number}.json"


class Chosen:
    """A plugin that keeps the chosen tests in their order, and notes the one that failed."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.ranks = {name: rank for rank, name in enumerate(tests)}
        self.failed = ""

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.ranks), key=lambda item: self.ranks[item.nodeid]
        )

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.failed:
            self.failed = report.nodeid


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


def planned(number: int, mutant: Mutant, records: Records) -> Trial:
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
    return Trial(number, mutant, tuple(chosen), seconds)


def judged(trial: Trial, ended: Ended, scratch: Path) -> Verdict:
    answer = trial.answer(scratch)
    by = json.loads(answer.read_text()) if answer.exists() else ""
    if ended.code == TIMED_OUT:
        return Verdict(trial, "timed out", "no end", ended.seconds)
    if ended.code in {0, NO_TESTS}:
        return Verdict(trial, "survived", "", ended.seconds)
    return Verdict(trial, "killed", by or f"code {ended.code}", ended.seconds)
