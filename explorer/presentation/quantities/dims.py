"""Dims of an operator as one line of text, `m=8 n=4096 k=4096`."""

from collections.abc import Mapping, Sequence

UNLIMITED = 1e18  # the kinds' own default for "no window", "no table"


def number_text(value: float) -> str:
    """A figure in full, that reads back as the same figure and as no other.

    Three decimals behind one to three digits look like thousands where the comma is the decimal sign: a 0 more tells.
    """
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    text = repr(value).replace("e+", "e")
    whole, _, decimals = text.partition(".")
    ambiguous = len(decimals) == 3 and decimals.isdigit() and len(whole) <= 3 and whole != "0"
    return f"{text}0" if ambiguous else text


def dims_text(dims: Mapping[str, float], order: Sequence[str] = ()) -> str:
    """Every dim by name, those of `order` first in that order; those without a limit are left out."""
    names = (*(n for n in order if n in dims), *(n for n in dims if n not in order))
    return " ".join(f"{name}={number_text(dims[name])}" for name in names if dims[name] < UNLIMITED)
