"""The roofline figure: one description for screen and paper, in log10 units (x: FLOP/byte, y: FLOP/s)."""

from dataclasses import dataclass, field
from typing import Literal

Shape = Literal["circle", "diamond", "square", "triangle"]


@dataclass(frozen=True, slots=True)
class Roof:
    """A device's roof: memory slope up to `peak`, drawn edge to edge of the visible range.

    `bandwidth` in log10 B/s and `peak` in log10 FLOP/s; None where compute is not judged.
    """

    key: str
    name: str
    colour: int
    bandwidth: float
    peak: float | None
    bandwidth_text: str
    peak_text: str
    ridge_text: str = ""
    measured: bool = False
    active: bool = False
    lower_peaks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """One point or ring of coincident points; `area` is its share of the time in 0..1.

    `rows` are row names; `x`, `y` log10. `ceiling` is the log10 y of the roof straight above.
    """

    x: float
    y: float
    rows: tuple[str, ...]
    device: str
    colour: int
    label: str
    area: float
    shape: Shape = "circle"
    bound: str = ""
    ceiling: float | None = None
    measured: bool = False
    over: bool = False
    hover: str = ""


@dataclass(frozen=True, slots=True)
class Strip:
    """An operator without FLOPs, listed in the strip at the edge: seconds share only."""

    rows: tuple[str, ...]
    device: str
    colour: int
    label: str
    area: float


@dataclass(frozen=True, slots=True)
class Figure:
    """Everything the painter needs; texts are final."""

    x_range: tuple[float, float]
    y_range: tuple[float, float]
    x_title: str
    y_title: str
    roofs: tuple[Roof, ...] = ()
    marks: tuple[Mark, ...] = ()
    strips: tuple[Strip, ...] = ()
    zone: float | None = None  # log10 intensity of the active device's ridge; tints the zones
    memory_zone_text: str = ""
    compute_zone_text: str = ""
    selection: frozenset[str] = field(default_factory=frozenset)
    trail: tuple[tuple[Mark, ...], ...] = ()
    colour_by_bound: bool = False
    empty_text: str = ""
