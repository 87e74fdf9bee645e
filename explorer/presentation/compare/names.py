"""How a comparison names its rows: machines, models, formats, what-ifs, measurements."""

import re
from typing import Final

from msgspec import UNSET

from explorer.analysis.ask.comparison.compared import ComparedRow, Comparison
from explorer.analysis.ask.comparison.subjects import Subject
from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.study.choices import Vary
from explorer.analysis.study.variant import ScaleDevice, SetFormats
from explorer.presentation.hardware.device_names import names_in
from explorer.presentation.hardware.entries import plain_name
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import significant, whole
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.visible import one_line

_SIZE: Final = re.compile(r" \d+ ?Gi?B$")


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
    forms = {key: [name] for key, name in names.items()}
    if found.vary == "machines":
        for shorten in (_without_vendor, _without_form, _without_size):
            shorter = {r.subject.key: shorten(r.subject.entry.device, forms[r.subject.key][-1]) for r in found.rows}
            for key, name in shorter.items():
                others = [n for other, n in shorter.items() if other != key]
                if name and name not in others and name not in forms[key]:
                    forms[key].append(name)
    return {key: tuple(found) for key, found in forms.items()}


def _without_vendor(device: Device, name: str) -> str:
    return plain_name(device, name)


def _without_form(device: Device, name: str) -> str:
    """A100 SXM4 80GB is A100 80GB."""
    return name.replace(f" {device.form}", "", 1) if device.form else name


def _without_size(_device: Device, name: str) -> str:
    return _SIZE.sub("", name)


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


def paper_note(row: ComparedRow, vary: Vary, look: Look = ENGLISH) -> str:
    """The same where the column of ridges is left out: the baseline is named, and of a machine its ridge."""
    if row.is_baseline and vary != "measurements":
        return render(Message("compare.row.baseline"), look)
    ridge = row.cells.get("ridge")
    note = row_note(row, vary, look)
    if note or vary != "machines" or ridge is None or ridge.value is None:
        return note
    return render(Message("compare.row.ridge", {"ridge": significant(ridge.value)}), look)


def _as_it_is(evaluation: Evaluation, vary: Vary, look: Look) -> str:
    formats = formats_text(evaluation, look) if vary == "formats" else ""
    return formats or render(Message("compare.row.as_it_is"), look)


def _format_name(edit: SetFormats, look: Look) -> str:
    weights = "" if edit.weights is UNSET else str(edit.weights)
    kv = "" if edit.kv is UNSET else str(edit.kv)
    key = "both" if weights and kv else "weights" if weights else "kv"
    return render(Message(f"compare.row.{key}", {"format": weights or kv, "weights": weights, "kv": kv}), look)
