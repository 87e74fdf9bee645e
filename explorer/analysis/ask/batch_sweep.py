"""Floor and throughput against batch on every visible device; a batch beyond the usual ones lengthens the curves."""

import math
from collections.abc import Sequence

import msgspec
import numpy as np
from msgspec.structs import replace

from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.rows import Array, Number
from explorer.analysis.step.totals import Totals
from explorer.analysis.study.study import Study

LARGEST_BATCH = 4096
USUAL_BATCHES = (1, 8, 32)  # that tables set side by side, and prompts
USUAL_CONTEXTS = (512, 2048, 8192)
_PER_DOUBLING = 4
_DOUBLINGS = 12


def _grid(doublings: int) -> Array:
    found: Array = 2.0 ** (np.arange(doublings * _PER_DOUBLING + 1) / _PER_DOUBLING)
    found.flags.writeable = False
    return found


GRID = _grid(_DOUBLINGS)


class Swept(msgspec.Struct, frozen=True, eq=False):
    """One device against batch: seconds per step at least, tokens per second in all and of one request.

    Experts as the study routes them: at random, or under its skew.
    """

    key: str
    step_s: Array
    all_per_s: Array
    each_per_s: Array


class Sweep(msgspec.Struct, frozen=True, eq=False):
    """All visible devices against `batches`, for one study: `GRID` whatever its batch, longer beyond that."""

    study: Study
    devices: tuple[Swept, ...]
    batches: Array = GRID


def same_curves(one: Study, other: Study) -> bool:
    """Whether two studies have the same curves: they differ in view at most, and in a batch that both curves reach."""
    if one is other:
        return True
    if _doublings(one) != _doublings(other):
        return False
    parts = ("hardware", "models", "active_model", "overrides", "operators", "kinds")
    if any(getattr(one, p) is not getattr(other, p) and getattr(one, p) != getattr(other, p) for p in parts):
        return False
    return replace(one.workload, batch=1) == replace(other.workload, batch=1)


def _doublings(study: Study) -> int:
    """How long curves are, so that they reach the batch of the study."""
    return max(_DOUBLINGS, math.ceil(math.log2(max(1, study.workload.batch)) - 1e-9))


def visible_devices(evaluation: Evaluation) -> list[DeviceResult]:
    """Devices shown, in the study's order."""
    return [d for d in evaluation.devices if d.entry.visible]


def sweep_batches(evaluation: Evaluation) -> Sweep:
    """Sweep the batch (whole numbers are met at powers of two) as far as the study's, the user's rows included."""
    found = visible_devices(evaluation)
    if evaluation.model is None or not found:
        return Sweep(evaluation.study, ())
    evaluator, doublings = evaluation.evaluator, _doublings(evaluation.study)
    batches = GRID if doublings == _DOUBLINGS else _grid(doublings)
    totals = evaluator.sweep(evaluator.step(batch=batches), [d.machine for d in found], evaluation.own)
    swept = tuple(_swept(d.entry.id, t, batches) for d, t in zip(found, totals, strict=True))
    return Sweep(evaluation.study, swept, batches)


def _swept(key: str, totals: Totals, batches: Array) -> Swept:
    def full(value: object) -> Array:
        return np.broadcast_to(np.asarray(value, dtype=np.float64), batches.shape)

    return Swept(key, *map(full, totals.routed))


def by_prompt(evaluation: Evaluation) -> bool:
    """Whether rates change with the length of a prompt, not with the batch; inputs of a fixed size have none."""
    return evaluation.phase.takes_prompt and evaluation.tokens_per_input is None


def rates_where_held(
    evaluation: Evaluation, devices: Sequence[DeviceResult], batches: Sequence[int], contexts: Sequence[int]
) -> list[tuple[float | None, ...]]:
    """Tokens per second on each device, at these batches or contexts, the user's rows included; None without room."""
    evaluator = evaluation.evaluator
    step = evaluator.step(
        batch=np.array([[float(b)] for b in batches]) if batches else None,
        context=np.array([[float(c) for c in contexts]]) if contexts else None,
    )
    count = max(len(batches), 1) * max(len(contexts), 1)
    found = []
    for totals in evaluator.sweep(step, [d.machine for d in devices], evaluation.own):
        rates, held = _flat(totals.routed.tokens_per_s, count), _flat(totals.memory_bytes, count)
        limit = np.inf if totals.capacity is None else totals.capacity
        found.append(tuple(r if h <= limit else None for r, h in zip(rates.tolist(), held.tolist(), strict=True)))
    return found


def _flat(values: Number | None, count: int) -> Array:
    """One figure for each place."""
    return np.broadcast_to(np.ravel(np.asarray(values, dtype=np.float64)), (count,))
