"""One job's conversation with a worker: bytes and ends in, messages and at most one fault out. Knows no process."""

import signal
from typing import Final

from explorer.analysis.problem import Problem
from explorer.bench.interpreter import Interpreter
from explorer.bench.protocol import VERSION, Alive, Done, Fault, Hello, Progress, Said, heard, one_line, other_version
from explorer.bench.reasons import problem_of_fault

LONGEST_LINE: Final = 8 << 20  # a trace is one line: some 25,000 different operators
NOISE: Final = 1 << 20  # of a shell's greetings and the like
SSH_FAILED: Final = 255
SILENCE_S: Final = 90.0  # a worker says it lives every two seconds; importing torch from a cold disk is silent
_TEXT: Final = 200
_LAST_WORDS: Final = 20_000


class Conversation:
    """Turns what a process says into messages, and its end into one clear problem or none."""

    def __init__(self, interpreter: Interpreter) -> None:
        self.interpreter = interpreter
        self.hello: Hello | None = None
        self.done: Done | None = None
        self.problem: Problem | None = None
        self.at = ""
        self.signs = 0  # of life: before the hello only what is understood, so that no chatter holds the program
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
        self.signs += self.hello is not None
        *ends, rest = chunk.split(b"\n")
        found = [said for end in ends if (said := self._line(self._ended(end))) is not None]
        self._rest += rest
        self._bound(self._rest)
        return found

    def _ended(self, end: bytes) -> bytes:
        """The line that a chunk's part completes."""
        if not self._rest:
            return end
        self._rest += end
        line = bytes(self._rest)
        self._rest.clear()
        return line

    def _bound(self, line: bytes | bytearray) -> None:
        if self.hello is None and len(line) > NOISE:
            self._noisy(bytes(line[: NOISE + 1]))
        elif len(line) > LONGEST_LINE and not self.over:
            self.problem = self._problem("measure.long_line", limit=LONGEST_LINE >> 20)
        if self.over:
            self._rest.clear()

    def feed_errors(self, chunk: bytes) -> None:
        """Keep the end of stderr: the interpreter's own words where it fails."""
        self._errors += chunk[-_LAST_WORDS:]
        del self._errors[:-_LAST_WORDS]

    def _line(self, line: bytes) -> Said | None:
        self._bound(line)
        if self.over:
            return None
        said = heard(line)
        if said is None or not self._is_in_turn(said):
            self._odd(line)
            return None
        self._take(said)
        return None if isinstance(said, (Alive, Fault)) else said

    def _is_in_turn(self, said: Said) -> bool:
        """One hello, first; only a fault or a sign of life may come before it."""
        if isinstance(said, Hello):
            return self.hello is None and said.protocol == VERSION
        return self.hello is not None or isinstance(said, (Alive, Fault))

    def _odd(self, line: bytes) -> None:
        theirs = other_version(line) if self.hello is None else None
        if theirs is None:
            self._noisy(line)
        else:
            self.problem = self._problem("measure.version", theirs=theirs, ours=VERSION)

    def _take(self, said: Said) -> None:
        self.signs += 1
        self._count(1)  # a flood of messages ends as one of noise does
        if isinstance(said, Hello):
            self.hello = said
        elif isinstance(said, Progress):
            self.at = said.name or said.id
        elif isinstance(said, Done):
            self.done = said
        elif isinstance(said, Fault):
            self.problem = problem_of_fault(said, self.interpreter.name)

    def _noisy(self, line: bytes) -> None:
        self._first_noise = self._first_noise or _short(line[: 8 * _TEXT].decode("utf-8", "replace"))
        self._count(len(line) + 1)

    def _count(self, noise: int) -> None:
        self._noise += noise
        if self._noise > NOISE and not self.over:
            code = "measure.garbage" if self._first_noise else "measure.flood"
            self.problem = self._problem(code, text=self._first_noise)

    def not_started(self, reason: str) -> None:
        """The interpreter, or ssh, could not even be started."""
        self.problem = self.problem or self._problem("measure.start", text=_short(reason))

    def silent(self, seconds: float) -> None:
        """Nothing was said for so long."""
        code = "measure.silent" if self.at else "measure.no_answer"
        code = "measure.garbage" if self.hello is None and self._first_noise else code
        values: dict[str, str | int] = {"seconds": round(seconds), "row": self.at, "text": self._first_noise}
        self.problem = self.problem or self._problem(code, **values)

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
    return one_line(text, _TEXT)
