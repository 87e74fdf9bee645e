"""Totals of a step explained, by the keys that tiles and cards use."""

from collections.abc import Callable
from heapq import nlargest

from explorer.analysis.measured.roof_fit import fitted_rates
from explorer.analysis.step.ledger import KV_READ, WEIGHTS
from explorer.analysis.step.resources import BOUND_OF
from explorer.analysis.study.study import FittedRoof
from explorer.presentation.explain.batches import fit_batch_lines, knee_lines, kv_half_lines, ridge_batch_lines
from explorer.presentation.explain.device import (
    bandwidth_line,
    bandwidth_lines,
    capacity_lines,
    cited,
    device_lines,
    peak_lines,
    ridge_line,
)
from explorer.presentation.explain.lines import Explanation, Line, Teller, bare, split_unit
from explorer.presentation.explain.memory import kv_lines, memory_lines
from explorer.presentation.quantities.formula_text import formula_number
from explorer.presentation.quantities.numbers import NOTHING, percent, scaled, seconds, significant
from explorer.presentation.words.bounds import bound_word
from explorer.presentation.words.said.routing import routing_text
from explorer.presentation.words.said.step_name import floor_name

_TOLD = frozenset({"compute", "memory"})  # each with its arithmetic; others by their time alone
_BIGGEST = 3  # rows of the step that a sum of times names


def per_second(rate: float) -> str:
    """Tokens per second as shown: 173, 1,389, 9.52."""
    return significant(rate)


def of_total(teller: Teller, key: str) -> Explanation:
    """Explain one total; an unknown key explains the step."""
    lines = TOTALS.get(key)
    if lines is None:
        return of_step(teller)
    found = lines(teller)
    return Explanation(found[0].label, teller.say("sub.on", device=teller.device_name), cited(teller, found))


def of_step(teller: Teller) -> Explanation:
    """The step as a whole: floor, expected, what the device offers."""
    of_work = [*floor_lines(teller), *expected_lines(teller)] if teller.device.points else []
    lines = [*of_work, *device_lines(teller)]
    return Explanation(teller.say("heading.totals", device=teller.device_name), "", cited(teller, lines))


def floor_lines(teller: Teller) -> list[Line]:
    """At least: the larger of all compute and all compulsory bytes."""
    totals, moved, bandwidth = teller.device.totals, teller.evaluation.traffic, teller.device.machine.floor_bandwidth
    compute, memory = (seconds(float(totals.floor[kind])) for kind in ("compute", "memory"))
    others = {BOUND_OF[kind]: seconds(float(s)) for kind, s in totals.floor.items() if kind not in _TOLD}
    every = ", ".join((compute, memory, *others.values()))
    needed = moved.compulsory
    sizes = (needed.of(WEIGHTS), needed.of(KV_READ), needed.without(WEIGHTS, KV_READ))
    parts = "\u2009+\u2009".join(bare(float(b)) for b in sizes)
    count, name = len(teller.device.points), floor_name(teller.evaluation, teller.look)
    bytes_text = f"{bare(float(moved.compulsory_bytes))} / {bare(bandwidth)}"
    return [
        Line(name, "", f"max({every})", *split_unit(seconds(float(totals.floor_s))), teller.say("floor_note")),
        teller.line("compute_time", teller.say("flops_over_peak", count=count), "", compute),
        teller.line("memory_time", teller.say("bytes_over_bandwidth"), bytes_text, memory),
        *(Line(bound_word(bound, teller.look), result=spent) for bound, spent in others.items()),
        teller.line("compulsory", teller.say("compulsory_formula"), parts, scaled(float(moved.compulsory_bytes), "B")),
        *_beyond_lines(teller),
    ]


def _beyond_lines(teller: Teller) -> list[Line]:
    """The same sum with the experts that the routing reads, where the two differ."""
    totals, more = teller.device.totals, float(teller.evaluation.traffic.beyond.chosen)
    if not totals.routing_matters:
        return []
    routing = routing_text(teller.evaluation, teller.look)
    size = float(teller.evaluation.traffic.compulsory_bytes) + more
    numbers = f"{bare(size)} / {bare(teller.device.machine.floor_bandwidth)}"
    fewest = teller.remark("fewest_experts")
    step = seconds(float(totals.routed.seconds))
    return [fewest, Line(teller.say("routed", routing=routing), "", numbers, *split_unit(step))]


def routed_lines(teller: Teller) -> list[Line]:
    """The step with the experts that the routing reads, then the floor."""
    found = _beyond_lines(teller)
    return [*found[1:], *floor_lines(teller)] if found else floor_lines(teller)


def time_lines(teller: Teller) -> list[Line]:
    """time_s: the sum of the operator times, the longest named."""
    device = teller.device
    total = seconds(float(device.totals.time_s))
    lines = [
        teller.line(
            "step_time", teller.say("times_count", count=len(device.points)), "", total, teller.say("step_time_note")
        )
    ]
    if device.launches_unknown:
        lines.append(teller.remark("no_launch", device=teller.device_name))
        lines.append(teller.remark("time_least"))
    longest = nlargest(_BIGGEST, device.points, key=lambda p: float(p.total_s))
    return lines + [Line(p.row.name, result=seconds(float(p.total_s))) for p in longest]


