"""Hardware figures as typed and shown: `989.4 TFLOP/s`, `3.35 TB/s`, `80 GiB`, `375 ns`; never read in two ways."""

import math
import re
from decimal import Decimal
from typing import Final, Literal

import explorer.presentation.quantities.quantity_texts  # noqa: F401 - registers its sentences
from explorer.analysis.problem import Problem, Refused
from explorer.presentation.quantities.typed_figure import Spelling, Unread, read_figure

Unit = Literal["FLOP/s", "OP/s", "B/s", "B", "s", "W", ""]

_DECIMAL: Final = {"": 1, "k": 10**3, "K": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15, "E": 10**18}
_BINARY: Final = {"Ki": 2**10, "Mi": 2**20, "Gi": 2**30, "Ti": 2**40, "Pi": 2**50}
_SMALL: Final = {"": "1", "m": "1e-3", "µ": "1e-6", "μ": "1e-6", "u": "1e-6", "n": "1e-9", "p": "1e-12"}
_RATES: Final = ("FLOP/s", "FLOPS", "FLOPs", "Flop/s", "Flops", "flop/s", "flops", "OP/s", "OPS", "op/s", "ops")
_NAMES: Final[dict[Unit, tuple[str, ...]]] = {
    "FLOP/s": _RATES,
    "OP/s": _RATES,
    "B/s": ("B/s", "Bps"),
    "B": ("B",),
    "s": ("s",),
    "W": ("W",),
    "": (),
}
_EXAMPLES: Final = {
    "FLOP/s": "989.4 TFLOP/s",
    "OP/s": "1979 TOP/s",
    "B/s": "3.35 TB/s",
    "B": "80 GiB",
    "s": "375 ns",
    "W": "700 W",
    "": "132",
}
_BITS: Final = re.compile(r"[kKMGTP]?i?(?:b|bit)(?:/s|ps)?")
_LONGEST: Final = 60
_BARE: Final = 1e6  # fewer bytes than any model or reserve has
_LARGEST_TERA: Final = Decimal(10**16)


def read_quantity(text: str, unit: Unit, path: str = "") -> float:
    """Return a figure in base units from what a person typed; the unit may be left out, a prefix stands for itself.

    Raises
    ------
    Refused
        It is no number, has a comma, is in bits, or carries another unit.
    """
    typed = " ".join(text.split())
    if not typed:
        raise Refused(Problem("quantity.missing", path, {"example": _EXAMPLES[unit]}))
    try:
        return read_figure(typed, _SPELLINGS[unit])
    except Unread as unread:
        raise Refused(_fault(unread, typed, unit, path)) from None


def _fault(unread: Unread, typed: str, unit: Unit, path: str) -> Problem:
    values = {"got": typed[:_LONGEST], "example": _EXAMPLES[unit]}
    if unread.fault != "ending":
        return Problem("quantity.comma" if unread.fault == "comma" else "quantity.number", path, values)
    code = "quantity.bits" if unit in {"B", "B/s"} and _BITS.fullmatch(unread.ending) else "quantity.unit"
    return Problem(code, path, {**values, "unit": unit or "1"})


def read_size(text: str, path: str = "") -> float:
    """Bytes of memory or of a file as typed; a bare number under a million is asked for its unit."""
    value = read_quantity(text, "B", path)
    if 0 < abs(value) < _BARE and not any(c.isalpha() for c in text.lower().replace("e", "")):
        typed = " ".join(text.split())[:_LONGEST]
        raise Refused(Problem("quantity.bare", path, {"got": typed, "example": f"{typed}GB"}))
    return value


def read_optional(text: str, unit: Unit, path: str = "") -> float | None:
    """Return a figure, or None for an empty field: what is not known is left out."""
    return read_quantity(text, unit, path) if text.strip() else None


def quantity_text(value: float | None, unit: Unit) -> str:
    """A figure in full with its unit: it reads back as the very same figure, in the shortest form."""
    if value is None or not math.isfinite(value):
        return ""
    number = Decimal(repr(float(value)))
    forms = [f"{_plain(number / factor)} {prefix}{unit}".strip() for prefix, factor in _prefixes(number, unit)]
    return min(forms, key=len)


def _sizes(unit: Unit) -> dict[str, Decimal]:
    if unit == "s":
        return {prefix: Decimal(size) for prefix, size in _SMALL.items()}
    sizes = {prefix: Decimal(size) for prefix, size in _DECIMAL.items()}
    if unit in {"B", "B/s"}:
        sizes |= {prefix: Decimal(size) for prefix, size in _BINARY.items()}
    return sizes


def _spelling(unit: Unit) -> Spelling:
    """A number, then a prefix, the unit, or both."""
    sizes = _sizes(unit).items()
    endings = {f"{prefix}{name}": size for name in ("", *_NAMES[unit]) for prefix, size in sizes}
    return Spelling(endings, longest=_LONGEST)


_SPELLINGS: Final = {unit: _spelling(unit) for unit in _NAMES}


def ending_size(ending: str, unit: Unit) -> Decimal | None:
    """What a prefix and unit behind a number are worth; None where they cannot stand behind a figure of the unit."""
    return _SPELLINGS[unit].endings.get(ending)


def _prefixes(number: Decimal, unit: Unit) -> list[tuple[str, Decimal]]:
    """The prefix that leaves 1 to 999, and for bytes the binary one where it comes out even."""
    sizes = _sizes(unit)
    unused = {*_BINARY, "K", "μ", "u"}
    if unit in {"FLOP/s", "OP/s"} and abs(number) < _LARGEST_TERA:
        unused |= {"P", "E"}  # devices compare at a glance in one prefix
    plain = {p: s for p, s in sizes.items() if p not in unused and (unit or not p)}
    fitting = [(p, s) for p, s in plain.items() if abs(number) >= s] or [min(plain.items(), key=lambda f: f[1])]
    found = [max(fitting, key=lambda f: f[1])]
    if unit == "B":
        even = [(p, Decimal(s)) for p, s in _BINARY.items() if number % s == 0 and abs(number) >= s]
        found = [*even[-1:], *found]
    return found


def _plain(number: Decimal) -> str:
    text = f"{number.normalize():f}"
    return text if len(text) <= 24 else f"{number.normalize():e}"
