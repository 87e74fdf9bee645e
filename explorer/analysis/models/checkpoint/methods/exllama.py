"""EXL2 and EXL3: layers differ, the config names their average."""

from collections.abc import Mapping
from typing import Final

from explorer.analysis.models.checkpoint.assignment import LINEAR, Assignment, Rule
from explorer.analysis.models.checkpoint.layout import WeightLayout
from explorer.analysis.models.checkpoint.methods.method import MOST_LISTED, Found, Method

_HALF: Final = 2
_MOST: Final = 8.5


def exl2(method: Method) -> Found:
    """EXL2: the average bits of all layers, scales included."""
    bits, head = _bits(method, "bits", 0.5), _bits(method, "head_bits", 2, otherwise=6)
    method.fields.note("model.average_bits", bits=bits)
    return _assigned(_average("exl2", bits), _average("exl2", head))


def exl3(method: Method) -> Found:
    """EXL3: as many bits as stated where they are whole, and 16-bit signs for each input and output."""
    odd = [one for one in method.entries("tensor_storage", MOST_LISTED).values() if not isinstance(one, Mapping)]
    if odd:
        method.unread("tensor_storage", odd[0], "an object for each module")
    bits, head = _bits(method, "bits", 1), _bits(method, "head_bits", 1, otherwise=6)
    if bits != int(bits):
        method.fields.note("model.average_bits", bits=bits)
    layers, last = (WeightLayout(f"exl3-{n:g}", _like(n), n, output=_HALF, given=_HALF) for n in (bits, head))
    return _assigned(layers, last)


def _assigned(layers: WeightLayout, head: WeightLayout) -> Found:
    rules = (Rule(head, kinds=frozenset({"head"})),)
    return Found(Assignment(rules, layers, LINEAR, unties=True))


def _average(name: str, bits: float) -> WeightLayout:
    return WeightLayout(f"{name}-{bits:g}", _like(bits), bits)


def _like(bits: float) -> str:
    return "int8" if bits > 4 else "int4"


def _bits(method: Method, name: str, least: float, otherwise: float | None = None) -> float:
    value = method.get(name)
    if value is None and otherwise is not None:
        method.assumed(name, otherwise)
        return otherwise
    if isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= _MOST:
        return float(value)
    method.unread(name, value, f"{least:g} to {_MOST:g}")
    return least
