"""What is predicted of a measured figure: an operator's time, or the floor of a whole step at its own conditions."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec
from msgspec.structs import replace

from explorer.analysis.problem import Note
from explorer.analysis.step.evaluate import DeviceResult, Evaluation, evaluate
from explorer.analysis.step.ledger import WEIGHTS
from explorer.analysis.step.machines.peaks import PeakChoice
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.resources import BOUND_OF, Bound, Kind
from explorer.analysis.step.rows import Number
from explorer.analysis.step.work import bound_of
from explorer.analysis.study.study import HardwareEntry, Measurement, ModelEntry, Override, Study

if TYPE_CHECKING:
    from explorer.analysis.step.placement import Point

_SAME_SIZE: Final = 0.01  # the very file, its header counted or not
_PLAIN: Final = "bf16"  # bytes are shared out over the values as if all were stored alike
_KEPT: Final = 200


class TimedOperator(NamedTuple):
    """One operator of what was timed: how often it runs, FLOPs, bytes and kernels of a call, its peak's rate.

    `scale` is the ratio of its peak to the peak that judges most of the work, 1 where either is unknown.
    """

    calls: float
    flops: float
    bytes: float
    kernels: float
    scale: float = 1.0


class Prediction(msgspec.Struct, frozen=True, eq=False):
    """FLOPs, bytes and seconds of the bound of what was timed, per call of a row or per step.

    The bound of a row is its operator time in launch mode graph, that of a step its floor; of experts both read the
    fewest, and `beyond_s` are the seconds that memory takes for those of random routing beyond them. `result` is the
    step that it comes from, None where another tool counted.
    """

    flops: float
    bytes: float
    times: tuple[tuple[Kind, float | None], ...]
    peak: PeakChoice
    parts: tuple[TimedOperator, ...]
    tokens: float | None = None
    result: DeviceResult | None = None
    evaluation: Evaluation | None = None
    point: "Point | None" = None
    beyond_s: float = 0.0

    @property
    def bound_s(self) -> float:
        """Seconds that no honest measurement of the same work beats."""
        return max(seconds or 0.0 for _, seconds in self.times)

    @property
    def uniform_s(self) -> float:
        """Seconds of the same work with the experts that random routing reads."""
        memory = max(seconds or 0.0 for kind, seconds in self.times if kind == "memory")
        return max(self.bound_s, memory + self.beyond_s)

    @property
    def bound(self) -> Bound:
        """What the bound waits for."""
        return bound_of([(BOUND_OF[kind], seconds) for kind, seconds in self.times])


class Predictor:
    """Predicts measurements of one study; steps at other conditions are evaluated once each."""

    def __init__(self, evaluation: Evaluation) -> None:
        self.evaluation = evaluation
        self._steps: dict[object, Evaluation] = {}
        self._machines: dict[str, Machine] = {}
        self._files: dict[tuple[str, float], ModelEntry] = {}
        hardware = evaluation.study.hardware
        self._entries = {e.device.id: e for e in reversed(hardware)} | {e.id: e for e in hardware}

    def entry_of(self, measurement: Measurement) -> HardwareEntry | None:
        """The device of the study that was measured: by its entry, else by the device's id."""
        return self._entries.get(measurement.device)

    def predict(self, measurement: Measurement) -> Prediction | Note:
        """The prediction of a measurement, or why there is none."""
        entry = self.entry_of(measurement)
        if entry is None:
            return Note("gap.no_device", {"device": measurement.device})
        if not entry.device.bandwidth:
            return Note("gap.no_bandwidth", {"device": entry.device.name})
        if measurement.flops is not None or measurement.bytes is not None:
            return self._counted(measurement, entry)
        return self._modelled(measurement, entry)

    def _modelled(self, measurement: Measurement, entry: HardwareEntry) -> Prediction | Note:
        if measurement.tool and measurement.row is None and measurement.phase is None:
            # of a file: neither counts nor a phase say what it timed
            return Note("gap.no_phase" if measurement.tokens_per_s else "gap.nothing_counted")
        model = self._model(measurement)
        if isinstance(model, Note):
            return model
        evaluation = self._step(measurement, entry, model, measurement.weights)
        if measurement.row is not None:
            return _row(evaluation, measurement.row)
        if not evaluation.rows:
            return Note("gap.no_model")
        if measurement.size_bytes and evaluation.model is not None:
            return self._file(measurement, entry, model, evaluation)
        return _step(evaluation)

    def _model(self, measurement: Measurement) -> ModelEntry | Note | None:
        study = self.evaluation.study
        wanted = measurement.model or study.active_model
        if not wanted:
            return None
        found = next((m for m in study.models if m.id == wanted), None)
        return found or Note("gap.model_gone", {"model": wanted})

    def _step(
        self, measurement: Measurement, entry: HardwareEntry, model: ModelEntry | None, weights: str | None
    ) -> Evaluation:
        """The step at a measurement's own conditions; what it does not state is as the study has it."""
        file = model and model.file_bytes
        key = (entry.id, model and model.id, file, measurement.batch, measurement.context, measurement.phase, weights)
        if key not in self._steps:
            while len(self._steps) >= _KEPT:
                self._steps.pop(next(iter(self._steps)))
            self._steps[key] = evaluate(self._study(measurement, entry, model, weights), self.evaluation.catalogue)
        return self._steps[key]

    def _study(
        self, measurement: Measurement, entry: HardwareEntry, model: ModelEntry | None, weights: str | None
    ) -> Study:
        study = self.evaluation.study
        work = study.workload
        own = model is None or model.id == study.active_model
        stated = measurement.batch, measurement.context, measurement.phase
        return replace(
            study,
            hardware=(entry,),
            models=study.models if model is None else (*(m for m in study.models if m.id != model.id), model),
            active_model="" if model is None else model.id,
            overrides=_beside_file(study.overrides, measurement, model) if own else (),
            operators=study.operators if own and (model is None or measurement.row is not None) else (),
            measurements=(),
            workload=replace(
                work,
                launch="graph",
                batch=work.batch if stated[0] is None else stated[0],
                context=work.context if stated[1] is None else stated[1],
                phase=work.phase if stated[2] is None else stated[2],
                weights=weights or (work.weights if own and not (model and model.file_bytes) else None),
            ),
        )

    def _file(
        self, measurement: Measurement, entry: HardwareEntry, model: ModelEntry | None, stated: Evaluation
    ) -> Prediction | Note:
        """A step whose weights are a file's: stored in the mix of its size, or in one scaled to it."""
        size = measurement.size_bytes or 0.0
        resident = float(stated.memory.of(WEIGHTS))
        if stated.model is not None and stated.model.rough:
            return _step(stated, size / resident if resident > 0 else 1.0)
        if model is not None and model.tensors is not None and abs(resident / size - 1) <= _SAME_SIZE:
            return _step(stated)
        if model is not None and model.config is not None:
            sized = self._step(measurement, entry, self._sized(model, size), None)
            if not sized.problems:
                return _step(sized)
        base = self._step(measurement, entry, model, _PLAIN)  # too small or too large for any mix
        resident = float(base.memory.of(WEIGHTS))
        return _step(base, size / resident if resident > 0 else 1.0)

    def _sized(self, model: ModelEntry, size: float) -> ModelEntry:
        """A model in a file of a size, made once for each."""
        key = model.id, size
        if key not in self._files:
            self._files[key] = replace(model, tensors=None, file_bytes=size)
        return self._files[key]

    def _counted(self, measurement: Measurement, entry: HardwareEntry) -> Prediction | Note:
        """What another tool counted, against the device's own roof."""
        machine = self._machines.get(entry.id)
        if machine is None:
            machine = self._machines[entry.id] = Machine.of(entry)
        here = self.evaluation.device(entry.id)
        if measurement.format or here is None:
            peak = machine.peak("tensor", measurement.format or "fp32")
        else:
            peak = here.main_peak
        flops, moved = measurement.flops or 0.0, measurement.bytes or 0.0
        if not flops and not moved:
            return Note("gap.nothing_counted")
        return Prediction(
            flops=flops,
            bytes=moved,
            times=_times(moved / machine.known_bandwidth, flops / peak.rate if peak.rate else None),
            peak=peak,
            parts=(TimedOperator(1.0, flops, moved, 1.0),),
        )


