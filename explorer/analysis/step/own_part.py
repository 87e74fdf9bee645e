"""The user's own rows, evaluated: neither batch nor context touches them, so they are kept from step to step."""

from collections.abc import Mapping
from functools import cached_property

from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.costs import CompiledKind, Costs, checked_costs
from explorer.analysis.step.expand import fused, own_rows
from explorer.analysis.step.ledger import Traffic
from explorer.analysis.step.machines.peaks import Asking
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.step.placement import Placed
from explorer.analysis.step.routing import beyond_fewest
from explorer.analysis.step.rows import Row
from explorer.analysis.step.stack import Layout, RowStack
from explorer.analysis.step.totals import own_traffic
from explorer.analysis.study.study import OwnRow, Study

Choice = tuple[str | float | None, ...]  # formats of weights, activations and KV cache, skew of experts
_CHOICES = 4  # the study's own, those of two levers, and the one before
_MACHINES = 64  # placings kept; a study compares fewer devices, levers add two of each


class OwnPart:
    """The user's rows that can be computed under one choice of formats, and the faults of the others.

    Rows that `older` knows under the same kinds and formats are taken from it. `like` is the same study under another
    choice: where a row's formulas read no format that differs, its costs are the same.
    """

    def __init__(
        self,
        study: Study,
        kinds: Mapping[str, CompiledKind],
        formats: Mapping[str, NumberFormat],
        older: "OwnPart | None" = None,
        like: "OwnPart | None" = None,
    ) -> None:
        alike = {} if like is None else like.by_written
        known = {} if older is None else older.by_written
        self.problems: list[Problem] = []
        self.by_written: dict[int, tuple[OwnRow, Row, Costs]] = {}
        rows: list[Row] = []
        found: list[Costs] = []
        for path, written, row in own_rows(study, kinds, formats, self.problems, known):
            kept = known.get(id(written)) or _under_other_formats(row, alike.get(id(written)), kinds[row.kind])
            if kept is None:
                try:
                    costs = checked_costs(row, kinds[row.kind], formats, path)
                except Refused as refused:
                    self.problems += refused.problems
                    continue
                kept = (written, row, fused(costs) if written.fused else costs)
            self.by_written[id(written)] = kept
            rows.append(kept[1])
            found.append(kept[2])
        self.rows, self.costs = tuple(rows), tuple(found)
        self._kinds, self._formats = kinds, formats
        self.stack = RowStack(rows, found, Layout(rows, Asking(kinds, formats).peak))
        self._placed: dict[tuple[Machine, bool], Placed] = {}
        self._older_placed = {} if older is None else older.placed_with_points()

    @cached_property
    def traffic(self) -> Traffic:
        """What the rows compute and move; all of it is compulsory."""
        return own_traffic(self.stack, beyond_fewest(self.rows, self.costs, self._kinds, self._formats))

    def on(self, machine: Machine, *, eager: bool) -> Placed:
        """The rows on one machine; done once for each."""
        found = self._placed.get((machine, eager))
        if found is None:
            if len(self._placed) >= _MACHINES:
                self._placed.clear()
            older = self._older_placed.pop((machine, eager), None)
            found = self._placed[machine, eager] = Placed(self.stack, machine, older, eager=eager)
        return found

    def placed_with_points(self) -> dict[tuple[Machine, bool], Placed]:
        """The machines on which the rows were looked at one by one; what came before these rows is forgotten."""
        self._older_placed = {}
        return {key: placed for key, placed in self._placed.items() if placed.has_points}


def _under_other_formats(
    row: Row, known: tuple[OwnRow, Row, Costs] | None, kind: CompiledKind
) -> tuple[OwnRow, Row, Costs] | None:
    if (
        known is None
        or known[1].dims != row.dims
        or any(getattr(known[1], field) != getattr(row, field) for field in kind.reads)
    ):
        return None
    return known[0], row, known[2]


class OwnParts:
    """The user's rows under each choice of formats that was asked for: the study's own, and those of levers."""

    def __init__(
        self,
        study: Study,
        kinds: Mapping[str, CompiledKind],
        formats: Mapping[str, NumberFormat],
        older: Mapping[Choice, OwnPart],
    ) -> None:
        self.operators, self.kinds, self.formats = study.operators, kinds, formats
        self._older = older
        self._parts: dict[Choice, OwnPart] = {}

    def of(self, study: Study) -> OwnPart:
        """The rows under the formats of a study with the same operators."""
        work = study.workload
        choice = (work.weights, work.activations, work.kv, work.skew)
        found = self._parts.get(choice)
        if found is None:
            if len(self._parts) >= _CHOICES:
                self._parts.clear()
            like = next(iter(self._parts.values()), None)
            found = OwnPart(study, self.kinds, self.formats, self._older.get(choice), like)
            self._parts[choice] = found
        return found

    def followed_by(self, study: Study) -> "OwnParts":
        """The parts of a study with other operators: rows that stay are taken over."""
        return OwnParts(study, self.kinds, self.formats, self._parts or self._older)


def own_parts(
    study: Study, kinds: Mapping[str, CompiledKind], formats: Mapping[str, NumberFormat], older: OwnParts | None
) -> OwnParts:
    """Parts of a study; those of an older one are used where they hold."""
    if older is None or older.kinds is not kinds or older.formats is not formats:
        return OwnParts(study, kinds, formats, {})
    return older if older.operators is study.operators else older.followed_by(study)
