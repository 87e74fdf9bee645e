"""The events of a Chrome trace, block by block, so that memory stays small however long the file is.

A block is cut behind an event and decoded as a list. A wrong cut, inside a text or an inner list, cannot decode,
so decoding is also the proof of the cut.
"""

import json
import re
from collections.abc import Iterator
from typing import Any, Final

import msgspec

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk import limits
from explorer.files.importers.source import SourceText

BLOCK: Final = 1 << 20
_NAME: Final = b'"traceEvents"'
_LIST: Final = re.compile(rb'"traceEvents"\s*+:\s*+\[')
_BEGUN: Final = re.compile(rb'"traceEvents"\s*+:?\s*+\Z')
_CUT: Final = re.compile(rb"\}\s*+,\s*+\{")
_NOTHING: Final = msgspec.Raw()
_TAIL: Final = 1 << 20
_TRIES, _BRACES = 8, 10_000  # cuts tried and braces looked at, from behind


class Arguments(msgspec.Struct, gc=False):
    """What is wanted of an event's `args`; shapes and types stay text until one of their kind is worked out."""

    dims: msgspec.Raw = msgspec.field(name="Input Dims", default=_NOTHING)
    old_dims: msgspec.Raw = msgspec.field(name="Input dims", default=_NOTHING)
    types: msgspec.Raw = msgspec.field(name="Input type", default=_NOTHING)
    concrete: msgspec.Raw = msgspec.field(name="Concrete Inputs", default=_NOTHING)
    correlation: int = -1


class Event(msgspec.Struct, gc=False):
    """One trace event, times in microseconds."""

    ph: str = ""
    cat: str = ""
    name: str = ""
    pid: int | str = 0
    tid: int | str = 0
    ts: float = 0.0
    dur: float = 0.0
    args: Arguments | None = None


_STRICT: Final = msgspec.json.Decoder(list[Event])
_LOOSE: Final = msgspec.json.Decoder(list[Any])


class EventStream:
    """Head and events of a trace; after reading, `broken` tells that the file ends in the middle.

    `tail` is then what stands behind the list of events, as far as a member of the trace may reach.
    """

    def __init__(self, source: SourceText) -> None:
        self._blocks = source.utf8_blocks(BLOCK)
        self.head, self._rest = self._open()
        self._over = False
        self.broken = False
        self.tail = b""

    def _open(self) -> tuple[bytes, bytes]:
        data, looked = b"", 0
        for block in self._blocks:
            data += block
            if looked == 0:
                data = data.removeprefix(b"\xef\xbb\xbf").lstrip()
                if data.startswith(b"["):
                    return b"", data
            while (at := data.find(_NAME, looked)) >= 0:
                if found := _LIST.match(data, at):
                    return data[:at], b"[" + data[found.end() :]
                if _BEGUN.match(data, at):
                    break  # the list may begin in the next block
                looked = at + 1
            looked = max(looked, at) if at >= 0 else max(looked, len(data) - len(_NAME))
            if len(data) > limits.TOOL_LINE:
                break
        raise Refused(Problem("import.no_events"))

    def __iter__(self) -> Iterator[list[Event]]:
        """Events, some thousand at a time."""
        count = 0
        for events in self._pieces():
            count += len(events)
            if count > limits.TRACE_EVENTS:
                raise Refused(Problem("import.many_events", values={"limit": limits.TRACE_EVENTS}))
            yield events
            if self._over:
                self.tail = self._behind()
                return
        self.broken = True

    def _behind(self) -> bytes:
        tail = self._rest
        for block in self._blocks:
            if len(tail) > _TAIL:
                break
            tail += block
        return tail[:_TAIL]

    def _pieces(self) -> Iterator[list[Event]]:
        for block in self._blocks:
            yield self._cut_off()
            self._rest += block
            if len(self._rest) > limits.TOOL_LINE + BLOCK:
                raise Refused(Problem("import.long_event", values={"limit": limits.TOOL_LINE}))
        yield self._cut_off()
        yield self._one_by_one()

    def _cut_off(self) -> list[Event]:
        """The whole events of a piece that begins with `[`; what is left begins with `[` again."""
        data = self._rest
        for failed, end in enumerate(_cuts(data)):
            events = decoded(data[: end + 1] + b"]")
            if events is not None:
                self._rest = b"[" + data[data.index(b",", end) + 1 :]
                return events
            if failed == _TRIES:
                return self._one_by_one()
        return []

    def _one_by_one(self) -> list[Event]:
        """Events one after the other: slow, but it finds the end of the list whatever follows it."""
        text = self._rest.decode("utf-8", "replace")
        decoder, position, events = json.JSONDecoder(), 1, []
        while True:
            position = _after(text, position)
            if position >= len(text) or text[position] != "{":
                self._over = position < len(text)
                break
            try:
                value, position = decoder.raw_decode(text, position)
            except (ValueError, RecursionError):
                break
            if (event := loosely(value)) is not None:
                events.append(event)
        self._rest = b"[" + text[position:].encode()
        return events


def _cuts(data: bytes) -> Iterator[int]:
    """Where an event may end and another begin, from behind."""
    end = len(data)
    for _ in range(_BRACES):
        end = data.rfind(b"}", 0, end)
        if end < 0:
            return
        if _CUT.match(data, end):
            yield end


def _after(text: str, position: int) -> int:
    while position < len(text) and text[position] in " \r\n\t,":
        position += 1
    return position


def decoded(data: bytes) -> list[Event] | None:
    """A list of events; None where it is none. Odd members cost only themselves."""
    try:
        return _STRICT.decode(data)
    except msgspec.ValidationError:
        pass
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    try:
        values = _LOOSE.decode(data)
    except (msgspec.DecodeError, RecursionError):
        return None
    return [event for value in values if (event := loosely(value)) is not None]


def loosely(value: Any) -> Event | None:
    """An event of plain data, whose times may be texts and whose `args` may be odd."""
    if not isinstance(value, dict) or value.get("ph") != "X":  # no other kind has a length
        return None
    plain = {k: value[k] for k in ("ph", "cat", "name") if isinstance(value.get(k), str)}
    plain |= {k: value[k] for k in ("pid", "tid") if isinstance(value.get(k), int | str)}
    try:
        plain |= {k: float(value[k]) for k in ("ts", "dur") if k in value}
    except (TypeError, ValueError, OverflowError):
        return None
    args = value.get("args")
    return Event(**plain, args=_arguments(args) if isinstance(args, dict) else None)


def _arguments(args: dict[str, Any]) -> Arguments:
    names = {"Input Dims": "dims", "Input dims": "old_dims", "Input type": "types", "Concrete Inputs": "concrete"}
    raw = {field: msgspec.Raw(msgspec.json.encode(args[key])) for key, field in names.items() if key in args}
    correlation = args.get("correlation")
    return Arguments(**raw, correlation=correlation if isinstance(correlation, int) else -1)
