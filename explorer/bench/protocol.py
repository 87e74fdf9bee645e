"""What a worker says, line by line: checked as it comes in, so that nothing behind this meets a surprise."""

import math
from typing import Annotated, Any, Final, Literal

import msgspec
from msgspec import Meta

VERSION: Final = 1
_TEXT: Final = 300
_NAMES: Final = 64  # of a reason's values; fields, not sentences
_LARGEST_TENSOR: Final = 2**62

# A worker is another's program: what cannot be so is not heard.
Count = Annotated[int, Meta(ge=0, le=10**9)]
Size = Annotated[int, Meta(ge=0, le=_LARGEST_TENSOR)]
Seconds = Annotated[float, Meta(ge=0.0, le=1e9)]
Figure = Annotated[float, Meta(ge=0.0, le=1e24)]
Shape = Annotated[tuple[Size, ...], Meta(max_length=64)]
Tensors = Annotated[tuple[tuple[str, Shape], ...], Meta(max_length=4096)]
CeilingFormat = Literal["", "fp64", "fp32", "tf32", "bf16", "fp16", "fp8", "int8"]


def one_line(text: str, most: int = _TEXT) -> str:
    """Others' words as one line of plain text: no control or direction character reaches a screen."""
    text = text[: 4 * most]
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


class _Said(msgspec.Struct, frozen=True, tag_field="type"):
    """Base of a worker's messages; keys of later versions are left unread."""


class TorchDevice(msgspec.Struct, frozen=True):
    """Something torch can run on: bytes of memory, and of its last cache where known."""

    id: str
    name: str = ""
    memory: Figure | None = None
    cache: Figure | None = None


class Hello(_Said, frozen=True, tag="hello"):
    """Who answers; `busy` is the machine's load, `threads` those torch uses."""

    protocol: int
    python: str
    torch: str
    host: str = ""
    system: str = ""
    devices: tuple[TorchDevice, ...] = ()
    threads: Count = 1
    busy: Figure | None = None
    import_s: Seconds = 0.0


class Alive(_Said, frozen=True, tag="alive"):
    """A sign of life every two seconds."""

    paused: bool = False


class Progress(_Said, frozen=True, tag="progress"):
    """What is done, and what comes next."""

    done: Count
    total: Count
    remaining_s: Seconds
    id: str = ""
    name: str | None = ""


class RowTimed(_Said, frozen=True, tag="row"):
    """One row's figures: seconds of one call."""

    id: str
    median_s: Seconds
    low_s: Seconds
    high_s: Seconds
    min_s: Seconds
    runs: Size
    name: str | None = ""
    blocks: Size = 1
    timed_s: Seconds = 0.0
    counted_s: Seconds = 0.0
    steady: bool = True
    call: str = ""
    note: str = ""
    sets: Count = 1
    resident: Literal["", "cache"] = ""

    def __post_init__(self) -> None:
        if not (self.median_s > 0 and self.low_s <= self.median_s <= self.high_s and self.runs > 0):
            raise ValueError("no time")


class RowSkipped(_Said, frozen=True, tag="skipped"):
    """One row or ceiling that could not be timed."""

    id: str
    code: str
    name: str | None = ""
    values: dict[str, Any] = {}


class CeilingFound(_Said, frozen=True, tag="ceiling"):
    """One measured roof: of a memory level by a way of using it, or of a format's matmuls."""

    name: str
    rate: Figure
    level: Literal["", "memory", "cache"] = ""
    way: str = ""
    format: CeilingFormat = ""
    size: Size | None = None
    bytes: Figure | None = None
    seconds: Seconds | None = None

    def __post_init__(self) -> None:
        if not self.rate:
            raise ValueError("no rate")


class TracedOperator(msgspec.Struct, frozen=True):
    """One dispatched operator: its tensors as (dtype, shape), its other arguments in place, how often it came."""

    op: str
    module: str = ""
    inputs: Tensors = ()
    outputs: Tensors = ()
    count: Annotated[int, Meta(ge=1, le=10**9)] = 1
    arguments: Annotated[tuple[Any, ...], Meta(max_length=64)] = ()
    flags: dict[str, float | bool] = {}

    def __post_init__(self) -> None:
        if any(math.prod(shape) > _LARGEST_TENSOR for _, shape in (*self.inputs, *self.outputs)):
            raise ValueError("no tensor")


class Operators(_Said, frozen=True, tag="operators"):
    """What a trace saw.

    `guessed`: how often the model asked for data that a trace does not have; `dropped`: fields of its config that name
    something elsewhere.
    """

    operators: Annotated[tuple[TracedOperator, ...], Meta(max_length=100_000)]
    parameters: Size = 0
    guessed: Size = 0
    dropped: tuple[str, ...] = ()


class Done(_Said, frozen=True, tag="done"):
    """The end of a job: seconds in all, of importing torch, and of running operators."""

    rows: Count
    skipped: Count
    timed_s: Seconds = 0.0
    counted_s: Seconds = 0.0
    import_s: Seconds = 0.0
    wall_s: Seconds = 0.0
    threads: Count | None = None


class Fault(_Said, frozen=True, tag="error"):
    """Why there is nothing more."""

    code: str
    values: dict[str, Any] = {}


Said = Hello | Alive | Progress | RowTimed | RowSkipped | CeilingFound | Operators | Done | Fault
_decoder: Final = msgspec.json.Decoder(Said)


class _AnyHello(msgspec.Struct, tag_field="type", tag="hello"):
    """What every version of a hello has."""

    protocol: int


_hello_decoder: Final = msgspec.json.Decoder(_AnyHello)


def heard(line: bytes) -> Said | None:
    """The message of a line, its texts plain; None where it is none."""
    try:
        said: Said = _plain(_decoder.decode(line))
    except (msgspec.MsgspecError, RecursionError):
        return None
    return said


def other_version(line: bytes) -> int | None:
    """The version of a hello that is not ours, however the rest of it looks."""
    try:
        theirs = _hello_decoder.decode(line).protocol
    except (msgspec.MsgspecError, RecursionError):
        return None
    return None if theirs == VERSION else max(-1, min(theirs, 10**9))


def _plain(value: Any) -> Any:
    """The same with each text in one line; what holds none is not made anew."""
    if isinstance(value, str):
        return value if len(value) <= _TEXT and value.isprintable() else one_line(value)
    if isinstance(value, (tuple, list)):
        return type(value)(map(_plain, value))
    if isinstance(value, dict):
        return {one_line(k, _NAMES): _plain(v) for k, v in value.items()}
    if isinstance(value, msgspec.Struct):
        fields = {n: getattr(value, n) for n in value.__struct_fields__}
        changed = {n: new for n, old in fields.items() if (new := _plain(old)) != old}
        return msgspec.structs.replace(value, **changed) if changed else value
    return value
