"""What a comparison comes to: who is ahead of the baseline, who is behind, and on which operators."""

from collections.abc import Iterable
from typing import Final, NamedTuple

import msgspec

from explorer.analysis.ask.comparison.compared import ComparedRow, Comparison
from explorer.analysis.step.evaluate import DeviceResult

_DECIDES: Final = ("in_all", "at_least", "by_operator")  # the first that the baseline has
_OF_OWN: Final = ("by_operator", "at_least")  # without a model: what the answer speaks of
_OF_MEASUREMENTS: Final = ("tokens", "measured")
_TIED: Final = 1e-9


class RatioRange(NamedTuple):
    """The smallest and the largest of some ratios."""

    low: float
    high: float


class Lead(msgspec.Struct, frozen=True, eq=False):
    """Who is ahead, by which figure; `best` and `worst` are None where none is better or worse than the baseline."""

    figure: str
    baseline: ComparedRow
    best: ComparedRow | None
    worst: ComparedRow | None


def lead(found: Comparison) -> Lead | None:
    """Who is ahead of the baseline and who behind; None where it has no figure to compare with."""
    baseline = found.baseline
    if baseline is None:
        return None
    for figure in _decides(found, baseline):
        declared = next((f for f in found.figures if f.id == figure), None)
        if declared is None or baseline.cells[figure].value is None or baseline.cells[figure].least:
            continue
        sign = 1.0 if declared.better == "larger" else -1.0
        others = [
            (sign * (row.cells[figure].ratio or 0.0), row)
            for row in found.rows
            if row.against == baseline.against and not row.is_baseline and row.cells[figure].ratio is not None
        ]
        ahead = [(r, row) for r, row in others if r > sign * (1 + sign * _TIED)]
        behind = [(r, row) for r, row in others if r < sign * (1 - sign * _TIED)]
        return Lead(
            figure,
            baseline,
            max(ahead, key=lambda each: each[0])[1] if ahead else None,
            min(behind, key=lambda each: each[0])[1] if behind else None,
        )
    return None


def _decides(found: Comparison, baseline: ComparedRow) -> tuple[str, ...]:
    if found.vary == "measurements":
        return _OF_MEASUREMENTS
    evaluation = baseline.subject.evaluation
    return _OF_OWN if evaluation is not None and evaluation.model is None else _DECIDES


def kind_ratios(row: ComparedRow, baseline: ComparedRow, kinds: Iterable[str]) -> RatioRange | None:
    """How many times as long operators of some kinds take as on the baseline; None where none runs on both."""
    here, there = row.subject.result, baseline.subject.result
    if here is None or there is None or here.launches_unknown or there.launches_unknown:
        return None
    wanted = frozenset(kinds)
    before = _times(there, wanted)
    found = [s / before[n] for n, s in _times(here, wanted).items() if before.get(n)]
    return RatioRange(min(found), max(found)) if found else None


def _times(result: DeviceResult, kinds: frozenset[str]) -> dict[str, float]:
    """Seconds of all calls by the name of each row of these kinds."""
    return {
        row.name: seconds
        for part in (result.modelled, result.own)
        for row, seconds in zip(part.stack.rows, part.total_s.tolist(), strict=True)
        if row.kind in kinds
    }
