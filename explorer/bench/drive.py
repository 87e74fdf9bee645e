"""A worker run to its end without a window: for the command line, which waits for it."""

import contextlib
import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import IO, Final

from explorer.bench.conversation import SILENCE_S, Conversation
from explorer.bench.gathering import Gathering, Summary
from explorer.bench.interpreter import Interpreter, command, sent
from explorer.bench.jobs import Job
from explorer.bench.programs import Process, is_over, kill_tree, start_process
from explorer.bench.protocol import Said

_LOOK_S: Final = 0.1  # how often the process itself is looked at: what it started may hold its streams open
_LEFT_S: Final = 0.7  # for what lies in the streams of one that is gone
_AHEAD: Final = 16  # chunks read before they are understood
Told = Callable[[Said], None]
_Heard = queue.Queue[tuple[bool, bytes]]


def drive(
    interpreter: Interpreter,
    job: Job,
    told: Told | None = None,
    *,
    silence_s: float = SILENCE_S,
    script: bytes | None = None,
) -> Summary:
    """Run a job and return what came of it; Ctrl-C ends the worker and keeps what was measured.

    Raises
    ------
    Refused
        The interpreter's or host's name cannot be one.
    """
    conversation, gathering = Conversation(interpreter), Gathering(job)
    program, arguments = command(interpreter)
    try:
        process = start_process([program, *arguments])
    except (OSError, ValueError) as error:  # ValueError: a name that no program can have
        conversation.not_started(getattr(error, "strerror", None) or type(error).__name__)
        return gathering.summary(conversation.problem)
    pipes = _Pipes(process, sent(job.line(), script))
    cancelled = False
    try:
        for message in _talk(process, pipes, conversation, silence_s):
            gathering.take(message)
            if told is not None:
                told(message)
    except KeyboardInterrupt:
        cancelled = True
    finally:
        kill_tree(process.pid)
        process.kill()
        process.wait()
        pipes.close()
    return gathering.summary(conversation.problem, cancelled=cancelled)


class _Pipes:
    """A thread for each of the process's streams: none of them may ever make another wait."""

    def __init__(self, process: Process, said: bytes) -> None:
        self.heard: _Heard = queue.Queue(_AHEAD)
        self._closed = threading.Event()
        self._streams = [s for s in (process.stdin, process.stdout, process.stderr) if s is not None]
        self._threads = [
            threading.Thread(target=_write, args=(process.stdin, said), daemon=True),
            threading.Thread(target=self._listen, args=(process.stdout, False), daemon=True),
            threading.Thread(target=self._listen, args=(process.stderr, True), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    @property
    def ended(self) -> bool:
        """Whether nothing more can come."""
        return not any(t.is_alive() for t in self._threads[1:])

    def next(self) -> tuple[bool, bytes]:
        """A chunk, and whether it is of stderr; an empty one where none has come yet."""
        try:
            return self.heard.get(timeout=_LOOK_S)
        except queue.Empty:
            return False, b""

    def close(self) -> None:
        """Close what is over; a stream that something of the worker's still holds is left to its thread."""
        self._closed.set()
        for thread, stream in zip(self._threads, self._streams, strict=True):
            thread.join(_LEFT_S)
            if not thread.is_alive():
                with contextlib.suppress(OSError):
                    stream.close()

    def _listen(self, stream: IO[bytes], error: bool) -> None:
        with contextlib.suppress(OSError, ValueError):
            while chunk := stream.read1(65536):  # type: ignore[attr-defined]  # a pipe's buffered reader
                if not self._passed_on((error, chunk)):
                    return

    def _passed_on(self, chunk: tuple[bool, bytes]) -> bool:
        """Hand a chunk over, as soon as there is room; False where nobody wants it any more."""
        while not self._closed.is_set():
            with contextlib.suppress(queue.Full):
                self.heard.put(chunk, timeout=_LOOK_S)
                return True
        return False


def _talk(process: Process, pipes: "_Pipes", conversation: Conversation, silence_s: float) -> Iterator[Said]:
    """Messages as they come, until the conversation is over, the process gone, or nothing is said for too long."""
    last, signs, gone = time.monotonic(), 0, 0.0
    while not conversation.over:
        now = time.monotonic()
        gone = gone or (now if is_over(process) else 0.0)
        ended = pipes.ended
        error, chunk = pipes.next()
        if error:
            conversation.feed_errors(chunk)
        elif chunk:
            yield from conversation.feed(chunk)
        if gone and (now - gone > _LEFT_S or (ended and not chunk)):
            kill_tree(process.pid)
            conversation.ended(process.wait())
        if conversation.signs != signs:
            last, signs = now, conversation.signs
        elif not gone and now - last > silence_s:
            conversation.silent(silence_s)


def _write(stream: IO[bytes], said: bytes) -> None:
    """Beside the reading, for an interpreter that never reads; left open, for its end would stop the worker."""
    with contextlib.suppress(OSError, ValueError):
        stream.write(said)
        stream.flush()
