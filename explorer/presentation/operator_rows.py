"""The rows of the Operators table: what was evaluated, and what the user wrote, side by side."""

from collections.abc import Iterator
from typing import NamedTuple

from explorer.analysis.costs import Costs
from explorer.analysis.device import Device
from explorer.analysis.evaluate import DeviceResult, Evaluation
from explorer.analysis.expand import as_row
from explorer.analysis.kinds import OperatorKind
from explorer.analysis.placement import Point
from explorer.analysis.problem import Problem
from explorer.analysis.rows import Row
from explorer.analysis.study import Override, OwnRow


class OperatorRow(NamedTuple):
    """One operator: `own` where it is the user's, `override` where the user changed a model's row.

    `point` and the shares are those of the active device, `others` the points on each device of the evaluation;
    `about` the kind, where it is known.
    """

    key: str
    row: Row
    costs: Costs | None
    point: Point | None
    share: float | None
    flop_share: float | None
    others: tuple[Point, ...]
    device: Device | None
    own: OwnRow | None = None
    override: Override | None = None
    problem: Problem | None = None
    about: OperatorKind | None = None

    @property
    def name(self) -> str:
        """The operator's name, which selects it everywhere."""
        return self.row.name

    @property
    def kind(self) -> str:
        """The id of its kind."""
        return self.row.kind

    @property
    def enabled(self) -> bool:
        """Whether it counts in the step."""
        return self.own is None or self.own.enabled


def operator_rows(evaluation: Evaluation) -> tuple[OperatorRow, ...]:
    """Every operator of a study in execution order: the model's, then the user's, counted or not."""
    evaluated = list(_evaluated(evaluation))
    model = [r for r in evaluated if not r.row.own]
    return (*model, *_own(evaluation, iter(evaluated[len(model) :])))


def _evaluated(evaluation: Evaluation) -> Iterator[OperatorRow]:
    active = evaluation.active
    overrides = evaluation.evaluator.overrides
    kinds = evaluation.evaluator.kinds
    device = None if active is None else active.entry.device
    others = list(zip(*(d.points for d in evaluation.devices), strict=True)) if evaluation.devices else None
    for i, (row, costs) in enumerate(zip(evaluation.rows, evaluation.costs, strict=True)):
        yield OperatorRow(
            f"own:{row.name}" if row.own else f"model:{row.name}",
            row,
            costs,
            *_placed(active, i),
            others[i] if others else (),
            device,
            None,
            None if row.own else overrides.get(row.name),
            None,
            kinds[row.kind].kind,
        )


def _placed(active: DeviceResult | None, i: int) -> tuple[Point | None, float | None, float | None]:
    if active is None:
        return None, None, None
    return active.points[i], active.shares[i], active.flop_shares[i]


def _own(evaluation: Evaluation, evaluated: Iterator[OperatorRow]) -> Iterator[OperatorRow]:
    """The user's rows; those left out or refused have no figures."""
    faults = _faults(evaluation)
    kinds = evaluation.evaluator.kinds
    for i, own in enumerate(evaluation.study.operators):
        key = f"own:{own.id}"
        if own.enabled and i not in faults:
            yield next(evaluated)._replace(key=key, own=own)
        else:
            row = as_row(own, evaluation.study)
            about = kinds[row.kind].kind if row.kind in kinds else None
            yield OperatorRow(key, row, None, None, None, None, (), None, own, None, faults.get(i), about)


def _faults(evaluation: Evaluation) -> dict[int, Problem]:
    """The first problem of each refused row, by its place among the user's rows."""
    found: dict[int, Problem] = {}
    for problem in evaluation.problems:
        head, _, rest = problem.path.partition("]")
        if head.startswith("operators[") and (rest or problem.values):
            found.setdefault(int(head.removeprefix("operators[")), problem)
    return found
