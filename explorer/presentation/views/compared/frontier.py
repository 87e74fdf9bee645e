"""Throughput against the speed of one request: one curve a subject, with the batch along it."""

from collections.abc import Sequence

import msgspec

import explorer.presentation.views.compared.frontier_texts  # noqa: F401 - registers the words used here
from explorer.analysis.ask.comparison.drawn import Drawn, drawn_subjects
from explorer.analysis.ask.comparison.frontier import MARKED, Frontier, frontiers, throughput_ratios
from explorer.analysis.ask.comparison.subjects import Subject
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.rows import Array
from explorer.presentation.answer.nothing import nothing_text
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import NOTHING, capacity, factor, seconds, significant
from explorer.presentation.views.compared.axis import CurveAxis, even_axis, is_apart, log_axis
from explorer.presentation.views.compared.notes import beyond_texts, listed_names, notes_on
from explorer.presentation.views.compared.reading import reading
from explorer.presentation.views.compared.subject_names import subject_colour, subject_name, subject_names
from explorer.presentation.views.declared import Says, register_build
from explorer.presentation.words.bounds import bound_text
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.said.routing import routes, routing_text

_MOST = 8


class FrontierPoint(msgspec.Struct, frozen=True):
    """A batch on a curve, in the axes' measure; `mark` names it where it is marked, `now` is the current one."""

    batch: int
    x: float
    y: float
    tip: str
    mark: str = ""
    now: bool = False


class FrontierCurve(msgspec.Struct, frozen=True):
    """One subject, from batch 1 to the largest that fits; `ratio_text` is its throughput beside the baseline's."""

    key: str
    name: str
    colour: int
    points: tuple[FrontierPoint, ...]
    ratio_text: str
    baseline: bool = False
    shorter: tuple[str, ...] = ()  # names for where there is little room


class FrontierFigure(msgspec.Struct, frozen=True):
    """Curves and their axes; texts are final."""

    title: str
    finding: str
    x_title: str = ""
    y_title: str = ""
    marks_text: str = ""
    legend_title: str = ""
    x: CurveAxis = CurveAxis(0.0, 1.0, ())
    y: CurveAxis = CurveAxis(0.0, 1.0, ())
    curves: tuple[FrontierCurve, ...] = ()
    beyond: tuple[str, ...] = ()  # what is said where the legend has room for the first n alone
    notes: tuple[str, ...] = ()
    empty_text: str = ""


def frontier_figure(evaluation: Evaluation, look: Look = ENGLISH) -> FrontierFigure:
    """Every subject of the study's comparison at growing batches."""
    title = render(Message("frontier.title"), look)
    drawn = drawn_subjects(evaluation, _MOST, held=False)
    counted = [s for s in drawn.subjects if _counts_alike(evaluation, s)]
    found = [(s, f) for s, f in zip(counted, frontiers(counted), strict=True) if f is not None]
    shown = [(s, f) for s, f in found if f.batches.size]
    if not shown:
        return FrontierFigure(title, "", empty_text=_empty(evaluation, [s for s, _ in found], look))
    curves = [f for _, f in shown]
    x, y = _axes(evaluation.study.view.log_curves, [f.each_per_s for f in curves], [f.all_per_s for f in curves])
    base = "" if drawn.baseline is None else drawn.baseline.key
    ratios = throughput_ratios(curves, base)
    unit, form = _unit(evaluation), _form(tuple(s.evaluation for s, _ in shown))
    names = subject_names(evaluation, [s for s, _ in shown], look)
    batch = f"{evaluation.study.workload.batch:,}"
    marked = any(f.at(f.now) is not None for f in curves)
    return FrontierFigure(
        title=title,
        finding=_finding(evaluation, shown, ratios, base, look),
        x_title=render(Message(f"frontier.x.{unit}{form}"), look),
        y_title=render(Message(f"frontier.y.{unit}{form}"), look),
        marks_text=render(Message("frontier.marks_now" if marked else "frontier.marks", {"batch": batch}), look),
        legend_title=render(Message("frontier.legend", {"batch": batch}), look),
        x=x,
        y=y,
        curves=tuple(_curve(evaluation, s, f, (x, y), ratios[s.key], base, look, names[s.key]) for s, f in shown),
        beyond=beyond_texts(len(curves), look),
        notes=_notes(evaluation, drawn, found, look),
    )


def _axes(chosen: bool | None, *figures: Sequence[Array]) -> tuple[CurveAxis, CurveAxis]:
    """Both axes from 0, or both logarithmic: as the study says of curves, else where one is ten times another."""
    apart = any(is_apart(float(each.max()) for each in found) for found in figures) if chosen is None else chosen
    ends = [(min(float(f.min()) for f in found), max(float(f.max()) for f in found)) for found in figures]
    x, y = (log_axis(*end) if apart and end[0] > 0 else even_axis(end[1]) for end in ends)
    return x, y


def _counts_alike(evaluation: Evaluation, subject: Subject) -> bool:
    """Whether a subject yields what the study's step does: tokens of the same phase, or inputs."""
    other = subject.evaluation
    if other is None or other.model is None:
        return False
    alike = (other.tokens_per_input is None) == (evaluation.tokens_per_input is None)
    return alike and other.study.workload.phase == evaluation.study.workload.phase


