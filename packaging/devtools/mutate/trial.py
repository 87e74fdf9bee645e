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

WORTH = 6.0  # seconds of tests for one fault: half of it for those that stand where its module stands
QUICK, FEW = 0.7, 4  # seconds and files of the first stage
MEMORY = 8 << 30
NO_TESTS = 5
CONTROL_SECONDS = 300


@dataclass(frozen=True)
class Stage:
    """Tests that are run together, and the seconds of work that they take without a fault."""

    tests: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class Trial:
    """A fault and the tests that are tried on it: a few first, for most faults are noticed at once."""

    number: int
    mutant: Mutant
    stages: tuple[Stage, ...]
    start: float  # seconds of work that a stage may take beside its tests'

    @property
    def tests(self) -> tuple[str, ...]:
        return tuple(test for stage in self.stages for test in stage.tests)

    def job(self, stage: int, copy: Project, original: Path, scratch: Path) -> Job:
        name = f"{self.number}.{stage}"

        def work() -> int:
            load_from(copy.root, Mutated(self.mutant.module, self.mutant.data), instead_of=original)
            plugin = Chosen(self.stages[stage].tests)
            code = run_pytest(copy.root, plugin.arguments(copy.root), plugin, scratch / f"trial-{name}")
            answer(scratch, name).write_text(json.dumps(plugin.failed[:1]))
            return code

        seconds = self.start + 3 * self.stages[stage].seconds
        return Job(name, work, seconds, scratch / f"trial-{name}.txt", MEMORY)


def answer(scratch: Path, job: str) -> Path:
    """Where a child says which tests failed."""
    return scratch / f"trial-{job}.json"


class Chosen:
    """A plugin that keeps the chosen tests in their order, and notes those that fail."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.ranks = {name: rank for rank, name in enumerate(tests)}
        self.failed: list[str] = []

    def arguments(self, root: Path) -> list[str]:
        return ["-m", LEFT_OUT, *dict.fromkeys(str(root / name.split("::")[0]) for name in self.ranks)]

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
    """The first tests up to what one fault is worth."""
    chosen: list[str] = []
    seconds, quick = 0.0, 0
    for name in records.of(mutant):
        seconds += records.tests[name].seconds
        if chosen and seconds > WORTH:
            break
        chosen.append(name)
        if seconds <= QUICK and len(files_of(chosen)) <= FEW:
            quick = len(chosen)
    stages = [chosen[:quick], chosen[quick:]]
    return Trial(number, mutant, tuple(staged(tests, records) for tests in stages if tests), start)


def staged(tests: list[str], records: Records) -> Stage:
    """Tests in order, those of one file together."""
    files = files_of(tests)
    ordered = sorted(tests, key=lambda name: files.index(name.split("::")[0]))
    return Stage(tuple(ordered), sum(records.tests[name].seconds for name in tests))


def files_of(tests: Sequence[str]) -> list[str]:
    return list(dict.fromkeys(name.split("::")[0] for name in tests))


def judged(trial: Trial, ended: Ended, scratch: Path) -> Verdict:
    told = answer(scratch, ended.job.name)
    by = "".join(json.loads(told.read_text())) if told.exists() else ""
    if ended.code == TIMED_OUT:
        return Verdict(trial, "timed out", "no end", ended.seconds)
    if ended.code in {0, NO_TESTS}:
        return Verdict(trial, "survived", "", ended.seconds)
    return Verdict(trial, "killed", by or f"code {ended.code}", ended.seconds)


def control(copy: Project, original: Path, tests: Sequence[str], scratch: Path) -> set[str]:
    """Those tests that fail without any fault: they have noticed nothing."""
    told = answer(scratch, "control")

    def work() -> int:
        load_from(copy.root, Mutated("", b""), instead_of=original)
        plugin = Chosen(tests)
        code = run_pytest(copy.root, [ALL, *plugin.arguments(copy.root)], plugin, scratch / "control")
        told.write_text(json.dumps(plugin.failed))
        return code

    if tests:
        list(run_all([Job("control", work, CONTROL_SECONDS, scratch / "control.txt", MEMORY)], 1))
    return set(json.loads(told.read_text())) if told.exists() else set()
