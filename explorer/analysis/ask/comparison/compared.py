"""Figures of what stands side by side, each against the baseline's: ratio, difference, the best of its kind."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

import msgspec

from explorer.analysis.ask.comparison.figures.figure import Better, ComparedFigure, FigureUnit, FoundFigure, missing
from explorer.analysis.ask.comparison.figures.machine_figures import MACHINE_FIGURES
from explorer.analysis.ask.comparison.figures.measured_figures import MEASURED_FIGURES
from explorer.analysis.ask.comparison.figures.step_figures import STEP_FIGURES, has_room
from explorer.analysis.ask.comparison.figures.swept_figures import SWEPT_FIGURES
from explorer.analysis.ask.comparison.flips import Flips, flips
from explorer.analysis.ask.comparison.subjects import Subject, baseline_key, subjects
from explorer.analysis.problem import Note
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.study.choices import Vary

_OF_STEP: Final = (
    *(f for f in STEP_FIGURES if f.group in {"step", "rate"}),
    *SWEPT_FIGURES,
    *(f for f in STEP_FIGURES if f.group not in {"step", "rate"}),
)
_SAME: Final = 1e-9  # relative; figures that differ less are one figure
_OF_FORMATS: Final = (*(f for f in MACHINE_FIGURES if f.id in {"peak", "ridge"}), *_OF_STEP)
_FIGURES: Final[dict[Vary, tuple[ComparedFigure, ...]]] = {
    "models": _OF_FORMATS,
    "formats": _OF_FORMATS,
    "measurements": MEASURED_FIGURES,
}


class ComparedCell(msgspec.Struct, frozen=True):
    """One figure of one subject.

    Attributes
    ----------
    value
        The figure, None where it is missing.
    unit
        What it counts.
    ratio
        Value / the baseline's value; None where either is missing, or they count different things.
    difference
        Value - the baseline's value.
    best
        Whether no other is better, and some are worse.
    why
        Why it is missing, or what is to be known of it.
    no_ratio
        Why a figure that is there has no ratio.
    least
        Whether it is a bound from below.
    """

    value: float | None
    unit: FigureUnit
    ratio: float | None = None
    difference: float | None = None
    best: bool = False
    why: Note | None = None
    no_ratio: Note | None = None
    least: bool = False


class ComparedRow(msgspec.Struct, frozen=True, eq=False):
    """One subject with its figures; `against` is the key of its baseline, `room` whether its step fits."""

    subject: Subject
    against: str
    room: bool
    cells: Mapping[str, ComparedCell]

    @property
    def is_baseline(self) -> bool:
        """Whether the others are compared with it."""
        return self.subject.key == self.against


class Comparison(msgspec.Struct, frozen=True, eq=False):
    """What stands side by side: figures, rows in the order they are shown, operators whose verdict flips."""

    vary: Vary
    figures: tuple[ComparedFigure, ...]
    rows: tuple[ComparedRow, ...]
    flips: Flips

    @property
    def baseline(self) -> ComparedRow | None:
        """The row that ratios are to; of measurements that of the first ones."""
        return next((row for row in self.rows if row.is_baseline), None)

    def row(self, key: str) -> ComparedRow | None:
        """The row of a subject."""
        return next((row for row in self.rows if row.subject.key == key), None)


def figures_of(vary: Vary) -> tuple[ComparedFigure, ...]:
    """All figures that such subjects are compared by; on one device only what work has a bearing on."""
    return _FIGURES.get(vary, (*MACHINE_FIGURES, *_OF_STEP))


def compare(evaluation: Evaluation, vary: Vary | None = None) -> Comparison:
    """Everything side by side; `vary` of the study's view where none is given, in the view's order.

    The baseline stands first, what has no room last, and what lacks the figure that orders them before those.
    """
    kind = vary or evaluation.study.view.vary
    found = subjects(evaluation, kind)
    baselines = _baselines(evaluation, found, kind)
    unsorted = evaluation.section(_compared, kind, tuple(s.key for s in found), baselines)
    rows = _ordered(unsorted.rows, evaluation.study.view.compare_sort)
    return Comparison(kind, unsorted.figures, rows, unsorted.flips)


def _compared(evaluation: Evaluation, vary: Vary, keys: tuple[str, ...], baselines: tuple[str, ...]) -> Comparison:
    found = [s for s in subjects(evaluation, vary) if s.key in keys]
    declared = [f for f in figures_of(vary) if f.asked is None or f.asked(found)]
    values = [{f.id: f.find(s) for f in declared if f.find is not None} for s in found]
    shown = tuple(f for f in declared if not f.optional or any(v[f.id].value is not None for v in values))
    cells: list[dict[str, ComparedCell]] = [{} for _ in found]
    groups = {against: [i for i, b in enumerate(baselines) if b == against] for against in dict.fromkeys(baselines)}
    for against, places in groups.items():
        at = next(i for i, s in enumerate(found) if s.key == against)
        for figure in shown:
            source = _gains(figure, places, at, values) if figure.gain_of else [values[i][figure.id] for i in places]
            base = source[places.index(at)]
            for place, cell in zip(places, _cells(figure, source, base), strict=True):
                cells[place][figure.id] = cell
    rows = tuple(
        ComparedRow(s, against, has_room(s), row) for s, against, row in zip(found, baselines, cells, strict=True)
    )
    return Comparison(vary, shown, rows, Flips((), 0) if vary == "measurements" else flips(found))


def _baselines(evaluation: Evaluation, found: Sequence[Subject], vary: Vary) -> tuple[str, ...]:
    """The baseline's key of each subject: of measurements one for each phase, on the device that ratios are to."""
    if vary != "measurements":
        return (baseline_key(evaluation, tuple(found), vary),) * len(found)
    phases = [_phase(evaluation, s) for s in found]
    device = None if evaluation.baseline is None else evaluation.baseline.entry.id
    first = {}
    for phase in dict.fromkeys(phases):
        alike = [s for s, p in zip(found, phases, strict=True) if p == phase]
        first[phase] = next((s for s in alike if s.entry.id == device), alike[0]).key
    return tuple(first[phase] for phase in phases)


