"""Names that are cut for want of room: never within a word that has a number, which would then be another one."""

import re

_WORD = re.compile(r"[A-Za-z0-9.,-]*$")
_REST = re.compile(r"[A-Za-z0-9.,-]*")
_LETTER = re.compile(r"[^\W\d_×]")
_LOOSE = " ×·,+-_(/（、"


def whole_numbers(text: str, kept: str) -> str:
    """The beginning of a text that is kept, without a word that has a number and would be cut.

    "NVIDIA" of an NVIDIA H100, never "NVIDIA H1"; empty where no letter would be left.
    """
    begun, rest = _WORD.search(kept), _REST.match(text, len(kept))
    if begun is not None and rest is not None and rest.group() and re.search(r"\d", begun.group() + rest.group()):
        kept = kept[: begun.start()]
    kept = kept.rstrip(_LOOSE)
    return kept if _LETTER.search(kept) else ""
