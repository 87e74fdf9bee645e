"""Edits of operator rows as pure functions: the user's own rows, overrides of a model's, detaching."""

from collections.abc import Collection, Iterable, Sequence
from typing import Protocol, TypeVar

from msgspec.structs import replace

from explorer.analysis.catalogue.kinds import OperatorKind
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.rows import Row
from explorer.analysis.study.edits import Taken, numbered
from explorer.analysis.study.study import Override, OwnRow, Study


class _Named(Protocol):
    @property
    def id(self) -> str: ...


Item = TypeVar("Item", bound=_Named)


def unique_name(wanted: str, taken: Collection[str]) -> str:
    """`wanted`, with a number behind it where it is taken."""
    return numbered(wanted, " ", taken)


def moved(items: Sequence[Item], ids: Collection[str], before: str | None) -> tuple[Item, ...]:
    """The items of `ids` put together before another one, or at the end."""
    taken = [i for i in items if i.id in ids]
    rest = [i for i in items if i.id not in ids]
    if before in ids:
        place = next(n for n, i in enumerate(items) if i.id == before)
        before = next((i.id for i in items[place:] if i.id not in ids), None)
    at = next((n for n, i in enumerate(rest) if i.id == before), len(rest))
    return (*rest[:at], *taken, *rest[at:])


def shifted(items: Sequence[Item], ids: Collection[str], step: int) -> tuple[Item, ...]:
    """The items of `ids` one place up (-1) or down (+1), stopping at the edge."""
    order = list(items) if step < 0 else list(reversed(items))
    for n in range(1, len(order)):
        if order[n].id in ids and order[n - 1].id not in ids:
            order[n - 1], order[n] = order[n], order[n - 1]
    return tuple(order if step < 0 else reversed(order))


def insert_rows(study: Study, rows: Iterable[OwnRow], taken: Collection[str], after: str = "") -> Study:
    """Own rows added behind another one (or at the end) under unique ids and names, and selected."""
    ids = Taken(o.id for o in study.operators)
    names = Taken((*taken, *(o.name for o in study.operators)))
    fresh = [replace(row, id=ids.id(row.id or row.name), name=names.name(row.name)) for row in rows]
    at = next((n + 1 for n, o in enumerate(study.operators) if o.id == after), len(study.operators))
    operators = (*study.operators[:at], *fresh, *study.operators[at:])
    return replace(study, operators=operators, view=replace(study.view, selection=tuple(r.name for r in fresh)))


def change_row(study: Study, row_id: str, **fields: object) -> Study:
    """Fields of one own row changed; a new name takes selection and measurements with it."""
    old = next(o for o in study.operators if o.id == row_id)
    new = replace(old, **fields)
    study = replace(study, operators=tuple(new if o is old else o for o in study.operators))
    return study if new.name == old.name else _renamed(study, old.name, new.name)


def _renamed(study: Study, old: str, new: str) -> Study:
    selection = tuple(new if n == old else n for n in study.view.selection)
    measurements = tuple(replace(m, row=new) if m.row == old else m for m in study.measurements)
    return replace(study, view=replace(study.view, selection=selection), measurements=measurements)


def with_kind(row: OwnRow, kind: OperatorKind) -> OwnRow:
    """A row of another kind; dims that both kinds have are kept."""
    names = {d.name for d in kind.dims}
    return replace(row, kind=kind.id, dims={n: v for n, v in row.dims.items() if n in names})


def remove_rows(study: Study, ids: Collection[str]) -> Study:
    """Own rows taken out, and out of the selection."""
    gone = {o.name for o in study.operators if o.id in ids}
    selection = tuple(n for n in study.view.selection if n not in gone)
    operators = tuple(o for o in study.operators if o.id not in ids)
    return replace(study, operators=operators, view=replace(study.view, selection=selection))


def override_row(study: Study, name: str, **fields: object) -> Study:
    """The user's formats for one row of the model; None and False mean as the model has it."""
    found = next((o for o in study.overrides if o.row == name), Override(row=name))
    new = replace(found, **fields)
    kept = [new if o.row == name else o for o in study.overrides]
    if found not in study.overrides:
        kept.append(new)
    return replace(study, overrides=tuple(o for o in kept if o != Override(row=o.row)))


def reset_rows(study: Study, names: Collection[str]) -> Study:
    """Rows of the model as the model has them."""
    return replace(study, overrides=tuple(o for o in study.overrides if o.row not in names))


def as_own(row: Row, row_id: str, override: Override | None = None) -> OwnRow:
    """A computed row written out: dims, formats and calls in full, so that its figures stay the same."""
    return OwnRow(
        id=row_id,
        name=row.name,
        kind=row.kind,
        dims={name: float(value) for name, value in row.dims.items()},
        count=float(row.count),
        weights=row.weights,
        activations=row.activations,
        output=row.output,
        kv=row.kv,
        accumulate=row.accumulate,
        fused=override is not None and override.fused,
    )


def detach(evaluation: Evaluation) -> Study:
    """The model's rows as the user's own, in front of the others; the model stays in the study, not active.

    Per-row figures and their sums (FLOPs, bytes, `time_s`) stay the same. Without a model there are no tokens and no
    resident memory, and the floor counts all that own rows move.
    """
    study = evaluation.study
    overrides = {o.row: o for o in study.overrides}
    model_rows = [r for r in evaluation.rows if not r.own]
    ids = Taken(o.id for o in study.operators)
    written = [as_own(row, ids.id(row.name), overrides.get(row.name)) for row in model_rows]
    names = {r.name for r in model_rows}
    mine = [replace(o, name=unique_name(o.name, names)) for o in study.operators]
    kept = tuple(o for o in study.overrides if o.row not in names)
    return replace(study, operators=(*written, *mine), overrides=kept, active_model="")