def _phase(evaluation: Evaluation, subject: Subject) -> str:
    if subject.evaluation is not None:
        return subject.evaluation.study.workload.phase
    own = None if subject.measured is None else subject.measured.measurement.phase
    return own or evaluation.study.workload.phase


def _gains(
    figure: ComparedFigure, places: list[int], baseline: int, values: Sequence[Mapping[str, FoundFigure]]
) -> list[FoundFigure]:
    """How many times better than the baseline each is in the figure of which this is the gain."""
    declared = next(f for f in MEASURED_FIGURES if f.id == figure.gain_of)
    base = values[baseline][declared.id].value
    found = []
    for place in places:
        own = values[place][declared.id]
        if own.value is None:
            found.append(own)
        elif not base or not own.value:
            found.append(missing("no_baseline"))
        else:
            found.append(FoundFigure(own.value / base if declared.better == "larger" else base / own.value))
    return found


def _cells(figure: ComparedFigure, found: Sequence[FoundFigure], base: FoundFigure) -> Iterable[ComparedCell]:
    best = _best(figure, found)
    for each, leads in zip(found, best, strict=True):
        unit = each.unit or figure.unit
        ratio = difference = None
        no_ratio = None
        if each.value is not None and figure.compared:
            no_ratio = _no_ratio(figure, each, base)
            if no_ratio is None:
                difference = each.value - (base.value or 0.0)
                ratio = each.value / base.value if figure.compared == "both" and base.value else None
        yield ComparedCell(each.value, unit, ratio, difference, leads, each.why, no_ratio, each.least)


def _no_ratio(figure: ComparedFigure, found: FoundFigure, base: FoundFigure) -> Note | None:
    """Why a figure that is there is not compared."""
    if base.value is None:
        return Note("compare.why.no_baseline")
    if found.least or base.least:
        return Note("compare.why.launches")
    return None if (base.unit or figure.unit) == (found.unit or figure.unit) else Note("compare.why.other_unit")


def _best(figure: ComparedFigure, found: Sequence[FoundFigure]) -> list[bool]:
    """Which of them are the best: all that tie, where at least two count the same and differ."""
    units = {each.unit or figure.unit for each in found if each.value is not None}
    values = [each.value for each in found if each.value is not None]
    if any(each.least for each in found):
        return [False] * len(found)
    if not figure.better or len(units) != 1 or len(values) < 2 or _close(min(values), max(values)):
        return [False] * len(found)
    lead = _LEAD[figure.better](values)
    return [each.value is not None and _close(each.value, lead) for each in found]


_LEAD: Final[dict[Better, Callable[[list[float]], float]]] = {"larger": max, "smaller": min}


def _close(one: float, other: float) -> bool:
    return abs(one - other) <= _SAME * max(abs(one), abs(other))


def _ordered(rows: Sequence[ComparedRow], sort: str) -> tuple[ComparedRow, ...]:
    """Rows in the order of a figure, "-" in front descending: baselines first, each with those compared with it."""
    figure, sign = sort.removeprefix("-"), -1.0 if sort.startswith("-") else 1.0
    groups = list(dict.fromkeys(row.against for row in rows))

    def place(row: ComparedRow) -> tuple[int, bool, bool, bool, float]:
        cell = row.cells.get(figure)
        value = None if cell is None else cell.value
        return (
            groups.index(row.against),
            not row.is_baseline,
            not row.room,
            value is None,
            0.0 if value is None else sign * value,
        )

    return tuple(sorted(rows, key=place))
