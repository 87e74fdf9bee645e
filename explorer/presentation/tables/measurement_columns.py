"""The rows and columns of the Measurements table."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

import explorer.presentation.measured.gap_texts  # noqa: F401 - the headers' words
from explorer.analysis.measured.gap import Gap
from explorer.analysis.study.study import Measurement, Study
from explorer.presentation.hardware.device_names import device_names
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.measured.gap import gap_sentences, verdict_code
from explorer.presentation.quantities.numbers import NOTHING, capacity, seconds
from explorer.presentation.tables.columns import Column, Value, as_text, duration, in_unit, number, ratio, share
from explorer.presentation.words.bounds import BOUND_CELLS
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message

_WORDS = {
    "room": QT_TRANSLATE_NOOP("columns", "much room"),
    "between": QT_TRANSLATE_NOOP("columns", "some room"),
    "limit": QT_TRANSLATE_NOOP("columns", "engineering limit"),
    "at": QT_TRANSLATE_NOOP("columns", "at its bound"),
    "alike": QT_TRANSLATE_NOOP("columns", "beats random routing"),
    "over": QT_TRANSLATE_NOOP("columns", "over the bound"),
    **BOUND_CELLS,
    "step": QT_TRANSLATE_NOOP("columns", "whole step"),
    "counted": QT_TRANSLATE_NOOP("columns", "counted by the tool"),
}


class MeasurementRow(NamedTuple):
    """One measurement; `gap` is None until it was joined to its prediction."""

    key: str
    measurement: Measurement
    device: str
    model: str
    gap: Gap | None = None


def measurement_rows(study: Study, gaps: Mapping[str, Gap]) -> tuple[MeasurementRow, ...]:
    """The study's measurements in its order, with what is known of their gaps."""
    devices = {e: n.plain for e, n in device_names(study.hardware).items()}
    devices |= {e.device.id: devices[e.id] for e in reversed(study.hardware) if e.device.id not in devices}
    models = {m.id: m.name for m in study.models}
    usual = models.get(study.active_model, "")
    found = []
    for measurement in study.measurements:
        gap = gaps.get(measurement.id)
        known = gap if gap is not None and gap.measurement is measurement else None
        model = models.get(measurement.model, measurement.model) if measurement.model else usual
        found.append(MeasurementRow(measurement.id, measurement, devices.get(measurement.device, ""), model, known))
    return tuple(found)


def _of(row: MeasurementRow) -> Value:
    measurement = row.measurement
    if measurement.row is not None:
        return measurement.row
    return "counted" if measurement.flops is not None or measurement.bytes is not None else "step"


def _model(row: MeasurementRow) -> Value:
    return (row.model or None) if _plain_step(row) else None


def of_text(value: Value) -> str:
    """What was timed: an operator by its name, else in words."""
    return _WORDS.get(str(value), str(value)) if value else NOTHING


def _measured(row: MeasurementRow) -> Value:
    return row.measurement.time_s or (row.gap.measured_s if row.gap is not None else None)


def _gap(field: str) -> Callable[[MeasurementRow], Value]:
    def read(row: MeasurementRow) -> Value:
        value = None if row.gap is None else getattr(row.gap, field)
        return None if value is None else value

    return read


def _verdict(row: MeasurementRow) -> Value:
    return None if row.gap is None else verdict_code(row.gap)


def _waits(row: MeasurementRow) -> Value:
    prediction = None if row.gap is None else row.gap.prediction
    return None if prediction is None or row.gap is None or row.gap.efficiency is None else prediction.bound


def _field(name: str) -> Callable[[MeasurementRow], Value]:
    def read(row: MeasurementRow) -> Value:
        value = getattr(row.measurement, name)
        return None if value is None or value == "" else value

    return read


def _words(value: Value) -> str:
    return NOTHING if value is None else _WORDS.get(str(value), str(value))


def _quartiles(row: MeasurementRow) -> Value:
    spread = row.measurement.quartiles_s
    return None if spread is None else f"{seconds(spread[0])} – {seconds(spread[1])}"


def _tip(row: MeasurementRow) -> Message | None:
    if row.gap is None:
        return None
    lines = gap_sentences(row.gap, device=row.device)
    return Message("measured.tip", {"text": "\n".join(lines)}) if lines else None


def _always(_row: MeasurementRow) -> bool:
    return True


def _plain_step(row: MeasurementRow) -> bool:
    return row.measurement.row is None and row.measurement.flops is None and row.measurement.bytes is None


def _no_counts(row: MeasurementRow) -> bool:
    return row.measurement.flops is None and row.measurement.bytes is None


def _column(
    key: str, value: Callable[[MeasurementRow], Value], text: Callable[[Value], str], **more: object
) -> Column[MeasurementRow]:
    return Column(key, Message(f"column.{key}"), value, text, **more)  # type: ignore[arg-type]


def measurement_columns(
    look: Look = ENGLISH, short: Mapping[str, str] | None = None
) -> tuple[Column[MeasurementRow], ...]:
    """Every column that the Measurements table can show; `short` has names without what many share."""
    known = short or {}

    def named(value: Value) -> str:
        return as_text(known.get(str(value), value))

    def whole(row: MeasurementRow) -> Message | None:
        name = row.measurement.name
        return Message("measured.tip", {"text": name}) if name in known else None

    def size(value: Value) -> str:
        return capacity(value, look.unit) if isinstance(value, int | float) else NOTHING

    left = {"right": False}
    typed = {"edit": "text", "can_edit": _always}
    return (
        _column("measurement", lambda r: r.measurement.name, named, style="name", tip=whole, **left, **typed),
        _column("of", _of, of_text, words=True, edit="format", can_edit=_no_counts, **left),
        _column("on", lambda r: r.device or None, as_text, edit="format", can_edit=_always, **left),
        _column("measured_s", _measured, duration, unit="s", **typed),
        _column("bound_s", _gap("bound_s"), duration, unit="s"),
        _column("waits", _waits, _words, style="pill", words=True, **left),
        _column("efficiency", _gap("efficiency"), share, style="bar"),
        _column("verdict", _verdict, _words, words=True, tip=_tip, **left),
        _column("measured_rate", _field("tokens_per_s"), ratio, unit="tokens/s", edit="text", can_edit=_plain_step),
        _column("of_model", _model, as_text, style="muted", edit="format", can_edit=_plain_step, **left),
        _column(
            "phase", _field("phase"), _words, words=True, edit="format", can_edit=_no_counts, style="muted", **left
        ),
        _column("batch", _field("batch"), number, **typed),
        _column("context", _field("context"), number, **typed),
        _column("quartiles", _quartiles, as_text, shown=False),
        _column("runs", _field("runs"), number, shown=False),
        _column("file_size", _field("size_bytes"), size, unit="B", shown=False, **typed),
        _column("measured_flops", _field("flops"), in_unit("FLOP"), unit="FLOP", shown=False),
        _column("measured_bytes", _field("bytes"), in_unit("B"), unit="B", shown=False),
        _column("measured_by", _field("source"), as_text, style="muted", **typed, **left),
    )
