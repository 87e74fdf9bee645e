"""Colours of both themes, once for window and paper; device colours are safe for colour blindness.

Device colours follow Okabe and Ito; each has a dash as its second cue.
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
    devices: tuple[str, ...]
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
    selected="#e4edfd",
    grid="#e9edf2",
    memory_zone="#eaf2fb",
    compute_zone="#fdf3ea",
    warning="#b45309",
    devices=("#0072b2", "#d55e00", "#00805d", "#b0508c", "#7a5c00", "#4b4fbf", "#a8323e", "#4d5a6b"),
    bounds=(("compute", "#d55e00"), ("memory", "#0072b2"), ("overhead", "#7a5c00")),
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
    devices=("#4aa8e0", "#ff8f4a", "#3cc79b", "#e08bc0", "#e0b83c", "#9a9dff", "#f27a86", "#a9b6c6"),
    bounds=(("compute", "#ff8f4a"), ("memory", "#4aa8e0"), ("overhead", "#e0b83c")),
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


def device_colour(theme: Theme, index: int) -> str:
    """The colour of the n-th device of a study."""
    return theme.devices[index % len(theme.devices)]


def device_dash(index: int) -> tuple[float, ...]:
    """The dash of the n-th device of a study."""
    return DASHES[index % len(DASHES)]


def bound_colour(theme: Theme, bound: str) -> str:
    """The colour of what an operator waits for."""
    return dict(theme.bounds)[bound]


def part_colour(theme: Theme, part: str) -> str:
    """The colour of a part of what is held."""
    return device_colour(theme, _PARTS[part])
