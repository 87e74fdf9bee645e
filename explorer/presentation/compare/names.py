"""How a comparison names its rows: machines, models, formats, what-ifs, measurements."""

from typing import Final

from msgspec import UNSET

from explorer.analysis.ask.comparison.compared import ComparedRow, Comparison
from explorer.analysis.ask.comparison.subjects import Subject
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.study.choices import Vary
from explorer.analysis.study.variant import ScaleDevice, SetFormats
from explorer.presentation.hardware.device_names import names_in
from explorer.presentation.hardware.short_names import name_forms
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import significant, whole
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.visible import one_line

_BETWEEN: Final = " · "


def subject_name(evaluation: Evaluation, subject: Subject, vary: Vary, look: Look = ENGLISH) -> str:
    """The name of a row, told apart from its siblings."""
    if vary == "machines":
        return one_line(names_in(evaluation, look)[subject.entry.id].label)
    if isinstance(subject.edit, SetFormats) and vary == "formats":
        return _format_name(subject.edit, look)
    return one_line(subject.name) or _as_it_is(evaluation, vary, look)


def shorter_names(evaluation: Evaluation, found: Comparison, look: Look = ENGLISH) -> dict[str, tuple[str, ...]]:
    """The name of each row by its key, and shorter ones for where there is little room, each its row's alone."""
    names = {row.subject.key: subject_name(evaluation, row.subject, found.vary, look) for row in found.rows}
    devices = {r.subject.key: r.subject.entry.device for r in found.rows} if found.vary == "machines" else {}
    return name_forms(names, devices)


def formats_text(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """The formats in use: weights and KV bf16."""
    model, work = evaluation.model, evaluation.study.workload
    if model is None:
        return ""
    weights, kv = work.weights or model.weights_format, work.kv or model.kv_format
    key = "compare.formats_weights" if not model.has_cache else "compare.formats_same"
    if model.has_cache and weights != kv:
        key = "compare.formats_two"
    return render(Message(key, {"weights": weights, "kv": kv}), look)


def row_note(row: ComparedRow, vary: Vary, look: Look = ENGLISH) -> str:
    """What stands under a row's name: why it has no step, or that its devices are ideal; empty without."""
    result = row.subject.result
    if result is None or vary == "measurements":
        return ""
    if not row.room:
        most = row.cells["largest_batch"].value
        if most:
            return render(Message("compare.row.up_to", {"batch": whole(most)}), look)
        return render(Message("compare.row.no_room"), look)
    evaluation = row.subject.evaluation
    if vary == "what_ifs" and isinstance(row.subject.edit, ScaleDevice) and evaluation is not None:
        return one_line(names_in(evaluation, look)[row.subject.entry.id].label)
    return render(Message("compare.row.ideal"), look) if vary == "machines" and result.is_ideal else ""


def measured_on(evaluation: Evaluation, found: Comparison, row: ComparedRow, look: Look = ENGLISH) -> str:
    """The device of a measurement where not all are of one; empty otherwise."""
    if found.vary != "measurements" or len({r.subject.entry.id for r in found.rows}) < 2:
        return ""
    return one_line(names_in(evaluation, look)[row.subject.entry.id].label)


def paper_note(row: ComparedRow, vary: Vary, look: Look = ENGLISH) -> str:
    """The same where the column of ridges is left out: the baseline is named, and of a machine its ridge."""
    parts = [render(Message("compare.row.baseline"), look)] if row.is_baseline and vary != "measurements" else []
    ridge = row.cells.get("ridge")
    note = row_note(row, vary, look)
    if note:
        parts.append(note)
    elif vary == "machines" and ridge is not None and ridge.value is not None:
        parts.append(render(Message("compare.row.ridge", {"ridge": significant(ridge.value)}), look))
    return _BETWEEN.join(parts)


def _as_it_is(evaluation: Evaluation, vary: Vary, look: Look) -> str:
    formats = formats_text(evaluation, look) if vary == "formats" else ""
    return formats or render(Message("compare.row.as_it_is"), look)


def _format_name(edit: SetFormats, look: Look) -> str:
    weights = "" if edit.weights is UNSET else str(edit.weights)
    kv = "" if edit.kv is UNSET else str(edit.kv)
    key = "both" if weights and kv else "weights" if weights else "kv"
    return render(Message(f"compare.row.{key}", {"format": weights or kv, "weights": weights, "kv": kv}), look)
