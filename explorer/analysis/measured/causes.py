"""Why a measurement beats its bound: the causes that what is known of row, model and device allows, likeliest first."""

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from explorer.analysis.catalogue.device import Device
from explorer.analysis.measured.predict import Prediction
from explorer.analysis.problem import Note, Value
from explorer.analysis.step.device_result import DeviceResult
from explorer.analysis.step.ledger import KV, WEIGHTS
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.phases.phase import Phase
from explorer.analysis.study.study import HardwareEntry, Measurement

_SPECULATES: Final = re.compile(r"specul|draft|medusa|eagle|\bmtp\b|lookahead|n-?gram", re.IGNORECASE)
_CONSUMER: Final = re.compile(r"geforce|\brtx\b|titan", re.IGNORECASE)  # fp32 accumulation at half of their rate
_SLACK: Final = 1.02  # a cause explains an excess up to so much more
_SMALL_BYTES: Final = 64e6  # operands that may stay in some cache where none is known
_CLOCK: Final = 1.2  # what a boost clock gives at most over a sheet
_SPARSE: Final = 2.05
_NAMED_FROM: Final = 0.05  # share of the weights' bytes from which a format is named
_FEW_TOKENS: Final = 1.05  # below it a draft costs more than it yields
_MOST_TOKENS: Final = 8.0  # tokens a step that speculation yields at most


class Cause(NamedTuple):
    """A possible cause: its plausibility from 0 to 100, and its reason's values."""

    weight: float
    code: str
    values: dict[str, Value]


class _Case(NamedTuple):
    measurement: Measurement
    entry: HardwareEntry
    prediction: Prediction
    efficiency: float

    @property
    def device(self) -> Device:
        return self.entry.device

    @property
    def step(self) -> bool:
        return self.measurement.row is None and self.prediction.result is not None

    @property
    def phase(self) -> Phase | None:
        evaluation = self.prediction.evaluation
        return None if evaluation is None else evaluation.phase

    @property
    def of_prompt(self) -> bool:
        """Whether the tokens that were timed are those of prompts."""
        return self.phase is not None and self.phase.takes_prompt

    @property
    def said(self) -> str:
        return f"{self.measurement.name} {self.measurement.source}"


def causes(
    measurement: Measurement, entry: HardwareEntry, prediction: Prediction, efficiency: float
) -> tuple[Note, ...]:
    """Likely causes of an efficiency over 1, ranked by plausibility; the values of each give its reason."""
    case = _Case(measurement, entry, prediction, efficiency)
    finders = (_memory_full, _cached, _speculation, _experts, _uncounted, _head, _peaks, _clock, _fewer_bits)
    found = [cause for finder in finders for cause in finder(case)]
    found.sort(key=lambda cause: -cause.weight)
    return tuple(Note(cause.code, {**cause.values, "over": efficiency}) for cause in found) or (
        Note("cause.unknown", {"over": efficiency}),
    )


def _memory_full(case: _Case) -> Iterator[Cause]:
    """A run that does not fit fails, and may print a figure all the same."""
    result = case.prediction.result
    if not case.step or result is None:
        return
    size = case.measurement.size_bytes or float(result.totals.memory.of(WEIGHTS))
    needed = size + float(result.totals.memory.of(KV))
    capacity = result.totals.capacity
    if capacity and needed > 0.9 * capacity and case.efficiency > 1.5:
        yield Cause(99.0, "cause.out_of_memory", {"needed": needed, "capacity": capacity})
    elif case.efficiency > 2 * _MOST_TOKENS:
        yield Cause(70.0, "cause.failed_run", {})


def _cached(case: _Case) -> Iterator[Cause]:
    if case.prediction.bound != "memory":
        return
    moved = case.prediction.bytes
    if case.measurement.cached:
        yield Cause(97.0, "cause.cached_said", {"bytes": moved})
        return
    caches = [level for level in case.device.inner if level.capacity]
    largest = max(caches, key=lambda level: level.capacity or 0.0, default=None)
    if largest is not None and largest.capacity and moved <= Machine.of(case.entry).times(largest.capacity):
        values: dict[str, Value] = {"bytes": moved, "level": largest.level, "capacity": largest.capacity}
        yield Cause(90.0, "cause.cached", values)
    elif largest is not None and largest.capacity and moved * (1 - 1 / case.efficiency) <= largest.capacity:
        values = {"bytes": moved, "level": largest.level, "capacity": largest.capacity}
        yield Cause(60.0, "cause.cached_partly", values)
    elif largest is None and moved <= _SMALL_BYTES:
        yield Cause(55.0, "cause.cached_perhaps", {"bytes": moved})


def _speculation(case: _Case) -> Iterator[Cause]:
    if not case.step or case.phase is None or case.of_prompt:
        return
    if _SPECULATES.search(case.said):
        yield Cause(95.0, "cause.speculative_said", {})
    elif _FEW_TOKENS <= case.efficiency <= _MOST_TOKENS:
        yield Cause(48.0, "cause.speculative", {})


def _experts(case: _Case) -> Iterator[Cause]:
    """All experts counted where only the chosen ones are read: the floor of a model that is known reads the fewest."""
    evaluation = case.prediction.evaluation
    model = None if evaluation is None else evaluation.model
    if case.step and model is not None and model.rough:
        yield Cause(62.0, "cause.experts_rough", {"parameters": float(model.parameters)})


