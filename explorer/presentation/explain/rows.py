"""Operator rows explained: FLOPs, bytes, intensity, time, share, bound."""

from collections.abc import Sequence
from functools import lru_cache

from msgspec.structs import replace

from explorer.analysis.ask.main_work import ridge_of
from explorer.analysis.ask.row_figures import PER_VALUE, formula_values, uncounted
from explorer.analysis.ask.shares import sum_of
from explorer.analysis.catalogue.formula import names_in
from explorer.analysis.catalogue.kinds import OperatorKind
from explorer.analysis.step.placement import Point
from explorer.analysis.step.resources import BOUND_OF
from explorer.analysis.step.work import Use
from explorer.presentation.explain.beside import beside_lines
from explorer.presentation.explain.device import bandwidth_line, cited, launch_line, peak_lines, ridge_line
from explorer.presentation.explain.lines import Explanation, Line, Teller, bare
from explorer.presentation.quantities.formula_text import THIN, formula_number, pretty
from explorer.presentation.quantities.numbers import NOTHING, percent, scaled, seconds, significant
from explorer.presentation.words.bounds import bound_text, bound_word

_TOLD = frozenset({"compute", "memory", "launch"})  # each with its arithmetic; others by their time alone
_LISTED = 4  # rows of a sum that are written out


def of_row(teller: Teller, point: Point) -> Explanation:
    """One row, per call, then all its calls."""
    kind = teller.evaluation.evaluator.kinds[point.row.kind].kind
    count = formula_number(float(point.row.count))
    about = teller.say("sub.row", kind=kind.en or kind.id, count=count, device=teller.device_name)
    values = formula_values(teller.evaluation, point, kind)
    beside = beside_lines(teller, point)
    lines = [
        *(beside if teller.compares else ()),
        *_cost_lines(teller, point, kind, values),
        *_intensity_lines(teller, point),
        *_time_lines(teller, point),
        *(() if teller.compares else beside),
        *_extras(teller, point, kind, values),
        *_meanings(teller, point, kind),
    ]
    return Explanation(point.row.name, about, cited(teller, lines))


def _cost_lines(teller: Teller, point: Point, kind: OperatorKind, values: dict[str, float]) -> list[Line]:
    costs = point.costs
    override = teller.evaluation.evaluator.overrides.get(point.row.name)
    fused = override is not None and override.fused and not point.row.own
    read, written = (f"{kind.weight_bytes} + {kind.kv_bytes}", "0") if fused else (kind.bytes_read, kind.bytes_written)

    def told(key: str, text: str, value: float, unit: str) -> Line:
        symbols, numbers = pretty(text), pretty(text, values)
        chain = ("", "") if symbols == numbers else (symbols, numbers)
        return teller.line(key, *chain, scaled(value, unit), value=value)

    lines = [
        told("flops", kind.flops, float(costs.flops), "FLOP"),
        told("read", read, float(costs.bytes_read), "B"),
        told("written", written, float(costs.bytes_written), "B"),
    ]
    for derived in kind.derived:
        number, text = values[derived.name], derived.formula
        lines.append(Line(derived.name, pretty(text), pretty(text, values), _amount(number), value=number))
    return [*lines, teller.remark("fused")] if fused else lines


def _amount(value: float) -> str:
    return formula_number(value) if value < 1e7 else bare(value)


def _intensity_lines(teller: Teller, point: Point) -> list[Line]:
    flops, moved = float(point.costs.flops), float(point.bytes)
    value = None if point.intensity is None else float(point.intensity)
    numbers = f"{bare(flops)} / {bare(moved)}"
    result = NOTHING if value is None else significant(value)
    own = Line(
        teller.say("intensity"), "FLOPs/bytes", numbers, result, "FLOP/byte", _against(teller, point, value), value
    )
    return [own, ridge_line(teller, point.peak)]


def _against(teller: Teller, point: Point, intensity: float | None) -> str:
    """The intensity beside the ridge of the row's own peak."""
    ridge = ridge_of(point.peak, teller.device.machine)
    if intensity is None or ridge is None:
        return ""
    return teller.say("below_ridge" if intensity < ridge else "above_ridge", ridge=significant(ridge))


