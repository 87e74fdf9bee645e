"""Which type each tensor gets in a mix: the rules of llama.cpp (`src/llama-quant.cpp`, commit 007dbbf3)."""

from collections.abc import Callable
from typing import Final, Literal, NamedTuple

import msgspec

from explorer.analysis.catalogue.ggml_types import by_name
from explorer.analysis.catalogue.mixes import Mix

Use = Literal["v", "k", "q", "attn_output", "down", "gate", "up", "output", "embedding", "other"]

_LOW: Final = frozenset({"IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ2_M"})
_LARGER_LOW: Final = frozenset({"IQ2_S", "IQ2_M"})
_FALLBACKS: Final[dict[str, str]] = {
    **dict.fromkeys(("IQ1_S", "IQ1_M", "IQ2_XXS", "IQ2_XS", "IQ2_S", "IQ3_XXS", "IQ3_S", "IQ4_XS"), "IQ4_NL"),
    **dict.fromkeys(("Q2_K", "Q3_K", "TQ1_0", "TQ2_0"), "Q4_0"),
    "Q4_K": "Q5_0",
    "Q5_K": "Q5_1",
    "Q6_K": "Q8_0",
}
_EIGHT_EXPERTS_OUTPUT: Final = frozenset(
    {"Q2_K", "Q3_K_S", "Q3_K_M", "Q4_K_S", "Q4_K_M", "IQ3_XXS", "IQ3_XS", "IQ3_S", "IQ3_M", "IQ4_NL", "IQ4_XS"}
)
_UNQUANTISED: Final = frozenset({"F16", "BF16", "F32"})


class Facts(msgspec.Struct, frozen=True):
    """What the rules ask of a model: layers, query heads per KV head, experts; a Falcon; a Llama of 70B."""

    layers: int
    gqa: int
    experts: int
    falcon: bool = False
    seventy: bool = False


class Matrix(NamedTuple):
    """A tensor: its use, the layer's number, its place among those of its use, values of a row, a stack of experts."""

    use: Use
    layer: int
    nth: int
    of: int
    columns: int
    stacked: bool = False


Rule = Callable[[Mix, Matrix, Facts], str]


def type_of(mix: Mix, matrix: Matrix, facts: Facts) -> str:
    """The type of a matrix in a mix, by the id of its number format."""
    if mix.rules in _UNQUANTISED:
        return mix.base
    if mix.rules == "MXFP4_MOE":
        return _fitting("mxfp4" if matrix.stacked else "Q8_0", matrix.columns)
    if matrix.use in {"output", "embedding"} and mix.wide_ends:
        return _fitting("Q8_0", matrix.columns)
    return _fitting(_chosen(mix, matrix, facts), matrix.columns)


def _fitting(name: str, columns: int) -> str:
    """A type whose blocks fill the rows: the one wanted, its stand-in, else 16 bit."""
    for candidate in (name, _FALLBACKS.get(name, name)):
        if columns % by_name()[candidate].block == 0:
            return candidate
    return "fp16"


def _chosen(mix: Mix, matrix: Matrix, facts: Facts) -> str:
    if matrix.use == "output":
        return _output(mix, matrix, facts)
    if matrix.use == "embedding":
        return _embedding(mix)
    if mix.rules in _LOW:
        return _low(mix, matrix, facts) or mix.base
    rule = _BY_USE.get(matrix.use)
    return (rule(mix, matrix, facts) if rule else "") or mix.base


def _output(mix: Mix, matrix: Matrix, facts: Facts) -> str:
    if facts.falcon or matrix.columns % by_name()[mix.base].block:
        return "Q8_0"
    if mix.rules in _LOW or mix.rules == "IQ3_XXS":
        return "Q5_K"
    return "Q8_0" if mix.base == "Q8_0" else "Q6_K"


def _embedding(mix: Mix) -> str:
    if mix.rules in _LARGER_LOW or mix.rules == "IQ3_XXS":
        return "IQ3_S"
    if mix.rules in _LOW:
        return "Q2_K"
    return "Q4_K" if mix.rules in {"TQ1_0", "TQ2_0"} else mix.base


def _low(mix: Mix, matrix: Matrix, facts: Facts) -> str:
    larger = "IQ3_S" if mix.rules in _LARGER_LOW else "Q2_K"
    if matrix.use == "v":
        return "Q4_K" if facts.gqa >= 4 or facts.experts >= 4 else larger
    if matrix.use == "k" and facts.experts == 8:
        return "Q4_K"
    if matrix.use == "down":
        return larger if _early(matrix, 8) else ""
    if matrix.use == "attn_output":
        if facts.experts == 8:
            return "Q5_K"
        return "IQ2_XXS" if mix.rules in {"IQ1_S", "IQ1_M"} else "IQ3_S" if mix.rules in _LARGER_LOW else ""
    return ""


def _value(mix: Mix, matrix: Matrix, facts: Facts) -> str:
    rule = _VALUE.get(mix.rules)
    found = (rule(mix, matrix, facts) if rule else "") or mix.base
    if facts.seventy and found in {"Q3_K", "Q4_K"}:  # eight heads share these weights: dearer ones cost little
        found = "Q5_K"
    return "Q8_0" if facts.experts == 8 else found


def _key(mix: Mix, _matrix: Matrix, facts: Facts) -> str:
    return "Q8_0" if facts.experts == 8 else _query(mix, _matrix, facts)


def _query(mix: Mix, _matrix: Matrix, _facts: Facts) -> str:
    return {"IQ3_XS": "IQ3_XXS", "IQ3_XXS": "IQ2_S"}.get(mix.rules, "")


