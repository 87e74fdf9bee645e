"""Whole steps that were timed: bytes moved, bound, measured time, efficiency, tokens per second."""

from typing import Final

from explorer.analysis.ask.comparison.figures.figure import ComparedFigure, FoundFigure, known, missing
from explorer.analysis.ask.comparison.subjects import Subject
from explorer.analysis.problem import Note


def _of_prediction(subject: Subject, figure: str) -> FoundFigure:
    found = subject.measured
    if found is None or found.prediction is None:
        return FoundFigure(None, subject.why or Note("compare.why.not_evaluated"))
    return known(getattr(found.prediction, figure), "no_rows")


def _bytes(subject: Subject) -> FoundFigure:
    return _of_prediction(subject, "bytes")


def _bound(subject: Subject) -> FoundFigure:
    """Seconds of the step at least, at the measurement's own conditions."""
    return _of_prediction(subject, "bound_s")


def _measured(subject: Subject) -> FoundFigure:
    """Seconds of the step as measured."""
    found = subject.measured
    if found is None or found.measured_s is None:
        return FoundFigure(None, subject.why or Note("compare.why.no_time"))
    return FoundFigure(found.measured_s)


def _efficiency(subject: Subject) -> FoundFigure:
    found = subject.measured
    if found is None or found.efficiency is None:
        return FoundFigure(None, subject.why or Note("compare.why.no_time"))
    return FoundFigure(found.efficiency)


def _tokens(subject: Subject) -> FoundFigure:
    """Tokens per second of all requests: as stated, else those of the step over its time."""
    found = subject.measured
    if found is None:
        return missing("no_time")
    if found.measurement.tokens_per_s:
        return FoundFigure(found.measurement.tokens_per_s)
    tokens = None if found.prediction is None else found.prediction.tokens
    return FoundFigure(tokens / found.measured_s) if tokens and found.measured_s else missing("no_tokens")


def _tokens_at_most(subject: Subject) -> FoundFigure:
    """Tokens per second that the bound allows."""
    found = None if subject.measured is None else subject.measured.prediction
    if found is None:
        return FoundFigure(None, subject.why or Note("compare.why.not_evaluated"))
    return FoundFigure(found.tokens / found.bound_s) if found.tokens and found.bound_s > 0 else missing("no_tokens")


MEASURED_FIGURES: Final = (
    ComparedFigure("bytes_moved", "measured", "bytes", "smaller", _bytes),
    ComparedFigure("bound", "measured", "time", "smaller", _bound),
    ComparedFigure("measured", "measured", "time", "smaller", _measured),
    ComparedFigure("efficiency", "measured", "share", "larger", _efficiency, "difference"),
    ComparedFigure("tokens_bound", "measured", "tokens", "larger", _tokens_at_most),
    ComparedFigure("tokens", "measured", "tokens", "larger", _tokens),
    ComparedFigure("bytes_gain", "gain", "factor", "larger", None, "", gain_of="bytes_moved"),
    ComparedFigure("bound_gain", "gain", "factor", "larger", None, "", gain_of="tokens_bound"),
    ComparedFigure("measured_gain", "gain", "factor", "larger", None, "", gain_of="tokens"),
)
