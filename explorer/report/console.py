"""Readable text for a terminal: the answer first, then the figures behind it."""

import textwrap
from collections.abc import Iterable

import explorer.presentation.words.cli_texts  # noqa: F401 - the sentences used here
from explorer.analysis.ask.levers import levers
from explorer.analysis.ask.notes import model_notes, notes
from explorer.analysis.catalogue.device import Device
from explorer.analysis.models import LayerSummary, Model
from explorer.analysis.problem import Value
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.presentation.answer.answer import answer, plain_text, without_marks
from explorer.presentation.answer.flipped import flips_text
from explorer.presentation.answer.json_result import model_json, workload_json
from explorer.presentation.answer.lever_texts import lever_texts, useless_text
from explorer.presentation.hardware.device_names import device_label, named_note, whole_names
from explorer.presentation.look import ENGLISH
from explorer.presentation.measured.listed import measurement_lines
from explorer.presentation.quantities.numbers import capacity, scaled
from explorer.presentation.tables.device_columns import DATABASE_COLUMNS, comparison_columns, device_rows
from explorer.presentation.views.capacity import capacity_sentences
from explorer.presentation.words.messages import Message, of_note, render
from explorer.presentation.words.said.kv_growth import kv_growth_text
from explorer.report.comparison import comparison_text
from explorer.report.tables import columns_beside, rows_on
from explorer.report.text_table import aligned_text

_WIDTH = 100


def evaluation_text(evaluation: Evaluation, *, compared: bool = False) -> str:
    """The answer, what was evaluated, the devices, what fits, the operators, what would help, assumptions.

    `compared`: with everything side by side behind the devices.
    """
    parts = [_wrapped(plain_text(answer(evaluation)))]
    said_below = compared and evaluation.study.view.vary == "machines"
    flipped = "" if said_below else flips_text(evaluation)
    parts += [_wrapped(flipped)] if flipped else []
    if evaluation.model is not None:
        parts.append(_wrapped(render(_work(evaluation))))
    parts.append(aligned_text(comparison_columns(evaluation), device_rows(evaluation)))
    parts += [comparison_text(evaluation)] if compared else []
    if evaluation.active is not None:
        parts += [_wrapped(" ".join(told)) for told in [capacity_sentences(evaluation, evaluation.active)] if told]
        parts += _operators(evaluation, evaluation.active, compared=compared)
    lines = "".join(_wrapped(line, "- ") for line in measurement_lines(evaluation))
    parts += [render(Message("console.measured")) + "\n" + lines] if lines else []
    names = whole_names(evaluation.study.hardware)
    return "\n".join([*parts, *_assumptions(named_note(n, names) for n in notes(evaluation))])


def model_text(model: Model, evaluation: Evaluation) -> str:
    """A model in words: parameters, bytes, layers, assumptions."""
    figures = model_json(model, evaluation)
    work = workload_json(evaluation)
    head: dict[str, Value] = {
        "name": model.name,
        "parameters": f"{model.parameters:,}",
        "active": f"{model.active_parameters:,}",
        "type": model.model_type,
    }
    sizes: dict[str, Value] = {
        "weights": scaled(figures["weight_bytes"], "B"),
        "format": work["weights"],
        "growth": kv_growth_text(model, evaluation.study.workload.context, _kv_value_bytes(model, evaluation), ENGLISH),
        "kv": work["kv"],
        "held": scaled(figures["kv_bytes"], "B"),
        "context": f"{work['context']:,}",
    }
    lines = [render(Message("console.model", head)), render(Message("console.sizes", sizes))]
    crossed = figures.get("cross_kv_bytes_per_encoder_token")
    if crossed is not None:
        lines.append(render(Message("console.cross", {"cross": capacity(crossed)})))
    if model.stored is not None and evaluation.study.workload.weights is None:
        read: dict[str, Value] = {
            "resident": scaled(model.stored.resident, "B"),
            "active": scaled(model.stored.active, "B"),
        }
        lines.append(render(Message("console.file", read)))
    lines += [_layer(layer) for layer in model.layers]
    return "".join(map(_wrapped, lines)) + "".join(
        f"\n{part}" for part in _assumptions(map(of_note, model_notes(model, evaluation)))
    )


def _kv_value_bytes(model: Model, evaluation: Evaluation) -> float:
    """Bytes of one value of the KV cache."""
    return evaluation.evaluator.formats[evaluation.study.workload.kv or model.kv_format].bytes


def devices_text(devices: Iterable[Device]) -> str:
    """The database as a list."""
    return aligned_text(DATABASE_COLUMNS, devices)


def _work(evaluation: Evaluation) -> Message:
    work = workload_json(evaluation)
    name = evaluation.model.name if evaluation.model is not None else ""
    values: dict[str, Value] = {**work, "model": name, "context": f"{work['context']:,}"}
    return Message("console.work", values)


def _operators(evaluation: Evaluation, active: DeviceResult, *, compared: bool) -> list[str]:
    device = device_label(evaluation, active)
    heading = render(Message("console.operators", {"device": device}))
    columns = columns_beside(evaluation, active, compared=compared)
    parts = [heading + "\n" + aligned_text(columns, rows_on(evaluation, active))]
    gains = ", ".join(without_marks(m) for m in lever_texts(evaluation, active.entry.id))
    told = [render(Message("console.levers", {"device": device, "levers": gains}))] if gains else []
    useless = useless_text(levers(evaluation, active.entry.id))
    told += [useless] if useless else []
    return [*parts, _wrapped(" ".join(told))] if told else parts


def _assumptions(notes: Iterable[Message]) -> list[str]:
    lines = [_wrapped(render(n), "- ") for n in notes]
    return [render(Message("console.assumptions")) + "\n" + "".join(lines)] if lines else []


def _layer(layer: LayerSummary) -> str:
    values: dict[str, Value] = {"count": layer.count, "attention": layer.attention, "mlp": layer.mlp}
    return render(Message("console.layer" if layer.count == 1 else "console.layers", values))


def _wrapped(text: str, lead: str = "") -> str:
    return textwrap.fill(text, _WIDTH, initial_indent=lead, subsequent_indent=" " * len(lead)) + "\n"
