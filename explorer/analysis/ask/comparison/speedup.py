"""How many times as fast a step is on one subject as on another, over batch and context, and where both have room."""

import math
from typing import Final

import msgspec
import numpy as np
import numpy.typing as npt
from msgspec.structs import replace

from explorer.analysis.ask.comparison.ratios import NoRatio, operators_time
from explorer.analysis.ask.comparison.subjects import Subject, baseline_key, subjects
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.rows import Array
from explorer.analysis.study.study import Study
from explorer.analysis.study.variant import SetBatch, SetWorkload

Flags = npt.NDArray[np.bool_]

_LARGEST_BATCH: Final = 2**12
_CONTEXTS: Final = 2**9, 2**17  # the least, and the most where the model names none
_FEWEST: Final = 8  # columns
_KEPT: Final = 8
_PARTS: Final = ("hardware", "models", "active_model", "overrides", "operators", "kinds", "what_ifs")


class SpeedMap(msgspec.Struct, frozen=True, eq=False):
    """Time of a step on `under` over that on `over`, operator by operator (`time_s`), in arrays [context, batch].

    Parameters
    ----------
    batches, contexts
        Powers of two; one context where the model's input has a size of its own.
    ratio
        Above 1 where `over` is faster; not a number where there is none, as where launches are unknown.
    room_over, room_under
        Whether the step fits; also where the capacity is unknown.
    bandwidth_ratio, peak_ratio
        Of the machines, `over` to `under`, the peaks of what most of the step's work asks for; None where unknown.
    peak_ends
        The smallest and the largest ratio of the peaks that tensor operators ask for; None where one is unknown.
    """

    batches: tuple[int, ...]
    contexts: tuple[int, ...]
    ratio: Array
    room_over: Flags
    room_under: Flags
    bandwidth_ratio: float | None
    peak_ratio: float | None
    peak_ends: tuple[float, float] | None = None

    @property
    def both(self) -> Flags:
        """Where both have room."""
        return self.room_over & self.room_under

    def nearest(self, batch: int, context: int) -> tuple[int, int]:
        """Row and column of the cell that is nearest to a workload."""
        row, column = (
            min(range(len(steps)), key=lambda i, s=steps, v=value: abs(math.log2(s[i] / max(v, 1))))  # type: ignore[misc]
            for steps, value in ((self.contexts, context), (self.batches, batch))
        )
        return row, column


class SpeedPair(msgspec.Struct, frozen=True, eq=False):
    """Whose speed-up is asked for, over whom; `now` is that of the current step, None with its reason."""

    over: Subject
    under: Subject
    now: float | None
    why: NoRatio = ""

    @property
    def launches_unknown(self) -> bool:
        """Whether the launches of one are unknown: then there is no ratio at any batch and context."""
        return any(s.result is not None and s.result.launches_unknown for s in (self.over, self.under))


class _Maps:
    """The maps found last, with the studies they are of."""

    def __init__(self) -> None:
        self.found: dict[tuple[str, str, str], tuple[Study, SpeedMap]] = {}


def speed_pair(evaluation: Evaluation, beside: str = "") -> SpeedPair | None:
    """The subject chosen, else the fastest, over the baseline; None where there are not two whose steps have a map."""
    kind = evaluation.study.view.vary
    found = subjects(evaluation) if kind != "measurements" else ()
    base = baseline_key(evaluation, found)
    under = next((s for s in found if s.key == base and _has_map(evaluation, s)), None)
    others = [s for s in found if s.key != base and _has_map(evaluation, s)]
    if under is None or not others:
        return None
    wanted = beside or evaluation.study.view.compare_with
    over = next((s for s in others if s.key == wanted), None)
    over = over or min(others, key=lambda s: (_fits(s) is False, _seconds(s)))
    if over.result is None or under.result is None:
        return None
    return SpeedPair(over, under, *operators_time(under.result, over.result))


def speed_map(evaluation: Evaluation, pair: SpeedPair) -> SpeedMap:
    """The map of two subjects; whatever the study's batch, context and view, it is found once."""
    known = evaluation.carried(_Maps)
    key = (evaluation.study.view.vary, pair.over.key, pair.under.key)
    kept = known.found.get(key)
    if kept is None or not same_map(kept[0], evaluation.study):
        if len(known.found) >= _KEPT:
            known.found.clear()
        kept = known.found[key] = evaluation.study, _map(evaluation, pair)
    return kept[1]


