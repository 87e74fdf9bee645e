"""Texts stand out by 4.5 to 1 and marks by 3 to 1 from every ground they are drawn on, in both themes."""

from collections.abc import Iterator

import pytest

from explorer.presentation.palette import DARK, LIGHT, Theme

TEXT, MARK = 4.5, 3.0


def light(colour: str) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    high, low = sorted((light(one), light(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def mixed(colour: str, ground: str, share: float) -> str:
    parts = [round(int(colour[i : i + 2], 16) * share + int(ground[i : i + 2], 16) * (1 - share)) for i in (1, 3, 5)]
    return "#" + "".join(f"{p:02x}" for p in parts)


def grounds(theme: Theme) -> dict[str, str]:
    """What the window, the panels, rows that are chosen, and both zones of a chart are filled with."""
    names = ("window", "panel", "raised", "selected", "memory_zone", "compute_zone")
    return {name: getattr(theme, name) for name in names}


def texts(theme: Theme) -> Iterator[tuple[str, str, str]]:
    """Each colour of a text with each ground it is drawn on."""
    for place, ground in grounds(theme).items():
        yield from (
            (f"{ink} on {place}", getattr(theme, ink), ground) for ink in ("text", "muted", "accent", "warning")
        )
        if place != "selected":  # rows that are chosen write devices in the colour of all texts
            yield from ((f"device {i} on {place}", ink, ground) for i, ink in enumerate(theme.inks))
    yield from ((f"on {bound}", theme.on_accent, colour) for bound, colour in theme.bounds)
    yield "on accent", theme.on_accent, theme.accent
    yield "on FLOP bars", theme.on_accent, theme.flop
    band = theme.raised if theme.name == "light" else theme.border
    yield "muted on the strip", theme.muted, band
    share = 0.13 if theme.name == "light" else 0.2
    yield from ((f"pill of {b}", colour, mixed(colour, theme.panel, share)) for b, colour in theme.bounds)


def marks(theme: Theme) -> Iterator[tuple[str, str, str]]:
    """Each colour of a line, point or bar with each ground it is drawn on."""
    coloured = {f"device {i}": c for i, c in enumerate(theme.devices)} | {f"waits for {b}": c for b, c in theme.bounds}
    coloured |= {"accent": theme.accent, "warning": theme.warning, "FLOPs": theme.flop}
    for place, ground in grounds(theme).items():
        yield from ((f"{name} on {place}", colour, ground) for name, colour in coloured.items())


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_every_text_can_be_read_on_its_ground(theme: Theme) -> None:
    faults = {what: round(contrast(ink, on), 2) for what, ink, on in texts(theme) if contrast(ink, on) < TEXT}
    assert faults == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_every_mark_can_be_seen_on_its_ground(theme: Theme) -> None:
    faults = {what: round(contrast(mark, on), 2) for what, mark, on in marks(theme) if contrast(mark, on) < MARK}
    assert faults == {}


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda t: t.name)
def test_the_ink_of_a_device_is_its_colour_or_a_stronger_one(theme: Theme) -> None:
    for colour, ink in zip(theme.devices, theme.inks, strict=True):
        assert contrast(ink, theme.panel) >= contrast(colour, theme.panel)
        assert max(abs(int(colour[i : i + 2], 16) - int(ink[i : i + 2], 16)) for i in (1, 3, 5)) <= 0x30


def test_contrast_is_that_of_wcag() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)
