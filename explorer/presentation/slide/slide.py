"""The exported slide: a title that says the finding, the chart, the table that decides, what would help."""

import math
from collections.abc import Mapping

import msgspec
from msgspec.structs import replace

import explorer.presentation.slide.texts  # noqa: F401 - registers its sentences
from explorer.analysis.ask.levers import levers
from explorer.analysis.ask.main_work import value_bytes
from explorer.analysis.problem import Value
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.answer.answer import without_marks
from explorer.presentation.answer.lever_texts import lever_texts, useless_text
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import percent, seconds
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.figure import Figure
from explorer.presentation.slide.finding import finding, subtitle
from explorer.presentation.slide.footer import footer
from explorer.presentation.slide.table import DecidingTable, deciding_table
from explorer.presentation.views.batch_trail import batch_trail
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.said.routing import pace_text

_FULL = 3  # sentences on how to read it
TEXT_KEYS = ("title", "subtitle", "help_title", "help", "read_title", "read", "footer")


class Box(msgspec.Struct, frozen=True):
    """A block of text beside the chart; lines that fit are not wrapped."""

    title: str
    lines: tuple[str, ...]


class Slide(msgspec.Struct, frozen=True):
    """Everything on a slide; texts are final."""

    title: str
    subtitle: str
    figure: Figure
    table: DecidingTable
    help: Box
    read: Box
    footer: str


def build_slide(
    evaluation: Evaluation,
    look: Look = ENGLISH,
    texts: Mapping[str, str] | None = None,
) -> Slide:
    """Propose a slide from a study; `texts` replace what they name (see TEXT_KEYS; "" leaves a part out).

    The chart takes the ranges, colours and units of the study's view; the selection is not shown.
    """
    own = dict(texts or {})
    figure = build_figure(evaluation, look=look)
    per_value_shift = _shift(evaluation)
    figure = replace(figure, selection=frozenset(), trail=batch_trail(evaluation, figure, per_value_shift))
    helps = _help_lines(evaluation, look)
    return Slide(
        title=own.get("title", finding(evaluation, look)),
        subtitle=own.get("subtitle", subtitle(evaluation, look)),
        figure=figure,
        table=deciding_table(evaluation, look),
        help=Box(own.get("help_title", _help_title(evaluation, look)), _own_lines(own, "help", helps)),
        read=Box(
            own.get("read_title", render(Message("slide.read"), look)),
            _own_lines(own, "read", _reading(evaluation, figure, look)),
        ),
        footer=own.get("footer", footer(evaluation, look)),
    )


def proposed_texts(evaluation: Evaluation, look: Look = ENGLISH) -> dict[str, str]:
    """The texts the program proposes, by the keys of TEXT_KEYS, for an editor to start from."""
    slide = build_slide(evaluation, look)
    return {
        "title": slide.title,
        "subtitle": slide.subtitle,
        "help_title": slide.help.title,
        "help": "\n".join(slide.help.lines),
        "read_title": slide.read.title,
        "read": "\n".join(slide.read.lines),
        "footer": slide.footer,
    }


def _own_lines(own: Mapping[str, str], key: str, proposed: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(line for line in own[key].splitlines() if line.strip()) if key in own else proposed


def _shift(evaluation: Evaluation) -> float:
    return math.log10(value_bytes(evaluation)) if evaluation.study.view.per_value else 0.0


def _help_title(evaluation: Evaluation, look: Look) -> str:
    if evaluation.active is None:
        return ""
    return render(Message("slide.help", {"device": device_label(evaluation, evaluation.active, look)}), look)


def _help_lines(evaluation: Evaluation, look: Look) -> tuple[str, ...]:
    """Levers, two on a line; below them those that bring nothing."""
    if evaluation.active is None:
        return ()
    entry = evaluation.active.entry.id
    texts = [without_marks(m, look) for m in lever_texts(evaluation, entry, look)]
    comma = render(Message("chart.list"), look)
    useless = useless_text(levers(evaluation, entry), look)
    return (*(comma.join(texts[i : i + 2]) for i in range(0, len(texts), 2)), *([useless] if useless else []))


def _floor(evaluation: Evaluation, look: Look) -> list[Message]:
    """Both figures of a step whose routing decides: the table has those of the routing alone."""
    active = evaluation.active
    if active is None or not evaluation.rows or not active.totals.routing_matters:
        return []
    totals = active.totals
    values: dict[str, Value] = {
        "device": device_label(evaluation, active, look),
        "routed": seconds(float(totals.routed.seconds)),
        "routing": pace_text(evaluation, look),
        "floor": seconds(float(totals.floor_s)),
    }
    return [Message("read.floor", values)]


def _reading(evaluation: Evaluation, figure: Figure, look: Look) -> tuple[str, ...]:
    messages = _floor(evaluation, look)
    if figure.area_is_share:
        messages.append(Message("read.area"))
    if any(len(m.rows) > 1 and m.active for m in figure.every_mark):
        messages.append(Message("read.ring"))
    if any(not m.active and not m.measured for m in figure.every_mark):
        messages.append(Message("read.others"))
    if figure.trail:
        messages.append(Message("read.trail", {"batch": f"{evaluation.study.workload.batch:,}"}))
    measured = [m for m in figure.every_mark if m.measured and m.ceiling is not None]
    if len(measured) == 1:
        share = percent(10 ** (measured[0].y - (measured[0].ceiling or 0.0)))
        messages.append(Message("read.measured", {"share": share}))
    elif measured:
        messages.append(Message("read.measured_many"))
    if len(messages) < _FULL:
        messages.append(Message("read.slope"))
    return (" ".join(render(m, look) for m in messages),)
