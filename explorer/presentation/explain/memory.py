"""Bytes held explained: weights, KV cache, state, reserve, against the capacity."""

from explorer.analysis.ask.capacity import held_now, left_over
from explorer.presentation.explain.device import capacity_lines
from explorer.presentation.explain.lines import Line, Teller, bare
from explorer.presentation.views.capacity import capacity_sentences


def memory_lines(teller: Teller) -> list[Line]:
    """All bytes held, each part, and what is left."""
    held, totals = held_now(teller.evaluation), teller.device.totals
    numbers = "\u2009+\u2009".join(bare(p) for p in (held.weights, held.kv, held.state, held.reserve))
    lines = [
        teller.line("memory", teller.say("memory_formula"), numbers, teller.held(float(totals.memory_bytes))),
        teller.line("weights", answer=teller.held(held.weights)),
        *kv_lines(teller),
    ]
    if held.state:
        lines.append(teller.line("state", answer=teller.held(held.state)))
    if held.reserve:
        lines.append(teller.line("reserve", answer=teller.held(held.reserve), source=teller.say("reserve_note")))
    lines += capacity_lines(teller)
    free = left_over(teller.device)
    if free is not None and totals.capacity is not None:
        numbers = f"{bare(totals.capacity)}\u2009−\u2009{bare(float(totals.memory_bytes))}"
        shown = teller.held(abs(free))
        lines.append(teller.line("free", "", numbers, shown if free >= 0 else f"−{shown}"))
    told = capacity_sentences(teller.evaluation, teller.device, teller.look)
    return [*lines, *(Line("", source=sentence) for sentence in told)]


def kv_lines(teller: Teller) -> list[Line]:
    """KV cache of all sequences, of one, and of one token."""
    held, study = teller.evaluation.memory, teller.evaluation.study
    model, evaluator = teller.evaluation.model, teller.evaluation.evaluator
    each = float(held.kv_per_sequence)
    numbers = f"{study.workload.batch}·{bare(each)}"
    lines = [teller.line("kv", "batch·K", numbers, teller.held(float(held.kv)))]
    if model is None:
        return lines
    context = study.workload.context
    fmt = study.workload.kv or model.kv_format
    per_token = float(model.kv_bytes_per_token(evaluator.formats[fmt].bytes))
    growing = abs(per_token * context - each) <= 1e-9 * each
    formula, numbers = ("context·K₁", f"{context}·{bare(per_token)}") if growing else ("", "")
    note = "" if growing else teller.say("kv_each_note", context=f"{context:,}")
    lines.append(teller.line("kv_each", formula, numbers, teller.held(each), note))
    source = teller.say("kv_token_note")
    lines.append(teller.line("kv_token", answer=teller.held(per_token), source=f"{fmt}; {source}"))
    return lines
