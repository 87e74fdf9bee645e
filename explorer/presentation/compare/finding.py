"""The title and the conditions of a comparison: who is ahead of the baseline, and what holds for all."""

from typing import Final

import explorer.presentation.compare.texts  # noqa: F401 - registers the words used here
from explorer.analysis.ask.comparison.compared import ComparedRow, Comparison, compare
from explorer.analysis.ask.comparison.lead import Lead, RatioRange, kind_ratios, lead
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.compare.names import formats_text, shorter_names
from explorer.presentation.compare.values import counts_inputs, figure_text
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import times
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.phases import phase_message, phase_word
from explorer.presentation.words.said.routing import pace_text

_CHANGES: Final = frozenset({"formats", "what_ifs"})
_NOTHING_ELSE: Final = frozenset({"formats", "what_ifs", "models"})
_BETWEEN: Final = " · "
_PRODUCTS: Final = ("matmul", "qkv_matmul", "batched_matmul", "grouped_matmul", "absorbed_matmul", "moe_matmul")
_ATTENTION: Final = ("attention", "chunked_attention", "block_attention", "compressed_attention")


def compare_title(evaluation: Evaluation, look: Look = ENGLISH, found: Comparison | None = None) -> str:
    """The finding: who is ahead of the baseline and by how much, who is behind."""
    shown = compare(evaluation) if found is None else found
    if not shown.rows or shown.baseline is None:
        return render(Message(f"compare.empty.{shown.vary}"), look)
    names = {key: forms[-1] for key, forms in shorter_names(evaluation, shown, look).items()}
    base = names[shown.baseline.subject.key]
    ahead = lead(shown)
    if len(shown.rows) == 1 and shown.vary in _NOTHING_ELSE:
        return render(Message(f"compare.empty.{shown.vary}"), look)
    if len(shown.rows) == 1:
        return render(Message("compare.title.alone", {"baseline": base}), look)
    if ahead is None:
        return render(Message("compare.title.no_baseline", {"baseline": base}), look)
    if shown.vary == "measurements":
        return _measured(ahead, names, look)
    changed = shown.vary in _CHANGES
    return _behind(ahead, _ahead(ahead, names, look, changed=changed), names, look, changed=changed)


def _ahead(ahead: Lead, names: dict[str, str], look: Look, *, changed: bool) -> str:
    base = names[ahead.baseline.subject.key]
    of_tokens = ahead.figure == "in_all"
    if ahead.best is None:
        key = "compare.title.lead" if of_tokens else "compare.title.lead_time"
        return render(Message(key, {"baseline": base}), look)
    cell = ahead.best.cells[ahead.figure]
    counted = "serves_inputs" if counts_inputs(cell.unit) else "serves_change" if changed else "serves"
    key = counted if of_tokens else "fastest"
    values = {"best": names[ahead.best.subject.key], "ratio": times(cell.ratio), "baseline": base}
    return render(Message(f"compare.title.{key}", values), look)


def _behind(ahead: Lead, title: str, names: dict[str, str], look: Look, *, changed: bool) -> str:
    """The same with who is behind: by the times of the operators where there are such, else by the same figure."""
    worst = ahead.worst
    if worst is None:
        return title
    name = names[worst.subject.key]
    products = kind_ratios(worst, ahead.baseline, _PRODUCTS)
    attention = kind_ratios(worst, ahead.baseline, _ATTENTION)
    if changed or products is None or attention is None or min(products.low, attention.low) < 1:
        values = {"title": title, "worst": name, "ratio": times(worst.cells[ahead.figure].ratio)}
        form = "also_time" if ahead.figure != "in_all" else "also_change" if changed else "also"
        return render(Message(f"compare.title.{form}", values), look)
    said = {"products": _range(products, look), "attention": _range(attention, look)}
    return render(Message("compare.title.operators", {"title": title, "worst": name, **said}), look)


def _range(found: RatioRange, look: Look) -> str:
    low, high = times(found.low), times(found.high)
    return low if low == high else render(Message("compare.ratios", {"low": low.rstrip("×"), "high": high}), look)


def _measured(ahead: Lead, names: dict[str, str], look: Look) -> str:
    best: ComparedRow | None = ahead.best or ahead.worst
    if best is None:
        return render(Message("compare.title.lead_time", {"baseline": names[ahead.baseline.subject.key]}), look)
    gains = {k: best.cells[f"{k}_gain"] for k in ("measured", "bound")}
    said = {k: figure_text(cell.value, cell.unit, look) for k, cell in gains.items()}
    values = {"best": names[best.subject.key], "baseline": names[ahead.baseline.subject.key], **said}
    return render(Message("compare.title.measured", values), look)


def compare_conditions(evaluation: Evaluation, look: Look = ENGLISH, found: Comparison | None = None) -> str:
    """What holds for all rows, and how the small figures are read."""
    shown = compare(evaluation) if found is None else found
    parts = [] if shown.vary == "measurements" else [_work(evaluation, look), _say("compare.all_bounds", look)]
    if any(figure.id == "routed" for figure in shown.figures):
        parts.append(_say("compare.routing", look, routing=pace_text(evaluation, look)))
    if shown.baseline is not None:
        form = "under" if evaluation.study.view.compare_as == "ratio" else "under_difference"
        base = shorter_names(evaluation, shown, look)[shown.baseline.subject.key][0]
        parts += [_say(f"compare.{form}", look, baseline=base), _say("compare.dot", look)]
    return _BETWEEN.join(part for part in parts if part)


def _say(key: str, look: Look, **values: str) -> str:
    return render(Message(key, values), look)


def _work(evaluation: Evaluation, look: Look) -> str:
    work, model = evaluation.study.workload, evaluation.model
    if model is None:
        return evaluation.study.name
    subject = render(phase_message(work.phase, "subject", {"model": model.name}), look)
    key = "compare.work" if evaluation.tokens_per_input is None else "compare.work_inputs"
    values = {
        "subject": subject,
        "phase": phase_word(work.phase, "listed", look),
        "batch": f"{work.batch:,}",
        "context": f"{work.context:,}",
        "formats": formats_text(evaluation, look),
        "launch": work.launch,
    }
    return render(Message(key, values), look)
