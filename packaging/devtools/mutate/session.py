"""A whole run: the faults chosen, each tried, the time kept."""

import json
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from .keeping import records
from .pool import run_all
from .project import Project, cache_folder
from .queueing import Queue
from .record import Records, made_at_import, users_of_names
from .running import preload
from .sample import Mutant, sample
from .trial import Trial, Verdict, control, planned


@dataclass(frozen=True)
class Wishes:
    """What the user asked for."""

    seed: int
    count: int
    minutes: float
    only: Sequence[str]
    again: bool  # those alone that the last run with this seed and count left over
    at_once: int
    start: float  # seconds of work that a fault may take beside its tests'


@dataclass
class Session:
    """Tries faults in a copy of the project."""

    project: Project
    wishes: Wishes
    say: Callable[[str], None]
    started: float = field(default_factory=time.monotonic)
    trying: float = field(default_factory=time.monotonic)  # since when faults are tried: noting the tests comes before

    def verdicts(self) -> list[Verdict]:
        preload()
        with self.project.copied() as copy, tempfile.TemporaryDirectory(prefix="mutate-") as scratch:
            place = Path(scratch).resolve()
            mutants, found = self.chosen(), self.records(copy, place)
            trials = [planned(number, mutant, found, self.wishes.start) for number, mutant in enumerate(mutants)]
            verdicts = self.controlled(copy, list(self.tried(copy, trials, place)), place)
        self.remember(verdicts)
        return verdicts

    def chosen(self) -> list[Mutant]:
        wishes = self.wishes
        sources = [source for source in self.project.sources() if self.is_asked_for(source.path)]
        mutants = sample(sources, wishes.seed, wishes.count)
        if not wishes.again:
            return mutants
        left = set(json.loads(self.memory.read_text())) if self.memory.exists() else set()
        return [mutant for mutant in mutants if mutant.name in left]

    def is_asked_for(self, path: Path) -> bool:
        relative = path.relative_to(self.project.root).as_posix()
        return not self.wishes.only or any(part in relative for part in self.wishes.only)

    def records(self, copy: Project, scratch: Path) -> Records:
        found = records(self.project, copy, scratch, self.wishes.at_once, self.say)
        self.say(f"{len(found)} tests known after {self.seconds:.0f} s")
        sources = self.project.sources()
        return Records(found, users_of_names(sources), made_at_import(sources))

    def tried(self, copy: Project, trials: Sequence[Trial], scratch: Path) -> Iterator[Verdict]:
        """Those without tests first, for they take no time; then one after the other until time is up."""
        for trial in trials:
            if not trial.tests:
                yield Verdict(trial, "no tests", "", 0.0)
        self.trying = time.monotonic()
        queue = Queue([trial for trial in trials if trial.tests], lambda: self.is_late)
        for ended in run_all(queue.jobs(copy, self.project.root, scratch), self.wishes.at_once):
            verdict = queue.verdict(ended, scratch)
            if verdict is not None:
                mutant = verdict.trial.mutant
                self.say(f"{verdict.word:9} {verdict.seconds:5.1f} s  {mutant.place}  {mutant.edit.kind}  {verdict.by}")
                yield verdict

    def controlled(self, copy: Project, verdicts: list[Verdict], scratch: Path) -> list[Verdict]:
        """A fault that a test noticed which fails without it too was not noticed."""
        killers = sorted({found.by for found in verdicts if "::" in found.by})
        wrong = control(copy, self.project.root, killers, scratch)
        if wrong:
            self.say(f"These tests fail without any fault: {', '.join(sorted(wrong))}")
        return [found.taken_back() if found.by in wrong else found for found in verdicts]

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.started

    @property
    def is_late(self) -> bool:
        return time.monotonic() - self.trying > self.wishes.minutes * 60

    @property
    def memory(self) -> Path:
        only = "-".join(self.wishes.only).replace("/", "_")
        return cache_folder("left") / f"{self.wishes.seed}-{self.wishes.count}-{only}.json"

    def remember(self, verdicts: Sequence[Verdict]) -> None:
        if not self.wishes.again:
            self.memory.write_text(json.dumps([found.trial.mutant.name for found in verdicts if not found.is_killed]))
