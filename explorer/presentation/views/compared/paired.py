"""Time by operator on several subjects, as paired bars: operators that are alike together, the smallest summed."""

from collections.abc import Sequence

import msgspec

from explorer.analysis.ask.comparison.drawn import Drawn, drawn_subjects
from explorer.analysis.ask.comparison.paired import PairedStep, PairedTimes, paired_step
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import NOTHING, factor, seconds, times
from explorer.presentation.roofline.marks import short_row_name
from explorer.presentation.views.compared.notes import beyond_texts, empty_reason, notes_on
from explorer.presentation.views.compared.reading import reading
from explorer.presentation.views.compared.subject_names import subject_colour, subject_name, subject_names
from explorer.presentation.views.declared import Says, register_build
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render
from explorer.presentation.words.said.launches import least_text
from explorer.presentation.words.visible import one_line

_ROUNDS = 0.0995  # below, two decimals are too few digits
GROUPS = 8  # of operators, at most
_NAMES = 4

register(
    {
        "paired.title": QT_TRANSLATE_NOOP("messages", "Time by operator"),
        "paired.whole": QT_TRANSLATE_NOOP("messages", "whole step, operator by operator"),
        "paired.baseline": QT_TRANSLATE_NOOP("messages", "baseline"),
        "paired.others": QT_TRANSLATE_NOOP("messages", "{count} others"),
        "paired.all": QT_TRANSLATE_NOOP("messages", "all {count} operators"),
        "paired.more": QT_TRANSLATE_NOOP("messages", "{names} + {count} more"),
        "paired.list": QT_TRANSLATE_NOOP("messages", ", "),
        "paired.two": QT_TRANSLATE_NOOP(
            "messages",
            "{name} takes {ratio} as long as {baseline}: from {low} on {low_rows} to {high} on {high_rows}.",
        ),
        "paired.even": QT_TRANSLATE_NOOP(
            "messages", "{name} takes {ratio} as long as {baseline}, about the same on every operator."
        ),
        "paired.many": QT_TRANSLATE_NOOP(
            "messages", "Against {baseline}, {quick} takes {low} as long and {slow} {high}."
        ),
        "paired.tip": QT_TRANSLATE_NOOP("messages", "{time} on {name}, {ratio} as long as {baseline}"),
        "paired.tip_alone": QT_TRANSLATE_NOOP("messages", "{time} on {name}"),
    }
)


class PairedBar(msgspec.Struct, frozen=True):
    """The time of some operators on one subject; no bar where it runs none of them."""

    seconds: float | None
    time_text: str
    ratio_text: str
    tip: str
    baseline: bool = False


class PairedGroup(msgspec.Struct, frozen=True):
    """Some operators, a bar for each subject; `rows` are their names in the study."""

    name: str
    bars: tuple[PairedBar, ...]
    rows: tuple[str, ...] = ()


class PairedSubject(msgspec.Struct, frozen=True):
    """One subject: its colour and hatch, and its whole step."""

    key: str
    name: str
    colour: int
    whole: PairedBar
    baseline: bool = False
    shorter: tuple[str, ...] = ()  # names for where there is little room


class PairedFigure(msgspec.Struct, frozen=True):
    """Paired bars; texts are final.

    `rests[n]` is what the first n groups leave, `beyond[n]` what is said where only the first n subjects are drawn: a
    painter shows as many groups and subjects as it has room for.
    """

    title: str
    finding: str
    subjects: tuple[PairedSubject, ...] = ()
    groups: tuple[PairedGroup, ...] = ()
    rests: tuple[PairedGroup, ...] = ()
    whole_text: str = ""
    beyond: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    empty_text: str = ""


class _Words(msgspec.Struct, frozen=True, eq=False):
    """What texts of bars are made with."""

    look: Look
    names: tuple[str, ...]
    results: tuple[DeviceResult, ...]
    base: int | None


def paired_figure(evaluation: Evaluation, look: Look = ENGLISH) -> PairedFigure:
    """The step of every subject of the study's comparison, operator by operator."""
    drawn = drawn_subjects(evaluation)
    title = render(Message("paired.title"), look)
    empty = empty_reason(evaluation, drawn, look)
    if empty:
        return PairedFigure(title, "", empty_text=empty)
    step = paired_step(drawn)
    words = _Words(
        look,
        tuple(subject_name(evaluation, s, look) for s in drawn.subjects),
        tuple(s.result for s in drawn.subjects if s.result is not None),
        next((i for i, s in enumerate(drawn.subjects) if s is drawn.baseline), None),
    )
    rests = tuple(_rest(rest, words, whole=not n) for n, rest in enumerate(step.rests[: GROUPS + 1]))
    return PairedFigure(
        title=title,
        finding=_finding(step, words),
        subjects=_subjects(evaluation, drawn, step, words),
        groups=tuple(_group(_names(g.names, look), g, words) for g in step.groups[:GROUPS]),
        rests=rests,
        whole_text=render(Message("paired.whole"), look),
        beyond=beyond_texts(len(words.names), look),
        notes=notes_on(evaluation, drawn, look),
    )


