"""What an imported file says, as JSON and as tables for a terminal or a window."""

from collections.abc import Callable, Iterable
from typing import Any

import explorer.presentation.measured.import_texts  # noqa: F401 - the sentences used here
from explorer.analysis.measured.edits import impossible
from explorer.analysis.measured.imported import Ceiling, Imported, MeasuredPoint, Skipped
from explorer.presentation.answer.json_result import figure, sentences
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import percent, seconds
from explorer.presentation.tables.columns import Column, Value, as_text, in_unit, number
from explorer.presentation.views.decode import rate_text
from explorer.presentation.words.messages import Message, of_note, render

Json = dict[str, Any]
Values = dict[str, str | int | float]
_ALWAYS = ("time_s", "flops", "bytes", "tokens_per_s")
_MAYBE = (
    "total_s", "quartiles_s", "deviation_s", "phase", "batch", "context", "depth", "model", "file", "size_bytes",
    "parameters", "format", "kv", "device", "backend", "threads", "offloaded_layers", "memory_busy", "compute_busy",
)  # fmt: skip


def imported_json(imported: Imported) -> Json:
    """What `import --json` prints: figures per call in SI base units, undefined ones null."""
    return {
        "tool": imported.tool,
        "kind": imported.kind,
        "device": imported.device or None,
        "points": [_point(p) for p in imported.points],
        "ceilings": [_ceiling(c) for c in imported.ceilings],
        "skipped": [{"where": s.where, "why": _why(s), "count": s.count} for s in imported.skipped],
        "notes": [*sentences(imported.notes), *warnings(imported)],
    }


def _point(point: MeasuredPoint) -> Json:
    found: Json = {"name": point.name, "calls": figure(point.calls)}
    found |= {key: _tidy(getattr(point, key)) for key in _ALWAYS}
    found |= {
        "intensity_flop_per_byte": _ratio(point.flops, point.bytes),
        "rate_flop_per_s": _ratio(point.flops, point.time_s),
        "rate_byte_per_s": _ratio(point.bytes, point.time_s),
    }
    extra = ((key, getattr(point, key)) for key in _MAYBE)
    found |= {k: [_tidy(x) for x in v] if isinstance(v, tuple) else _tidy(v) for k, v in extra if v not in {None, ""}}
    return found | ({"notes": sentences(point.notes)} if point.notes else {})


def _ceiling(ceiling: Ceiling) -> Json:
    if ceiling.format:
        found: Json = {"format": ceiling.format, "unit": ceiling.unit, "rate_flop_per_s": _tidy(ceiling.rate)}
    elif ceiling.link:
        found = {"link": ceiling.link, "rate_byte_per_s": _tidy(ceiling.rate)}
    else:
        found = {"level": ceiling.level, "rate_byte_per_s": _tidy(ceiling.rate)}
    extra = {"name": ceiling.name, "device": ceiling.device, "low": ceiling.low, "high": ceiling.high}
    found |= {k: _tidy(v) for k, v in extra.items() if v not in {None, ""}}
    return found | ({"doubtful": True} if ceiling.doubtful else {})


def _tidy(value: Any) -> Any:
    """A figure without the noise of binary fractions; whole ones without a fraction."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return value
    return figure(float(f"{value:.15g}"))


def _ratio(amount: float | None, by: float | None) -> float | None:
    return figure(amount / by) if amount is not None and by else None


def _why(skipped: Skipped, look: Look = ENGLISH) -> str:
    return render(of_note(skipped.why), look)


def warnings(imported: Imported, look: Look = ENGLISH) -> list[str]:
    """Ceilings that cannot all be right."""
    return [
        render(Message("import.impossible", {"inner": inner.level, "outer": outer.level}), look)
        for inner, outer in impossible(imported.ceilings)
    ]


def skipped_texts(skipped: Iterable[Skipped], look: Look = ENGLISH) -> list[str]:
    """One line for each part that was left out."""
    lines = []
    for item in skipped:
        values: Values = {"where": item.where, "why": _why(item, look), "count": item.count}
        lines.append(render(Message("import.left_out" if item.count == 1 else "import.left_out_many", values), look))
    return lines


def heading(imported: Imported, look: Look = ENGLISH) -> str:
    """How much of what was found."""
    ceilings = imported.kind == "ceilings"
    counts: Values = {"tool": imported.tool, "count": len(imported.ceilings if ceilings else imported.points)}
    text = render(Message("import.heading_ceilings" if ceilings else "import.heading", counts), look)
    device = render(Message("import.device", {"device": imported.device}), look) if imported.device else ""
    return f"{text} {device}".strip()


def _column(
    key: str, value: Callable[[Any], Value], text: Callable[[Value], str], *, right: bool = True, unit: str = ""
) -> Column[Any]:
    return Column(key, Message(f"column.import_{key}"), value, text, unit=unit, right=right)


def _seconds(value: Value) -> str:
    return seconds(value if isinstance(value, int | float) else None)


def _rate(value: Value) -> str:
    return rate_text(value if isinstance(value, int | float) else None)


def _percent(value: Value) -> str:
    return percent(value if isinstance(value, int | float) else None)


POINT_COLUMNS: tuple[Column[MeasuredPoint], ...] = (
    _column("name", lambda p: p.name, as_text, right=False),
    _column("calls", lambda p: p.calls, number),
    _column("time", lambda p: p.time_s, _seconds, unit="s"),
    _column("flops", lambda p: p.flops, in_unit("FLOP"), unit="FLOP"),
    _column("bytes", lambda p: p.bytes, in_unit("B"), unit="B"),
    _column("intensity", lambda p: _ratio(p.flops, p.bytes), in_unit("FLOP/B"), unit="FLOP/B"),
    _column("tokens", lambda p: p.tokens_per_s, _rate, unit="tokens/s"),
    _column("memory_busy", lambda p: p.memory_busy, _percent),
    _column("compute_busy", lambda p: p.compute_busy, _percent),
    _column("device", lambda p: p.device or None, as_text, right=False),
)
CEILING_COLUMNS: tuple[Column[Ceiling], ...] = (
    _column("of", lambda c: c.level or c.link or c.format, as_text, right=False),
    _column("bandwidth", lambda c: None if c.format else c.rate, in_unit("B/s"), unit="B/s"),
    _column("compute", lambda c: c.rate if c.format else None, in_unit("FLOP/s"), unit="FLOP/s"),
    _column("measured", lambda c: c.name, as_text, right=False),
    _column("device", lambda c: c.device or None, as_text, right=False),
)


def used(columns: Iterable[Column[Any]], rows: Iterable[Any]) -> list[Column[Any]]:
    """The columns in which some row says something."""
    listed = list(rows)
    return [c for c in columns if any(c.value(row) is not None for row in listed)]
