"""Columns that compare the devices of a study, and those that list the database."""

from collections.abc import Callable
from typing import NamedTuple

import explorer.presentation.tables.device_column_texts  # noqa: F401 - the headers' words
from explorer.analysis.ask.knees import Knees, knees
from explorer.analysis.ask.shares import dominant_bound
from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.machines.single import Machine
from explorer.presentation.hardware.device_names import names_in
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import NOTHING, capacity
from explorer.presentation.tables.columns import Column, Value, as_text, duration, in_unit, number, ratio
from explorer.presentation.words.bounds import BOUND_CELLS_UNKNOWN
from explorer.presentation.words.messages import Message
from explorer.presentation.words.said.launches import time_text
from explorer.presentation.words.said.routing import pace_text


class DeviceRow(NamedTuple):
    """One device of an evaluation."""

    result: DeviceResult
    knees: Knees | None


def device_rows(evaluation: Evaluation) -> tuple[DeviceRow, ...]:
    """The visible devices, in the study's order."""
    return tuple(DeviceRow(d, knees(evaluation, d.entry.id)) for d in evaluation.devices if d.entry.visible)


def _figure(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None


def _total(field: str) -> Callable[[DeviceRow], Value]:
    return lambda row: _figure(getattr(row.result.totals, field))


def _routed(field: str) -> Callable[[DeviceRow], Value]:
    """A figure of the step with the experts that it reads, not the fewest."""
    return lambda row: _figure(getattr(row.result.totals.routed, field))


def _bound(row: DeviceRow) -> str:
    bound = dominant_bound(row.result)
    return BOUND_CELLS_UNKNOWN.get(bound, bound) if row.result.launches_unknown else bound


def _inputs(each: float) -> Callable[[DeviceRow], Value]:
    """Inputs per second, each of so many tokens."""

    def value(row: DeviceRow) -> Value:
        rate = _figure(row.result.totals.routed.tokens_per_s)
        return None if rate is None else rate / each

    return value


def _step(evaluation: Evaluation) -> tuple[Callable[[DeviceRow], Value], Callable[[Value], str]]:
    """Seconds of the operators; a text where launches of some device are unknown."""
    if not any(d.launches_unknown for d in evaluation.devices if d.entry.visible):
        return _total("time_s"), duration
    return (lambda row: time_text(row.result, duration(_figure(row.result.totals.time_s)))), as_text


def _bytes(look: Look) -> Callable[[Value], str]:
    return lambda value: capacity(value, look.unit) if isinstance(value, int | float) else NOTHING


def comparison_columns(evaluation: Evaluation, look: Look = ENGLISH) -> tuple[Column[DeviceRow], ...]:
    """What decides between devices; columns without meaning for this study are left out."""
    names = names_in(evaluation)
    roofs: tuple[Column[DeviceRow], ...] = (
        Column("device", Message("column.device"), lambda r: names[r.result.entry.id].label, as_text, right=False),
        Column("bound", Message("column.bound"), _bound, as_text, right=False, words=True),
        Column("bandwidth", Message("column.bandwidth"), lambda r: r.result.machine.bandwidth, in_unit("B/s"), "B/s"),
        Column("peak", Message("column.peak"), lambda r: r.result.main_peak.rate, in_unit("FLOP/s"), "FLOP/s"),
        Column("ridge", Message("column.ridge"), lambda r: r.result.ridge, ratio, "FLOP/B"),
    )
    routed = any(d.totals.routing_matters for d in evaluation.devices if d.entry.visible)
    how = {"routing": pace_text(evaluation, look, "short")}
    marked = "_routed" if routed else ""
    floor: Column[DeviceRow] = Column("floor", Message("column.floor"), _total("floor_s"), duration, "s")
    by_routing: Column[DeviceRow] = Column("routed", Message("column.routed", how), _routed("seconds"), duration, "s")
    times: tuple[Column[DeviceRow], ...] = (
        *((floor, by_routing) if routed else (floor,)),
        Column("step", Message("column.step"), *_step(evaluation), "s"),
        Column("expected", Message("column.expected"), _expected, as_text),
    )
    if evaluation.model is None:
        return (*roofs, *times)
    each = evaluation.tokens_per_input
    speeds: tuple[Column[DeviceRow], ...] = (
        Column(
            "per_request",
            Message(f"column.per_request{marked}", how),
            _routed("tokens_per_s_per_request"),
            ratio,
            "tokens/s",
        ),
        Column("in_all", Message(f"column.in_all{marked}", how), _routed("tokens_per_s"), ratio, "tokens/s"),
    )
    if each is not None:
        speeds = (Column("in_all", Message("column.inputs_per_s"), _inputs(each), ratio, "inputs/s"),)
    held: tuple[Column[DeviceRow], ...] = (
        Column("memory", Message("column.memory"), _total("memory_bytes"), _bytes(look), "B"),
        Column("capacity", Message("column.capacity"), _total("capacity"), _bytes(look), "B"),
    )
    if not evaluation.phase.has_batch_knees:
        return (*roofs, *times, *speeds, *held)
    fit: Column[DeviceRow] = Column("fit", Message("column.fit"), _fit, number)
    return (*roofs, *times, *speeds, *held, fit)


def _fit(row: DeviceRow) -> Value:
    return None if row.knees is None else _figure(row.knees.fit_batch)


def _expected(row: DeviceRow) -> str:
    low, high = row.result.totals.expected_s
    return time_text(row.result, f"{duration(float(low))} – {duration(float(high))}")


def _peak(device: Device) -> float | None:
    choice = Machine(device).peak("tensor", "bf16")
    return choice.rate if choice.format in {"bf16", "fp16"} else None


DATABASE_COLUMNS: tuple[Column[Device], ...] = (
    Column("device", Message("column.device"), lambda d: d.name, as_text, right=False),
    Column("bandwidth", Message("column.bandwidth"), lambda d: d.bandwidth, in_unit("B/s"), "B/s"),
    Column("bf16", Message("column.bf16"), _peak, in_unit("FLOP/s"), "FLOP/s"),
    Column("capacity", Message("column.capacity"), lambda d: d.capacity, _bytes(Look(unit="GiB")), "B"),
    Column("id", Message("column.id"), lambda d: d.id, as_text, right=False),
)
