"""Speed-up of one subject over the baseline as a map over batch and context: regions, room, where the study stands."""

import math

import msgspec
import numpy as np

import explorer.presentation.views.compared.speedup_texts  # noqa: F401 - registers the words used here
from explorer.analysis.ask.comparison.drawn import Drawn
from explorer.analysis.ask.comparison.regions import regions
from explorer.analysis.ask.comparison.speedup import SpeedMap, SpeedPair, speed_map, speed_pair
from explorer.analysis.ask.comparison.subjects import subjects
from explorer.analysis.problem import Value
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.answer.nothing import nothing_text
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import NOTHING, factor, significant
from explorer.presentation.views.compared.notes import listed_names, notes_on
from explorer.presentation.views.compared.reading import reading
from explorer.presentation.views.compared.subject_names import subject_colour, subject_name
from explorer.presentation.views.declared import Says, register_build
from explorer.presentation.words.messages import Message, render

_NEAR = 0.005  # of a ratio that is named
_LEAST_SCALE = math.log2(3)  # doublings at which a colour is full, where none is more
_ROOM = ("over", "under", "none")  # who has room


class SpeedCell(msgspec.Struct, frozen=True):
    """One batch and context: `shade` from -1 (slower) over 0 (as fast) to 1, None where one has no room."""

    batch: int
    context: int
    shade: float | None
    text: str
    tip: str


class SpeedLabel(msgspec.Struct, frozen=True):
    """What a region says, in a rectangle of cells: first row and column, last ones; shorter where there is no room."""

    box: tuple[int, int, int, int]
    text: str
    below: str = ""
    room: bool = True


class SpeedupFigure(msgspec.Struct, frozen=True):
    """The map; rows are contexts, the shortest first. Texts are final.

    `hatched` says for each cell who has room: "" both, "over", "under" one of them, "none".
    """

    title: str
    finding: str
    says: str = ""
    x_title: str = ""
    y_title: str = ""
    columns: tuple[str, ...] = ()
    rows: tuple[str, ...] = ()
    cells: tuple[tuple[SpeedCell, ...], ...] = ()
    hatched: tuple[tuple[str, ...], ...] = ()
    labels: tuple[SpeedLabel, ...] = ()
    now: tuple[int, int] | None = None
    colours: tuple[int, int] = (0, 1)
    limits: str = ""
    notes: tuple[str, ...] = ()
    empty_text: str = ""


def speedup_figure(evaluation: Evaluation, look: Look = ENGLISH, beside: str = "") -> SpeedupFigure:
    """The speed-up of the subject `beside`, else of that of the study's view, over the baseline."""
    pair = speed_pair(evaluation, beside)
    if pair is None:
        title = render(Message("speedup.title_none"), look)
        return SpeedupFigure(title, "", empty_text=_empty(evaluation, look))
    found = speed_map(evaluation, pair)
    names = (subject_name(evaluation, pair.over, look), subject_name(evaluation, pair.under, look))
    work = evaluation.study.workload
    hatched = _hatched(found)
    scale = _scale(found)
    fixed = len(found.contexts) == 1
    now = found.nearest(work.batch, work.context)
    return SpeedupFigure(
        title=render(Message("speedup.title", {"over": names[0], "under": names[1]}), look),
        finding=_finding(evaluation, pair, names, look),
        says=render(Message("speedup.says"), look),
        x_title=render(Message("speedup.batch"), look),
        y_title="" if fixed else render(Message("speedup.context"), look),
        columns=tuple(_power(b) for b in found.batches),
        rows=("",) if fixed else tuple(_power(c) for c in found.contexts),
        cells=tuple(
            tuple(_cell(found, names, hatched, r, c, scale, look) for c in range(len(found.batches)))
            for r in range(len(found.contexts))
        ),
        hatched=hatched,
        labels=_labels(found, names, hatched, now, look),
        now=now,
        colours=(subject_colour(evaluation, pair.over), subject_colour(evaluation, pair.under)),
        limits=_limits(evaluation, found, look),
        notes=notes_on(evaluation, Drawn((pair.under, pair.over), pair.under), look),
    )


def _power(value: int) -> str:
    """A power of two on an axis: 512, 1k, 64k."""
    return f"{value // 1024}k" if value >= 1024 and value % 1024 == 0 else f"{value}"


def _hatched(found: SpeedMap) -> tuple[tuple[str, ...], ...]:
    words = {(True, True): "", (True, False): "over", (False, True): "under", (False, False): "none"}
    sides = zip(found.room_over.tolist(), found.room_under.tolist(), strict=True)
    return tuple(tuple(words[o, u] for o, u in zip(over, under, strict=True)) for over, under in sides)


def _scale(found: SpeedMap) -> float:
    """Doublings at which the colour is full: the same for faster and slower, so that one glance compares them."""
    known = np.abs(np.log2(found.ratio[found.both & (found.ratio > 0)]))
    return max(_LEAST_SCALE, float(known.max(initial=0.0)))


