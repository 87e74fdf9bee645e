"""The mixes that `llama-quantize` makes, by name, and the nearest of them for names that are others' own."""

import re
from functools import lru_cache
from typing import Final

import msgspec

from explorer.analysis.catalogue.ggml_types import by_name

# base type of most matrices, by the name of a mix (`llama_model_quantize_impl`)
_BASES: Final[dict[str, str]] = {
    "Q2_K": "Q2_K",
    "Q2_K_S": "Q2_K",
    "Q3_K_S": "Q3_K",
    "Q3_K_M": "Q3_K",
    "Q3_K_L": "Q3_K",
    "Q4_0": "Q4_0",
    "Q4_1": "Q4_1",
    "Q4_K_S": "Q4_K",
    "Q4_K_M": "Q4_K",
    "Q5_0": "Q5_0",
    "Q5_1": "Q5_1",
    "Q5_K_S": "Q5_K",
    "Q5_K_M": "Q5_K",
    "Q6_K": "Q6_K",
    "Q8_0": "Q8_0",
    "IQ1_S": "IQ1_S",
    "IQ1_M": "IQ1_M",
    "IQ2_XXS": "IQ2_XXS",
    "IQ2_XS": "IQ2_XS",
    "IQ2_S": "IQ2_XS",
    "IQ2_M": "IQ2_S",
    "IQ3_XXS": "IQ3_XXS",
    "IQ3_XS": "IQ3_S",
    "IQ3_S": "IQ3_S",
    "IQ3_M": "IQ3_S",
    "IQ4_NL": "IQ4_NL",
    "IQ4_XS": "IQ4_XS",
    "TQ1_0": "TQ1_0",
    "TQ2_0": "TQ2_0",
    "MXFP4_MOE": "mxfp4",
    "F16": "fp16",
    "BF16": "bf16",
    "F32": "fp32",
}
NAMES: Final = tuple(_BASES)
NAMED_AS_MIXES: Final = {"Q3_K": "Q3_K_M", "Q4_K": "Q4_K_M", "Q5_K": "Q5_K_M"}  # formats, to `llama-quantize` mixes
_ASKS: Final = frozenset({"Q4_0", "Q5_0", "IQ3_XXS", "IQ4_NL", "IQ4_XS"})  # tensors differ with and without a matrix
_USUALLY: Final = frozenset({"IQ3_XXS"})  # is made with one
# the same mixes with embedding and output in Q8_0, as several publishers make them
_WIDE_ENDS: Final[dict[str, str]] = {
    "Q2_K_L": "Q2_K",
    "Q3_K_XL": "Q3_K_L",
    "Q4_K_L": "Q4_K_M",
    "Q5_K_L": "Q5_K_M",
    "Q6_K_L": "Q6_K",
}
# mixes of Unsloth's: the layers that stay larger are chosen model by model
_DYNAMIC: Final[dict[str, str]] = {
    "Q2_K_XL": "Q2_K",
    "Q3_K_XL": "Q3_K_M",
    "Q4_K_XL": "Q4_K_M",
    "Q5_K_XL": "Q5_K_M",
    "Q6_K_XL": "Q6_K",
    "Q8_K_XL": "Q8_0",
}
VARIANTS: Final = (*(f"i1-{name}" for name in sorted(_ASKS - _USUALLY)), *_WIDE_ENDS)
_NAME: Final = re.compile(r"(?P<imatrix>i1-)?(?P<dynamic>ud-)?(?P<mix>[a-z0-9_]{2,12})")
_OTHER_CASE: Final = {name.lower(): name for name in (*NAMES, *_WIDE_ENDS, *_DYNAMIC)}


class Mix(msgspec.Struct, frozen=True):
    """A mix: the rules it is made by, its base type, whether an importance matrix was there.

    `wide_ends`: embedding and output in Q8_0. `nearest`: the rules are those of another mix, since its own are unknown.
    `asks`: its tensors would be others without the matrix, or with one.
    """

    name: str
    rules: str
    base: str
    imatrix: bool = False
    wide_ends: bool = False
    nearest: bool = False

    @property
    def asks(self) -> bool:
        """Whether an importance matrix changes types of tensors."""
        return self.rules in _ASKS

    @property
    def label(self) -> str:
        """The mix whose rules are taken, as one asks for it."""
        return ("i1-" if self.imatrix and self.rules not in _USUALLY else "") + self.rules


@lru_cache(maxsize=256)
def mix_named(text: str) -> Mix | None:
    """The mix that a text means in any case; None where it means none.

    `i1-` before a name says that an importance matrix was used, `UD-` that it is one of Unsloth's.
    """
    found = _NAME.fullmatch(text.strip().lower())
    if found is None or found["mix"] not in _OTHER_CASE:
        return None
    return _mix(_OTHER_CASE[found["mix"]], dynamic=bool(found["dynamic"]), imatrix=bool(found["imatrix"]))


def mix_of(name: str | None) -> Mix | None:
    """The mix of this very name: `bf16` is a number format, `BF16` the mix that a file is of."""
    found = None if name is None else mix_named(name)
    return found if found is not None and found.name == name else None


def _mix(word: str, *, dynamic: bool, imatrix: bool) -> Mix | None:
    wide = word in _WIDE_ENDS and not dynamic
    others = {**_DYNAMIC, **_WIDE_ENDS} if wide else {**_WIDE_ENDS, **_DYNAMIC}
    rules = word if word in _BASES else others[word]
    lead = "UD-" if dynamic else "i1-" if imatrix and rules in _ASKS - _USUALLY else ""
    return Mix(
        name=f"{lead}{word}",
        rules=rules,
        base=_BASES[rules],
        imatrix=rules in _ASKS and (imatrix or dynamic or rules in _USUALLY),
        wide_ends=wide,
        nearest=dynamic or (word in _DYNAMIC and not wide),
    )


def row_format(name: str) -> str:
    """The number format that one row has where weights are in a format or a mix: that of most of its matrices."""
    mix = mix_of(name)
    return name if mix is None or name in by_name() else mix.base
