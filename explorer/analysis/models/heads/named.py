"""The class that a config names in `architectures`, and how many labels it tells apart."""

import re
from collections.abc import Mapping
from typing import Final

from explorer.analysis.models.config.fields import SIZE_LIMIT, Fields

LABELS: Final = 2  # where a config names none
BASE: Final = "Model"
_KIND: Final = re.compile(r"(?:For[A-Z][A-Za-z0-9]*|LMHeadModel|EncoderModel|DoubleHeadsModel|Model|Encoder|Decoder)\Z")
_LONGEST: Final = 120


def class_of(fields: Fields) -> str:
    """The first class of `architectures`, "" where none is named."""
    named = fields.config.get("architectures")
    first = named[0] if isinstance(named, list | tuple) and named else named
    return first if isinstance(first, str) else ""


def kind_of(name: str) -> str:
    """What follows a family's name in a class's: `ForMaskedLM`, `Model`; "" where it is of no known form."""
    found = _KIND.search(name[-_LONGEST:])
    if found is None:
        return ""
    return "For" + found.group().rpartition("For")[2] if "For" in found.group() else found.group()


def labels_of(fields: Fields, otherwise: int = LABELS) -> int:
    """Labels of a classifier: as many as `id2label` names, else `num_labels`."""
    listed = fields.config.get("id2label")
    if isinstance(listed, Mapping) and 1 <= len(listed) <= SIZE_LIMIT:
        return len(listed)
    return fields.size("num_labels", otherwise=otherwise)
