"""Small values that tests of this folder are made of."""

from typing import Any

from msgspec.structs import replace

from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.study.study import ModelEntry, OwnRow, QuickModel, Study
from tests.analysis.making import device, own, study
from tests.analysis.measured_rows import LLAMA_8B

QUICK = QuickModel(params=1e9, layers=8, kv_heads=8, head_dim=64)


def modelled(
    entry: ModelEntry = LLAMA_8B, on: tuple[Device, ...] = (), rows: tuple[OwnRow, ...] = (), **work: Any
) -> Study:
    return replace(study(*rows, on=on, **work), models=(entry,), active_model=entry.id)


def quick(**figures: Any) -> ModelEntry:
    return ModelEntry(id="q", name="Q", quick=replace(QUICK, **figures))


def card(bandwidth: float = 10.0, capacity: float | None = 100.0) -> Machine:
    return Machine(device(bandwidth=bandwidth, capacity=capacity))


ROW = own("up", "matmul", m=16, n=1024, k=1024)


COPY = own("copy", "copy", values=1e6)
