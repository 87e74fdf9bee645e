"""The roofline figure: one description for screen and paper, in log10 units (x: FLOP/byte, y: FLOP/s)."""

from typing import Literal

import msgspec

Shape = Literal["circle", "diamond", "square", "triangle"]
Range = tuple[float, float]


class DrawnRoof(msgspec.Struct, frozen=True):
    """A device's roof: memory slope up to `peak`, drawn edge to edge of the visible range.

    `bandwidth` is the log10 FLOP/s of the slope at x = 0 (B/s, or values/s on a per-value axis) and
    `peak` log10 FLOP/s; None where compute is not judged. `colour` counts the devices of the study and
    chooses colour and dash. `lower_peaks` are other peaks that judge a row, each with its text.
    `short_peak` is the sheet's peak alone, for want of room. `reached_bandwidth` is the slope as measured, where that
    is above the sheet's and so what the floor divides by.
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
    short_peak: str = ""
    reached_bandwidth: float | None = None

    @property
    def ridge(self) -> float | None:
        """Log10 intensity where slope and peak meet."""
        return None if self.peak is None else self.peak - self.bandwidth


class Mark(msgspec.Struct, frozen=True):
    """One point or ring of coincident points; `area` is its share of the time in 0..1.

    `rows` are row names, the largest share first; `x`, `y` log10. `ceiling` is the log10 y of the roof
    straight above. `shorter` are wordings of the label that need less room: names go first, figures never.
    An `active` mark belongs to the device that the answer speaks of. `gain_text` goes
    with the arrow to the roof. A measured mark names its `measurement` by id; `spread` is the log10 y of its
    quartiles, and one without a label is one of a crowd.
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
    active: bool = True
    gain_text: str = ""
    spread: Range | None = None
    measurement: str = ""
    shorter: tuple[str, ...] = ()


class Strip(msgspec.Struct, frozen=True):
    """An operator without FLOPs, listed in the strip at the edge: seconds share only."""

    rows: tuple[str, ...]
    device: str
    colour: int
    label: str
    area: float


class Crowd(msgspec.Struct, frozen=True, eq=False):
    """Small marks of very many rows or measurements; they stay the same objects while only the workload moves.

    The `area` of a row's mark is the share in the time of the user's own rows. `x` and `y` hold them all.
    """

    marks: tuple[Mark, ...]
    x: Range
    y: Range


class Figure(msgspec.Struct, frozen=True):
    """Everything the painter needs; texts are final.

    `fitted` ranges are the program's own: the painter may widen one axis so that a decade is as long on
    both. Ranges that the user zoomed to are taken as they are. One that `keeps_strip` has room for the strip also
    where it is empty, so that pictures with the same axes lie over each other.
    """

    x_range: Range
    y_range: Range
    x_title: str
    y_title: str
    roofs: tuple[DrawnRoof, ...] = ()
    marks: tuple[Mark, ...] = ()
    strips: tuple[Strip, ...] = ()
    zone: float | None = None  # log10 intensity of the active device's ridge; tints the zones
    memory_zone_text: str = ""
    compute_zone_text: str = ""
    selection: frozenset[str] = msgspec.field(default_factory=frozenset)
    trail: tuple[tuple[Mark, ...], ...] = ()
    colour_by_bound: bool = False
    empty_text: str = ""
    strip_text: str = ""
    area_is_share: bool = True
    fitted: bool = True
    keeps_strip: bool = False
    crowds: tuple[Crowd, ...] = ()
    short_x: str = ""  # titles and the strip's text where there is little room
    short_y: str = ""
    short_strip: str = ""
    clouded: bool = False  # something else paints the crowds, and texts may come to lie on them

    @property
    def every_mark(self) -> tuple[Mark, ...]:
        """The crowds, and the other marks over them."""
        return (*(m for c in self.crowds for m in c.marks), *self.marks) if self.crowds else self.marks
