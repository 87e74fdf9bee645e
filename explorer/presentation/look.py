"""How everything is shown: colours, the unit of memory sizes and the language, one value for all views."""

from collections.abc import Callable
from typing import Final

import msgspec

from explorer.presentation.palette import LIGHT, Theme
from explorer.presentation.quantities.numbers import CapacityUnit

Translate = Callable[[str, str], str]


def untranslated(_context: str, text: str) -> str:
    """English, the source language."""
    return text


class Look(msgspec.Struct, frozen=True):
    """Theme, unit of memory sizes and language; whoever changes one makes a new Look."""

    theme: Theme = LIGHT
    unit: CapacityUnit = "GB"
    translate: Translate = untranslated


ENGLISH: Final = Look()  # of the command line, and until the settings are read