def _beside_file(
    overrides: tuple[Override, ...], measurement: Measurement, model: ModelEntry | None
) -> tuple[Override, ...]:
    """Formats of single rows; where a measured file holds all weights, those of weights do not count."""
    if measurement.size_bytes is None or model is None or model.file_bytes != measurement.size_bytes:
        return overrides
    return tuple(replace(override, weights=None) for override in overrides)


def _times(memory: Number, compute: Number | None) -> tuple[tuple[Kind, float | None], ...]:
    """Seconds by kind of resource."""
    return ("memory", float(memory)), ("compute", None if compute is None else float(compute))


def _without_launches(point: "Point") -> tuple[tuple[Kind, float | None], ...]:
    """Seconds by kind of resource of a row, in launch mode graph."""
    found = zip(point.kinds, point.times, strict=True)
    return tuple((kind, None if spent is None else float(spent)) for kind, spent in found if kind != "launch")


def _of_floor(memory: Number, floor: Mapping[Kind, Number]) -> tuple[tuple[Kind, float | None], ...]:
    """Seconds by kind of resource of a step's compulsory work, with other bytes through the memory."""
    return ("memory", float(memory)), *((kind, float(spent)) for kind, spent in floor.items() if kind != "memory")


def _row(evaluation: Evaluation, name: str) -> Prediction | Note:
    result = evaluation.devices[0]
    point = next((p for p in result.points if p.row.name == name), None)
    if point is None:
        return Note("gap.row_gone", {"row": name})
    costs = point.costs
    beyond = evaluation.evaluator.beyond_fewest((replace(point.row, count=1.0),), (costs,))
    bandwidth, fewer = result.machine.floor_bandwidth, float(beyond.chosen)
    times = _without_launches(point)
    if fewer:
        least = (float(point.bytes) - fewer) / bandwidth
        times = tuple((kind, least if kind == "memory" else spent) for kind, spent in times)
    return Prediction(
        flops=float(costs.flops),
        bytes=float(point.bytes) - fewer,
        times=times,
        beyond_s=float(beyond.uniform) / bandwidth,
        peak=point.peak,
        parts=_parts((point,), point.peak.rate, 1.0, single=True),
        result=result,
        evaluation=evaluation,
        point=point,
    )


