"""How one weight matrix is stored: its values, and the scales and zeros beside them, to the byte."""

from math import ceil
from typing import Final

import msgspec

from explorer.analysis.models.parts import Packing

_WORD: Final = 4  # bytes of an int32, in which zeros lie packed
_NESTED: Final = 256  # scales that share a scale of their own


class WeightLayout(msgspec.Struct, frozen=True):
    """A weight of outputs x inputs: `values` bits each, and bytes beside them.

    `format` names values and `block` scales together, which computes `like` a known format; `input` is the format
    that inputs are quantised to. A scale (and zero, and bias) of `scale` bytes serves a block of outputs x inputs,
    with `zero_bits` for each block packed along the outputs. `output`, `given` and `tensor` are bytes for each
    output, for each input and for the whole. Inputs fill up words of `per_word` values. `flat` blocks run through
    the matrix as one row (bitsandbytes), with a scale of the scales where `nested`.
    """

    format: str
    like: str
    values: float
    input: str = ""
    block: tuple[int, int] = (0, 0)
    scale: float = 0.0
    zero_bits: float = 0.0
    output: float = 0.0
    given: float = 0.0
    tensor: float = 0.0
    per_word: int = 1
    flat: int = 0
    nested: bool = False

    @property
    def bits(self) -> float:
        """Bits of one value, with its part of the block's scales."""
        if self.flat:
            return self.values + 8 * (1 + _WORD / _NESTED if self.nested else _WORD) / self.flat
        area = self.block[0] * self.block[1]
        return self.values + (8 * self.scale / area + self.zero_bits / self.block[1] if area else 0.0)

    def bytes_of(self, outputs: float, inputs: float) -> float:
        """Bytes of a matrix with all that lies beside its values."""
        fixed = self.output * outputs + self.given * inputs + self.tensor
        if self.flat:
            return fixed + outputs * inputs * self.values / 8 + self._flat_scales(outputs * inputs)
        padded = ceil(inputs / self.per_word) * self.per_word
        return fixed + outputs * padded * self.values / 8 + self._scales(outputs, inputs)

    def _scales(self, outputs: float, inputs: float) -> float:
        rows, columns = self.block
        if not rows:
            return 0.0
        across = ceil(inputs / columns)
        zeros = ceil(outputs * self.zero_bits / 8 / _WORD) * _WORD
        return across * (ceil(outputs / rows) * self.scale + zeros)

    def _flat_scales(self, values: float) -> float:
        blocks = ceil(values / self.flat)
        return blocks + _WORD * ceil(blocks / _NESTED) if self.nested else _WORD * blocks

    def packing(self, outputs: float, inputs: float, shared: int = 1) -> Packing:
        """How a matrix of this size is packed; `shared` matrices have one set of bytes for the whole."""
        exact = self.bytes_of(outputs, inputs) - self.tensor * (1 - 1 / shared)
        return Packing(self.format, self.bits, self.like, exact - outputs * inputs * self.bits / 8, self.input)
