"""Gaps that a step of a slider leaves alone."""

from typing import Final

from explorer.analysis.measured.gap import Gap, gap
from explorer.analysis.measured.predict import Predictor
from explorer.analysis.study.study import Measurement

_KEPT: Final = 50_000


class GapMemory:
    """The gaps found last, each with all that it hangs on; goes on from one evaluation of a study to the next."""

    def __init__(self) -> None:
        self._gaps: dict[str, tuple[tuple[object, ...], Gap]] = {}

    def gap(self, predictor: Predictor, measurement: Measurement) -> Gap:
        """The gap of a measurement, the very one as before while nothing that it hangs on has changed."""
        reads = _reads(predictor, measurement)
        kept = self._gaps.get(measurement.id)
        if kept is not None and len(kept[0]) == len(reads) and all(map(_alike, kept[0], reads)):
            return kept[1]
        if len(self._gaps) >= _KEPT:
            self._gaps.clear()
        found = gap(predictor, measurement)
        self._gaps[measurement.id] = (reads, found)
        return found


def remembered_gap(predictor: Predictor, measurement: Measurement) -> Gap:
    """The gap of a measurement, found anew only where it may differ from that of an earlier evaluation."""
    return predictor.evaluation.carried(GapMemory).gap(predictor, measurement)


def _reads(predictor: Predictor, measurement: Measurement) -> tuple[object, ...]:
    """All that a gap hangs on; parts of a study that did not change are the same objects."""
    evaluation = predictor.evaluation
    entry = predictor.entry_of(measurement)
    if measurement.flops is not None or measurement.bytes is not None:
        here = None if entry is None or measurement.format else evaluation.device(entry.id)
        return measurement, entry, None if here is None else here.main_peak.rate
    study, work = evaluation.study, evaluation.study.workload
    return (
        measurement, entry, study.models, study.active_model, study.overrides, study.operators, study.kinds,
        work.weights, work.activations, work.kv, work.attention_count, work.logits, work.skew, evaluation.catalogue,
        measurement.batch or work.batch, measurement.context or work.context, measurement.phase or work.phase,
    )  # fmt: skip


def _alike(one: object, other: object) -> bool:
    return one is other or (isinstance(one, int | float | str) and one == other)