def _subjects(evaluation: Evaluation, drawn: Drawn, step: PairedStep, words: _Words) -> tuple[PairedSubject, ...]:
    whole = _group(render(Message("paired.whole"), words.look), step.whole, words)
    names = subject_names(evaluation, drawn.subjects, words.look)
    return tuple(
        PairedSubject(
            s.key, words.names[i], subject_colour(evaluation, s), whole.bars[i], i == words.base, names[s.key][1:]
        )
        for i, s in enumerate(drawn.subjects)
    )


def _group(name: str, times: PairedTimes, words: _Words) -> PairedGroup:
    return PairedGroup(name, tuple(_bar(name, times, i, words) for i in range(len(words.names))), times.names)


def _bar(name: str, times: PairedTimes, place: int, words: _Words) -> PairedBar:
    found, result = times.seconds[place], words.results[place]
    text = NOTHING if found is None else least_text(result, seconds(found), words.look)
    ratio = _ratio(times.ratios[place], place, words)
    values = {"time": text, "name": words.names[place]}
    if place == words.base or words.base is None or times.ratios[place] is None:
        tip = render(Message("paired.tip_alone", values), words.look)
    else:
        values |= {"ratio": ratio, "baseline": words.names[words.base]}
        tip = render(Message("paired.tip", values), words.look)
    return PairedBar(found, text, ratio, f"{name}\n{tip}", place == words.base)


def _ratio(ratio: float | None, place: int, words: _Words) -> str:
    """A ratio of times, a bound where the launches of one side are not known; what stands at the baseline's own."""
    if place == words.base:
        return render(Message("paired.baseline"), words.look)
    if ratio is None or words.base is None:
        return ""
    own, to = words.results[place].launches_unknown, words.results[words.base].launches_unknown
    text = factor(ratio) if ratio >= _ROUNDS else times(ratio)
    if own == to:
        return text
    if own:
        return render(Message("launches.least", {"time": text}), words.look)
    return render(Message("launches.gain_short", {"gain": text}), words.look)


def _rest(rest: PairedTimes, words: _Words, *, whole: bool) -> PairedGroup:
    """Operators that have no bars of their own; one alone goes by its name."""
    if len(rest.names) == 1:
        return _group(_names(rest.names, words.look), rest, words)
    key = "paired.all" if whole else "paired.others"
    return _group(render(Message(key, {"count": len(rest.names)}), words.look), rest, words)


def _names(names: Sequence[str], look: Look) -> str:
    """The names of operators that are alike: `gate, up, down`."""
    distinct = list(dict.fromkeys(one_line(short_row_name(n)) for n in names))
    comma = render(Message("paired.list"), look)
    if len(distinct) <= _NAMES:
        return comma.join(distinct)
    shown = comma.join(distinct[: _NAMES - 1])
    return render(Message("paired.more", {"names": shown, "count": len(distinct) - _NAMES + 1}), look)


def _finding(step: PairedStep, words: _Words) -> str:
    """How long the others take, beside the baseline."""
    base = words.base
    others = [i for i in range(len(words.names)) if i != base and step.whole.ratios[i] is not None]
    if base is None or not others:
        return ""
    baseline = words.names[base]
    others.sort(key=lambda i: step.whole.ratios[i] or 0.0)
    quick, slow = others[0], others[-1]
    low, high = (_ratio(step.whole.ratios[i], i, words) for i in (quick, slow))
    if len(others) > 1:
        values = {"baseline": baseline, "quick": words.names[quick], "low": low}
        return render(Message("paired.many", {**values, "slow": words.names[slow], "high": high}), words.look)
    values = {"name": words.names[quick], "ratio": low, "baseline": baseline}
    ends = step.ratio_range(quick)
    texts = [] if ends is None else [_ratio(g.ratios[quick], quick, words) for g in ends]
    if ends is None or texts[0] == texts[1]:
        return render(Message("paired.even", values), words.look)
    rows = [_names(g.names, words.look) for g in ends]
    more = {"low": texts[0], "low_rows": rows[0], "high": texts[1], "high_rows": rows[1]}
    return render(Message("paired.two", {**values, **more}), words.look)


def _title(evaluation: Evaluation, look: Look) -> str:
    figure = paired_figure(evaluation, look)
    return figure.finding.rstrip(".。") or figure.title


register_build(
    "paired", lambda evaluation, look, _texts: paired_figure(evaluation, look), Says(_title, reading("paired"))
)