def _uncounted(case: _Case) -> Iterator[Cause]:
    """Masks and windows ignored: pairs counted that no kernel computes."""
    evaluation = case.prediction.evaluation
    if evaluation is None:
        return
    point = case.prediction.point
    about_attention = case.step or (point is not None and "attention" in point.row.kind)
    if about_attention and evaluation.study.workload.attention_count == "full":
        yield Cause(88.0 if not case.step else 72.0, "cause.window_full", {})
    elif case.step and evaluation.model is not None and evaluation.model.rough:
        yield Cause(30.0, "cause.window_rough", {"context": evaluation.study.workload.context})


def _head(case: _Case) -> Iterator[Cause]:
    """A prompt's tokens need no logits but the last one's; benchmarks of small chunks skip the head."""
    result, evaluation = case.prediction.result, case.prediction.evaluation
    if not case.step or not case.of_prompt or result is None or evaluation is None:
        return  # a decode step needs the logits of every token
    by_memory = case.prediction.bound == "memory"
    head = sum(
        float(p.row.count) * float(p.costs.weight_bytes if by_memory else p.costs.flops)
        for p in result.points
        if p.row.group == "head"
    )
    whole = float(result.totals.traffic.weights_streamed if by_memory else result.totals.traffic.flops)
    share = head / whole if whole > 0 else 0.0
    if share <= 0 or share >= 1 or case.efficiency > _SLACK / (1 - share):
        return
    weight = 75.0 if evaluation.study.workload.logits == "all" else 58.0
    yield Cause(weight, "cause.head_skipped_bytes" if by_memory else "cause.head_skipped", {"share": share})


def _peaks(case: _Case) -> Iterator[Cause]:
    """Another peak of the device than the one that judged it."""
    entry = case.prediction.peak.entry
    if case.prediction.bound != "compute" or entry is None:
        return
    needed = entry.rate * case.efficiency
    narrow = [p for p in case.device.peaks if p.format == entry.format and p.accumulate != entry.accumulate]
    enough = [p for p in narrow if p.rate * _SLACK >= needed]
    sixteen = entry.format in {"fp16", "bf16"} and entry.accumulate == "fp32"
    halved = sixteen and bool(_CONSUMER.search(case.device.name))
    if enough:
        low = min(enough, key=lambda p: p.rate)
        values: dict[str, Value] = {"format": low.format, "accumulate": low.accumulate, "rate": low.rate}
        yield Cause(92.0, "cause.accumulate", values)
    elif halved and not narrow and case.efficiency <= _SPARSE:
        yield Cause(64.0, "cause.fp16_accumulate", {"format": entry.format})
    others = [p for p in case.device.peaks if p.format != entry.format and p.rate * _SLACK >= needed]
    if others:
        nearest = min(others, key=lambda p: p.rate)
        values = {"counted": entry.format, "format": nearest.format, "rate": nearest.rate}
        yield Cause(_wrong_peak(case, nearest.format), "cause.wrong_peak", values)
    if case.efficiency <= _SPARSE and entry.unit == "tensor":
        yield Cause(32.0, "cause.sparse", {"format": entry.format})


def _wrong_peak(case: _Case, fmt: str) -> float:
    """Files of few bits are often computed in integers."""
    quantised = bool(case.measurement.size_bytes) or (case.measurement.weights or "").startswith(("q", "i", "mxfp"))
    return 80.0 if quantised and fmt.startswith(("int", "fp8")) else 60.0


def _clock(case: _Case) -> Iterator[Cause]:
    """A clock above the sheet's; a measured roof is itself no better than its runs."""
    by_compute = case.prediction.bound == "compute"
    entry, level = case.prediction.peak.entry, case.device.outermost
    source = case.device.sources.get((entry.source if entry else "") if by_compute else level.source)
    if source is not None and source.kind == "measured":
        yield Cause(93.0 if case.efficiency <= _CLOCK else 78.0, "cause.roof_measured", {})
    elif case.efficiency <= _CLOCK:
        weight = 68.0 if by_compute else 28.0
        yield Cause(weight, "cause.clock" if by_compute else "cause.memory_clock", {})


def _fewer_bits(case: _Case) -> Iterator[Cause]:
    """Weights that are smaller than counted."""
    evaluation, result = case.prediction.evaluation, case.prediction.result
    if not case.step or evaluation is None or result is None or case.prediction.bound != "memory":
        return
    if case.measurement.size_bytes or case.measurement.weights or evaluation.model is None:
        return
    formats = evaluation.evaluator.formats
    counted = _weight_formats(result)
    if counted and max(formats[name].bits for name in counted) / case.efficiency >= 1.5:
        yield Cause(52.0, "cause.fewer_bits", {"format": ", ".join(counted)})


def _weight_formats(result: DeviceResult) -> list[str]:
    """Formats of the weights that a step reads, those of most bytes first; what hardly counts is left out."""
    read: dict[str, float] = {}
    for point in result.points:
        read[point.row.weights] = read.get(point.row.weights, 0.0) + point.row.count * float(point.costs.weight_bytes)
    least = _NAMED_FROM * sum(read.values())
    return sorted((name for name, moved in read.items() if moved > least), key=lambda name: -read[name])
