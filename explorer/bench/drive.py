"""A worker run to its end without a window: for the command line, which waits for it."""

import contextlib
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from typing import IO, Any

from explorer.bench.conversation import SILENCE_S, Conversation
from explorer.bench.gathering import Gathering, Summary
from explorer.bench.interpreter import Interpreter, command, own_environment, sent
from explorer.bench.jobs import Job
from explorer.bench.protocol import Said
from explorer.bench.tree import kill_tree

Told = Callable[[Said], None]
_Heard = queue.SimpleQueue[tuple[bool, bytes] | None]


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
        process = _started([program, *arguments])
    except OSError as error:
        conversation.not_started(error.strerror or type(error).__name__)
        return gathering.summary(conversation.problem)
    pipes = _Pipes(process, sent(job.line(), script))
    cancelled = False
    try:
        _talk(process, pipes.heard, conversation, gathering, told, silence_s)
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

    def __init__(self, process: "subprocess.Popen[bytes]", said: bytes) -> None:
        self.heard: _Heard = queue.SimpleQueue()
        self._streams = [s for s in (process.stdin, process.stdout, process.stderr) if s is not None]
        self._threads = [
            threading.Thread(target=_write, args=(process.stdin, said), daemon=True),
            threading.Thread(target=_listen, args=(process.stdout, self.heard, False), daemon=True),
            threading.Thread(target=_listen, args=(process.stderr, self.heard, True), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Close what is over; a stream that something of the worker's still holds is left to its thread."""
        for thread, stream in zip(self._threads, self._streams, strict=True):
            thread.join(1.0)
            if not thread.is_alive():
                with contextlib.suppress(OSError):
                    stream.close()


def _started(line: list[str]) -> "subprocess.Popen[bytes]":
    more: dict[str, Any] = {} if sys.platform == "win32" else {"start_new_session": True}
    pipe = subprocess.PIPE
    return subprocess.Popen(line, stdin=pipe, stdout=pipe, stderr=pipe, env=own_environment(), **more)


def _talk(
    process: "subprocess.Popen[bytes]",
    heard: _Heard,
    conversation: Conversation,
    gathering: Gathering,
    told: Told | None,
    silence_s: float,
) -> None:
    last, open_streams = time.monotonic(), 2
    while not conversation.over:
        try:
            chunk = heard.get(timeout=max(0.05, last + silence_s - time.monotonic()))
        except queue.Empty:
            conversation.silent(silence_s)
            return
        if chunk is None:
            open_streams -= 1
            if open_streams == 0:
                conversation.ended(process.wait())
                return
        elif chunk[0]:
            conversation.feed_errors(chunk[1])
        else:
            last = time.monotonic()
            for message in conversation.feed(chunk[1]):
                gathering.take(message)
                if told is not None:
                    told(message)


def _listen(stream: IO[bytes], heard: _Heard, error: bool) -> None:
    with contextlib.suppress(OSError, ValueError):
        while chunk := stream.read1(65536):  # type: ignore[attr-defined]  # a pipe's buffered reader
            heard.put((error, chunk))
    heard.put(None)


def _write(stream: IO[bytes], said: bytes) -> None:
    """Beside the reading, for an interpreter that never reads; left open, for its end would stop the worker."""
    with contextlib.suppress(OSError, ValueError):
        stream.write(said)
        stream.flush()
