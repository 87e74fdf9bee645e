"""Where a measurement stands beside the study's own step: its conditions, and its part of the time."""

from collections.abc import Iterable

from explorer.analysis.ask.shares import share_of_row
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.study.study import Measurement


def same_work(evaluation: Evaluation, measurement: Measurement) -> bool:
    """Whether a measurement is of the work that the study shows now; what it does not state is no difference."""
    study, work = evaluation.study, evaluation.study.workload
    pairs = (
        (measurement.batch, work.batch),
        (measurement.context, work.context),
        (measurement.phase, work.phase),
        (measurement.model or None, study.active_model),
    )
    return all(stated is None or stated == now for stated, now in pairs)


def share_of(measurement: Measurement, result: DeviceResult) -> float:
    """The part of the step's time that the prediction of what was timed has."""
    return 1.0 if measurement.row is None else share_of_row(result, measurement.row)


def shares_of_counted(measurements: Iterable[Measurement]) -> dict[str, float]:
    """Each measurement's part of the time that all of them took, by id."""
    seconds = {m.id: m.total_s or (m.time_s or 0.0) * (m.calls or 1.0) for m in measurements}
    whole = sum(seconds.values()) or 1.0
    return {ident: each / whole for ident, each in seconds.items()}
