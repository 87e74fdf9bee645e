"""Small values that tests of this folder are made of."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.kinds import Dim, OperatorKind
from explorer.analysis.study.check import study_problems
from explorer.analysis.study.study import (
    Measurement,
    ModelEntry,
    PlannedStep,
    QuickModel,
    Study,
    Workload,
)
from explorer.analysis.study.variant import Variant

Made = Callable[[Any], Study]


QUICK = QuickModel(params=1e9, layers=2, kv_heads=2, head_dim=2)


KIND = OperatorKind(id="mine", dims=(Dim(name="n"),), flops="n", bytes_read="n", bytes_written="n")


def work(name: str) -> Made:
    return lambda value: Study(workload=replace(Workload(), **{name: value}))


def measured(name: str) -> Made:
    return lambda value: Study(measurements=(Measurement(**{"id": "m", "name": "m", name: value}),))


def quick(name: str) -> Made:
    return lambda value: Study(models=(ModelEntry(id="q", name="q", quick=replace(QUICK, **{name: value})),))


def edited(edit: type, name: str, **others: Any) -> Made:
    return lambda value: Study(what_ifs=(Variant(label="v", edit=edit(**others, **{name: value})),))


def planned(name: str) -> Made:
    return lambda value: Study(plan=(PlannedStep(workload=replace(Workload(), **{name: value})),))


def told(study: Study, catalogue: Catalogue | None = None) -> list[tuple[str, str]]:
    return [(p.code, p.path) for p in study_problems(study, catalogue)]