def _unit(evaluation: Evaluation) -> str:
    if evaluation.tokens_per_input is not None:
        return "inputs"
    return "prompts" if evaluation.phase.takes_prompt else "tokens"


def _form(found: Sequence[Evaluation | None]) -> str:
    """What rates are: bounds, or none where the experts of a step are chosen at random."""
    return "_routed" if any(e is not None and routes(e) for e in found) else ""


def _empty(evaluation: Evaluation, found: Sequence[Subject], look: Look) -> str:
    if evaluation.model is None or evaluation.active is None:
        own = evaluation.active is not None and bool(evaluation.rows)
        return nothing_text(evaluation, "frontier.own" if own else "frontier.empty", look)
    if found:
        return render(Message("frontier.no_room", {"names": listed_names(evaluation, found, look)}), look)
    return render(Message(f"compared.one.{evaluation.study.view.vary}"), look)


def _curve(
    evaluation: Evaluation,
    subject: Subject,
    found: Frontier,
    axes: tuple[CurveAxis, CurveAxis],
    ratio: float | None,
    base: str,
    look: Look,
    names: tuple[str, ...],
) -> FrontierCurve:
    name, *shorter = names
    own = subject.evaluation or evaluation
    points = tuple(_point(own, name, found, i, axes, look) for i in range(len(found.batches)))
    text = factor(ratio)
    if found.at(found.now) is None:
        text = render(Message("frontier.up_to", {"batch": f"{found.full or 0:,}"}), look)
    elif ratio is None:
        text = "" if not base else NOTHING
    colour, baseline = subject_colour(evaluation, subject), subject.key == base
    return FrontierCurve(subject.key, name, colour, points, text, baseline, tuple(shorter))


def _point(
    evaluation: Evaluation, name: str, found: Frontier, i: int, axes: tuple[CurveAxis, CurveAxis], look: Look
) -> FrontierPoint:
    batch = int(found.batches[i])
    mark = f"{batch:,}" if batch in MARKED else ""
    if i == len(found.batches) - 1 and found.full == batch:
        mark = render(Message("frontier.full"), look)
    return FrontierPoint(
        batch=batch,
        x=axes[0].place(float(found.each_per_s[i])),
        y=axes[1].place(float(found.all_per_s[i])),
        tip=_tip(evaluation, name, found, i, look),
        mark=mark,
        now=batch == found.now,
    )


def _tip(evaluation: Evaluation, name: str, found: Frontier, i: int, look: Look) -> str:
    """The whole configuration, a line each."""
    unit, form = _unit(evaluation), _form((evaluation,))
    held = capacity(float(found.held[i]), look.unit)
    values = {
        "all": significant(float(found.all_per_s[i])),
        "each": significant(float(found.each_per_s[i])),
        "step": seconds(float(found.step_s[i])),
        "held": held,
        "capacity": capacity(found.capacity, look.unit),
    }
    known = "frontier.tip.memory" if found.capacity is not None else "frontier.tip.memory_unknown"
    lines = (
        render(Message("frontier.tip.batch", {"name": name, "batch": f"{int(found.batches[i]):,}"}), look),
        render(Message(f"frontier.tip.all.{unit}{form}", values), look),
        render(Message(f"frontier.tip.each.{unit}{form}", values), look),
        render(Message(f"frontier.tip.step{form}", values), look),
        render(Message(known, values), look),
        bound_text(found.bounds[i], "sentence", look),
    )
    return "\n".join(lines)


def _finding(
    evaluation: Evaluation,
    shown: Sequence[tuple[Subject, Frontier]],
    ratios: dict[str, float | None],
    base: str,
    look: Look,
) -> str:
    """Which subject yields most at the current batch, beside the baseline, or else the one that is nearest to it."""
    known = [(ratio, s) for s, _ in shown if s.key != base and (ratio := ratios[s.key]) is not None]
    baseline = next((s for s, _ in shown if s.key == base), None)
    if not known or baseline is None:
        return ""
    best, subject = max(known, key=lambda each: each[0])
    values = {
        "name": subject_name(evaluation, subject, look),
        "ratio": factor(best),
        "baseline": subject_name(evaluation, baseline, look),
        "batch": f"{evaluation.study.workload.batch:,}",
    }
    return render(Message(f"frontier.finding.{_unit(evaluation)}", values), look)


def _notes(
    evaluation: Evaluation, drawn: Drawn, found: Sequence[tuple[Subject, Frontier]], look: Look
) -> tuple[str, ...]:
    """Who is left out, and how far figures hold."""
    groups = (
        ("compared.no_room", [s for s, f in found if not f.batches.size]),
        ("frontier.counts_else", [s for s in drawn.subjects if all(s is not other for other, _ in found)]),
        ("compared.unknown_room", [s for s, f in found if f.capacity is None]),
    )
    lines = [render(Message(k, {"names": listed_names(evaluation, g, look)}), look) for k, g in groups if g]
    if routes(evaluation):
        lines.append(render(Message("frontier.routing", {"routing": routing_text(evaluation, look)}), look))
    return (*lines, *notes_on(evaluation, drawn, look))


def _title(evaluation: Evaluation, look: Look) -> str:
    figure = frontier_figure(evaluation, look)
    return figure.finding.rstrip(".。") or figure.title


register_build(
    "frontier", lambda evaluation, look, _texts: frontier_figure(evaluation, look), Says(_title, reading("frontier"))
)
