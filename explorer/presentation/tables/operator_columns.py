"""The columns of the Operators table; per-call figures of the active device unless the header says otherwise."""

import math
from collections.abc import Callable, Iterator

from msgspec.structs import replace

import explorer.presentation.quantities.typed_texts  # noqa: F401 - the faults of rows stand in place of their figures
from explorer.analysis.ask.comparison.ratios import operators_time, row_time
from explorer.analysis.ask.shares import dominant_bound
from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.presentation.hardware.device_names import names_in
from explorer.presentation.quantities.dims import dims_text
from explorer.presentation.quantities.numbers import NOTHING, scaled, times
from explorer.presentation.tables.columns import (
    Column,
    Edit,
    Value,
    as_text,
    duration,
    in_unit,
    number,
    ratio,
    share,
    tick,
)
from explorer.presentation.tables.operator_rows import OperatorRow
from explorer.presentation.words.messages import Message, render

FORMAT_FIELDS = ("weights", "activations", "kv", "output", "accumulate")
DEVICE_TIMES = "device_times"  # before the @ of the keys of the columns that show each device's time
Read = Callable[[OperatorRow], Value]


def _is_own(row: OperatorRow) -> bool:
    return row.own is not None


def _always(_row: OperatorRow) -> bool:
    return True


def _cost(field: str) -> Read:
    def read(row: OperatorRow) -> Value:
        return None if row.costs is None else float(getattr(row.costs, field))

    return read


def _bytes(row: OperatorRow) -> Value:
    return None if row.costs is None else float(row.costs.bytes_read + row.costs.bytes_written)


def _intensity(row: OperatorRow) -> Value:
    costs = row.costs
    if costs is None:
        return None
    moved = costs.bytes_read + costs.bytes_written
    return float(costs.flops / moved) if moved > 0 else None


def _time(row: OperatorRow) -> Value:
    return None if row.point is None else float(row.point.time_s)


def _total(row: OperatorRow) -> Value:
    return None if row.point is None else float(row.point.total_s)


def _launch(row: OperatorRow) -> Value:
    """Seconds of launches: 0 under graphs, None where nobody published them."""
    if row.point is None:
        return None
    launch = row.point.seconds("launch")
    return None if row.point.launches_unknown else float(launch or 0.0)


def _bound(row: OperatorRow) -> Value:
    return None if row.point is None else row.point.bound


def _of_roof(row: OperatorRow) -> Value:
    point = row.point
    attainable = None if point is None else point.attainable
    return point.performance / attainable if point is not None and attainable else None


def _peak(row: OperatorRow) -> Value:
    return None if row.point is None else row.point.peak.rate


def _dims(row: OperatorRow) -> Value:
    return dims_text(*_given(row))


def _given(row: OperatorRow) -> tuple[dict[str, float], tuple[str, ...]]:
    """Dims in their kind's order; those that the user left out stand at the kind's defaults, unless that is none."""
    given = {name: float(value) for name, value in row.row.dims.items()}
    if row.about is None:
        return given, ()
    order = tuple(d.name for d in row.about.dims)
    usual = {d.name: d.default for d in row.about.dims if d.default} if row.own is not None else {}
    return usual | given, order


def _kind_tip(row: OperatorRow) -> Message | None:
    return Message("tip.kind", {"kind": row.about.en}) if row.about is not None and row.about.en else None


def _bandwidth_source(device: Device) -> str:
    level = device.outermost
    origin = level.origins.get("bandwidth")
    return _source(device, level.source if origin is None else origin.source)


def _source(device: Device, key: str) -> str:
    source = device.sources.get(key)
    return (source.title or source.kind) if source is not None else (key or "–")


def _time_tip(row: OperatorRow) -> Message | None:
    device = row.device
    if row.point is None or device is None:
        return None
    level = device.outermost
    rate = scaled(row.point.bandwidth, "B/s")
    values = {"level": level.level, "device": row.on, "rate": rate, "source": _bandwidth_source(device)}
    return Message("tip.time_least" if row.point.launches_unknown else "tip.time", values)


def _peak_tip(row: OperatorRow) -> Message | None:
    if row.point is None or row.device is None:
        return None
    peak = row.point.peak
    if peak.entry is None:
        return Message("tip.not_judged")
    if peak.stands_in_for:
        return Message("tip.stands_in", {"format": peak.stands_in_for, "stand_in": peak.format})
    values = {"format": peak.format, "device": row.on, "rate": scaled(peak.rate, "FLOP/s")}
    return Message("tip.peak", {**values, "source": _source(row.device, peak.entry.source)})


def _name_tip(row: OperatorRow) -> Message | None:
    if row.problem is not None:
        return Message(row.problem.code, row.problem.values)
    return None if row.enabled else Message("tip.left_out")


