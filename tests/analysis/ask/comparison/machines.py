"""Machines side by side whose figures are worked out by hand."""

from typing import Any

from msgspec.structs import replace

from explorer.analysis.ask.comparison.compared import ComparedCell, Comparison, compare
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.study import HardwareEntry, Study
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study

CATALOGUE = load_catalogue()
H100, A100, MI300X = "nvidia-h100-sxm5-80gb", "nvidia-a100-sxm4-80gb", "amd-instinct-mi300x"
H200, B200, GEFORCE = "nvidia-h200-sxm-141gb", "nvidia-b200-sxm-180gb", "nvidia-geforce-rtx-4090"
TWO = "two"
SIX = (H100, A100, MI300X, H200, TWO, B200, GEFORCE)


def entry(name: str) -> HardwareEntry:
    known = {d.id: d for d in CATALOGUE.devices}
    return HardwareEntry(id=name, device=known[A100 if name == TWO else name], count=2 if name == TWO else 1)


def llama(*names: str, batch: int = 256, context: int = 1024, **view: Any) -> Study:
    """Llama-3.1-8B in bf16 on machines of the program."""
    study = opening_study()
    return replace(
        study,
        hardware=tuple(entry(n) for n in names or SIX),
        workload=replace(study.workload, batch=batch, context=context),
        view=replace(study.view, **{"active_hardware": (names or SIX)[0], **view}),
    )


def evaluated(study: Study) -> Evaluation:
    return evaluate(study, CATALOGUE)


def compared(study: Study, **how: Any) -> Comparison:
    return compare(evaluated(study), **how)


def cell(found: Comparison, key: str, figure: str) -> ComparedCell:
    row = found.row(key)
    assert row is not None
    return row.cells[figure]
