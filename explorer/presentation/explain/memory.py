"""Bytes held explained: weights, KV cache, state, reserve, against the capacity."""

from explorer.presentation.explain.device import capacity_lines
from explorer.presentation.explain.lines import Line, Teller, bare
from explorer.presentation.views.capacity import fit_sentences


def memory_lines(teller: Teller) -> list[Line]:
    """All bytes held, each part, and what is left."""
    held, totals = teller.evaluation.memory, teller.device.totals
    reserve = teller.evaluation.study.workload.reserve
    parts = [float(held.weights), float(held.kv), float(held.state), float(reserve)]
    numbers = "\u2009+\u2009".join(bare(p) for p in parts)
    lines = [
        teller.line("memory", teller.say("memory_formula"), numbers, teller.held(float(totals.memory_bytes))),
        teller.line("weights", answer=teller.held(parts[0])),
        *kv_lines(teller),
    ]
    if parts[2]:
        lines.append(teller.line("state", answer=teller.held(parts[2])))
    if parts[3]:
        lines.append(teller.line("reserve", answer=teller.held(parts[3]), source=teller.say("reserve_note")))
    lines += capacity_lines(teller)
    if totals.capacity is not None:
        free = totals.capacity - float(totals.memory_bytes)
        numbers = f"{bare(totals.capacity)}\u2009−\u2009{bare(float(totals.memory_bytes))}"
        shown = teller.held(abs(free))
        lines.append(teller.line("free", "", numbers, shown if free >= 0 else f"−{shown}"))
    told = fit_sentences(teller.evaluation, teller.device, teller.look)
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
