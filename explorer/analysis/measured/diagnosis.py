"""What a profiler's counters say: memory near its peak, compute near its peak, or latency not hidden."""

from typing import Final, Literal

import msgspec

from explorer.analysis.catalogue.device import Device
from explorer.analysis.problem import Note, Problem, Refused

Finding = Literal["memory", "compute", "both", "latency", "overhead", "mostly_memory", "mostly_compute", "between"]
NEAR: Final = 0.8  # of a peak
IDLE: Final = 0.5
NOTHING: Final = 0.1
_MOST: Final = 2.0  # a counter may exceed a peak, not by more


class Counters(msgspec.Struct, frozen=True):
    """What was read off a profiler: memory throughput and compute activity as shares of their peaks.

    `time_share` is the operator's share of the time and `rank` its place by time (1 the longest), where known.
    """

    memory: float
    compute: float
    time_share: float | None = None
    rank: int | None = None


class InFlight(msgspec.Struct, frozen=True):
    """Bytes in flight by Little's law: needed = bandwidth x latency, achieved = throughput x latency."""

    needed: float
    achieved: float
    bandwidth: float
    latency: float


class Diagnosis(msgspec.Struct, frozen=True):
    """The finding, bytes in flight where latency is the matter and known, and remarks that limit it."""

    finding: Finding
    counters: Counters
    in_flight: InFlight | None = None
    notes: tuple[Note, ...] = ()


def diagnose(counters: Counters, device: Device | None = None) -> Diagnosis:
    """Diagnose by counters.

    Near-peak memory is memory-bound, near-peak compute is compute-bound; with neither (30 to 40 % memory, idle
    compute) latency is not hidden: more bytes must be in flight (Little 1961; Volkov 2010).

    Raises
    ------
    Refused
        A share is not one.
    """
    _check(counters)
    finding = _finding(counters.memory, counters.compute)
    in_flight = _in_flight(counters, device) if finding in {"latency", "overhead", "between"} else None
    return Diagnosis(finding, counters, in_flight, tuple(_notes(counters, finding, device)))


def _check(counters: Counters) -> None:
    for name, share in (("memory", counters.memory), ("compute", counters.compute), ("time", counters.time_share)):
        if share is not None and not 0 <= share <= _MOST:
            raise Refused(Problem("diagnosis.share", name, {"got": share}))


def _finding(memory: float, compute: float) -> Finding:
    if memory >= NEAR and compute >= NEAR:
        return "both"
    if memory >= NEAR or compute >= NEAR:
        return "memory" if memory >= compute else "compute"
    if memory < IDLE and compute < IDLE:
        return "overhead" if max(memory, compute) < NOTHING else "latency"
    if memory >= IDLE and compute >= IDLE:
        return "between"
    return "mostly_memory" if memory > compute else "mostly_compute"


def _in_flight(counters: Counters, device: Device | None) -> InFlight | None:
    level = None if device is None else device.outermost
    if level is None or not level.bandwidth or not level.latency:
        return None
    needed = level.bandwidth * level.latency
    return InFlight(needed, counters.memory * needed, level.bandwidth, level.latency)


def _notes(counters: Counters, finding: Finding, device: Device | None) -> list[Note]:
    found = []
    if finding in {"memory", "both", "mostly_memory", "between"}:
        code = "diagnosis.over_peak" if counters.memory > 1.0 else "diagnosis.cache_hits"
        found.append(Note(code, {"share": counters.memory}))
    if finding == "latency" and _in_flight(counters, device) is None:
        found.append(Note("diagnosis.no_latency"))
    share = counters.time_share
    if share is not None:
        code = "diagnosis.small" if share < 0.05 else "diagnosis.gain"
        # Amdahl 1967: with this operator gone, the whole gains so much at most
        found.append(Note(code, {"share": share, "gain": 1.0 / max(1e-9, 1.0 - min(share, 1.0))}))
    if counters.rank is not None and counters.rank > 3:
        found.append(Note("diagnosis.rank", {"rank": counters.rank}))
    return found