def _step(evaluation: Evaluation, weights_scale: float = 1.0) -> Prediction:
    """A whole step, with the bytes of its weights scaled to those of a file."""
    result = evaluation.devices[0]
    moved = result.totals.traffic
    bandwidth = result.machine.floor_bandwidth
    compulsory = float(moved.compulsory_bytes) + float(moved.compulsory.of(WEIGHTS)) * (weights_scale - 1.0)
    tokens = evaluation.evaluator.tokens(evaluation.step)
    return Prediction(
        flops=float(moved.flops),
        bytes=compulsory,
        times=_of_floor(compulsory / bandwidth, result.totals.floor),
        beyond_s=float(moved.beyond.uniform) * weights_scale / bandwidth,
        peak=result.main_peak,
        parts=_parts(result.points, result.main_peak.rate, weights_scale),
        tokens=None if tokens is None else float(tokens[0]),
        result=result,
        evaluation=evaluation,
    )


def _parts(
    points: "Sequence[Point]", main: float | None, weights_scale: float, *, single: bool = False
) -> tuple[TimedOperator, ...]:
    found = []
    for point in points:
        costs = point.costs
        moved = float(point.bytes) + float(costs.weight_bytes) * (weights_scale - 1.0)
        scale = point.peak.rate / main if point.peak.rate and main else 1.0
        count = 1.0 if single else float(point.row.count)
        found.append(TimedOperator(count, float(costs.flops), moved, float(costs.kernels), scale))
    return tuple(found)
