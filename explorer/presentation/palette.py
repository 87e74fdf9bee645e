"""Colours of both themes, once for window and paper; device colours are safe for colour blindness.

Device colours follow Okabe and Ito; each has a dash as its second cue. Texts stand out from every ground they are
drawn on by 4.5 to 1, marks by 3 to 1; where a device's colour does not, its texts are written in its ink.
"""

from typing import Literal, NamedTuple

ThemeName = Literal["light", "dark"]


class Theme(NamedTuple):
    """One theme's colours as hex strings."""

    name: ThemeName
    window: str
    panel: str
    raised: str
    border: str
    text: str
    muted: str
    accent: str
    on_accent: str
    selected: str
    grid: str
    memory_zone: str
    compute_zone: str
    warning: str
    flop: str  # bars of FLOPs are neutral: they say nothing of time
    devices: tuple[str, ...]
    inks: tuple[str, ...]
    bounds: tuple[tuple[str, str], ...]


LIGHT = Theme(
    name="light",
    window="#f3f4f6",
    panel="#ffffff",
    raised="#f3f4f6",
    border="#dde1e7",
    text="#1a1f29",
    muted="#5f6b7c",
    accent="#2563eb",
    on_accent="#ffffff",
    selected="#e8f0fe",
    grid="#e9edf2",
    memory_zone="#eaf2fb",
    compute_zone="#fdf3ea",
    warning="#a84c08",
    flop="#687283",
    devices=("#0072b2", "#d55e00", "#00805d", "#b0508c", "#7a5c00", "#4b4fbf", "#a8323e", "#4d5a6b"),
    inks=("#006fae", "#b04a00", "#007856", "#a5467f", "#7a5c00", "#4b4fbf", "#a8323e", "#4d5a6b"),
    bounds=(("compute", "#b04a00"), ("memory", "#006aa6"), ("overhead", "#7a5c00")),
)
DARK = Theme(
    name="dark",
    window="#101318",
    panel="#1b1f27",
    raised="#12161c",
    border="#2e3540",
    text="#e8ebf0",
    muted="#9aa5b5",
    accent="#6ea2ff",
    on_accent="#0b1220",
    selected="#26365c",
    grid="#262d38",
    memory_zone="#1b2836",
    compute_zone="#2b2219",
    warning="#f5a623",
    flop="#8e98a8",
    devices=("#4aa8e0", "#ff8f4a", "#3cc79b", "#e08bc0", "#e0b83c", "#9a9dff", "#f27a86", "#a9b6c6"),
    inks=("#4aa8e0", "#ff8f4a", "#3cc79b", "#e08bc0", "#e0b83c", "#9a9dff", "#f27a86", "#a9b6c6"),
    bounds=(("compute", "#ff8f4a"), ("memory", "#4fade4"), ("overhead", "#e0b83c")),
)
THEMES: dict[str, Theme] = {"light": LIGHT, "dark": DARK}

# what is held, by its part in the ledger: places among the device colours
_PARTS = {"weights": 0, "kv": 2, "state": 3, "reserve": 7}

# dash patterns in pen widths; () is a solid line
DASHES: tuple[tuple[float, ...], ...] = (
    (),
    (6, 3),
    (1.5, 2.5),
    (8, 3, 1.5, 3),
    (3, 2),
    (10, 4),
    (1, 1.5),
    (6, 2, 1, 2),
)

_NEXT_ROUND = 3  # dashes further for each time that the colours begin again

LOWER_DASH = (2.0, 3.5)  # of an active device's other roofs, no device's own


def device_colour(theme: Theme, index: int) -> str:
    """The colour of the n-th device of a study."""
    return theme.devices[index % len(theme.devices)]


def device_ink(theme: Theme, index: int) -> str:
    """The colour of texts that name the n-th device of a study, dark or light enough to be read."""
    return theme.inks[index % len(theme.inks)]


def device_dash(index: int) -> tuple[float, ...]:
    """The dash of the n-th device of a study."""
    return DASHES[second_cue(index) % len(DASHES)]


def second_cue(index: int) -> int:
    """Which dash or hatch the n-th of many has: where the colours begin again another one, so that no two are alike."""
    return index + _NEXT_ROUND * (index // len(DASHES))


def bound_colour(theme: Theme, bound: str) -> str:
    """The colour of what an operator waits for."""
    return dict(theme.bounds)[bound]


def part_colour(theme: Theme, part: str) -> str:
    """The colour of a part of what is held."""
    return device_colour(theme, _PARTS[part])