def _cell(
    found: SpeedMap,
    names: tuple[str, str],
    hatched: tuple[tuple[str, ...], ...],
    row: int,
    column: int,
    scale: float,
    look: Look,
) -> SpeedCell:
    ratio, word = float(found.ratio[row, column]), hatched[row][column]
    batch, context = found.batches[column], found.contexts[row]
    known = not word and ratio > 0 and math.isfinite(ratio)
    values: dict[str, Value] = {"batch": f"{batch:,}", "context": f"{context:,}", "over": names[0], "under": names[1]}
    place = "speedup.at_batch" if len(found.contexts) == 1 else "speedup.at"
    tip = word or ("both" if known else "launches")
    said = Message(f"speedup.tip.{tip}", {**values, "ratio": factor(ratio)})
    return SpeedCell(
        batch=batch,
        context=context,
        shade=max(-1.0, min(1.0, math.log2(ratio) / scale)) if known else None,
        text=factor(ratio) if known else "",
        tip=f"{render(Message(place, values), look)}\n{render(said, look)}",
    )


def _labels(
    found: SpeedMap, names: tuple[str, str], hatched: tuple[tuple[str, ...], ...], now: tuple[int, int], look: Look
) -> tuple[SpeedLabel, ...]:
    """One label for all cells that touch and say the same."""
    words = [
        [hatched[r][c] or _kind(found, r, c) or factor(float(found.ratio[r, c])) for c in range(len(found.batches))]
        for r in range(len(found.contexts))
    ]
    labels = []
    for region in regions(words, now, _ROOM):
        word = str(region.says)
        if word in _ROOM:
            name = names[0] if word == "over" else names[1]
            labels.append(
                SpeedLabel(region.box, render(Message(f"speedup.only.{word}", {"name": name}), look), room=False)
            )
            continue
        texts = [factor(float(found.ratio[r, c])) for r, c in region.cells]
        low, high = min(texts, key=_figure), max(texts, key=_figure)
        text = low if low == high else f"{low.removesuffix('×')}–{high}"
        below = render(Message(f"speedup.{word}"), look) if word in {"bandwidth", "peaks"} else ""
        if text == NOTHING:
            text = render(Message("speedup.launches_label"), look)
        labels.append(SpeedLabel(region.box, text, below))
    return tuple(labels)


def _figure(text: str) -> float:
    return math.nan if text == NOTHING else float(text.removesuffix("×").replace(",", ""))


def _kind(found: SpeedMap, row: int, column: int) -> str:
    """The ratio of the machines that a cell's is, "" for any other."""
    for word, ratio in (("bandwidth", found.bandwidth_ratio), ("peaks", found.peak_ratio)):
        if ratio and ratio != 1.0 and _same(float(found.ratio[row, column]), ratio):
            return word
    return ""


def _same(one: float, other: float) -> bool:
    """Whether two ratios are the same to three digits, and as they are written."""
    return significant(one) == significant(other) and factor(one) == factor(other)


def _limits(evaluation: Evaluation, found: SpeedMap, look: Look) -> str:
    """What the machines' own ratios are, as a bound where the map keeps to it; and what the box is."""
    bandwidth, peaks = found.bandwidth_ratio, found.peak_ratio
    shown = found.ratio[found.both & np.isfinite(found.ratio)]
    said = []
    if evaluation.study.view.vary == "machines" and bandwidth and peaks and shown.size:
        least, most = found.peak_ends or (peaks, peaks)
        below, above = float(shown.max()) <= most * (1 + _NEAR), float(shown.min()) >= least * (1 - _NEAR)
        key = "speedup.limits"
        if most > bandwidth and below:
            key, peaks = "speedup.at_most", most
        elif least < bandwidth and above:
            key, peaks = "speedup.at_least", least
        said.append(render(Message(key, {"bandwidth": factor(bandwidth), "peaks": factor(peaks)}), look))
    work = evaluation.study.workload
    exact = work.batch in found.batches and (work.context in found.contexts or len(found.contexts) == 1)
    said.append(render(Message("speedup.box" if exact else "speedup.box_near"), look))
    return render(Message("speedup.dot_list"), look).join(said)


def _finding(evaluation: Evaluation, pair: SpeedPair, names: tuple[str, str], look: Look) -> str:
    work = evaluation.study.workload
    values: dict[str, Value] = {"over": names[0], "under": names[1], "batch": f"{work.batch:,}"}
    values["context"] = f"{work.context:,}"
    if pair.now is None and pair.why == "launches":
        unknown = [s for s in (pair.over, pair.under) if s.result is not None and s.result.launches_unknown]
        return render(Message("speedup.launches", {**values, "names": listed_names(evaluation, unknown, look)}), look)
    if pair.now is None:
        full = [s for s in (pair.over, pair.under) if s.result is not None and s.result.totals.fits is False]
        return render(Message("speedup.no_room", {**values, "names": listed_names(evaluation, full, look)}), look)
    key = "speedup.finding_batch" if evaluation.tokens_per_input is not None else "speedup.finding"
    return render(Message(key, {**values, "ratio": factor(pair.now)}), look)


def _empty(evaluation: Evaluation, look: Look) -> str:
    if evaluation.active is None or not evaluation.rows:
        return nothing_text(evaluation, "compared.empty", look)
    if evaluation.model is None:
        return nothing_text(evaluation, "speedup.own", look)
    kind = evaluation.study.view.vary
    if kind == "what_ifs" and len(subjects(evaluation)) > 1:
        return render(Message("speedup.no_map"), look)
    return render(Message(f"compared.one.{kind}"), look)


def _title(evaluation: Evaluation, look: Look) -> str:
    figure = speedup_figure(evaluation, look)
    return figure.finding.rstrip(".。") or figure.title


register_build(
    "speedup", lambda evaluation, look, _texts: speedup_figure(evaluation, look), Says(_title, reading("speedup"))
)
