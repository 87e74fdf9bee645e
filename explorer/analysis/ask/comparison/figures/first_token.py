"""The first token: one prompt of the study's context read alone, on every device of an evaluation."""

from collections import OrderedDict
from typing import Final

from msgspec.structs import replace

from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.step.phases.ids import DECODE, PREFILL
from explorer.analysis.study.study import Study

_KEPT: Final = 24  # studies: as many as stand side by side
_PARTS: Final = ("hardware", "models", "active_model", "overrides", "operators", "kinds")


class PromptMemory:
    """Evaluations of one prompt that are still true: neither batch nor view has a bearing on them."""

    def __init__(self) -> None:
        self._found: OrderedDict[int, tuple[Study, Evaluation | None]] = OrderedDict()
        self._next = 0

    def of(self, evaluation: Evaluation) -> Evaluation | None:
        """One prompt on the evaluation's devices; None where its model reads none, or it cannot be evaluated."""
        wanted = _of_one_prompt(evaluation.study)
        for key, (study, found) in self._found.items():
            if _same(study, wanted):
                self._found.move_to_end(key)
                return found
        if len(self._found) >= _KEPT:
            self._found.popitem(last=False)
        self._next += 1
        made = _evaluated(evaluation, wanted)
        self._found[self._next] = wanted, made
        return made


def one_prompt(evaluation: Evaluation) -> Evaluation | None:
    """One prompt at the study's context, whatever its phase and batch; None of a model that generates no tokens."""
    if evaluation.model is None or not {PREFILL, DECODE} <= set(evaluation.model.phases):
        return None
    return evaluation.carried(PromptMemory).of(evaluation)


def _of_one_prompt(study: Study) -> Study:
    return replace(study, workload=replace(study.workload, phase=PREFILL, batch=1))


def _same(one: Study, other: Study) -> bool:
    if any(getattr(one, p) is not getattr(other, p) and getattr(one, p) != getattr(other, p) for p in _PARTS):
        return False
    return one.workload == other.workload


def _evaluated(evaluation: Evaluation, study: Study) -> Evaluation | None:
    try:
        return evaluate(study, evaluation.catalogue, evaluation)
    except Refused:
        return None
