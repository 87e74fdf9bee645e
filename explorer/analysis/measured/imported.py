"""What files of other tools say: measured points, measured ceilings, and what could not be used and why."""

from typing import Literal

import msgspec

from explorer.analysis.problem import Note
from explorer.analysis.step.phases.ids import PhaseId

Kind = Literal["points", "ceilings"]


class MeasuredPoint(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True, gc=False):
    """One operator, kernel or model step as a tool measured it; figures are per call, a missing one is None.

    Seconds, FLOPs, bytes of the outermost memory, tokens per second of all requests. `quartiles_s` are the first and
    third quartile of `time_s`, `deviation_s` its standard deviation, `total_s` the time of all calls together.
    `memory_busy` and `compute_busy` are shares of the peak that a profiler reports (its memory share may include
    cache hits).
    """

    name: str
    calls: float = 1.0
    time_s: float | None = None
    total_s: float | None = None
    flops: float | None = None
    bytes: float | None = None
    tokens_per_s: float | None = None
    quartiles_s: tuple[float, float] | None = None
    deviation_s: float | None = None
    phase: PhaseId | None = None
    batch: int | None = None
    context: int | None = None
    depth: int | None = None
    model: str = ""
    file: str = ""
    size_bytes: float | None = None
    parameters: float | None = None
    format: str = ""
    kv: str = ""
    device: str = ""
    backend: str = ""
    threads: int | None = None
    offloaded_layers: int | None = None
    memory_busy: float | None = None
    compute_busy: float | None = None
    notes: tuple[Note, ...] = ()


class Ceiling(msgspec.Struct, frozen=True, omit_defaults=True, kw_only=True):
    """A measured roof: of a memory `level`, a `link` (B/s both), or an operand `format` (FLOP/s, OP/s of integers).

    `low` and `high` bound the tool's own runs; a `doubtful` one never becomes a roof by itself.
    """

    rate: float
    level: str = ""
    link: str = ""
    format: str = ""
    unit: Literal["tensor", "vector"] = "vector"
    name: str = ""
    device: str = ""
    low: float | None = None
    high: float | None = None
    doubtful: bool = False


class Skipped(msgspec.Struct, frozen=True):
    """A part of the file that could not be used: where it stands, why, and how many like it."""

    where: str
    why: Note
    count: int = 1


class Imported(msgspec.Struct, frozen=True, kw_only=True):
    """All that one file says."""

    tool: str
    kind: Kind
    points: tuple[MeasuredPoint, ...] = ()
    ceilings: tuple[Ceiling, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    device: str = ""
    notes: tuple[Note, ...] = ()
