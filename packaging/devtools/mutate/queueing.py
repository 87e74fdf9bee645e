"""Whose turn it is: what survives its first tests goes on with the others before any new fault is begun."""

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from .pool import Ended, Job
from .project import Project
from .trial import Trial, Verdict, judged


class Queue:
    """Trials and their stages; it may have something again after it had nothing."""

    def __init__(self, trials: Sequence[Trial], is_late: Callable[[], bool]) -> None:
        self.waiting = deque((trial, 0) for trial in trials)
        self.all = {trial.number: trial for trial in trials}
        self.seconds = dict.fromkeys(self.all, 0.0)
        self.is_late = is_late

    def jobs(self, copy: Project, original: Path, scratch: Path) -> Iterator[Job | None]:
        """The next job, or none for now."""
        while True:
            if self.waiting and (self.waiting[0][1] or not self.is_late()):
                trial, stage = self.waiting.popleft()
                yield trial.job(stage, copy, original, scratch)
            else:
                yield None

    def verdict(self, ended: Ended, scratch: Path) -> Verdict | None:
        """What became of the fault, once no further tests are to be tried on it."""
        number, stage = map(int, ended.job.name.split("."))
        trial = self.all[number]
        self.seconds[number] += ended.seconds
        found = judged(trial, ended, scratch)
        if not found.is_killed and stage + 1 < len(trial.stages):
            self.waiting.appendleft((trial, stage + 1))
            return None
        return Verdict(trial, found.word, found.by, self.seconds[number])
