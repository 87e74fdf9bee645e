"""A study beside its variants: each evaluated when first asked for."""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.apply import applied
from explorer.analysis.study.variant import Variant


class EvaluationSet:
    """The evaluation of a study and those of its variants, which share what they have in common."""

    def __init__(self, baseline: Evaluation, variants: Iterable[Variant]) -> None:
        self.baseline = baseline
        self.variants = tuple(variants)
        self._found: dict[int, Evaluation | None] = {}

    def __len__(self) -> int:
        return len(self.variants)

    def __iter__(self) -> Iterator[tuple[Variant, Evaluation | None]]:
        return ((variant, self.evaluation(i)) for i, variant in enumerate(self.variants))

    def evaluation(self, place: int) -> Evaluation | None:
        """The evaluation of the variant at a place; None where it cannot be evaluated."""
        if place not in self._found:
            study = applied(self.baseline.study, self.variants[place].edit)
            try:
                self._found[place] = evaluate(study, self.baseline.catalogue, self.baseline)
            except Refused:
                self._found[place] = None
        return self._found[place]

    def step_s(self, place: int, entry_id: str) -> float | None:
        """Seconds of the operators of a variant's step on a device entry."""
        found = self.evaluation(place)
        device = None if found is None else found.device(entry_id)
        return None if device is None else float(device.totals.time_s)


def on_one_device(evaluation: Evaluation, entry_id: str) -> Evaluation:
    """The model's step alone on one device of the study, for comparing models."""
    study = evaluation.study
    hardware = tuple(e for e in study.hardware if e.id == entry_id)
    return evaluate(replace(study, hardware=hardware, operators=()), evaluation.catalogue, evaluation)
