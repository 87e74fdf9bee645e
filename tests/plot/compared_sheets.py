"""Sheets of the charts of things side by side, of a study that is small and has each of their parts."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QRectF

from explorer.analysis.catalogue.device import Device
from explorer.plot.views.compared.frontier import paint_frontier
from explorer.plot.views.compared.paired import paint_paired
from explorer.plot.views.compared.speedup import paint_speedup
from explorer.plot.views.compared.years import paint_years
from explorer.presentation.palette import DARK, LIGHT
from explorer.presentation.views.declared import body_of
from tests.plot.drawing import A100, H100, MI300X, decode_study, evaluated
from tests.plot.hand_made import big
from tests.plot.recorder import Recorder

WIDE, NARROW = QRectF(37, 23, 1300, 900), QRectF(11, 19, 560, 520)
PAINTERS: dict[str, Any] = {
    "paired": paint_paired,
    "frontier": paint_frontier,
    "speedup": paint_speedup,
    "years": paint_years,
}


def _dated(device: Device, year: int, **more: Any) -> Device:
    return replace(device, year=year, vendor="NVIDIA", form="SXM", **more)


SMALL = _dated(A100, 2023, id="small", name="Small", short="Small", memory=(replace(A100.memory[0], capacity=30e9),))


@lru_cache(maxsize=8)
def figure(view: str) -> Any:
    devices = (_dated(A100, 2020), _dated(H100, 2022), replace(MI300X, year=2023, class_="apu"), SMALL)
    study = decode_study(*devices, batch=64, context=1024)
    return body_of(view, evaluated(replace(study, view=replace(study.view, compare_with="d3"))))


def _painted(view: str, rect: QRectF, theme: Any) -> Callable[[Recorder], object]:
    return lambda painter: PAINTERS[view](painter, rect, figure(view), theme, big())


COMPARED: dict[str, Callable[[Recorder], object]] = {
    **{f"compared_{view}": _painted(view, WIDE, LIGHT) for view in PAINTERS},
    **{f"compared_{view}_narrow": _painted(view, NARROW, DARK) for view in PAINTERS},
}
