"""Number formats: how many bits one stored value takes, block scales included."""

from typing import Literal

import msgspec


class NumberFormat(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A storage format; `compute` names the operand format whose peak it uses when both operands have it."""

    id: str
    bits: float
    family: Literal["float", "int"]
    compute: str
    name: str = ""
    note: str = ""

    @property
    def bytes(self) -> float:
        """Bytes per value, block scales included."""
        return self.bits / 8.0
