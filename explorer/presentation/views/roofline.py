"""The roofline on its slide: without the selection, with the way of the points from batch 1."""

import math
from collections.abc import Iterable

from msgspec.structs import replace

from explorer.analysis.ask.main_work import value_bytes
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.hardware.device_names import device_label
from explorer.presentation.look import Look
from explorer.presentation.quantities.numbers import percent
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.figure import Figure
from explorer.presentation.slide.table import ratios_to
from explorer.presentation.views.batch_trail import batch_trail
from explorer.presentation.views.declared import Says, Texts, register_build
from explorer.presentation.words.messages import Message, render

_FULL = 3  # sentences on how to read it


def roofline_on_paper(evaluation: Evaluation, look: Look, _texts: Texts) -> Figure:
    """The chart in the ranges, colours and units of the study's view."""
    figure = build_figure(evaluation, look=look)
    shift = math.log10(value_bytes(evaluation)) if evaluation.study.view.per_value else 0.0
    trail = batch_trail(evaluation, figure, shift)
    return replace(figure, selection=frozenset(), trail=trail, keeps_strip=not figure.fitted)


def _read(evaluation: Evaluation, figure: object, look: Look) -> Iterable[str]:
    """How to read what is on the chart, and nothing else."""
    if not isinstance(figure, Figure):
        return []
    messages = []
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
    base = ratios_to(evaluation)
    if base is not None:
        messages.append(Message("read.ratios", {"device": device_label(evaluation, base, look)}))
    if len(messages) < _FULL:
        messages.append(Message("read.slope"))
    return [render(m, look) for m in messages]


register_build("roofline", roofline_on_paper, Says(read=_read))