def expected_lines(teller: Teller) -> list[Line]:
    """The band that a good implementation reaches."""
    work, totals = teller.evaluation.study.workload, teller.device.totals
    fitted = teller.device.entry.fitted
    if fitted is not None:
        return _fitted_lines(teller, fitted)
    low, high = work.expected
    time_s, band = seconds(float(totals.time_s)), [seconds(float(t)) for t in totals.expected_s]
    note = teller.say("expected_note", low=percent(low), high=percent(high))
    numbers = f"{time_s}/{high:g}…{time_s}/{low:g}"
    return [
        Line(teller.say("expected"), teller.say("expected_formula"), numbers, "–".join(band), source=note),
        *time_lines(teller),
    ]


def _fitted_lines(teller: Teller, fitted: FittedRoof) -> list[Line]:
    """The band that a fit to measurements expects."""
    device = teller.device
    band = "–".join(seconds(float(t)) for t in device.totals.expected_s)
    note = teller.say("fitted_note", rows=fitted.rows, spread=percent(fitted.spread), source=fitted.source or NOTHING)
    lines = [Line(teller.say("expected"), teller.say("fitted_formula"), "", band, source=note)]
    bandwidth, peak = fitted_rates(device.entry, fitted)
    if bandwidth:
        lines.append(Line(teller.say("fitted_bandwidth"), result=scaled(bandwidth, "B/s")))
    if peak:
        lines.append(Line(teller.say("fitted_peak", format=fitted.format), result=scaled(peak, "FLOP/s")))
    if fitted.per_kernel_s:
        lines.append(Line(teller.say("fitted_kernel"), result=seconds(fitted.per_kernel_s)))
    return [*lines, *time_lines(teller)]


def _tokens(teller: Teller, key: str, each: bool) -> list[Line]:
    tokens = teller.evaluation.evaluator.tokens(teller.evaluation.step)
    totals = teller.device.totals
    rate = totals.routed.tokens_per_s_per_request if each else totals.routed.tokens_per_s
    if tokens is None or rate is None:
        return [Line(teller.say(key), result=NOTHING, source=teller.say("no_tokens"))]
    work, new = teller.evaluation.study.workload, float(tokens[1])
    if not teller.evaluation.phase.takes_prompt:
        formula, top = ("1/step", "1") if each else ("batch/step", f"{work.batch}")
        if new != 1:
            own = formula_number(new)
            formula, top = ("tokens/step", own) if each else ("batch·tokens/step", f"{work.batch}·{own}")
    else:
        formula = "context/step" if each else "batch·context/step"
        top = f"{work.context}" if each else f"{work.batch}·{work.context}"
    numbers = f"{top} / {seconds(float(totals.routed.seconds))}"
    first = teller.line(
        key, formula, numbers, teller.say("per_second", count=per_second(float(rate))), value=float(rate)
    )
    return [first, *routed_lines(teller)]


def tokens_lines(teller: Teller) -> list[Line]:
    """All requests' tokens per second, from the floor, experts as the routing reads them."""
    return _tokens(teller, "tokens", each=False)


def tokens_each_lines(teller: Teller) -> list[Line]:
    """One request's tokens per second, from the floor, experts as the routing reads them."""
    return _tokens(teller, "tokens_each", each=True)


def _simple(teller: Teller, key: str, weights: float, symbol: str, result: float) -> list[Line]:
    each = float(teller.evaluation.evaluator.kv_per_sequence(teller.evaluation.step))
    batch = teller.evaluation.study.workload.batch
    bandwidth = teller.device.machine.known_bandwidth
    numbers = f"({bare(weights)}\u2009+\u2009{batch}·{bare(each)}) / {bare(bandwidth)}"
    formula = f"({symbol}\u2009+\u2009B·K)/bandwidth"
    return [
        teller.line(key, formula, numbers, seconds(result), teller.say(f"{key}_note")),
        bandwidth_line(teller),
    ]


def streamed_lines(teller: Teller) -> list[Line]:
    """The one-line estimate over the weights read."""
    weights = float(teller.evaluation.traffic.weights_streamed)
    return _simple(teller, "streamed", weights, "W", float(teller.device.totals.streamed_s))


def whole_file_lines(teller: Teller) -> list[Line]:
    """The one-line estimate over all weights."""
    weights = float(teller.evaluation.memory.of(WEIGHTS))
    return _simple(teller, "whole_file", weights, "W", float(teller.device.totals.whole_file_s))


TOTALS: dict[str, Callable[[Teller], list[Line]]] = {
    "floor_s": floor_lines,
    "routed_s": routed_lines,
    "expected_s": expected_lines,
    "time_s": time_lines,
    "tokens_per_s": tokens_lines,
    "tokens_per_s_per_request": tokens_each_lines,
    "streamed_s": streamed_lines,
    "whole_file_s": whole_file_lines,
    "memory_bytes": memory_lines,
    "kv_bytes": kv_lines,
    "kv_half_batch": kv_half_lines,
    "ridge_batch": ridge_batch_lines,
    "fit_batch": fit_batch_lines,
    "knee_batch": knee_lines,
    "peak": lambda t: peak_lines(t, t.device.main_peak),
    "bandwidth": bandwidth_lines,
    "capacity": capacity_lines,
    "ridge": lambda t: [ridge_line(t, t.device.main_peak), *peak_lines(t, t.device.main_peak), bandwidth_line(t)],
}
