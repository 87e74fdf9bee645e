"""Each cause at the very bounds of what makes it possible, with its plausibility."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import msgspec
import pytest

from explorer.analysis.catalogue.device import Device, MemoryLevel, Peak, Source
from explorer.analysis.measured.causes import (
    Cause,
    _cached,
    _Case,
    _clock,
    _experts,
    _fewer_bits,
    _head,
    _memory_full,
    _peaks,
    _speculation,
    _uncounted,
    causes,
)
from explorer.analysis.step.ledger import KV, WEIGHTS
from explorer.analysis.step.phases.decode import DECODE_PHASE
from explorer.analysis.step.phases.prefill import PREFILL_PHASE
from explorer.analysis.study.study import HardwareEntry, Measurement, Study, Workload
from tests.analysis.making import device

Finder = Callable[[_Case], Iterator[Cause]]
BF16 = Peak(format="bf16", accumulate="fp32", unit="tensor", rate=100.0)
FORMATS = {"bf16": SimpleNamespace(bits=16.0), "fp8": SimpleNamespace(bits=8.0), "int4": SimpleNamespace(bits=4.5)}


def point(group: str = "", count: float = 1.0, weights: str = "bf16", kind: str = "matmul", **costs: float) -> Any:
    row = SimpleNamespace(group=group, count=count, weights=weights, kind=kind)
    return SimpleNamespace(row=row, costs=SimpleNamespace(**{"flops": 0.0, "weight_bytes": 0.0, **costs}))


MIXED = (
    point(weights="int4", count=2.0, weight_bytes=30.0),
    point(weights="fp8", weight_bytes=40.0),
    point(weights="bf16", weight_bytes=3.0),
)  # norms and routers hardly count


def case(
    efficiency: float = 1.1,
    *,
    on: Device | None = None,
    count: int = 1,
    bound: str = "memory",
    moved: float = 1e9,
    phase: Any = DECODE_PHASE,
    model: Any = ...,
    held: tuple[float, float] = (60.0, 30.0),
    capacity: float | None = 100.0,
    peak: Peak | None = BF16,
    points: tuple[Any, ...] = (),
    whole: float = 100.0,
    with_step: bool = True,
    row_kind: str | None = None,
    work: dict[str, Any] | None = None,
    **fields: Any,
) -> _Case:
    """A step of a plain model, over its bound by so much."""
    plain = SimpleNamespace(rough=False, parameters=100, active_parameters=100)
    made = plain if model is ... else model
    memory = SimpleNamespace(of=lambda entry: {WEIGHTS: held[0], KV: held[1]}[entry])
    traffic = SimpleNamespace(weights_streamed=whole, flops=whole)
    totals = SimpleNamespace(memory=memory, capacity=capacity, traffic=traffic)
    evaluation = SimpleNamespace(
        phase=phase,
        model=made,
        study=Study(workload=Workload(**(work or {}))),
        evaluator=SimpleNamespace(formats=FORMATS),
    )
    prediction = SimpleNamespace(
        result=SimpleNamespace(totals=totals, points=points) if with_step else None,
        evaluation=evaluation if with_step else None,
        bound=bound,
        bytes=moved,
        peak=SimpleNamespace(entry=peak),
        point=None if row_kind is None else point(kind=row_kind),
    )
    stated = Measurement(**{"id": "m", "name": "run", **fields})
    entry = HardwareEntry(id="dev", device=on or device(), count=count)
    return _Case(stated, entry, prediction, efficiency)  # type: ignore[arg-type]


def found(finder: Finder, **changes: Any) -> list[tuple[str, float]]:
    return [(cause.code.removeprefix("cause."), cause.weight) for cause in finder(case(**changes))]


MIXTURE = SimpleNamespace(rough=False, parameters=100, active_parameters=50)
PROMPT = {"phase": PREFILL_PHASE}
ROUGH = SimpleNamespace(rough=True, parameters=100, active_parameters=50)


def levels(*capacities: float | None) -> Device:
    plain = device()
    inner = tuple(MemoryLevel(level=f"L{i}", capacity=c) for i, c in enumerate(capacities))
    return msgspec.structs.replace(plain, memory=(*plain.memory, *inner))


def peaks(*found: Peak, name: str = "Card") -> Device:
    return msgspec.structs.replace(device(), name=name, peaks=found)


def of(fmt: str, rate: float, accumulate: str = "fp32") -> Peak:
    return Peak(format=fmt, accumulate=accumulate, unit="tensor", rate=rate)


def sourced(kind: str, *, level: bool) -> Device:
    plain = device()
    memory = (msgspec.structs.replace(plain.memory[0], source="m" if level else ""),)
    return msgspec.structs.replace(plain, memory=memory, sources={"m": Source(kind=kind)})  # type: ignore[arg-type]


ROW: dict[str, Any] = {"row": "up"}
HEAD = (point("head", 1.0, weight_bytes=20.0, flops=50.0), point("mlp", 2.0, weight_bytes=40.0, flops=25.0))
TABLE: list[tuple[Finder, dict[str, Any], list[tuple[str, float]]]] = [
    # more than nine tenths of the capacity, and half as fast again as can be
    (_memory_full, {"efficiency": 1.6, "held": (60.0, 30.0)}, []),
    (_memory_full, {"efficiency": 1.6, "held": (60.0, 30.1)}, [("out_of_memory", 99.0)]),
    (_memory_full, {"efficiency": 1.5, "held": (60.0, 30.1)}, []),
    (_memory_full, {"efficiency": 1.6, "held": (60.0, 30.1), "capacity": None}, []),
    (_memory_full, {"efficiency": 1.6, "held": (10.0, 30.0), "size_bytes": 61.0}, [("out_of_memory", 99.0)]),
    (_memory_full, {"efficiency": 1.6, "held": (99.0, 30.0), "size_bytes": 59.0}, []),
    (_memory_full, {"efficiency": 16.0, "held": (1.0, 1.0)}, []),
    (_memory_full, {"efficiency": 16.1, "held": (1.0, 1.0)}, [("failed_run", 70.0)]),
    (_memory_full, {"efficiency": 16.1, "held": (1.0, 1.0), **ROW}, []),
    (_memory_full, {"efficiency": 16.1, "with_step": False}, []),
    # bytes within a cache, the part of them that need not be read, some cache where none is known
    (_cached, {"cached": True}, [("cached_said", 97.0)]),
    (_cached, {"cached": True, "bound": "compute"}, []),
    (_cached, {"moved": 50.0, "on": levels(10.0, 50.0, None)}, [("cached", 90.0)]),
    (_cached, {"moved": 50.5, "efficiency": 9.0, "on": levels(10.0, 50.0)}, [("cached_partly", 60.0)]),
    (_cached, {"moved": 100.0, "on": levels(50.0), "count": 2}, [("cached", 90.0)]),
    (_cached, {"moved": 100.0, "efficiency": 2.0, "on": levels(50.0)}, [("cached_partly", 60.0)]),
    (_cached, {"moved": 100.0, "efficiency": 2.1, "on": levels(50.0)}, []),
    (_cached, {"moved": 64e6}, [("cached_perhaps", 55.0)]),
    (_cached, {"moved": 64e6 + 1}, []),
    (_cached, {"moved": 64e6, "on": levels(None)}, [("cached_perhaps", 55.0)]),
    (_cached, {"moved": 64e6, "on": levels(1.0), "efficiency": 3.0}, []),
    # several tokens a step
    (_speculation, {"name": "with EAGLE"}, [("speculative_said", 95.0)]),
    (_speculation, {"source": "mtp 2"}, [("speculative_said", 95.0)]),
    (_speculation, {"source": "empty"}, [("speculative", 48.0)]),
    (_speculation, {"efficiency": 8.0}, [("speculative", 48.0)]),
    (_speculation, {"efficiency": 8.01}, []),
    (_speculation, {"name": "draft", "phase": PREFILL_PHASE}, []),
    (_speculation, {"name": "draft", **ROW}, []),
    (_speculation, {"name": "draft", "with_step": False}, []),
    # all experts counted
    (_experts, {"model": ROUGH}, [("experts_rough", 62.0)]),
    (_experts, {"model": ROUGH, **ROW}, []),
    (_experts, {"model": None}, []),
    # the floor reads the fewest experts already
    (_experts, {"model": MIXTURE, "efficiency": 1.1, "batch": 64}, []),
    (_experts, {"model": MIXTURE, "phase": PREFILL_PHASE}, []),
    # pairs that no kernel computes
    (_uncounted, {"work": {"attention_count": "full"}}, [("window_full", 72.0)]),
    (_uncounted, {"work": {"attention_count": "full"}, **ROW, "row_kind": "attention"}, [("window_full", 88.0)]),
    (_uncounted, {"work": {"attention_count": "full"}, **ROW, "row_kind": "matmul"}, []),
    (_uncounted, {"work": {"attention_count": "full"}, **ROW}, []),
    (_uncounted, {}, []),
    (_uncounted, {"model": ROUGH}, [("window_rough", 30.0)]),
    (_uncounted, {"model": ROUGH, **ROW}, []),
    (_uncounted, {"model": None}, []),
    (_uncounted, {"with_step": False}, []),
    # the head's share of what the step waits for: a fifth of the bytes, half of the FLOPs
    (_head, {**PROMPT, "points": HEAD, "efficiency": 1.275}, [("head_skipped_bytes", 58.0)]),
    (_head, {**PROMPT, "points": HEAD, "efficiency": 1.276}, []),
    (_head, {**PROMPT, "points": HEAD, "efficiency": 2.0, "bound": "compute"}, [("head_skipped", 58.0)]),
    (_head, {**PROMPT, "points": HEAD, "efficiency": 2.05, "bound": "compute"}, []),
    (_head, {**PROMPT, "points": HEAD, "work": {"logits": "all"}}, [("head_skipped_bytes", 75.0)]),
    (_head, {"points": HEAD}, []),  # a decode step computes its logits
    (_head, {"points": HEAD, "bound": "compute"}, []),
    (_head, {**PROMPT, "points": HEAD[1:]}, []),
    (_head, {**PROMPT, "points": HEAD, "whole": 20.0}, []),
    (_head, {**PROMPT, "points": HEAD, "whole": 0.0}, []),
    (_head, {"points": HEAD, **ROW}, []),
    # another peak of the device
    (_peaks, {"bound": "memory", "on": peaks(BF16, of("fp8", 200.0))}, []),
    (_peaks, {"bound": "compute", "peak": None}, []),
    (_peaks, {"bound": "compute", "on": peaks(BF16), "efficiency": 2.05}, [("sparse", 32.0)]),
    (_peaks, {"bound": "compute", "on": peaks(BF16), "efficiency": 2.06}, []),
    (
        _peaks,
        {
            "bound": "compute",
            "on": peaks(BF16, of("bf16", 200.0, "fp16"), of("bf16", 300.0, "bf16")),
            "efficiency": 2.04,
        },
        [("accumulate", 92.0), ("sparse", 32.0)],
    ),
    (
        _peaks,
        {"bound": "compute", "on": peaks(BF16, of("bf16", 200.0, "fp16")), "efficiency": 2.041},
        [("sparse", 32.0)],
    ),
    (
        _peaks,
        {"bound": "compute", "on": peaks(BF16, name="GeForce 9"), "efficiency": 2.0},
        [("fp16_accumulate", 64.0), ("sparse", 32.0)],
    ),
    (_peaks, {"bound": "compute", "on": peaks(BF16, name="GeForce 9"), "efficiency": 2.06}, []),
    (
        _peaks,
        {"bound": "compute", "on": peaks(BF16, of("bf16", 10.0, "fp16"), name="GeForce 9"), "efficiency": 2.0},
        [("sparse", 32.0)],
    ),
    (
        _peaks,
        {
            "bound": "compute",
            "on": peaks(of("fp8", 100.0), name="GeForce 9"),
            "peak": of("fp8", 100.0),
            "efficiency": 2.0,
        },
        [("sparse", 32.0)],
    ),
    (
        _peaks,
        {"bound": "compute", "on": peaks(BF16, name="Titan"), "peak": of("bf16", 100.0, "bf16"), "efficiency": 3.0},
        [],
    ),
    (_peaks, {"bound": "compute", "on": peaks(BF16, of("fp8", 300.0)), "efficiency": 3.06}, [("wrong_peak", 60.0)]),
    (_peaks, {"bound": "compute", "on": peaks(BF16, of("fp8", 300.0)), "efficiency": 3.07}, []),
    (
        _peaks,
        {"bound": "compute", "on": peaks(of("fp8", 400.0), of("int8", 300.0)), "efficiency": 3.0, "size_bytes": 1.0},
        [("wrong_peak", 80.0)],
    ),
    (
        _peaks,
        {"bound": "compute", "on": peaks(of("int8", 300.0)), "efficiency": 3.0, "weights": "q4_0"},
        [("wrong_peak", 80.0)],
    ),
    (
        _peaks,
        {"bound": "compute", "on": peaks(of("int8", 300.0)), "efficiency": 3.0, "weights": "bf16"},
        [("wrong_peak", 60.0)],
    ),
    (
        _peaks,
        {"bound": "compute", "on": peaks(of("fp16", 300.0)), "efficiency": 3.0, "size_bytes": 1.0},
        [("wrong_peak", 60.0)],
    ),
    (
        _peaks,
        {"bound": "compute", "on": peaks(), "efficiency": 2.0, "peak": msgspec.structs.replace(BF16, unit="vector")},
        [],
    ),
    # clocks above the sheet's, and roofs that were measured
    (_clock, {"efficiency": 1.2}, [("memory_clock", 28.0)]),
    (_clock, {"efficiency": 1.21}, []),
    (_clock, {"efficiency": 1.2, "bound": "compute"}, [("clock", 68.0)]),
    (_clock, {"efficiency": 1.2, "on": sourced("measured", level=True)}, [("roof_measured", 93.0)]),
    (_clock, {"efficiency": 1.21, "on": sourced("measured", level=True)}, [("roof_measured", 78.0)]),
    (_clock, {"efficiency": 1.2, "on": sourced("datasheet", level=True)}, [("memory_clock", 28.0)]),
    (_clock, {"efficiency": 1.2, "on": sourced("measured", level=False)}, [("memory_clock", 28.0)]),
    (
        _clock,
        {
            "bound": "compute",
            "on": sourced("measured", level=False),
            "peak": msgspec.structs.replace(BF16, source="m"),
        },
        [("roof_measured", 93.0)],
    ),
    (_clock, {"bound": "compute", "on": sourced("measured", level=True)}, [("clock", 68.0)]),
    (_clock, {"bound": "compute", "peak": None}, [("clock", 68.0)]),
    # weights of fewer bits, one and a half at least
    (_fewer_bits, {"points": MIXED, "efficiency": 5.3}, [("fewer_bits", 52.0)]),
    (_fewer_bits, {"points": MIXED, "efficiency": 5.4}, []),
    (_fewer_bits, {"points": (point(weights="int4", weight_bytes=1.0),), "efficiency": 3.0}, [("fewer_bits", 52.0)]),
    (_fewer_bits, {"points": (point(weights="int4", weight_bytes=1.0),), "efficiency": 3.1}, []),
    (_fewer_bits, {"points": HEAD, "bound": "compute"}, []),
    (_fewer_bits, {"points": HEAD, **ROW}, []),
    (_fewer_bits, {"points": HEAD, "size_bytes": 1.0}, []),
    (_fewer_bits, {"points": HEAD, "weights": "q4_0"}, []),
    (_fewer_bits, {"points": HEAD, "model": None}, []),
]


@pytest.mark.parametrize(("finder", "changes", "expected"), TABLE)
def test_a_cause_begins_and_ends_where_it_can_explain_the_excess(
    finder: Finder, changes: dict[str, Any], expected: list[tuple[str, float]]
) -> None:
    assert found(finder, **changes) == expected


@pytest.mark.parametrize(
    ("finder", "changes", "values"),
    [
        (_memory_full, {"efficiency": 1.6, "held": (70.0, 31.0)}, {"needed": 101.0, "capacity": 100.0}),
        (_cached, {"moved": 5.0, "on": levels(10.0, 50.0)}, {"bytes": 5.0, "level": "L1", "capacity": 50.0}),
        (_cached, {"moved": 60.0, "on": levels(10.0, 50.0)}, {"bytes": 60.0, "level": "L1", "capacity": 50.0}),
        (_head, {**PROMPT, "points": HEAD}, {"share": 0.2}),
        (_head, {**PROMPT, "points": HEAD, "bound": "compute"}, {"share": 0.5}),
        (_fewer_bits, {"points": MIXED}, {"format": "int4, fp8"}),
        (
            _peaks,
            {"bound": "compute", "on": peaks(of("fp8", 400.0), of("int8", 300.0)), "efficiency": 3.0},
            {"counted": "bf16", "format": "int8", "rate": 300.0},
        ),
        (
            _peaks,
            {"bound": "compute", "on": peaks(of("bf16", 400.0, "fp16"), of("bf16", 300.0, "bf16")), "efficiency": 3.0},
            {"format": "bf16", "accumulate": "bf16", "rate": 300.0},
        ),
    ],
)
def test_a_cause_gives_its_figures(finder: Finder, changes: dict[str, Any], values: dict[str, Any]) -> None:
    assert next(iter(finder(case(**changes)))).values == values


def test_causes_are_told_the_likeliest_first_each_with_the_excess() -> None:
    one = case(1.1, points=HEAD, model=ROUGH, moved=1e6)
    told = causes(*one)
    assert [note.code.removeprefix("cause.") for note in told] == [
        "experts_rough",
        "cached_perhaps",
        "fewer_bits",
        "speculative",
        "window_rough",
        "memory_clock",
    ]
    assert {note.values["over"] for note in told} == {1.1}


def test_an_excess_that_nothing_explains_is_said_to_be_unknown() -> None:
    told = causes(*case(9.0, on=levels(1.0), row="up"))
    assert [(note.code, note.values) for note in told] == [("cause.unknown", {"over": 9.0})]
