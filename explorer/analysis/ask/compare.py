"""Every model of a study at the same workload on the same device."""

from typing import NamedTuple

from explorer.analysis.ask.evaluation_set import EvaluationSet, on_one_device
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.study.study import ModelEntry
from explorer.analysis.study.variant import UseModel, Variant


class ModelFigures(NamedTuple):
    """What a step of a model comes to on the active device; `fits` is None where the capacity is unknown.

    Tokens per second are those of `routed_s`, the step with the experts that the workload's routing reads; it is None
    where that is the floor.
    """

    floor_s: float
    tokens_per_s: float | None
    tokens_per_s_per_request: float | None
    memory_bytes: float
    fits: bool | None
    routed_s: float | None = None
    tokens_per_input: float | None = None

    @property
    def inputs_per_s(self) -> float | None:
        """Whole inputs per second of a model that runs once over each; None for all others."""
        return self.tokens_per_s / self.tokens_per_input if self.tokens_per_s and self.tokens_per_input else None

    @property
    def written_per_s(self) -> float | None:
        """Tokens per second in all, where tokens are what is counted."""
        return None if self.tokens_per_input else self.tokens_per_s


def model_figures(evaluation: Evaluation, entry: ModelEntry) -> ModelFigures | None:
    """A model's step under the study's workload on its active device; None where it cannot run it.

    The user's formats of single rows belong to the active model and stay with it; own operators are left out.
    """
    device = evaluation.active
    if device is None:
        return None
    baseline = evaluation.section(on_one_device, device.entry.id)
    if all(m.id != entry.id for m in baseline.study.models):
        return None
    found = EvaluationSet(baseline, (Variant(label=entry.name, edit=UseModel(model=entry.id)),)).evaluation(0)
    if found is None or found.problems or not found.devices or found.model is None:
        return None
    if evaluation.study.workload.phase not in found.model.phases:
        return None
    totals = found.devices[0].totals
    return ModelFigures(
        floor_s=float(totals.floor_s),
        routed_s=float(totals.routed.seconds) if totals.routing_matters else None,
        tokens_per_s=_number(totals.routed.tokens_per_s),
        tokens_per_s_per_request=_number(totals.routed.tokens_per_s_per_request),
        memory_bytes=float(totals.memory_bytes),
        fits=totals.fits,
        tokens_per_input=found.tokens_per_input,
    )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
