"""The rows of the Operators table: what was evaluated, and what the user wrote, side by side."""

from collections.abc import Iterator, Mapping
from itertools import repeat
from operator import is_

import msgspec

from explorer.analysis.catalogue.device import Device
from explorer.analysis.catalogue.kinds import OperatorKind
from explorer.analysis.problem import Problem
from explorer.analysis.step.costs import Costs
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.expand import as_row
from explorer.analysis.step.placement import Point
from explorer.analysis.step.rows import Row
from explorer.analysis.study.study import Override, OwnRow
from explorer.presentation.hardware.device_names import whole_names


class OperatorRow(msgspec.Struct, frozen=True, eq=False, gc=False):
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
    on: str = ""  # the active device's whole name
    places: Mapping[str, int] = {}  # of each device's entry among `others`

    def on_entry(self, entry: str) -> Point | None:
        """Its point on a device of the hardware, None where that was not evaluated."""
        place = self.places.get(entry)
        return None if place is None or place >= len(self.others) else self.others[place]

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


def alike(one: OperatorRow, other: OperatorRow) -> bool:
    """Whether two rows differ in their shares of the step at most; told by identity, which costs next to nothing."""
    return (
        one.point is other.point
        and one.row is other.row
        and one.costs is other.costs
        and one.own is other.own
        and (one.others is other.others or all(map(is_, one.others, other.others)))
        and one.override is other.override
        and one.problem is other.problem
        and one.device is other.device
        and one.on == other.on
    )


def operator_rows(evaluation: Evaluation) -> tuple[OperatorRow, ...]:
    """Every operator of a study in execution order: the model's, then the user's, counted or not."""
    return (*_of_model(evaluation), *_own(evaluation))


def _of_model(evaluation: Evaluation) -> Iterator[OperatorRow]:
    active, kinds = evaluation.active, evaluation.evaluator.kinds
    overrides = evaluation.evaluator.overrides
    device, on = _active(evaluation)
    places = _places(evaluation)
    others = list(zip(*(d.placed for d in evaluation.devices), strict=True)) if evaluation.devices else None
    for i, (row, costs) in enumerate(zip(evaluation.model_rows, evaluation.model_costs, strict=True)):
        yield OperatorRow(
            f"model:{row.name}",
            row,
            costs,
            *_placed(active, i),
            others[i] if others else (),
            device,
            None,
            overrides.get(row.name),
            None,
            kinds[row.kind].kind,
            on,
            places,
        )


def _active(evaluation: Evaluation) -> tuple[Device | None, str]:
    """The device that the rows' figures are of, and its name."""
    if evaluation.active is None:
        return None, ""
    entry = evaluation.active.entry
    return entry.device, whole_names(evaluation.study.hardware)[entry.id]


def _places(evaluation: Evaluation) -> Mapping[str, int]:
    return {d.entry.id: i for i, d in enumerate(evaluation.devices)}


def _placed(active: DeviceResult | None, i: int) -> tuple[Point | None, float | None, float | None]:
    if active is None:
        return None, None, None
    return active.points[i], active.shares[i], active.flop_shares[i]


def _own(evaluation: Evaluation) -> Iterator[OperatorRow]:
    """The user's rows; those left out or refused have no figures."""
    faults = _faults(evaluation)
    kinds = evaluation.evaluator.kinds
    active = evaluation.active
    device, on = _active(evaluation)
    others = _on_each(evaluation)
    own, first = evaluation.own, len(evaluation.model_rows)
    written_rows = evaluation.study.operators
    if active is not None and len(own.rows) == len(written_rows):  # thousands at every step of a slider
        keys, abouts = _unchanging(evaluation, active)
        figures = (part[first:] for part in (active.points, active.shares, active.flop_shares))
        nothing = repeat(None)
        yield from map(
            OperatorRow,
            keys,
            own.rows,
            own.costs,
            *figures,
            others,
            repeat(device),
            written_rows,
            nothing,
            nothing,
            abouts,
            repeat(on),
            repeat(_places(evaluation)),
        )
        return
    at, places = 0, _places(evaluation)
    for i, written in enumerate(written_rows):
        key = f"own:{written.id}"
        if written.enabled and i not in faults:
            row, costs = own.rows[at], own.costs[at]
            point, share, flop_share = _placed(active, first + at)
            yield OperatorRow(
                key,
                row,
                costs,
                point,
                share,
                flop_share,
                others[at],
                device,
                written,
                about=kinds[row.kind].kind,
                on=on,
                places=places,
            )
            at += 1
        else:
            row = as_row(written, evaluation.study)
            about = kinds[row.kind].kind if row.kind in kinds else None
            yield OperatorRow(key, row, None, None, None, None, (), None, written, None, faults.get(i), about)


def _unchanging(evaluation: Evaluation, active: DeviceResult) -> tuple[list[str], list[OperatorKind]]:
    found: tuple[list[str], list[OperatorKind]] | None = active.own.kept("keys")
    if found is not None:
        return found
    kinds = evaluation.evaluator.kinds
    keys = [f"own:{o.id}" for o in evaluation.study.operators]
    return active.own.keep("keys", (keys, [kinds[o.kind].kind for o in evaluation.study.operators]))


def _on_each(evaluation: Evaluation) -> list[tuple[Point, ...]]:
    """Points of the user's rows on every device; the same objects as long as these stay."""
    placed = tuple(d.own for d in evaluation.devices)
    if not placed:
        return [()] * len(evaluation.own.rows)
    found: list[tuple[Point, ...]] | None = placed[0].kept(("each", placed[1:]))
    if found is not None:
        return found
    return placed[0].keep(("each", placed[1:]), list(zip(*(p.points for p in placed), strict=True)))


def _faults(evaluation: Evaluation) -> dict[int, Problem]:
    """The first problem of each refused row, by its place among the user's rows."""
    found: dict[int, Problem] = {}
    for problem in evaluation.problems:
        head, _, rest = problem.path.partition("]")
        if head.startswith("operators[") and (rest or problem.values):
            found.setdefault(int(head.removeprefix("operators[")), problem)
    return found
