"""What saved variants, groups of sequences and plans must fulfil."""

import math
from collections.abc import Iterator
from typing import Final

from explorer.analysis.problem import Problem
from explorer.analysis.step.phases.ids import PhaseId
from explorer.analysis.step.phases.registry import PHASES
from explorer.analysis.study.study import Group, Study
from explorer.analysis.study.variant import (
    Edit,
    ScaleDevice,
    SetBatch,
    SetCount,
    SetFormats,
    SetWorkload,
    UseModel,
    Variant,
)

MOST_VARIANTS: Final = 1000
MOST_GROUPS: Final = 1000
_LONGEST: Final = 200
_FACTORS: Final = (1e-3, 1e3)
_NAMES: Final = {ScaleDevice: "device", SetCount: "device", UseModel: "model"}

Limits = tuple[float, float]


def variant_problems(variants: tuple[Variant, ...], batch: Limits, context: Limits, count: Limits) -> Iterator[Problem]:
    """Yield the faults of saved variants; parts of the study that they name may be gone."""
    if len(variants) > MOST_VARIANTS:
        yield Problem("study.many", "what_ifs", {"got": len(variants), "limit": MOST_VARIANTS})
        return
    labels: set[str] = set()
    for i, variant in enumerate(variants):
        path = f"what_ifs[{i}]"
        yield from _label(f"{path}.label", variant.label, labels)
        yield from _edit(f"{path}.edit", variant.edit, batch, context, count)


def phase_problems(phase: PhaseId | None, path: str) -> Iterator[Problem]:
    """Yield the fault of a phase that there is not."""
    if phase is not None and phase not in PHASES:
        yield Problem("field.choice", path, {"got": phase[:_LONGEST], "allowed": ", ".join(PHASES)})


def _label(path: str, label: str, known: set[str]) -> Iterator[Problem]:
    if not label.strip() or not label.isprintable() or len(label) > _LONGEST:
        yield Problem("study.id", path, {"limit": _LONGEST})
    elif label in known:
        yield Problem("study.twice", path, {"id": label})
    known.add(label)


def _edit(path: str, edit: Edit, batch: Limits, context: Limits, count: Limits) -> Iterator[Problem]:
    match edit:
        case SetBatch():
            yield from _whole(f"{path}.batch", edit.batch, batch)
        case SetWorkload():
            yield from phase_problems(edit.phase, f"{path}.phase")
            if edit.context is not None:
                yield from _within(f"{path}.context", edit.context, context)
            if edit.skew is not None:
                yield from _within(f"{path}.skew", edit.skew, (0, 1))
            if edit.reserve is not None:
                yield from _within(f"{path}.reserve", edit.reserve, (0, 1e18))
        case ScaleDevice():
            yield from _within(f"{path}.factor", edit.factor, _FACTORS)
        case SetCount():
            yield from _within(f"{path}.count", edit.count, count)
    field = _NAMES.get(type(edit))
    if field is not None:
        named = getattr(edit, field)
        if not named.strip() or not named.isprintable() or len(named) > _LONGEST:
            yield Problem("study.id", f"{path}.{field}", {"limit": _LONGEST})


def formats_of(study: Study) -> Iterator[tuple[str, str | None]]:
    """Field paths and ids of the number formats that variants and plans name."""
    for i, variant in enumerate(study.what_ifs[:MOST_VARIANTS]):
        if isinstance(variant.edit, SetFormats):
            for name in variant.edit.__struct_fields__:
                chosen = getattr(variant.edit, name)
                yield f"what_ifs[{i}].edit.{name}", chosen if isinstance(chosen, str) else None
    for i, planned in enumerate(study.plan[:MOST_GROUPS]):
        for name in ("weights", "activations", "kv"):
            yield f"plan[{i}].workload.{name}", getattr(planned.workload, name)


def of_all_weights(path: str) -> bool:
    """Whether a field says how all weights of a model are stored: only there may it be a mix of formats."""
    part, _, field = path.rpartition(".")
    return field == "weights" and not part.startswith(("overrides[", "operators["))


def group_problems(groups: tuple[Group, ...], path: str, batch: Limits, context: Limits) -> Iterator[Problem]:
    """Yield the faults of a workload's groups."""
    if len(groups) > MOST_GROUPS:
        yield Problem("study.many", path, {"got": len(groups), "limit": MOST_GROUPS})
        return
    for i, group in enumerate(groups):
        yield from _within(f"{path}[{i}].tokens", group.tokens, context)
        yield from _within(f"{path}[{i}].context", group.context, context)
        yield from _within(f"{path}[{i}].sequences", group.sequences, batch)


def _whole(path: str, value: float, limits: Limits) -> Iterator[Problem]:
    found = tuple(_within(path, value, limits))
    yield from found
    if not found and value != math.floor(value):
        yield Problem("study.whole", path, {"got": value})


def _within(path: str, value: float, limits: Limits) -> Iterator[Problem]:
    low, high = limits
    if not low <= value <= high:
        yield Problem("study.range", path, {"got": value, "low": low, "high": high})
