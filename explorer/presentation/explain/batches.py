"""Batches where the decode step changes its nature, explained on the simple streamed line."""

from explorer.analysis.ask.knees import DecodeLine, Knees, decode_line, knees
from explorer.presentation.explain.lines import Line, Teller, bare
from explorer.presentation.quantities.numbers import NOTHING, factor, seconds, significant


def _line(teller: Teller) -> tuple[DecodeLine, Knees] | None:
    line, found = decode_line(teller.evaluation), knees(teller.evaluation, teller.device.entry.id)
    return None if line is None or found is None else (line, found)


def batch_text(value: float | None) -> str:
    """A batch as shown: whole, rounded down."""
    return NOTHING if value is None else f"{int(value):,}" if value >= 10 else significant(value, 2)


def _made(teller: Teller, key: str, formula: str, numbers: str, value: float | None, source: str = "") -> Line:
    text = batch_text(value) if value is not None else teller.say("never")
    return Line(teller.say(key), formula, numbers, text, "", source, value)


def _not_decode(teller: Teller, key: str) -> list[Line]:
    return [Line(teller.say(key), result=NOTHING, source=teller.say("no_decode"))]


def kv_half_lines(teller: Teller) -> list[Line]:
    """W/K."""
    found = _line(teller)
    if found is None:
        return _not_decode(teller, "kv_half")
    line, kinks = found
    at = kinks.kv_half_batch
    weights = line.weights_at(at or 1.0)
    numbers = f"{bare(weights)} / {bare(line.kv)}"
    lines = [_made(teller, "kv_half", "W/K", numbers, at, teller.say("kv_half_note"))]
    return lines + _moe(teller)


def _moe(teller: Teller) -> list[Line]:
    return [teller.remark("moe_note")] if any(r.kind == "moe_matmul" for r in teller.evaluation.rows) else []


def ridge_batch_lines(teller: Teller) -> list[Line]:
    """(W/BW) / (C - K/BW), C the compute of one sequence by each operator's own peak."""
    found, machine = _line(teller), teller.device.machine
    compute_s = None if found is None or teller.device.main_peak.rate is None else found[0].compute_s(machine)
    if found is None or compute_s is None:
        return _not_decode(teller, "ridge_batch")
    (line, kinks), bandwidth = found, machine.floor_bandwidth
    at = kinks.ridge_batch
    weights = line.weights_at(at or 1.0)
    formula = "(W/BW)/(C\u2009−\u2009K/BW)"
    numbers = (
        f"({bare(weights)}/{bare(bandwidth)}) / ({seconds(compute_s)}\u2009−\u2009{bare(line.kv)}/{bare(bandwidth)})"
    )
    source = teller.say("ridge_batch_never") if at is None else teller.say("ridge_batch_note")
    return [_made(teller, "ridge_batch", formula, numbers, at, source), *_moe(teller)]


def fit_batch_lines(teller: Teller) -> list[Line]:
    """floor((capacity - weights - reserve) / K)."""
    found, capacity = _line(teller), teller.device.machine.capacity
    if found is None or capacity is None:
        return _not_decode(teller, "fit_batch")
    line, kinks = found
    reserve = teller.evaluation.study.workload.reserve
    numbers = (
        f"⌊({bare(capacity)}\u2009−\u2009{bare(float(line.resident))}\u2009−\u2009{bare(reserve)})/{bare(line.held)}⌋"
    )
    return [
        _made(teller, "fit_batch", "⌊(capacity\u2009−\u2009weights\u2009−\u2009reserve)/K⌋", numbers, kinks.fit_batch)
    ]


def knee_lines(teller: Teller) -> list[Line]:
    """The batch past which doubling gains too little."""
    found = _line(teller)
    if found is None:
        return _not_decode(teller, "knee")
    least = factor(teller.evaluation.study.workload.knee_factor)
    formula, note = teller.say("knee_formula", factor=least), teller.say("knee_note", factor=least)
    return [_made(teller, "knee", formula, "", found[1].knee_batch, note)]


__all__ = ["batch_text", "fit_batch_lines", "knee_lines", "kv_half_lines", "ridge_batch_lines"]
