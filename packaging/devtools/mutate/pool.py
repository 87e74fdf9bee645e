"""Work done in forked children, some at a time, each with its limits."""

import contextlib
import os
import resource
import signal
import sys
import time
import traceback
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

TIMED_OUT = -int(signal.SIGXCPU)
PAUSE = 0.01
FAILED = 70


@dataclass(frozen=True)
class Job:
    """What a child does, the seconds of work it may take, and where its words go."""

    name: str
    work: Callable[[], int]
    seconds: float
    output: Path
    memory: int = 0  # bytes; 0 is no limit

    @property
    def patience(self) -> float:
        """Seconds by the clock: a busy machine does other work too, and some tests wait."""
        return self.seconds * 4 + 30


@dataclass
class Running:
    job: Job
    process: int
    started: float = field(default_factory=time.monotonic)


@dataclass(frozen=True)
class Ended:
    """How a child ended: its exit code, or the signal that ended it as a negative number."""

    job: Job
    code: int
    seconds: float


def run_all(jobs: Iterable[Job | None], at_once: int) -> Iterator[Ended]:
    """Do the jobs; tell of each as it ends. None among them means that there may be more later."""
    waiting, running = iter(jobs), list[Running]()
    try:
        while True:
            while len(running) < at_once and (job := next(waiting, None)):
                running.append(Running(job, start(job)))
            if not running:
                return
            ended = [(child, code) for child in running if (code := ending(child)) is not None]
            for child, code in ended:
                running.remove(child)
                yield Ended(child.job, code, time.monotonic() - child.started)
            if not ended:
                time.sleep(PAUSE)
    finally:
        for child in running:
            end_group(child.process)
            os.waitpid(child.process, 0)


def start(job: Job) -> int:
    sys.stdout.flush()
    sys.stderr.flush()
    process = os.fork()
    if process:
        own_group(process)
        return process
    code = FAILED
    try:
        prepare(job)
        code = job.work()
    except BaseException:  # noqa: BLE001  (a child never goes on with its parent's work)
        traceback.print_exc()
    finally:
        with contextlib.suppress(OSError, ValueError):
            sys.stdout.flush()
            sys.stderr.flush()
        os._exit(code)


def prepare(job: Job) -> None:
    own_group(0)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    output = os.open(job.output, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    nothing = os.open(os.devnull, os.O_RDONLY)
    for place, opened in ((0, nothing), (1, output), (2, output)):
        os.dup2(opened, place)
    resource.setrlimit(resource.RLIMIT_CPU, (int(job.seconds) + 1, int(job.seconds) + 5))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if job.memory:
        resource.setrlimit(resource.RLIMIT_AS, (job.memory, job.memory))


def ending(child: Running) -> int | None:
    """The code of a child that has ended; one that is out of time is ended."""
    process, status = os.waitpid(child.process, os.WNOHANG)
    if process:
        end_group(child.process)  # what it may have started
        return os.waitstatus_to_exitcode(status)
    if time.monotonic() - child.started < child.job.patience:
        return None
    end_group(child.process)
    os.waitpid(child.process, 0)
    return TIMED_OUT


def own_group(process: int) -> None:
    """Both sides do it, so that it is done when either goes on."""
    with contextlib.suppress(OSError):
        os.setpgid(process, process)


def end_group(process: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process, signal.SIGKILL)


def work_seconds() -> float:
    """What the children took of the processors: the same on a busy machine."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