def _format_column(field: str) -> Column[OperatorRow]:
    edit: Edit = "accumulate" if field == "accumulate" else "format"

    def read(row: OperatorRow) -> Value:
        value: str | None = getattr(row.row, field)
        return value

    def changed(row: OperatorRow) -> bool:
        return getattr(row.override or row.own, field, None) is not None

    def tip(row: OperatorRow) -> Message | None:
        return Message("tip.overridden") if row.override is not None and changed(row) else None

    return Column(
        field, Message(f"column.{field}"), read, as_text, right=False, shown=False, edit=edit, can_edit=_always,
        changed=changed, tip=tip,
    )  # fmt: skip


def _fused(row: OperatorRow) -> Value:
    part = row.override or row.own
    return 1.0 if part is not None and part.fused else 0.0


def _fused_tip(row: OperatorRow) -> Message | None:
    return Message("tip.overridden") if row.override is not None and row.override.fused else None


def _column(key: str, value: Read, text: Callable[[Value], str], unit: str = "", **more: object) -> Column[OperatorRow]:
    return Column(key, Message(f"column.{key}"), value, text, unit, **more)  # type: ignore[arg-type]


def _of_active(figure: Callable[[DeviceResult], Value]) -> Callable[[Evaluation], Value]:
    """A figure of the step on the active device."""
    return lambda evaluation: None if evaluation.active is None else figure(evaluation.active)


def _whole_time(result: DeviceResult) -> Value:
    return float(result.totals.time_s)


def _whole_intensity(evaluation: Evaluation) -> Value:
    moved = float(evaluation.traffic.bytes)
    return float(evaluation.traffic.flops) / moved if moved > 0 else None


_TIMES = frozenset({"bound", "time", "total"})
OPERATOR_COLUMNS: tuple[Column[OperatorRow], ...] = (
    _column(
        "name", lambda r: r.row.name, as_text, right=False, style="name", edit="text", can_edit=_is_own, tip=_name_tip
    ),
    _column(
        "kind", lambda r: r.row.kind, as_text, right=False, style="muted", edit="kind", can_edit=_is_own, tip=_kind_tip
    ),
    _column("count", lambda r: float(r.row.count), number, edit="number", can_edit=_is_own),
    _column("dims", _dims, as_text, right=False, shown=False, edit="dims", can_edit=_is_own),
    *(_format_column(f) for f in FORMAT_FIELDS),
    _column(
        "fused",
        _fused,
        tick,
        right=False,
        style="check",
        shown=False,
        edit="check",
        can_edit=_always,
        changed=lambda r: bool(_fused(r)),
        tip=_fused_tip,
    ),
    _column(
        "enabled",
        lambda r: float(r.enabled),
        tick,
        right=False,
        style="check",
        shown=False,
        edit="check",
        can_edit=_is_own,
    ),
    _column("flops", _cost("flops"), in_unit("FLOP"), "FLOP", total=lambda e: float(e.traffic.flops)),
    _column("bytes", _bytes, in_unit("B"), "B", total=lambda e: float(e.traffic.bytes)),
    _column("bytes_read", _cost("bytes_read"), in_unit("B"), "B", shown=False),
    _column("bytes_written", _cost("bytes_written"), in_unit("B"), "B", shown=False),
    _column("weight_bytes", _cost("weight_bytes"), in_unit("B"), "B", shown=False),
    _column("kv_bytes", _cost("kv_bytes"), in_unit("B"), "B", shown=False),
    _column("intensity", _intensity, ratio, "FLOP/B", total=_whole_intensity),
    _column(
        "bound", _bound, as_text, right=False, style="pill", words=True, tip=_peak_tip, total=_of_active(dominant_bound)
    ),
    _column(
        "compute_format",
        lambda r: None if r.point is None else r.point.peak.format,
        as_text,
        right=False,
        shown=False,
        tip=_peak_tip,
    ),
    _column("peak", _peak, in_unit("FLOP/s"), "FLOP/s", shown=False, tip=_peak_tip),
    _column(
        "attainable",
        lambda r: None if r.point is None else r.point.attainable,
        in_unit("FLOP/s"),
        "FLOP/s",
        shown=False,
        tip=_peak_tip,
    ),
    _column("of_roof", _of_roof, share, shown=False),
    _column("kernels", _cost("kernels"), number, shown=False),
    _column("launch", _launch, duration, "s", shown=False),
    _column("time", _time, duration, "s", tip=_time_tip, total=_of_active(_whole_time)),
    _column("total", _total, duration, "s", shown=False, tip=_time_tip, total=_of_active(_whole_time)),
    _column("share", lambda r: r.share, share, style="bar", tip=lambda _r: Message("tip.share")),
    _column("flop_share", lambda r: r.flop_share, share, style="bar", tip=lambda _r: Message("tip.flop_share")),
    _column("group", lambda r: r.row.group or None, as_text, right=False, style="muted", shown=False),
)


