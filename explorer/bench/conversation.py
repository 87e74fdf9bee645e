"""One job's conversation with a worker: bytes and ends in, messages and at most one fault out. Knows no process."""

import signal
from typing import Final

from explorer.analysis.problem import Problem
from explorer.bench.interpreter import Interpreter
from explorer.bench.protocol import Alive, Done, Fault, Hello, Progress, Said, heard

LONGEST_LINE: Final = 64 << 20  # a trace is one line
NOISE: Final = 1 << 20  # of a shell's greetings and the like
SSH_FAILED: Final = 255
SILENCE_S: Final = 90.0  # a worker says it lives every two seconds; importing torch from a cold disk is silent
_TEXT: Final = 200


class Conversation:
    """Turns what a process says into messages, and its end into one clear problem or none."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.hello: Hello | None = None
        self.done: Done | None = None
        self.problem: Problem | None = None
        self.at = ""
        self._rest = bytearray()
        self._noise = 0
        self._first_noise = ""
        self._errors = bytearray()

    @property
    def over(self) -> bool:
        """Whether nothing more is expected."""
        return self.done is not None or self.problem is not None

    def feed(self, chunk: bytes) -> list[Said]:
        """Messages that a chunk of stdout completes; noise between them is passed over, up to a point."""
        self._rest += chunk
        *lines, rest = self._rest.split(b"\n")
        self._rest = bytearray(rest)
        found = [said for line in lines if (said := self._line(bytes(line))) is not None]
        if len(self._rest) > (LONGEST_LINE if self.hello else NOISE):
            self._noisy(bytes(self._rest[: NOISE + 1]))
            self._rest.clear()
        return found

    def feed_errors(self, chunk: bytes) -> None:
        """Keep the end of stderr: the interpreter's own words where it fails."""
        self._errors += chunk
        del self._errors[:-20_000]

    def _line(self, line: bytes) -> Said | None:
        if self.over or not line.strip():
            return None
        said = heard(line)
        if said is None or (self.hello is None and not isinstance(said, (Hello, Alive, Fault))):
            self._noisy(line)
            return None
        self._take(said)
        return None if isinstance(said, (Alive, Fault)) else said

    def _take(self, said: Said) -> None:
        if isinstance(said, Hello):
            self.hello = said
        elif isinstance(said, Progress):
            self.at = said.name or said.id
        elif isinstance(said, Done):
            self.done = said
        elif isinstance(said, Fault):
            self.problem = self._fault(said)

    def _fault(self, said: Fault) -> Problem:
        values = {k: v if isinstance(v, (int, float)) else _short(str(v)) for k, v in said.values.items()}
        return Problem(f"measure.{said.code}", values={"python": self.interpreter.name, "text": "", **values})

    def _noisy(self, line: bytes) -> None:
        self._first_noise = self._first_noise or _short(line.decode("utf-8", "replace"))
        self._noise += len(line) + 1
        if self._noise > NOISE and not self.over:
            self.problem = self._problem("measure.garbage", text=self._first_noise)

    def not_started(self, reason: str) -> None:
        """The interpreter, or ssh, could not even be started."""
        self.problem = self.problem or self._problem("measure.start", text=_short(reason))

    def silent(self, seconds: float) -> None:
        """Nothing was said for so long."""
        code = "measure.silent" if self.hello else "measure.no_answer"
        self.problem = self.problem or self._problem(code, seconds=round(seconds), row=self.at)

    def ended(self, code: int) -> None:
        """The process is gone: its exit code, negative for a signal."""
        if self.over:
            return
        last = self._last_words()
        if self.interpreter.host and code == SSH_FAILED:
            self.problem = self._problem("measure.ssh", host=self.interpreter.host, text=last or "–")
        elif code < 0 or code > 128:  # a shell between adds 128 to a signal
            self.problem = self._killed(-code if code < 0 else code - 128)
        elif self.hello is None and self._first_noise and not last:
            self.problem = self._problem("measure.garbage", text=self._first_noise)
        else:
            lead = "measure.ended_at" if self.at else "measure.ended"
            self.problem = self._problem(lead, exit=code, row=self.at, text=last or "–")

    def _killed(self, number: int) -> Problem:
        lead = "measure.killed" if number == getattr(signal, "SIGKILL", 9) else "measure.crashed"
        return self._problem(lead if self.at else f"{lead}_early", signal=_signal_name(number), row=self.at)

    def _last_words(self) -> str:
        lines = self._errors.decode("utf-8", "replace").split("\n")
        return _short(next((line for line in reversed(lines) if line.strip()), ""))

    def _problem(self, code: str, **values: str | int) -> Problem:
        return Problem(code, values={"python": self.interpreter.name, **values})


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)


def _short(text: str) -> str:
    """Others' words in one line."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _TEXT else f"{line[: _TEXT - 1]}…"