def same_map(one: Study, other: Study) -> bool:
    """Whether two studies have the same maps: they differ in batch, context and view at most."""
    if any(getattr(one, p) is not getattr(other, p) and getattr(one, p) != getattr(other, p) for p in _PARTS):
        return False
    return replace(one.workload, batch=1, context=1) == replace(other.workload, batch=1, context=1)


def _has_map(evaluation: Evaluation, subject: Subject) -> bool:
    other, edit = subject.evaluation, subject.edit
    if other is None or subject.result is None or other.model is None:
        return False
    if isinstance(edit, SetBatch) or (isinstance(edit, SetWorkload) and edit.context is not None):
        return False
    alike = (other.tokens_per_input is None) == (evaluation.tokens_per_input is None)
    return alike and other.study.workload.phase == evaluation.study.workload.phase


def _fits(subject: Subject) -> bool | None:
    return None if subject.result is None else subject.result.totals.fits


def _seconds(subject: Subject) -> float:
    return math.inf if subject.result is None else float(subject.result.totals.time_s)


def _map(evaluation: Evaluation, pair: SpeedPair) -> SpeedMap:
    batches, contexts = 2.0 ** np.arange(math.log2(_LARGEST_BATCH) + 1), _contexts(evaluation)
    shape = (len(batches), len(contexts))
    sides = [_swept(s, batches, contexts, shape) for s in (pair.over, pair.under)]
    (time_over, room_over), (time_under, room_under) = sides
    any_room = np.flatnonzero((room_over | room_under).any(axis=1))
    last = int(any_room[-1]) + 1 if any_room.size else 0
    columns = min(len(batches), max(_FEWEST, last + 1))
    with np.errstate(divide="ignore", invalid="ignore"):
        ratio = time_under / time_over
    if pair.launches_unknown:
        ratio = np.full(shape, np.nan)
    return SpeedMap(
        batches=tuple(int(b) for b in batches[:columns]),
        contexts=tuple(int(c) for c in contexts),
        ratio=ratio[:columns].T,
        room_over=room_over[:columns].T,
        room_under=room_under[:columns].T,
        bandwidth_ratio=_over(*(s.result.machine.bandwidth if s.result else None for s in (pair.over, pair.under))),
        peak_ratio=_over(*(s.result.main_peak.rate if s.result else None for s in (pair.over, pair.under))),
        peak_ends=_peak_ends(pair),
    )


def _peak_ends(pair: SpeedPair) -> tuple[float, float] | None:
    """The ends of the ratios of peaks, `over` to `under`, of all that tensor operators are computed in."""
    sides = (pair.over, pair.under)
    if pair.over.evaluation is None or any(s.result is None for s in sides):
        return None
    stacks = (pair.over.evaluation.stack, pair.over.evaluation.own.stack)
    asked = dict.fromkeys(w for stack in stacks for w in stack.layout.tensor_peaks)
    ratios = [_over(*(s.result.machine.asked(w).rate if s.result else None for s in sides)) for w in asked]
    known = [r for r in ratios if r is not None]
    return (min(known), max(known)) if known and len(known) == len(ratios) else None


def _contexts(evaluation: Evaluation) -> Array:
    """Powers of two up to what the model is made for; the context itself where the input has a size of its own."""
    model, least = evaluation.model, _CONTEXTS[0]
    if model is None or evaluation.tokens_per_input is not None:
        return np.array([float(evaluation.study.workload.context)])
    most = min(model.max_context or _CONTEXTS[1], _CONTEXTS[1])
    top = math.floor(math.log2(max(most, 1)))
    low = min(int(math.log2(least)), max(0, top - 4))
    return np.asarray(2.0 ** np.arange(low, top + 1), dtype=np.float64)


def _swept(subject: Subject, batches: Array, contexts: Array, shape: tuple[int, int]) -> tuple[Array, Flags]:
    """Seconds, and whether they fit, in arrays [batch, context]."""
    if subject.evaluation is None or subject.result is None:
        return np.full(shape, np.nan), np.zeros(shape, dtype=bool)
    evaluator, machine = subject.evaluation.evaluator, subject.result.machine
    step = evaluator.step(batch=batches[:, None], context=contexts[None, :])
    (totals,) = evaluator.sweep(step, [machine], subject.evaluation.own)
    held = np.broadcast_to(np.asarray(totals.memory_bytes, dtype=np.float64), shape)
    room = np.ones(shape, dtype=bool) if totals.capacity is None else held <= totals.capacity
    return np.broadcast_to(np.asarray(totals.time_s, dtype=np.float64), shape), room


def _over(one: float | None, other: float | None) -> float | None:
    return one / other if one and other else None