def columns_on(result: DeviceResult | None) -> tuple[Column[OperatorRow], ...]:
    """The columns of figures on one device; where its launches are unknown, headers of times say so."""
    if result is None or not result.launches_unknown:
        return OPERATOR_COLUMNS
    return tuple(
        replace(c, header=Message(f"column.{c.key}_least")) if c.key in _TIMES else c for c in OPERATOR_COLUMNS
    )


def operator_columns(evaluation: Evaluation) -> tuple[Column[OperatorRow], ...]:
    """Every column that the Operators table can show."""
    return (*columns_on(evaluation.active), *device_columns(evaluation))


def device_columns(evaluation: Evaluation) -> tuple[Column[OperatorRow], ...]:
    """A group of columns for each visible device: what rows wait for, their time, its ratio to the baseline's."""
    return tuple(c for d in evaluation.devices if d.entry.visible for c in _columns_of(evaluation, d))


def _columns_of(evaluation: Evaluation, result: DeviceResult) -> Iterator[Column[OperatorRow]]:
    group, entry = _group(evaluation, result), result.entry.id
    time = Message("column.time_least" if result.launches_unknown else "column.time")
    yield Column(
        f"{DEVICE_TIMES}@bound@{entry}", Message("column.bound"), _bound_on(entry), as_text, right=False, style="pill",
        words=True, shown=False, group=group, total=_of_entries(dominant_bound, entry),
    )  # fmt: skip
    yield Column(
        f"{DEVICE_TIMES}@time@{entry}", time, _time_on(entry), duration, "s", shown=False, group=group,
        total=_of_entries(_time_with_room, entry),
    )  # fmt: skip
    if evaluation.baseline is None or evaluation.baseline is result:
        return
    base = evaluation.baseline.entry.id
    yield Column(
        f"{DEVICE_TIMES}@ratio@{entry}", Message("column.ratio"), _ratio_to(entry, base), times_text, shown=False,
        group=group, total=_of_entries(lambda one, other: operators_time(one, other).value, entry, base),
        tip=_ratio_tip(entry, base, *(names_in(evaluation)[one].label for one in (entry, base))),
    )  # fmt: skip


def _group(evaluation: Evaluation, result: DeviceResult) -> str:
    """A device with its number, and that the step has no room where it has none: its operators' times stay bounds."""
    name = names_in(evaluation)[result.entry.id].label
    return render(Message("column.no_room", {"device": name})) if result.fits is False else name


def _time_with_room(result: DeviceResult) -> Value:
    """Seconds of the operators one after the other; not a number where the step has no room."""
    return math.nan if result.fits is False else float(result.totals.time_s)


def ratio_column(evaluation: Evaluation, result: DeviceResult) -> Column[OperatorRow] | None:
    """For a table of one device's figures: its times as multiples of the baseline's; None for the baseline's own."""
    baseline = evaluation.baseline
    if baseline is None or baseline is result:
        return None
    header = Message("column.ratio_to", {"device": names_in(evaluation)[baseline.entry.id].label})
    return Column("ratio", header, _ratio_to(result.entry.id, baseline.entry.id), times_text)


def _of_entries(figure: Callable[..., Value], *entries: str) -> Callable[[Evaluation], Value]:
    """A figure of devices of the hardware; None of an evaluation that lacks one."""

    def total(evaluation: Evaluation) -> Value:
        known = {d.entry.id: d for d in evaluation.devices}
        return figure(*(known[e] for e in entries)) if all(e in known for e in entries) else None

    return total


def _bound_on(entry: str) -> Read:
    def read(row: OperatorRow) -> Value:
        point = row.on_entry(entry)
        return None if point is None else point.bound

    return read


def _time_on(entry: str) -> Read:
    def read(row: OperatorRow) -> Value:
        point = row.on_entry(entry)
        return None if point is None else float(point.time_s)

    return read


def _ratio_to(entry: str, base: str) -> Read:
    def read(row: OperatorRow) -> Value:
        one, other = row.on_entry(entry), row.on_entry(base)
        return None if one is None or other is None else row_time(one, other).value

    return read


def _ratio_tip(entry: str, base: str, own: str, before: str) -> Callable[[OperatorRow], Message | None]:
    """What the ratio is to, or whose launches are unknown where there is none."""

    def tip(row: OperatorRow) -> Message | None:
        one, other = row.on_entry(entry), row.on_entry(base)
        if one is None or other is None:
            return None
        if row_time(one, other).why == "launches":
            return Message("tip.ratio_launches", {"device": own if one.launches_unknown else before})
        return Message("tip.ratio", {"device": before})

    return tip


def times_text(value: Value) -> str:
    """A ratio of times."""
    return times(value) if isinstance(value, int | float) else NOTHING
