"""Layouts that several methods share."""

from typing import Final

from explorer.analysis.models.checkpoint.layout import WeightLayout

_HALF: Final = 2  # bytes of a scale in 16 bit
_NAMED_GROUPS: Final = frozenset({32, 64, 128})
FLOAT: Final = 4  # bytes of a scale in fp32


def fp8(inputs: str = "", *, output: float = 0.0, tensor: float = 0.0) -> WeightLayout:
    """fp8 with scales of whole rows or of the matrix."""
    return WeightLayout("fp8", "fp8", 8, inputs, output=output, tensor=tensor)


def fp8_blocks(rows: int, columns: int, inputs: str = "", *, scale: float = FLOAT, tensor: float = 0.0) -> WeightLayout:
    """fp8 with a scale for each block."""
    name = f"fp8-block{rows}" if rows == columns else f"fp8-block{rows}x{columns}"
    name = name if scale == FLOAT else f"{name}-scale{8 * scale:g}"
    return WeightLayout(name, "fp8", 8, inputs, block=(rows, columns), scale=scale, tensor=tensor)


def nvfp4(inputs: str = "", *, given: float = 0.0, tensor: float = 0.0) -> WeightLayout:
    """4-bit floats with an 8-bit scale for each 16."""
    return WeightLayout("nvfp4", "nvfp4", 4, inputs, block=(1, 16), scale=1, given=given, tensor=tensor)


def mxfp4(inputs: str = "") -> WeightLayout:
    """4-bit floats with an 8-bit exponent for each 32."""
    return WeightLayout("mxfp4", "mxfp4", 4, inputs, block=(1, 32), scale=1)


def mxfp8(inputs: str = "") -> WeightLayout:
    """fp8 with an 8-bit exponent for each 32."""
    return WeightLayout("mxfp8", "mxfp8", 8, inputs, block=(1, 32), scale=1)


def integers(
    bits: int,
    group: int,
    inputs: str = "",
    *,
    zeros: bool,
    scale: float = _HALF,
    given: float = 0.0,
    tensor: float = 0.0,
    per_word: int = 1,
    word: int = 0,
) -> WeightLayout:
    """Integers with a scale, and a zero of as many bits where there are `zeros`, for each group of inputs or row.

    Values fill words of `word` bits, `per_word` in each, or follow one another where it is 0.
    """
    like = "int8" if bits > 4 else "int4"
    held = word / per_word if word else bits
    zero = held if zeros else 0
    if group == -1:
        name = "int8" if bits == 8 else f"int{bits}-channel"
        name = name if held == bits else f"{name}-int32"
        return WeightLayout(
            name, like, held, inputs, output=scale + zero / 8, given=given, tensor=tensor, per_word=per_word
        )
    name = f"int{bits}-g{group}" if zeros else f"int{bits}-sym-g{group}"
    if scale != _HALF:
        name = f"{name}-scale{8 * scale:g}"
    name = name if held == bits else f"{name}-int32"
    if (bits, group, zeros, scale) == (4, 128, True, _HALF):
        name = "int4"
    return WeightLayout(
        name, like, held, inputs, block=(1, group), scale=scale, zero_bits=zero, given=given, tensor=tensor,
        per_word=per_word,
    )  # fmt: skip


def affine(bits: float, group: int, *, scale: float = 2 * _HALF, stored: float = 0.0) -> WeightLayout:
    """Integers with a scale and an offset, both of 16 bit, for each group; `stored` bits where padding takes more."""
    like = "int8" if bits > 4 else "int4"
    name = f"int{bits:g}-affine-g{group}"
    name = name if scale == 2 * _HALF else f"{name}-scale{4 * scale:g}"
    return WeightLayout(name, like, stored or bits, block=(1, group), scale=scale)