def _time_lines(teller: Teller, point: Point) -> list[Line]:
    costs, peak = point.costs, point.peak
    lines = [*peak_lines(teller, peak), bandwidth_line(teller)]
    parts: list[str] = []
    compute, memory = point.seconds("compute"), point.seconds("memory") or 0.0
    if compute is not None and peak.rate is not None:
        parts.append(seconds(float(compute)))
        numbers = f"{bare(float(costs.flops))} / {bare(peak.rate)}"
        lines.append(teller.line("compute_time", "FLOPs/peak", numbers, parts[-1], value=float(compute)))
    parts.append(seconds(float(memory)))
    numbers = f"{bare(float(point.bytes))} / {bare(point.bandwidth)}"
    lines.append(teller.line("memory_time", "bytes/bandwidth", numbers, parts[-1], value=float(memory)))
    if teller.evaluation.study.workload.launch == "eager":
        launch = point.seconds("launch")
        parts += [] if launch is None else [seconds(float(launch))]
        lines.append(launch_line(teller, float(costs.kernels), 0.0 if launch is None else float(launch)))
    uses = teller.device.uses_of(point)
    others = [_use_line(teller, use) for use in uses if use.tier == "step" and use.resource.kind not in _TOLD]
    parts += [line.result for line in others]
    lines += others
    largest = f"max({', '.join(parts)})" if len(parts) > 1 else ""
    spent = float(point.time_s)
    least = teller.say("time_least") if point.launches_unknown else ""
    lines.append(teller.line("time", "", largest, seconds(spent), least, value=spent))
    lines.append(Line("", source=bound_text(point.bound, "sentence", teller.look)))
    lines += [line for use in uses if use.tier == "detail" for line in _detail_lines(teller, point, use)]
    return [*lines, _calls_line(teller, point), *_share_lines(teller, [point])]


def _use_line(teller: Teller, use: Use) -> Line:
    """What a row takes of a resource that has no words of its own."""
    of, spent = use.resource, use.seconds
    label = bound_word(BOUND_OF[of.kind], teller.look) if use.tier == "step" else str(of.key)
    if spent is None:
        return Line(label, result=NOTHING, source=str(of.key))
    formula, numbers = "bytes/rate", f"{bare(float(use.amount))} / {bare((of.rate or 0.0) * use.rate_factor)}"
    if of.kind == "link" and of.latency is not None and use.calls:
        formula += " + messages·latency"
        numbers += f" + {formula_number(float(use.calls))}·{seconds(of.latency)}"
    return Line(label, formula, numbers, seconds(float(spent)), source=str(of.key), value=float(spent))


def _detail_lines(teller: Teller, point: Point, use: Use) -> list[Line]:
    """What stands beside the step's time: time and intensity at an inner memory."""
    line = replace(_use_line(teller, use), source=teller.say("detail"))
    if not use.amount:
        return [line]
    intensity = float(point.costs.flops / use.amount)
    label = teller.say("intensity_at", name=str(use.resource.key))
    numbers = f"{bare(float(point.costs.flops))} / {bare(float(use.amount))}"
    return [line, Line(label, "FLOPs/bytes", numbers, significant(intensity), "FLOP/byte", value=intensity)]


def _calls_line(teller: Teller, point: Point) -> Line:
    numbers = f"{formula_number(float(point.row.count))}·{seconds(float(point.time_s))}"
    spent = float(point.total_s)
    return teller.line("all_calls", "calls·time", numbers, seconds(spent), value=spent)


def _share_lines(teller: Teller, points: Sequence[Point]) -> list[Line]:
    part, totals = sum_of(teller.device, points), teller.device.totals
    times = f"{seconds(part.time_s)} / {seconds(float(totals.time_s))}"
    flops = f"{bare(part.flops)} / {bare(float(totals.traffic.flops))}"
    return [
        teller.line("share", "", times, percent(part.time_share, 3), value=part.time_share),
        teller.line("flop_share", "", flops, percent(part.flop_share, 3), value=part.flop_share),
    ]


