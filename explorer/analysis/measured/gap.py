"""The gap between measured and bound: efficiency, verdict, and where the bound was beaten the likely causes."""

from typing import Final, Literal

import msgspec

from explorer.analysis.measured.causes import causes
from explorer.analysis.measured.predict import Prediction, Predictor
from explorer.analysis.problem import Note
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.study.study import HardwareEntry, Measurement

Verdict = Literal["room", "between", "limit", "at", "over"]
MUCH_ROOM: Final = 0.5
ENGINEERING_LIMIT: Final = 0.8
OVER: Final = 1.0005  # beyond rounding
MEASURING_ERROR: Final = 1.01  # of a time that is stated in three digits, by a clock that drifts


class Gap(msgspec.Struct, frozen=True, eq=False):
    """One measurement beside its prediction; `why` says why there is no prediction.

    `measured_s` is seconds of one call of a row, or of one step. `efficiency` = bound / measured.
    """

    measurement: Measurement
    entry: HardwareEntry | None
    prediction: Prediction | None
    measured_s: float | None
    efficiency: float | None
    verdict: Verdict | None
    causes: tuple[Note, ...] = ()
    why: Note | None = None

    @property
    def bound_s(self) -> float | None:
        """Seconds of the bound."""
        return None if self.prediction is None else self.prediction.bound_s

    @property
    def beats_random_routing(self) -> bool:
        """Whether it is no fault that it is faster than random routing allows: its tokens chose experts alike."""
        found = self.prediction
        if found is None or not self.measured_s or self.verdict in {None, "over"}:
            return False
        return found.uniform_s > self.measured_s * OVER

    @property
    def of_random_routing(self) -> float | None:
        """Random routing / measured, where that decides and the measurement does not beat it."""
        found = self.prediction
        if found is None or not self.measured_s or self.beats_random_routing or self.verdict in {None, "at", "over"}:
            return None
        return found.uniform_s / self.measured_s if found.uniform_s > found.bound_s * OVER else None

    @property
    def gain(self) -> float | None:
        """How many times faster it would be at its bound."""
        return 1.0 / self.efficiency if self.efficiency else None


def verdict_of(efficiency: float) -> Verdict:
    """Under 0.5 much room; 0.8 and over the engineering limit; over 1 by a measuring error at its bound.

    Beyond that an assumption is broken.
    """
    if efficiency > OVER:
        return "at" if efficiency < MEASURING_ERROR else "over"
    return "room" if efficiency < MUCH_ROOM else "between" if efficiency < ENGINEERING_LIMIT else "limit"


def measured_seconds(measurement: Measurement, tokens: float | None) -> float | None:
    """Seconds of a call or step: the time taken, else from tokens per second and the `tokens` that a step yields."""
    if measurement.time_s:
        return measurement.time_s
    if measurement.tokens_per_s and tokens and measurement.row is None:
        return tokens / measurement.tokens_per_s
    return None


def gap(predictor: Predictor, measurement: Measurement) -> Gap:
    """One measurement joined to its prediction."""
    entry = predictor.entry_of(measurement)
    found = predictor.predict(measurement)
    if isinstance(found, Note):
        return Gap(measurement, entry, None, measurement.time_s, None, None, why=found)
    seconds = measured_seconds(measurement, found.tokens)
    if not seconds:
        return Gap(measurement, entry, found, None, None, None, why=Note("gap.no_time"))
    if found.bound_s <= 0:
        return Gap(measurement, entry, found, seconds, None, None, why=Note("gap.nothing_counted"))
    efficiency = found.bound_s / seconds
    verdict = verdict_of(efficiency)
    why = causes(measurement, entry, found, efficiency) if verdict == "over" and entry is not None else ()
    return Gap(measurement, entry, found, seconds, efficiency, verdict, why)


def gaps(evaluation: Evaluation) -> tuple[Gap, ...]:
    """Every measurement of a study joined to its prediction, in the study's order."""
    predictor = Predictor(evaluation)
    return tuple(gap(predictor, m) for m in evaluation.study.measurements)
