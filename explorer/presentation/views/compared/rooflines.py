"""Small multiples of rooflines: each subject of a comparison in a chart of its own, all on the same axes."""

from collections.abc import Sequence

import msgspec
from msgspec.structs import replace

from explorer.analysis.ask.comparison.drawn import drawn_subjects
from explorer.analysis.ask.comparison.subjects import Subject
from explorer.analysis.ask.shares import dominant_bound
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.resources import Bound
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import percent, significant
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.figure import Figure, Range
from explorer.presentation.views.compared.notes import beyond_texts, empty_reason, listed_names, notes_on
from explorer.presentation.views.compared.reading import reading
from explorer.presentation.views.compared.subject_names import subject_colour, subject_name, subject_names
from explorer.presentation.views.declared import Says, register_build
from explorer.presentation.words.bounds import BOUND_ORDER, bound_text, bound_word
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

_MOST = 9

register(
    {
        "rooflines.title": QT_TRANSLATE_NOOP("messages", "Rooflines on the same axes"),
        "rooflines.axes": QT_TRANSLATE_NOOP("messages", "{y} against {x}, the same axes in all"),
        "rooflines.strip": QT_TRANSLATE_NOOP("messages", "Operators without FLOPs are not drawn."),
        "rooflines.both": QT_TRANSLATE_NOOP("messages", "Both wait for {bound} most of the time."),
        "rooflines.all": QT_TRANSLATE_NOOP("messages", "All {count} wait for {bound} most of the time."),
        "rooflines.some": QT_TRANSLATE_NOOP("messages", "{names}: mostly waiting for {bound}."),
        "rooflines.verdict": QT_TRANSLATE_NOOP("messages", "{waits}, {share} of the time"),
        "rooflines.ridge": QT_TRANSLATE_NOOP("messages", "ridge {ridge}"),
        "rooflines.no_ridge": QT_TRANSLATE_NOOP("messages", "compute not judged"),
    }
)


class RooflinePanel(msgspec.Struct, frozen=True):
    """One subject: its name, what its step waits for, its ridge, its chart."""

    key: str
    name: str
    colour: int
    verdict: str
    waits: str  # the verdict without its figure, for want of room
    ridge: str
    figure: Figure
    baseline: bool = False
    shorter: tuple[str, ...] = ()  # names for where there is little room


class RooflinesFigure(msgspec.Struct, frozen=True):
    """The charts, in order; their ranges are the same. Texts are final."""

    title: str
    finding: str
    axes: str = ""
    panels: tuple[RooflinePanel, ...] = ()
    beyond: tuple[str, ...] = ()  # what is said where the first n alone have room
    notes: tuple[str, ...] = ()
    empty_text: str = ""


def rooflines_figure(evaluation: Evaluation, look: Look = ENGLISH) -> RooflinesFigure:
    """The roofline of every subject of the study's comparison; those without room too, which is said."""
    drawn = drawn_subjects(evaluation, _MOST, held=False)
    title = render(Message("rooflines.title"), look)
    empty = empty_reason(evaluation, drawn, look)
    if empty:
        return RooflinesFigure(title, "", empty_text=empty)
    found = [(s, s.evaluation, s.result) for s in drawn.subjects]
    shown = [(s, e, r) for s, e, r in found if e is not None and r is not None]
    names = subject_names(evaluation, [s for s, _, _ in shown], look)
    views = [_alone(other, result) for _, other, result in shown]
    ranges = _common([build_figure(other, all_devices=False, alone=True, look=look) for other in views])
    figures = [build_figure(other, all_devices=False, alone=True, ranges=ranges, look=look) for other in views]
    full = [s for s, _, result in shown if result.totals.fits is False]
    said = [Message("compared.no_room", {"names": listed_names(evaluation, full, look)})] if full else []
    if any(f.strips for f in figures):
        said.append(Message("rooflines.strip"))
    return RooflinesFigure(
        title=title,
        finding=_finding(evaluation, [(s, r) for s, _, r in shown], look),
        axes=render(Message("rooflines.axes", {"x": figures[0].short_x, "y": figures[0].short_y}), look),
        panels=tuple(
            replace(_panel(evaluation, s, r, f, look, baseline=s is drawn.baseline), shorter=names[s.key][1:])
            for (s, _, r), f in zip(shown, figures, strict=True)
        ),
        beyond=beyond_texts(len(shown), look),
        notes=(*(render(m, look) for m in said), *notes_on(evaluation, drawn, look)),
    )


def _alone(evaluation: Evaluation, result: DeviceResult) -> Evaluation:
    """An evaluation that speaks of one of its devices."""
    study = evaluation.study
    view = replace(study.view, active_hardware=result.entry.id, selection=())
    return evaluation.viewed(replace(study, view=view))


def _common(figures: Sequence[Figure]) -> tuple[Range, Range]:
    """Ranges that hold all charts."""
    xs, ys = [f.x_range for f in figures], [f.y_range for f in figures]
    return (min(x[0] for x in xs), max(x[1] for x in xs)), (min(y[0] for y in ys), max(y[1] for y in ys))


def _panel(
    evaluation: Evaluation, subject: Subject, result: DeviceResult, figure: Figure, look: Look, *, baseline: bool
) -> RooflinePanel:
    bound, colour = dominant_bound(result), subject_colour(evaluation, subject)
    values = {"waits": bound_text(bound, "waits", look), "share": percent(result.bound_shares[bound])}
    ridge = Message("rooflines.no_ridge")
    if result.ridge:
        ridge = Message("rooflines.ridge", {"ridge": significant(result.ridge)})
    return RooflinePanel(
        key=subject.key,
        name=subject_name(evaluation, subject, look),
        colour=colour,
        verdict=render(Message("rooflines.verdict", values), look),
        waits=bound_text(bound, "waits", look),
        ridge=render(ridge, look),
        figure=_coloured(figure, colour),
        baseline=baseline,
    )


def _coloured(figure: Figure, colour: int) -> Figure:
    """A chart in its subject's colour, without what is said once for all charts: name, axes, operators beside it."""
    return replace(
        figure,
        roofs=tuple(replace(r, colour=colour, name="", ridge_text="") for r in figure.roofs),
        marks=tuple(replace(m, colour=colour) for m in figure.marks),
        strips=(),
        strip_text="",
        short_strip="",
        x_title="",
        y_title="",
        short_x="",
        short_y="",
    )


def _finding(evaluation: Evaluation, found: Sequence[tuple[Subject, DeviceResult]], look: Look) -> str:
    """What most of each step's time waits for."""
    by_bound: dict[Bound, list[Subject]] = {}
    for subject, result in found:
        by_bound.setdefault(dominant_bound(result), []).append(subject)
    if len(by_bound) == 1:
        (bound,) = by_bound
        key = "rooflines.both" if len(found) == 2 else "rooflines.all"
        return render(Message(key, {"count": len(found), "bound": bound_word(bound, look)}), look)
    lines = []
    for bound in (b for b in BOUND_ORDER if b in by_bound):
        values = {"names": listed_names(evaluation, by_bound[bound], look), "bound": bound_word(bound, look)}
        lines.append(render(Message("rooflines.some", values), look))
    return " ".join(lines)


def _title(evaluation: Evaluation, look: Look) -> str:
    figure = rooflines_figure(evaluation, look)
    return figure.finding.rstrip(".。") or figure.title


register_build(
    "rooflines", lambda evaluation, look, _texts: rooflines_figure(evaluation, look), Says(_title, reading("rooflines"))
)
