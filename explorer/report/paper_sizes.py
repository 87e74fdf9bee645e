"""Sizes that slides have, in logical pixels of 1/96 inch."""

from typing import Final

SIZES: Final[dict[str, tuple[int, int]]] = {
    "16:9": (1600, 900),
    "4:3": (1440, 1080),
    "A4": (1123, 794),
    "A4-portrait": (794, 1123),
}
