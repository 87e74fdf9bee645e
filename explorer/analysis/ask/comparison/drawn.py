"""Which subjects a chart of a comparison draws, and which it only names."""

from collections.abc import Sequence
from typing import Final

import msgspec

from explorer.analysis.ask.comparison.ratios import step_s
from explorer.analysis.ask.comparison.subjects import Subject, baseline_key, subjects
from explorer.analysis.step.evaluate import Evaluation

MOST: Final = 6


class Drawn(msgspec.Struct, frozen=True, eq=False):
    """Subjects of a chart.

    Parameters
    ----------
    subjects
        Those drawn, the baseline first where it is among them.
    baseline
        The one that ratios are to; None where it is not drawn.
    no_room
        Those whose memory does not hold the step.
    failed
        Those that cannot be evaluated.
    more
        Those beyond the most that a chart draws.
    """

    subjects: tuple[Subject, ...]
    baseline: Subject | None
    no_room: tuple[Subject, ...] = ()
    failed: tuple[Subject, ...] = ()
    more: tuple[Subject, ...] = ()


def drawn_subjects(evaluation: Evaluation, most: int = MOST, *, held: bool = True) -> Drawn:
    """The subjects of the study's comparison that a chart draws, the baseline first, then the one set beside it.

    With `held` only those whose step fits. Where there are more than a chart draws, the fastest comes next: it is what
    the comparison speaks of.
    """
    found = subjects(evaluation) if evaluation.study.view.vary != "measurements" else ()
    first = baseline_key(evaluation, found)
    beside = evaluation.study.view.compare_with
    ordered = sorted(found, key=lambda s: (s.key != first, s.key != beside))
    failed = tuple(s for s in ordered if s.result is None)
    no_room = tuple(s for s in ordered if held and s.result is not None and s.result.totals.fits is False)
    left = [s for s in ordered if s not in failed and s not in no_room]
    if len(left) > most and (fastest := _fastest(left)) is not None:
        left.sort(key=lambda s: (s.key != first, s.key != beside, s is not fastest))
    chosen = tuple(left[:most])
    baseline = next((s for s in chosen if s.key == first), None)
    return Drawn(chosen, baseline, no_room, failed, tuple(left[most:]))


def _fastest(found: Sequence[Subject]) -> Subject | None:
    """The one whose step takes the least time, of those that fit and whose launches are known."""
    timed = [
        (step_s(s.evaluation, s.result), i)
        for i, s in enumerate(found)
        if s.evaluation is not None and s.result is not None
        if s.result.totals.fits is not False and not s.result.launches_unknown
    ]
    return found[min(timed)[1]] if timed else None
