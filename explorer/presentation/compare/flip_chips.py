"""Verdicts that flip, in words: which operators wait for something else on which machines."""

from collections import Counter
from collections.abc import Mapping
from typing import Final

import msgspec

import explorer.presentation.roofline.texts  # noqa: F401 - registers the word between names
from explorer.analysis.ask.comparison.compared import Comparison
from explorer.analysis.ask.comparison.flips import Flip
from explorer.analysis.step.resources import Bound
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.roofline.marks import short_row_name
from explorer.presentation.words.bounds import bound_word
from explorer.presentation.words.messages import Message, render

_NAMED: Final = 8  # operators that a chip lists before it counts
_LONG: Final = 24  # letters of a machine that stands by its name where room is short
_MACHINES: Final = 3  # the same for machines that wait as the baseline does


class FlipSide(msgspec.Struct, frozen=True):
    """What operators wait for on some machines, those named; `short` counts them where names find no room."""

    bound: Bound
    word: str
    where: str
    text: str
    short: str = ""


class FlipWords(msgspec.Struct, frozen=True):
    """Operators that wait for one thing here and for another there: their names, and all sides, the baseline's first.

    `text` says the same where nothing can be drawn.
    """

    names: str
    sides: tuple[FlipSide, ...]
    text: str
    tip: str
    rows: tuple[str, ...] = ()


class FlipLine(msgspec.Struct, frozen=True):
    """All of them in a line: how many, and a chip for each."""

    title: str
    chips: tuple[FlipWords, ...] = ()

    @property
    def text(self) -> str:
        """The line where nothing can be drawn."""
        chips = "; ".join(chip.text for chip in self.chips)
        return f"{self.title}: {chips}" if chips else self.title


def flip_line(found: Comparison, names: Mapping[str, str], look: Look = ENGLISH) -> FlipLine:
    """The line under a comparison's table; empty where there is nothing to compare."""
    flips, placed = found.flips, [row for row in found.rows if row.subject.result is not None]
    without = render(Message("chart.list"), look).join(names[key] for key in flips.left_out)
    if len(placed) < 2:
        return FlipLine("")
    if len(placed) - len(flips.left_out) < 2:
        return FlipLine(render(Message("compare.flips_unknown", {"names": without}), look))
    if flips.of == 0:
        return FlipLine("")
    key = "compare.flips" if flips.count else "compare.no_flips"
    key += "_without" if without else ""
    title = render(Message(key, {"count": flips.count, "of": flips.of, "names": without}), look)
    if not flips.count:
        return FlipLine(title)
    return FlipLine(title, tuple(_chip(flip, _usual(flip, found), names, look) for flip in flips.groups))


def _usual(flip: Flip, found: Comparison) -> Bound:
    """What they wait for on the baseline; where that has no step, on most."""
    baseline = "" if found.baseline is None else found.baseline.subject.key
    own = next((bound for bound, keys in flip.subjects.items() if baseline in keys), None)
    return own or Counter({bound: len(keys) for bound, keys in flip.subjects.items()}).most_common(1)[0][0]


def _chip(flip: Flip, usual: Bound, names: Mapping[str, str], look: Look) -> FlipWords:
    between = render(Message("chart.list"), look)
    rows = _row_names(flip.rows, look)
    shown = between.join(rows[:_NAMED]) + (f" + {len(rows) - _NAMED}" if len(rows) > _NAMED else "")
    order = sorted(flip.subjects, key=lambda bound: bound != usual)
    of = sum(map(len, flip.subjects.values()))
    sides = tuple(_side(b, [names[key] for key in flip.subjects[b]], of, b == usual, look) for b in order)
    text = render(Message("compare.flip", {"names": shown, "sides": between.join(side.text for side in sides)}), look)
    all_named = (f"{bound_word(b, look)}: {between.join(names[key] for key in flip.subjects[b])}" for b in order)
    return FlipWords(shown, sides, text, "\n".join((between.join(rows), *all_named)), flip.rows)


def _side(bound: Bound, machines: list[str], of: int, usual: bool, look: Look) -> FlipSide:
    """One side; of the usual one many machines are counted, as the other sides name the rest."""
    where = render(Message("chart.list"), look).join(machines)
    if usual and len(machines) > _MACHINES:
        where = render(Message("compare.the_others", {"count": len(machines)}), look)
    word = bound_word(bound, look)
    text = render(Message("compare.flip_side", {"bound": word, "where": where}), look)
    short = render(Message("compare.flip_short", {"count": len(machines), "of": of}), look)
    return FlipSide(bound, word, where, text, where if len(machines) == 1 and len(where) <= _LONG else short)


def _row_names(rows: tuple[str, ...], look: Look) -> list[str]:
    """Names as charts write them; whole ones where two would read the same, and how many bear the same name."""
    counts = Counter(rows)
    short = Counter(short_row_name(row) for row in counts)
    named = {row: short_row_name(row) if short[short_row_name(row)] == 1 else row for row in counts}
    return [
        named[row] if n == 1 else render(Message("compare.flip_same", {"count": n, "name": named[row]}), look)
        for row, n in counts.items()
    ]