def _attention_output(mix: Mix, _matrix: Matrix, facts: Facts) -> str:
    if facts.falcon:
        return "Q4_K" if mix.rules == "Q3_K_L" else ""
    if facts.experts == 8:
        return "Q5_K" if mix.rules in _EIGHT_EXPERTS_OUTPUT else ""
    chosen = {"Q2_K": "Q3_K", "IQ3_XXS": "IQ3_S", "Q3_K_M": "Q4_K", "IQ3_M": "Q4_K", "Q3_K_L": "Q5_K"}
    return chosen.get(mix.rules, "")


def _down(mix: Mix, matrix: Matrix, facts: Facts) -> str:
    rule = (_DOWN_OF_FALCON if facts.falcon and mix.rules in _DOWN_OF_FALCON else _DOWN).get(mix.rules)
    return rule(mix, matrix, facts) if rule else ""


def _gate(mix: Mix, matrix: Matrix, _facts: Facts) -> str:
    inner = matrix.of // 8 <= matrix.nth < 7 * matrix.of // 8
    return "IQ3_XXS" if mix.rules == "IQ3_XS" and inner else ""


def _early(matrix: Matrix, share: int) -> bool:
    return matrix.nth < matrix.of // share


def _more(matrix: Matrix) -> bool:
    """Every third layer, and the first and the last eighth."""
    i, n = matrix.nth, matrix.of
    return i < n // 8 or i >= 7 * n // 8 or (i - n // 8) % 3 == 2


def _grouped(facts: Facts, chosen: str, otherwise: str = "") -> str:
    return chosen if facts.gqa >= 4 else otherwise


def _matrix_known(mix: Mix, chosen: str) -> str:
    """A type that tensors have where no importance matrix is there."""
    return "" if mix.imatrix else chosen


# what differs from the base type ("": nothing), by mix
_VALUE: Final[dict[str, Rule]] = {
    "Q2_K": lambda _mix, _at, facts: _grouped(facts, "Q4_K", "Q3_K"),
    "Q2_K_S": lambda _mix, _at, facts: _grouped(facts, "Q4_K"),
    "IQ3_XS": lambda _mix, _at, facts: _grouped(facts, "Q4_K"),
    "IQ3_S": lambda _mix, _at, facts: _grouped(facts, "Q4_K"),
    "IQ3_XXS": lambda mix, _at, facts: _grouped(facts, "Q4_K", _matrix_known(mix, "IQ3_S")),
    "IQ3_M": lambda _mix, _at, _facts: "Q4_K",
    "Q3_K_M": lambda _mix, at, _facts: "Q5_K" if at.nth < 2 else "Q4_K",
    "Q3_K_L": lambda _mix, _at, _facts: "Q5_K",
    "IQ4_NL": lambda _mix, _at, facts: _grouped(facts, "Q5_K"),
    "IQ4_XS": lambda _mix, _at, facts: _grouped(facts, "Q5_K"),
    "Q4_K_S": lambda _mix, at, _facts: "Q5_K" if at.nth < 4 else "",
    "Q4_K_M": lambda _mix, at, _facts: "Q6_K" if _more(at) else "",
    "Q5_K_M": lambda _mix, at, _facts: "Q6_K" if _more(at) else "",
}
_DOWN: Final[dict[str, Rule]] = {
    "Q2_K": lambda _mix, _at, _facts: "Q3_K",
    "Q2_K_S": lambda _mix, at, _facts: "Q4_K" if _early(at, 8) else "",
    "IQ3_XXS": lambda mix, at, _facts: _matrix_known(mix, "Q4_K" if _early(at, 8) else "Q3_K"),
    "IQ3_M": lambda _mix, at, facts: "Q4_K" if _early(at, 8) or (facts.experts == 8 and _more(at)) else "",
    "Q3_K_M": lambda _mix, at, _facts: "Q5_K" if _early(at, 16) else "Q4_K",
    "Q3_K_L": lambda _mix, _at, _facts: "Q5_K",
    "IQ4_NL": lambda mix, at, _facts: _matrix_known(mix, "Q5_K") if _early(at, 8) else "",
    "IQ4_XS": lambda mix, at, _facts: _matrix_known(mix, "Q5_K") if _early(at, 8) else "",
    "Q4_0": lambda mix, at, _facts: "Q4_1" if mix.imatrix and _early(at, 8) else "",
    "Q5_0": lambda mix, at, _facts: "Q5_1" if mix.imatrix and _early(at, 8) else "",
    "Q4_K_S": lambda _mix, at, _facts: "Q5_K" if _early(at, 8) else "",
    "Q4_K_M": lambda _mix, at, _facts: "Q6_K" if _more(at) else "",
    "Q5_K_M": lambda _mix, at, _facts: "Q6_K" if _more(at) else "",
}
_DOWN_OF_FALCON: Final[dict[str, Rule]] = {
    "Q3_K_M": lambda _mix, at, _facts: "Q5_K" if _early(at, 16) else "Q4_K" if _more(at) else "",
    "Q3_K_L": lambda _mix, _at, _facts: "Q4_K",
    "Q4_K_S": lambda _mix, _at, _facts: "",
    "Q4_K_M": lambda _mix, at, _facts: "Q6_K" if _early(at, 16) else "Q5_K" if _more(at) else "",
}
_BY_USE: Final[dict[Use, Rule]] = {
    "v": _value,
    "k": _key,
    "q": _query,
    "attn_output": _attention_output,
    "down": _down,
    "gate": _gate,
    "up": _gate,
}