def _extras(teller: Teller, point: Point, kind: OperatorKind, values: dict[str, float]) -> list[Line]:
    """Work that is shown and not counted: softmax inside attention, dequantisation."""
    lines, found = [], uncounted(teller.evaluation, point, kind, values)
    if found.softmax_flops is not None:
        numbers = f"5·{formula_number(values['b'])}·{formula_number(values['heads'])}·{formula_number(values['pairs'])}"
        answer, note = scaled(found.softmax_flops, "FLOP"), teller.say("softmax_note")
        lines.append(teller.line("softmax", "5·b·heads·pairs", numbers, answer, note, found.softmax_flops))
    if found.dequantised_weights is not None and found.dequantise_ops is not None:
        answer, note = scaled(found.dequantise_ops, "OP"), teller.say("dequantise_note")
        numbers = f"2·{bare(found.dequantised_weights)}"
        lines.append(teller.line("dequantise", "2·weights", numbers, answer, note, found.dequantise_ops))
    if kind.note and kind.id != "attention":
        lines.append(Line("", source=f"{kind.note[0].upper()}{kind.note[1:]}."))
    return lines


@lru_cache(maxsize=256)
def _names_used(kind: OperatorKind) -> frozenset[str]:
    """Names that the formulas for bytes read."""
    texts = (kind.bytes_read, kind.bytes_written, *(d.formula for d in kind.derived))
    return frozenset().union(*(names_in(t) for t in texts))


def _meanings(teller: Teller, point: Point, kind: OperatorKind) -> list[Line]:
    """What the names in the formulas stand for, and whose formulas they are."""
    formats, row = teller.evaluation.evaluator.formats, point.row
    used = _names_used(kind)
    per = zip(PER_VALUE, (row.activations, row.weights, row.output, row.kv), strict=True)
    told = [teller.say(f"per.{n}", bytes=formula_number(formats[f].bytes), format=f) for n, f in per if n in used]
    named = [teller.say("dim", name=d.name, meaning=d.meaning) for d in kind.dims if d.meaning]
    own = kind.id not in teller.evaluation.catalogue.kind_by_id
    return [
        *([teller.remark("bytes_per", list=", ".join(told))] if told else []),
        *([teller.remark("dims", list="; ".join(named))] if named else []),
        teller.remark("own_kind" if own else "kind", kind=kind.en or kind.id),
    ]


def of_rows(teller: Teller, points: Sequence[Point]) -> Explanation:
    """Several rows: sums over all their calls."""
    flops = [float(p.row.count * p.costs.flops) for p in points]
    moved = [float(p.row.count * p.bytes) for p in points]
    times = [float(p.total_s) for p in points]
    part = sum_of(teller.device, points)
    result = NOTHING if part.intensity is None else significant(part.intensity)
    numbers = f"{bare(part.flops)} / {bare(part.bytes)}"
    lines = [
        teller.line("flops", *_sum(teller, [bare(f) for f in flops]), scaled(part.flops, "FLOP"), value=part.flops),
        teller.line("bytes", *_sum(teller, [bare(b) for b in moved]), scaled(part.bytes, "B"), value=part.bytes),
        Line(teller.say("intensity"), "FLOPs/bytes", numbers, result, "FLOP/byte", value=part.intensity),
        teller.line("time", *_sum(teller, [seconds(t) for t in times]), seconds(part.time_s), value=part.time_s),
        *_share_lines(teller, points),
    ]
    about = ", ".join(p.row.name for p in points)
    return Explanation(teller.say("heading.sum", count=len(points)), about, tuple(lines))


def _sum(teller: Teller, parts: Sequence[str]) -> tuple[str, str]:
    """Formula and numbers of a sum, written out where it is short."""
    formula = teller.say("times_count", count=len(parts))
    return formula, f"{THIN}+{THIN}".join(parts) if len(parts) <= _LISTED else ""
