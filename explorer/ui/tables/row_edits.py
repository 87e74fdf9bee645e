"""What typing into a cell of the Operators table means: how it is read, checked, and made into an edit."""

from collections.abc import Callable
from typing import Any

from explorer.analysis.catalogue.device_check import ACCUMULATORS
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.costs import CompiledKind, checked_costs
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.expand import as_row
from explorer.analysis.study.edit_rows import change_row, override_row, with_kind
from explorer.analysis.study.study import OwnRow, Study
from explorer.files.typed.cells import read_calls, read_dims, read_name
from explorer.presentation.quantities.dims import dims_text, number_text
from explorer.presentation.tables.operator_rows import OperatorRow
from explorer.ui.look.text import tr

Choices = list[tuple[str, Any]]


def names_taken(evaluation: Evaluation, but: str = "") -> set[str]:
    """Names of all rows, the user's and the model's, except one."""
    names = {r.name for r in evaluation.rows} | {o.name for o in evaluation.study.operators}
    return names - {but}


def typed_text(row: OperatorRow, key: str) -> str:
    """What stands in the editor of a cell at first."""
    if key == "count":
        return number_text(float(row.row.count))
    if key == "dims" and row.own is not None:
        return dims_text(full_dims(row.own, row))
    return row.name


def full_dims(own: OwnRow, row: OperatorRow) -> dict[str, float]:
    """Every dim of a row, those left out at the kind's defaults."""
    if row.about is None:
        return dict(own.dims)
    return {d.name: own.dims.get(d.name, d.default) for d in row.about.dims}


def reader(row: OperatorRow, key: str, evaluation: Evaluation) -> Callable[[str], Any]:
    """How the text of a cell is read; raises Refused."""
    if key == "count":
        return read_calls
    if key == "dims":
        return lambda text: _read_dims(text, row, evaluation)
    return lambda text: read_name(text, names_taken(evaluation, row.name))


def _read_dims(text: str, row: OperatorRow, evaluation: Evaluation) -> dict[str, float]:
    dims = read_dims(text, row.about)
    if row.own is not None:
        check_row(OwnRow(id=row.own.id, name=row.name, kind=row.own.kind, dims=dims), evaluation)
    return dims


def check_row(own: OwnRow, evaluation: Evaluation) -> None:
    """Raise Refused when a row's formulas cannot be computed."""
    kinds: dict[str, CompiledKind] = evaluation.evaluator.kinds
    if own.kind not in kinds:
        raise Refused(Problem("row.kind", "kind", {"kind": own.kind, "name": own.name}))
    checked_costs(as_row(own, evaluation.study), kinds[own.kind], evaluation.evaluator.formats)


def choices(row: OperatorRow, key: str, evaluation: Evaluation) -> Choices:
    """What a choice cell offers."""
    if key == "kind":
        return [(name, name) for name in evaluation.evaluator.kinds]
    default = tr("as the workload") if row.own is not None else tr("as the model")
    if key == "accumulate":
        return [(tr("usual (fp32, int32)") if row.own is not None else default, None), *((a, a) for a in ACCUMULATORS)]
    return [(default, None), *((f, f) for f in evaluation.evaluator.formats)]


def chosen(row: OperatorRow, key: str) -> Any:
    """The choice that a cell stands at."""
    return row.kind if key == "kind" else getattr(row.own or row.override, key, None)


def edited(study: Study, row: OperatorRow, key: str, value: Any, evaluation: Evaluation) -> tuple[Study, str]:
    """The study with one cell changed, and the words of the undo step; raises Refused."""
    if row.own is None:
        return override_row(study, row.name, **{key: value}), _override_words(row.name, key)
    if key == "kind":
        kind = evaluation.evaluator.kinds[value].kind
        new = with_kind(row.own, kind)
        return change_row(study, row.own.id, kind=new.kind, dims=new.dims), tr("Kind of {name}", name=row.name)
    return change_row(study, row.own.id, **{key: value}), _own_words(row.name, key, value)


def _override_words(name: str, key: str) -> str:
    return tr("Fusion of {name}", name=name) if key == "fused" else tr("Formats of {name}", name=name)


def _own_words(name: str, key: str, value: Any) -> str:
    if key == "enabled":
        return tr("Count {name}", name=name) if value else tr("Leave {name} out", name=name)
    return {
        "name": tr("Rename {name}", name=name),
        "count": tr("Calls of {name}", name=name),
        "dims": tr("Dims of {name}", name=name),
        "fused": tr("Fusion of {name}", name=name),
    }.get(key, tr("Formats of {name}", name=name))


def checked_value(row: OperatorRow, key: str, value: Any, evaluation: Evaluation) -> Any:
    """A value given by a program rather than an editor, read and checked as if typed; raises Refused."""
    if key in {"name", "count", "dims"}:
        return reader(row, key, evaluation)(value) if isinstance(value, str) else value
    if key in {"fused", "enabled"}:
        return bool(value)
    if all(v != value for _, v in choices(row, key, evaluation)):
        known = ", ".join(str(v) for _, v in choices(row, key, evaluation) if v)
        raise Refused(Problem("study.number_format", key, {"got": str(value)[:60], "known": known}))
    return value
