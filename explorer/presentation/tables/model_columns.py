"""The rows and columns of the Models table."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple

import explorer.presentation.tables.device_column_texts
import explorer.presentation.words.model_texts
import explorer.presentation.words.tensor_texts  # noqa: F401 - headers, and why a model is refused
from explorer.analysis.ask.compare import ModelFigures
from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.expand import model_in
from explorer.analysis.study.study import ModelEntry, Study
from explorer.presentation.look import Look
from explorer.presentation.quantities.numbers import NOTHING, capacity, significant
from explorer.presentation.tables.columns import Column, Value, as_text, duration, number, ratio, tick
from explorer.presentation.words.messages import Message

if TYPE_CHECKING:
    from explorer.analysis.models import Model

QUICK = "quick"


class ModelRow(NamedTuple):
    """One model of the study; `model` is None where its config is refused."""

    key: str
    entry: ModelEntry
    active: bool
    model: "Model | None"
    weights_bytes: float | None
    kv_per_token: float | None
    problem: Problem | None = None
    figures: ModelFigures | None = None
    kv_at_context: float | None = None


def model_rows(
    study: Study, formats: Mapping[str, NumberFormat], figures: Mapping[str, ModelFigures | None] | None = None
) -> tuple[ModelRow, ...]:
    """The study's models in its order, at the workload's formats; `figures` has their steps by model id."""
    known = figures or {}
    return tuple(_model_row(entry, study, formats)._replace(figures=known.get(entry.id)) for entry in study.models)


def _model_row(entry: ModelEntry, study: Study, formats: Mapping[str, NumberFormat]) -> ModelRow:
    active = entry.id == study.active_model
    try:
        model = model_in(entry, study.workload.weights, formats)
    except Refused as refused:
        return ModelRow(entry.id, entry, active, None, None, None, refused.problems[0])
    work = study.workload
    kv = formats[work.kv or model.kv_format].bytes
    weights = model.weight_bytes(work.weights, formats)
    return ModelRow(
        entry.id,
        entry,
        active,
        model,
        float(weights),
        float(model.kv_bytes_per_token(kv)),
        kv_at_context=float(model.kv_bytes_per_token_at(work.context, kv)),
    )


def _type(row: ModelRow) -> Value:
    return QUICK if row.entry.quick is not None else str((row.entry.config or {}).get("model_type") or NOTHING)


def _of_model(field: str) -> Callable[[ModelRow], Value]:
    def read(row: ModelRow) -> Value:
        value = None if row.model is None else getattr(row.model, field)
        return None if value is None else float(value)

    return read


def _figure(field: str) -> Callable[[ModelRow], Value]:
    def read(row: ModelRow) -> Value:
        value = None if row.figures is None else getattr(row.figures, field)
        return None if value is None else float(value)

    return read


def _memory_tip(row: ModelRow) -> Message | None:
    return Message("tip.over_capacity") if row.figures is not None and row.figures.fits is False else None


def _window_tip(row: ModelRow) -> Message | None:
    window = None if row.model is None else row.model.smallest_window
    return None if window is None else Message("tip.kv_window", {"window": f"{window:,}"})


def _routed_tip(row: ModelRow) -> Message | None:
    return Message("tip.routed") if row.figures is not None and row.figures.routed_s is not None else None


def parameters(value: Value) -> str:
    """A number of parameters as people name models: 8.03B, 494M."""
    if not isinstance(value, int | float):
        return NOTHING
    for letter, size in (("T", 1e12), ("B", 1e9), ("M", 1e6)):
        if value >= size * 0.9995:
            return f"{significant(value / size)}{letter}"
    return number(value)


def _always(_row: ModelRow) -> bool:
    return True


def _takes_size(row: ModelRow) -> bool:
    """Whether the size of its file may be typed: where the tensors of the file are not there to say it."""
    return row.entry.tensors is None


def _tip(row: ModelRow) -> Message | None:
    if row.problem is not None:
        return Message(row.problem.code, {**row.problem.values, "path": row.problem.path})
    return Message("tip.rough") if row.entry.quick is not None else None


def _column(
    key: str, value: Callable[[ModelRow], Value], text: Callable[[Value], str], **more: object
) -> Column[ModelRow]:
    return Column(key, Message(f"column.{key}"), value, text, **more)  # type: ignore[arg-type]


def _rates() -> tuple[Column[ModelRow], ...]:
    each = _figure("tokens_per_s_per_request")
    return (
        _column("in_all", _figure("written_per_s"), ratio, unit="tokens/s", tip=_routed_tip),
        _column("per_request", each, ratio, unit="tokens/s", shown=False, tip=_routed_tip),
    )


def counted(rows: Iterable[ModelRow]) -> frozenset[str]:
    """What the steps of models are counted in: `tokens`, `inputs` of models that run once, or both."""
    models = [row.model for row in rows if row.model is not None]
    return frozenset("inputs" if m.runs_once else "tokens" for m in models) or frozenset({"tokens"})


def model_columns(look: Look, counts: frozenset[str] = frozenset({"tokens"})) -> tuple[Column[ModelRow], ...]:
    """Every column that the Models table can show, sizes in the unit the user chose, rates of what is counted."""

    def size(value: Value) -> str:
        return capacity(value, look.unit) if isinstance(value, int | float) else NOTHING

    return (
        _column("active", lambda r: float(r.active), tick, right=False, style="mark", edit="check", can_edit=_always),
        _column(
            "model", lambda r: r.entry.name, as_text, right=False, style="name", edit="text", can_edit=_always, tip=_tip
        ),
        _column("type", _type, as_text, right=False, style="muted"),
        _column("parameters", _of_model("parameters"), parameters),
        _column("active_parameters", _of_model("active_parameters"), parameters),
        _column("weights_size", lambda r: r.weights_bytes, size, unit="B", edit="text", can_edit=_takes_size),
        _column("kv_per_token", lambda r: r.kv_per_token, size, unit="B", tip=_window_tip),
        _column("kv_at_context", lambda r: r.kv_at_context, size, unit="B", tip=_window_tip),
        _column("floor", _figure("floor_s"), duration, unit="s"),
        _column("as_routed", _figure("routed_s"), duration, unit="s", tip=_routed_tip),
        *(_rates() if "tokens" in counts else ()),
        *((_column("inputs_per_s", _figure("inputs_per_s"), ratio, unit="inputs/s"),) if "inputs" in counts else ()),
        _column("memory", _figure("memory_bytes"), size, unit="B", tip=_memory_tip),
        _column("max_context", _of_model("max_context"), number),
        _column("rough", lambda r: float(r.entry.quick is not None), tick, right=False, style="muted", tip=_tip),
        _column("source", lambda r: r.entry.source or None, as_text, right=False, style="muted"),
    )
