"""A user's operator kind tried out: each formula at the default dims and formats, or what is wrong with it."""

from collections.abc import Collection, Mapping

import msgspec
from msgspec.structs import replace

from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.catalogue.kinds import OperatorKind
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.costs import RESULTS, Costs, checked_costs, compile_kind
from explorer.analysis.step.expand import as_row
from explorer.analysis.step.rows import Row
from explorer.analysis.study.edit_rows import with_kind
from explorer.analysis.study.study import OwnRow, Study

_LONGEST_ID = 200


class KindCheck(msgspec.Struct, frozen=True):
    """Faults by field path (`id`, `dims`, `derived[0].formula`, `flops`, ...) and figures by name.

    `costs` is there only when nothing is wrong.
    """

    problems: Mapping[str, Problem] = msgspec.field(default_factory=dict)
    values: Mapping[str, float] = msgspec.field(default_factory=dict)
    costs: Costs | None = None


def check_kind(kind: OperatorKind, formats: Mapping[str, NumberFormat], taken: Collection[str] = ()) -> KindCheck:
    """Try a kind at its default dims, bf16 everywhere; `taken` are ids that other kinds have."""
    problems = {p.path: p for p in reversed(_id_problems(kind, taken))}
    try:
        compile_kind(kind)
    except Refused as refused:
        problems |= {p.path: p for p in reversed(refused.problems)}
    if any(path.startswith(("dims", "derived")) for path in problems):
        return KindCheck(problems)
    values: dict[str, float] = {}
    for name in RESULTS:
        if name not in problems:
            _try(kind, name, formats, values, problems)
    return KindCheck(problems, values, None if problems else Costs(**values))


def _id_problems(kind: OperatorKind, taken: Collection[str]) -> list[Problem]:
    if not kind.id.strip() or not kind.id.isprintable() or len(kind.id) > _LONGEST_ID:
        return [Problem("study.id", "id", {"limit": _LONGEST_ID})]
    return [Problem("kind.taken", "id", {"id": kind.id})] if kind.id in taken else []


def _try(
    kind: OperatorKind,
    name: str,
    formats: Mapping[str, NumberFormat],
    values: dict[str, float],
    problems: dict[str, Problem],
) -> None:
    """Compute one formula with the others out of the way."""
    alone = replace(kind, **{n: getattr(kind, n) if n == name else "0" for n in RESULTS})
    row = Row(name=kind.id, kind=kind.id, dims={})
    try:
        costs = checked_costs(row, compile_kind(alone), dict(formats))
        values[name] = float(getattr(costs, name))
    except Refused as refused:
        problems[name] = refused.problems[0]


def rows_of_kind(study: Study, kind_id: str) -> tuple[OwnRow, ...]:
    """The user's rows of a kind."""
    return tuple(o for o in study.operators if o.kind == kind_id)


def put_kind(study: Study, kind: OperatorKind, formats: Mapping[str, NumberFormat], old_id: str = "") -> Study:
    """A kind added, or put in place of an older one; rows of the older one follow, without dims that are gone.

    Raises
    ------
    Refused
        A row cannot be computed by the new formulas.
    """
    compiled = compile_kind(kind)
    kinds = tuple(kind if k.id == old_id else k for k in study.kinds)
    if all(k.id != old_id for k in study.kinds):
        kinds = (*study.kinds, kind)
    operators = tuple(with_kind(o, kind) if old_id and o.kind == old_id else o for o in study.operators)
    new = replace(study, kinds=kinds, operators=operators)
    for own in rows_of_kind(new, kind.id):
        try:
            checked_costs(as_row(own, new), compiled, dict(formats))
        except Refused as refused:
            raise Refused(Problem("kind.row", "", {"name": own.name})) from refused
    return new


def remove_kind(study: Study, kind_id: str) -> Study:
    """A kind taken out.

    Raises
    ------
    Refused
        Rows use it.
    """
    rows = rows_of_kind(study, kind_id)
    if rows:
        raise Refused(Problem("kind.used", "", {"rows": ", ".join(o.name for o in rows[:8]), "count": len(rows)}))
    return replace(study, kinds=tuple(k for k in study.kinds if k.id != kind_id))
