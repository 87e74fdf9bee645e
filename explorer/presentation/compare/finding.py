"""The title and the conditions of a comparison: who is ahead of the baseline, and what holds for all."""

from typing import Final

import explorer.presentation.compare.texts  # noqa: F401 - registers the words used here
from explorer.analysis.ask.capacity import fewest_devices
from explorer.analysis.ask.comparison.compared import ComparedRow, Comparison, compare
from explorer.analysis.ask.comparison.lead import Lead, RatioRange, kind_ratios, lead
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.compare.names import formats_text, measured_on, shorter_names
from explorer.presentation.compare.values import counts_inputs, figure_text
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import capacity, times
from explorer.presentation.slide.conditions import runs_once
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.phases import phase_message
from explorer.presentation.words.said.routing import pace_text

_CHANGES: Final = frozenset({"formats", "what_ifs"})
_NOTHING_ELSE: Final = frozenset({"formats", "what_ifs", "models"})
_TWO: Final = 2
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
        return _without_room(evaluation, shown, names, look) or render(
            Message("compare.title.no_baseline", {"baseline": base}), look
        )
    if shown.vary == "measurements":
        on = {row.subject.key: measured_on(evaluation, shown, row, look) for row in shown.rows}
        told = {
            k: _say("compare.title.on", look, name=name, device=on[k]) if on[k] else name for k, name in names.items()
        }
        return _measured(ahead, told, look)
    form = _form(evaluation, shown, ahead)
    of_two = len(shown.rows) == _TWO and ahead.worst is not None and form != "change"
    title = _behind(ahead, _ahead(ahead, names, look, form, of_two=of_two), names, look, form)
    return _begun(title) if shown.vary in _CHANGES else title


def _begun(title: str) -> str:
    """The title with a capital where it begins with one of this program's words, not with a name such as fp8."""
    word = title.partition(" ")[0]
    return title[0].upper() + title[1:] if word.isalpha() and word.islower() else title


def _without_room(evaluation: Evaluation, shown: Comparison, names: dict[str, str], look: Look) -> str:
    """That the step does not fit on the baseline and on machines like it, by how much, and how many would hold it."""
    base = shown.baseline
    result = None if base is None else base.subject.result
    if base is None or base.room or result is None or evaluation.model is None or shown.vary != "machines":
        return ""
    full = [row for row in shown.rows if not row.room and _capacity(row) == result.totals.capacity]
    *first, last = [names[row.subject.key] for row in full]
    held, of = (capacity(size, look.unit) for size in (float(result.totals.memory_bytes), result.totals.capacity))
    values = {
        "model": evaluation.model.name,
        "devices": _say("compare.title.and", look, first=", ".join(first), last=last) if first else last,
        "held": held,
        "capacity": of.split(" ")[0] if of.split(" ")[-1] == held.split(" ")[-1] else of,
    }
    title = _say("compare.title.no_room", look, **values)
    enough = fewest_devices(result)
    return title if enough is None else _say("compare.title.enough", look, title=title, count=f"{enough:,}")


def _capacity(row: ComparedRow) -> float | None:
    return None if row.subject.result is None else row.subject.result.totals.capacity


def _form(evaluation: Evaluation, shown: Comparison, ahead: Lead) -> str:
    """What the title speaks of: time, inputs taken, tokens that a change brings, that are read, or served."""
    if ahead.figure == "by_operator":
        return "operators_time"
    if ahead.figure != "in_all":
        return "time"
    if counts_inputs(ahead.baseline.cells["in_all"].unit):
        return "inputs"
    return "change" if shown.vary in _CHANGES else "read" if evaluation.phase.takes_prompt else "served"


def _ahead(ahead: Lead, names: dict[str, str], look: Look, form: str, *, of_two: bool) -> str:
    base = names[ahead.baseline.subject.key]
    if ahead.best is None:
        led = "of_two" if of_two else "lead"  # of two none is not the word
        return render(Message(f"compare.title.{led}.{form}", {"baseline": base}), look)
    ratio = times(ahead.best.cells[ahead.figure].ratio)
    values = {"best": names[ahead.best.subject.key], "ratio": ratio, "baseline": base}
    return render(Message(f"compare.title.{form}", values), look)


