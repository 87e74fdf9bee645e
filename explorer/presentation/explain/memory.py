"""Bytes held explained: weights, KV cache, state, reserve, against the capacity."""

import explorer.presentation.words.parts  # noqa: F401 - registers the words used here
from explorer.analysis.ask.capacity import left_over
from explorer.analysis.step.ledger import KV, RESERVE, WEIGHTS
from explorer.presentation.explain.device import capacity_lines
from explorer.presentation.explain.lines import Line, Teller, bare, split_unit
from explorer.presentation.views.capacity import capacity_sentences


def memory_lines(teller: Teller) -> list[Line]:
    """All bytes held, each part, and what is left."""
    held, totals = teller.evaluation.memory, teller.device.totals
    formula = " + ".join(teller.word(f"part.{part}.short") for part in held.parts)
    numbers = "\u2009+\u2009".join(bare(float(held.of(part))) for part in held.parts)
    lines = [teller.line("memory", formula, numbers, teller.held(float(totals.memory_bytes)))]
    for part in held.parts:
        lines += kv_lines(teller) if part == KV else _part_lines(teller, part, float(held.of(part)))
    lines += capacity_lines(teller)
    free = left_over(teller.device)
    if free is not None and totals.capacity is not None:
        numbers = f"{bare(totals.capacity)}\u2009−\u2009{bare(float(totals.memory_bytes))}"
        shown = teller.held(abs(free))
        lines.append(teller.line("free", "", numbers, shown if free >= 0 else f"−{shown}"))
    told = capacity_sentences(teller.evaluation, teller.device, teller.look)
    return [*lines, *(Line("", source=sentence) for sentence in told)]


def _part_lines(teller: Teller, part: str, size: float) -> list[Line]:
    """A part of what is held; but for the weights, only where there is any of it."""
    if not size and part != WEIGHTS:
        return []
    note = teller.say("reserve_note") if part == RESERVE else ""
    result, unit = split_unit(teller.held(size))
    return [Line(teller.word(f"part.{part}"), "", "", result, unit, note)]


def kv_lines(teller: Teller) -> list[Line]:
    """KV cache of all sequences, of one, and of one token."""
    study = teller.evaluation.study
    model, evaluator = teller.evaluation.model, teller.evaluation.evaluator
    each = float(evaluator.kv_per_sequence(teller.evaluation.step))
    numbers = f"{study.workload.batch}·{bare(each)}"
    lines = [teller.line("kv", "batch·K", numbers, teller.held(float(teller.evaluation.memory.of(KV))))]
    if model is None:
        return lines
    context = study.workload.context
    fmt = study.workload.kv or model.kv_format
    width = evaluator.formats[fmt].bytes
    per_token = float(model.kv_bytes_per_token(width))
    growing = abs(per_token * context - each) <= 1e-9 * each
    formula, numbers = ("context·K₁", f"{context}·{bare(per_token)}") if growing else ("", "")
    note = "" if growing else teller.say("kv_each_note", context=f"{context:,}")
    lines.append(teller.line("kv_each", formula, numbers, teller.held(each), note))
    source = teller.say("kv_token_note")
    window = model.smallest_window
    if window is not None:
        source = teller.say("kv_token_window", note=source, window=f"{window:,}")
    lines.append(teller.line("kv_token", answer=teller.held(per_token), source=f"{fmt}; {source}"))
    crossed = model.cross_kv_bytes_per_token(width)
    if crossed is not None:
        lines.append(
            teller.line("kv_cross", answer=teller.held(crossed), source=f"{fmt}; {teller.say('kv_cross_note')}")
        )
    if window is not None and context > window:
        later = float(model.kv_bytes_per_token_at(context, evaluator.formats[fmt].bytes))
        result, unit = split_unit(teller.held(later))
        lines.append(Line(teller.say("kv_token_at", context=f"{context:,}"), "", "", result, unit))
    return lines
