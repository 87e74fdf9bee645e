"""Tokens per second in all at the usual batches, or lengths of prompts, and at the study's own."""

from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from msgspec.structs import replace

from explorer.analysis.ask.batch_sweep import USUAL_BATCHES, USUAL_CONTEXTS, by_prompt, rates_where_held
from explorer.analysis.ask.comparison.figures.figure import ComparedFigure, FigureGroup, FoundFigure, missing
from explorer.analysis.ask.comparison.figures.step_figures import IN_ALL
from explorer.analysis.ask.comparison.subjects import Subject
from explorer.analysis.problem import Note
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.study.study import Study

Rates = Mapping[str, tuple[float | None, ...]]
_KEPT: Final = 24  # studies: as many as stand side by side
_PARTS: Final = ("hardware", "models", "active_model", "overrides", "operators", "kinds", "workload")


class RateMemory:
    """Rates that are still true: the value that is swept, and the view, have no bearing on them."""

    def __init__(self) -> None:
        self._found: OrderedDict[int, tuple[Study, Rates]] = OrderedDict()
        self._next = 0

    def of(self, evaluation: Evaluation) -> Rates:
        """Tokens per second at the usual places, by the key of a device."""
        wanted = _without_swept(evaluation)
        for key, (study, rates) in self._found.items():
            if all(getattr(study, p) is getattr(wanted, p) or getattr(study, p) == getattr(wanted, p) for p in _PARTS):
                self._found.move_to_end(key)
                return rates
        if len(self._found) >= _KEPT:
            self._found.popitem(last=False)
        self._next += 1
        made = _rates(evaluation)
        self._found[self._next] = wanted, made
        return made


def _without_swept(evaluation: Evaluation) -> Study:
    swept = "context" if by_prompt(evaluation) else "batch"
    return replace(evaluation.study, workload=replace(evaluation.study.workload, **{swept: 1}))


def _rates(evaluation: Evaluation) -> Rates:
    places = ((), USUAL_CONTEXTS) if by_prompt(evaluation) else (USUAL_BATCHES, ())
    found = rates_where_held(evaluation, evaluation.devices, *places)
    return {d.entry.id: rates for d, rates in zip(evaluation.devices, found, strict=True)}


def _asked(subject: Subject, prompts: bool) -> bool:
    """Whether its step is one of a model whose rates change so."""
    evaluation = subject.evaluation
    return evaluation is not None and evaluation.model is not None and by_prompt(evaluation) is prompts


def _usual(value: int, place: int, *, prompts: bool) -> ComparedFigure:
    """Tokens per second at a usual place, experts as the study routes them; missing where that has no room."""

    def found(subject: Subject) -> FoundFigure:
        evaluation = subject.evaluation
        if evaluation is None or subject.result is None:
            return FoundFigure(None, subject.why or Note("compare.why.not_evaluated"))
        if not _asked(subject, prompts):
            return missing("other_phase")
        rate = evaluation.carried(RateMemory).of(evaluation)[subject.entry.id][place]
        if rate is None:
            return missing("no_room_at_context" if prompts else "no_room_at_batch", at=f"{value:,}")
        each = evaluation.tokens_per_input
        return FoundFigure(rate) if each is None else FoundFigure(rate / each, None, "inputs")

    return _declared(str(value), found, lambda subjects: any(_asked(s, prompts) for s in subjects), prompts=prompts)


def _own(*, prompts: bool) -> ComparedFigure:
    """The same at the study's own batch, or length of prompts; left out where that is a usual one, or varies."""

    def asked(subjects: Sequence[Subject]) -> bool:
        works = [s.evaluation.study.workload for s in subjects if s.evaluation is not None and _asked(s, prompts)]
        own = {w.context if prompts else w.batch for w in works}
        return len(own) == 1 and own.isdisjoint(USUAL_CONTEXTS if prompts else USUAL_BATCHES)

    def found(subject: Subject) -> FoundFigure:
        if subject.evaluation is not None and not _asked(subject, prompts):
            return missing("other_phase")
        return IN_ALL(subject)

    return _declared("own", found, asked, prompts=prompts)


def _declared(
    name: str, find: Callable[[Subject], FoundFigure], asked: Callable[[Sequence[Subject]], bool], *, prompts: bool
) -> ComparedFigure:
    group: FigureGroup = "at_context" if prompts else "at_batch"
    return ComparedFigure(f"{group}_{name}", group, "tokens", "larger", find, asked=asked)


SWEPT_FIGURES: Final = (
    *(_usual(value, place, prompts=False) for place, value in enumerate(USUAL_BATCHES)),
    _own(prompts=False),
    *(_usual(value, place, prompts=True) for place, value in enumerate(USUAL_CONTEXTS)),
    _own(prompts=True),
)