def _behind(ahead: Lead, title: str, names: dict[str, str], look: Look, form: str) -> str:
    """The same with who is behind: by the times of the operators where there are such, else by the same figure."""
    worst = ahead.worst
    if worst is None:
        return title
    name = names[worst.subject.key]
    products = kind_ratios(worst, ahead.baseline, _PRODUCTS)
    attention = kind_ratios(worst, ahead.baseline, _ATTENTION)
    if form == "change" or products is None or attention is None or min(products.low, attention.low) < 1:
        values = {"title": title, "worst": name, "ratio": times(worst.cells[ahead.figure].ratio)}
        return render(Message(f"compare.title.also.{form}", values), look)
    said = {"products": _range(products, look), "attention": _range(attention, look)}
    if said["products"] == said["attention"]:
        whole = worst.cells["at_least"].ratio
        key = "compare.title.long" if times(whole) == said["products"] else "compare.title.long_on_both"
        return render(Message(key, {"title": title, "worst": name, "ratio": said["products"]}), look)
    return render(Message("compare.title.operators", {"title": title, "worst": name, **said}), look)


def _range(found: RatioRange, look: Look) -> str:
    low, high = times(found.low), times(found.high)
    return low if low == high else render(Message("compare.ratios", {"low": low.rstrip("×"), "high": high}), look)


def _measured(ahead: Lead, names: dict[str, str], look: Look) -> str:
    best: ComparedRow | None = ahead.best or ahead.worst
    if best is None:
        return render(Message("compare.title.lead.time", {"baseline": names[ahead.baseline.subject.key]}), look)
    gains = {k: best.cells[f"{k}_gain"] for k in ("measured", "bound")}
    said = {k: figure_text(cell.value, cell.unit, look) for k, cell in gains.items()}
    values = {"best": names[best.subject.key], "baseline": names[ahead.baseline.subject.key], **said}
    return render(Message("compare.title.measured", values), look)


def compare_conditions(evaluation: Evaluation, look: Look = ENGLISH, found: Comparison | None = None) -> str:
    """What holds for all rows, and how the small figures are read."""
    shown = compare(evaluation) if found is None else found
    parts = [] if shown.vary == "measurements" else [_work(evaluation, look), *_bounds(evaluation, shown, look)]
    if shown.baseline is not None:
        form = "under" if evaluation.study.view.compare_as == "ratio" else "under_difference"
        base = shorter_names(evaluation, shown, look)[shown.baseline.subject.key][0]
        parts += [_say(f"compare.{form}", look, baseline=base), _say("compare.dot", look)]
    return _BETWEEN.join(part for part in parts if part)


def _bounds(evaluation: Evaluation, shown: Comparison, look: Look) -> list[str]:
    """Which figures are bounds: with experts chosen at random rates are none, and what is expected never is."""
    ids = {figure.id for figure in shown.figures}
    key = "compare.bounds_routed" if "routed" in ids else "compare.bounds"
    said = [_say(key, look, routing=pace_text(evaluation, look))]
    return [*said, _say("compare.bounds_expected", look)] if "expected_low" in ids else said


def _say(key: str, look: Look, **values: str) -> str:
    return render(Message(key, values), look)


def _work(evaluation: Evaluation, look: Look) -> str:
    work, model = evaluation.study.workload, evaluation.model
    if model is None:
        return evaluation.study.name
    named = phase_message(work.phase, "subject", {"model": model.name})
    subject = model.name if runs_once(evaluation) else render(named, look)
    key = "compare.work" if evaluation.tokens_per_input is None else "compare.work_inputs"
    values = {
        "subject": subject,
        "batch": f"{work.batch:,}",
        "context": f"{work.context:,}",
        "formats": formats_text(evaluation, look),
        "launch": work.launch,
    }
    return render(Message(key, values), look)
