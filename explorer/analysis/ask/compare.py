"""Every model of a study at the same workload on the same device."""

from typing import NamedTuple

from msgspec.structs import replace

from explorer.analysis.problem import Refused
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import ModelEntry


class ModelFigures(NamedTuple):
    """What a step of a model comes to on the active device; `fits` is None where the capacity is unknown."""

    floor_s: float
    tokens_per_s: float | None
    tokens_per_s_per_request: float | None
    memory_bytes: float
    fits: bool | None


def model_figures(evaluation: Evaluation, entry: ModelEntry) -> ModelFigures | None:
    """A model's step under the study's workload on its active device; None where it cannot run it.

    The user's formats of single rows belong to the active model and stay with it; own operators are left out.
    """
    device = evaluation.active
    if device is None:
        return None
    study = evaluation.study
    overrides = study.overrides if entry.id == study.active_model else ()
    alone = replace(
        study, models=(entry,), active_model=entry.id, hardware=(device.entry,), operators=(), overrides=overrides
    )
    try:
        found = evaluate(alone, evaluation.catalogue)
    except Refused:
        return None
    if found.problems or not found.devices or found.model is None:
        return None
    if study.workload.phase not in found.model.architecture.phases:
        return None
    totals = found.devices[0].totals
    return ModelFigures(
        floor_s=float(totals.floor_s),
        tokens_per_s=_number(totals.tokens_per_s),
        tokens_per_s_per_request=_number(totals.tokens_per_s_per_request),
        memory_bytes=float(totals.memory_bytes),
        fits=totals.fits,
    )


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) else None
