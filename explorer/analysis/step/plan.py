"""Steps that belong together: a plan says how often each runs, and on which machine; its totals are weighted sums."""

from collections.abc import Sequence
from typing import NamedTuple

from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.rows import Number, Step
from explorer.analysis.step.totals import Totals


class Planned(NamedTuple):
    """A step that runs `times` times on a machine."""

    times: float
    step: Step
    machine: Machine


Plan = tuple[Planned, ...]


class PlanTotals(NamedTuple):
    """What a plan comes to, one step after the other: seconds, FLOPs and bytes, each the sum of times x the step's."""

    time_s: Number
    launched_s: Number
    floor_s: Number
    flops: Number
    bytes: Number


def plan_totals(plan: Sequence[Planned], totals: Sequence[Totals]) -> PlanTotals:
    """The totals of a plan whose steps have `totals`."""
    found = PlanTotals(0.0, 0.0, 0.0, 0.0, 0.0)
    for planned, each in zip(plan, totals, strict=True):
        figures = (each.time_s, each.launched_s, each.floor_s, each.traffic.flops, each.traffic.bytes)
        found = PlanTotals(*(sum_ + planned.times * figure for sum_, figure in zip(found, figures, strict=True)))
    return found
