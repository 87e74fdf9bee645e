"""Operator kinds as data: dims, formulas as text, and the unit that executes them."""

from typing import Literal

import msgspec


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True, kw_only=True):
    """Base of the parts of a kind: unknown keys are refused."""


class Dim(_Part, frozen=True, kw_only=True):
    """A dimension of a kind: its name in formulas, default and explanation."""

    name: str
    default: float = 1.0
    en: str = ""
    zh: str = ""

    @property
    def meaning(self) -> str:
        """The explanation; "" where it only repeats the name."""
        return "" if self.en.lower().replace(" ", "_") == self.name.lower() else self.en


class Derived(_Part, frozen=True, kw_only=True):
    """A named intermediate figure, computed from dims and earlier derived ones."""

    name: str
    formula: str


class OperatorKind(_Part, frozen=True, kw_only=True):
    """One kind of operator.

    Formulas read the dims, the derived names and a, w, o, kv: bytes per activation,
    weight, output and KV-cache value. `weight_bytes` and `kv_bytes` say which part of
    the traffic is weights and KV cache that no fusion can remove.
    """

    id: str
    en: str = ""
    zh: str = ""
    unit: Literal["tensor", "vector"] = "vector"
    dims: tuple[Dim, ...] = ()
    derived: tuple[Derived, ...] = ()
    flops: str
    bytes_read: str
    bytes_written: str
    kernels: str = "1"
    weight_bytes: str = "0"
    kv_bytes: str = "0"
    note: str = ""
