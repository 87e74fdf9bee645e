"""A worker run beside the window: signals for what it says, pause, cancel at once, and one sentence when it fails."""

from typing import Final

from PySide6.QtCore import QObject, QProcess, QTimer, Signal

from explorer.analysis.measured.imported import Skipped
from explorer.analysis.problem import Problem, Refused
from explorer.bench.conversation import SILENCE_S, Conversation
from explorer.bench.gathering import Gathering, Summary
from explorer.bench.interpreter import Interpreter, command, sent
from explorer.bench.jobs import Job, RowResult
from explorer.bench.programs import kill_tree, start_qprocess
from explorer.bench.protocol import CeilingFound, Done, Hello, Progress, Said
from explorer.bench.traced import Traced
from explorer.presentation.words.messages import Message, of_note, of_problem

_GONE_MS: Final = 2000


class Runner(QObject):
    """Runs one job at a time; whatever happens to the worker, `finished` or `failed` comes once, with what was kept."""

    started = Signal()
    hello = Signal(object)  # Hello: torch, devices, threads
    progress = Signal(int, int, float)  # done, total, seconds remaining
    row = Signal(object)  # RowResult
    skipped = Signal(object, object)  # the row's name, a Message that says why
    ceiling = Signal(object)  # CeilingFound
    traced = Signal(object)  # Traced
    finished = Signal(object)  # Summary: done, or cancelled by the user
    failed = Signal(object)  # Message; `summary` still holds what was measured

    def __init__(
        self, parent: QObject | None = None, *, silence_s: float = SILENCE_S, script: bytes | None = None
    ) -> None:
        super().__init__(parent)
        self._silence_s = silence_s
        self._script = script
        self._process: QProcess | None = None
        self._process_id = 0
        self._conversation: Conversation | None = None
        self._gathering: Gathering | None = None
        self._summary: Summary | None = None
        self._paused = False
        self._watch = QTimer(self, singleShot=True)
        self._watch.timeout.connect(self._silent)
        self.destroyed.connect(_killer(self))

    @property
    def running(self) -> bool:
        """Whether a job is under way."""
        return self._process is not None

    @property
    def paused(self) -> bool:
        """Whether the job waits."""
        return self.running and self._paused

    @property
    def summary(self) -> Summary | None:
        """What the last job brought, and the running one so far."""
        return self._gathering.summary() if self.running and self._gathering else self._summary

    def start(self, interpreter: Interpreter, job: Job) -> None:
        """Start a job; a running one is cancelled first."""
        self.cancel()
        self._conversation, self._gathering = Conversation(interpreter), Gathering(job)
        self._summary, self._paused = None, False
        try:
            program, arguments = command(interpreter)
        except Refused as refused:
            self._end(refused.problems[0])
            return
        self._process = process = QProcess(self)
        process.started.connect(self._on_started)
        process.readyReadStandardOutput.connect(self._read)
        process.readyReadStandardError.connect(self._read_errors)
        process.finished.connect(self._on_finished)
        process.errorOccurred.connect(self._on_error)
        self._rewind()
        try:
            start_qprocess(process, [program, *arguments])
        except OSError as error:
            self._conversation.not_started(error.strerror or type(error).__name__)
            self._end(self._conversation.problem)
            return
        process.write(sent(job.line(), self._script))

    def pause(self) -> None:
        """Wait before the next row."""
        self._control("pause", paused=True)

    def resume(self) -> None:
        """Go on."""
        self._control("resume", paused=False)

    def _control(self, word: str, *, paused: bool) -> None:
        if self._process is not None and self._process.state() != QProcess.ProcessState.NotRunning:
            self._paused = paused
            self._process.write(b'{"control": "%b"}\n' % word.encode())

    def cancel(self) -> None:
        """End the job at once; what was measured so far comes with `finished`."""
        if self._process is not None:
            self._end(None, cancelled=True)

    # --- what the process does

    def _on_started(self) -> None:
        if self._process is not None:
            self._process_id = self._process.processId()
            self.started.emit()

    def _rewind(self) -> None:
        self._watch.start(round(self._silence_s * 1000))

    def _read(self) -> None:
        if self._process is None or self._conversation is None:
            return
        signs = self._conversation.signs
        heard = self._conversation.feed(bytes(self._process.readAllStandardOutput().data()))
        if self._conversation.signs != signs:
            self._rewind()
        for said in _latest(heard):
            self._tell(said)
            if not self.running:  # cancelled by a listener
                return
        if self._conversation.over:
            self._end(self._conversation.problem)

    def _tell(self, said: Said) -> None:
        found = self._gathering.take(said) if self._gathering else None
        if isinstance(said, Hello):
            self.hello.emit(said)
        elif isinstance(said, Progress):
            self.progress.emit(said.done, said.total, said.remaining_s)
        elif isinstance(found, RowResult):
            self.row.emit(found)
        elif isinstance(found, Skipped):
            self.skipped.emit(found.where, of_note(found.why))
        elif isinstance(found, CeilingFound):
            self.ceiling.emit(found)
        elif isinstance(found, Traced):
            self.traced.emit(found)
        elif isinstance(said, Done) and self._gathering:
            for left in self._gathering.unanswered():
                self.skipped.emit(left.where, of_note(left.why))

    def _read_errors(self) -> None:
        if self._process is not None and self._conversation is not None:
            self._conversation.feed_errors(bytes(self._process.readAllStandardError().data()))

    def _on_finished(self, code: int, status: QProcess.ExitStatus) -> None:
        self._read_errors()
        self._read()
        if self._process is None or self._conversation is None:
            return
        crashed = status == QProcess.ExitStatus.CrashExit
        self._conversation.ended(-code if crashed else code)
        self._end(self._conversation.problem)

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if (
            error == QProcess.ProcessError.FailedToStart
            and self._process is not None
            and self._conversation is not None
        ):
            self._conversation.not_started(self._process.errorString())
            self._end(self._conversation.problem)

    def _silent(self) -> None:
        if self._process is not None and self._conversation is not None:
            self._conversation.silent(self._silence_s)
            self._end(self._conversation.problem)

    # --- the end

    def _end(self, problem: Problem | None, *, cancelled: bool = False) -> None:
        """Take the process away, then tell: a listener may start the next job at once."""
        self._watch.stop()
        self._take_away()
        if self._gathering is None:
            return
        self._summary = summary = self._gathering.summary(problem, cancelled=cancelled)
        if problem is None:
            self.finished.emit(summary)
        else:
            self.failed.emit(_failure(problem, len(summary.results)))

    def _take_away(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        process.blockSignals(True)  # noqa: FBT003 - Qt's own signature; a late signal belongs to no job
        kill_tree(self._process_id or process.processId())  # what it started may outlive it
        if process.state() != QProcess.ProcessState.NotRunning:
            process.kill()
            process.waitForFinished(_GONE_MS)
        self._process_id = 0
        process.deleteLater()


def _latest(heard: list[Said]) -> list[Said]:
    """Messages without progress that is outdated already, whatever floods."""
    following = [*heard[1:], None]
    return [
        said
        for said, after in zip(heard, following[: len(heard)], strict=True)
        if not (isinstance(said, Progress) and isinstance(after, Progress))
    ]


def _failure(problem: Problem, kept: int) -> Message:
    message = of_problem(problem)
    return Message(message.key, {**message.values, "kept": kept})


def _killer(runner: Runner) -> object:
    """What ends the worker when its runner is destroyed without a word; holds no reference to the runner."""
    state = runner.__dict__

    def kill(*_: object) -> None:
        kill_tree(int(state.get("_process_id", 0)))

    return kill
