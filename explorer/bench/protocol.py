"""What a worker says, line by line: checked as it comes in, so that nothing behind this meets a surprise."""

from typing import Any, Final

import msgspec

VERSION: Final = 1


class _Said(msgspec.Struct, frozen=True, tag_field="type"):
    """Base of a worker's messages; keys of later versions are left unread."""


class TorchDevice(msgspec.Struct, frozen=True):
    """Something torch can run on: bytes of memory, and of its last cache where known."""

    id: str
    name: str = ""
    memory: float | None = None
    cache: float | None = None


class Hello(_Said, frozen=True, tag="hello"):
    """Who answers; `busy` is the machine's load, `threads` those torch uses."""

    protocol: int
    python: str
    torch: str
    host: str = ""
    system: str = ""
    devices: tuple[TorchDevice, ...] = ()
    threads: int = 1
    busy: float | None = None
    import_s: float = 0.0


class Alive(_Said, frozen=True, tag="alive"):
    """A sign of life every two seconds."""

    paused: bool = False


class Progress(_Said, frozen=True, tag="progress"):
    """What is done, and what comes next."""

    done: int
    total: int
    remaining_s: float
    id: str = ""
    name: str | None = ""


class RowTimed(_Said, frozen=True, tag="row"):
    """One row's figures: seconds of one call."""

    id: str
    median_s: float
    low_s: float
    high_s: float
    min_s: float
    runs: int
    name: str | None = ""
    blocks: int = 1
    timed_s: float = 0.0
    counted_s: float = 0.0
    steady: bool = True
    call: str = ""
    note: str = ""
    sets: int = 1
    resident: str = ""


class RowSkipped(_Said, frozen=True, tag="skipped"):
    """One row or ceiling that could not be timed."""

    id: str
    code: str
    name: str | None = ""
    values: dict[str, Any] = {}


class CeilingFound(_Said, frozen=True, tag="ceiling"):
    """One measured roof: of a memory level by a way of using it, or of a format's matmuls."""

    name: str
    rate: float
    level: str = ""
    way: str = ""
    format: str = ""
    size: int | None = None
    bytes: float | None = None
    seconds: float | None = None


class TracedOperator(msgspec.Struct, frozen=True):
    """One dispatched operator: its tensors as (dtype, shape), its other arguments in place, how often it came."""

    op: str
    module: str = ""
    inputs: tuple[tuple[str, tuple[int, ...]], ...] = ()
    outputs: tuple[tuple[str, tuple[int, ...]], ...] = ()
    count: int = 1
    arguments: tuple[Any, ...] = ()
    flags: dict[str, float | bool] = {}


class Operators(_Said, frozen=True, tag="operators"):
    """What a trace saw; `guessed`: how often the model asked for data that a trace does not have."""

    operators: tuple[TracedOperator, ...]
    parameters: int = 0
    guessed: int = 0


class Done(_Said, frozen=True, tag="done"):
    """The end of a job: seconds in all, of importing torch, and of running operators."""

    rows: int
    skipped: int
    timed_s: float = 0.0
    counted_s: float = 0.0
    import_s: float = 0.0
    wall_s: float = 0.0
    threads: int | None = None


class Fault(_Said, frozen=True, tag="error"):
    """Why there is nothing more."""

    code: str
    values: dict[str, Any] = {}


Said = Hello | Alive | Progress | RowTimed | RowSkipped | CeilingFound | Operators | Done | Fault
_decoder: Final = msgspec.json.Decoder(Said)


def heard(line: bytes) -> Said | None:
    """The message of a line; None where it is none."""
    try:
        return _decoder.decode(line)
    except (msgspec.MsgspecError, RecursionError):
        return None
