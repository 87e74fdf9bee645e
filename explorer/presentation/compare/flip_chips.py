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


class FlipWords(msgspec.Struct, frozen=True):
    """Operators that wait for one thing where the baseline waits for another: their names, and where."""

    names: str
    bound: Bound
    word: str
    where: str
    tip: str
    rows: tuple[str, ...] = ()


class FlipLine(msgspec.Struct, frozen=True):
    """All of them in a line: how many, a chip for each, and what the others wait for."""

    title: str
    chips: tuple[FlipWords, ...] = ()
    rest: str = ""

    @property
    def text(self) -> str:
        """The line where nothing can be drawn."""
        chips = "; ".join(f"{chip.names}: {chip.word} {chip.where}" for chip in self.chips)
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
    usual = [_usual(flip, found) for flip in flips.groups]
    chips = [chip for flip, bound in zip(flips.groups, usual, strict=True) for chip in _chips(flip, bound, names, look)]
    rest = "" if len(set(usual)) > 1 else render(Message("compare.else", {"bound": bound_word(usual[0], look)}), look)
    return FlipLine(title, tuple(chips), rest)


def _usual(flip: Flip, found: Comparison) -> Bound:
    """What they wait for on the baseline; where that has no step, on most."""
    baseline = "" if found.baseline is None else found.baseline.subject.key
    own = next((bound for bound, keys in flip.subjects.items() if baseline in keys), None)
    return own or Counter({bound: len(keys) for bound, keys in flip.subjects.items()}).most_common(1)[0][0]


def _chips(flip: Flip, usual: Bound, names: Mapping[str, str], look: Look) -> list[FlipWords]:
    between = render(Message("chart.list"), look)
    rows = [short_row_name(row) for row in flip.rows]
    shown = between.join(rows[:_NAMED]) + (f" + {len(rows) - _NAMED}" if len(rows) > _NAMED else "")
    tip = "\n".join(
        f"{bound_word(bound, look)}: {between.join(names[key] for key in keys)}"
        for bound, keys in flip.subjects.items()
    )
    return [
        FlipWords(
            shown,
            bound,
            bound_word(bound, look),
            between.join(names[key] for key in keys),
            f"{between.join(rows)}\n{tip}",
            flip.rows,
        )
        for bound, keys in flip.subjects.items()
        if bound != usual
    ]
