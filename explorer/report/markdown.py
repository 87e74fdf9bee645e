"""Text as Markdown that a reader sees as it is: no tag, link, emphasis, code or heading of its own."""

import re
from typing import Final

from explorer.presentation.words.visible import one_line

_MARKS: Final = re.compile(r"[\\`*\[\]~|$!]")
_UNDERSCORE: Final = re.compile(r"(?<![^\W_])_|_(?![^\W_])")  # inside a word it is no mark
_LEADING: Final = re.compile(r"^(\s*)([#+>=-]|\d+(?=[.)]))")
_TAG: Final = re.compile(r"<(?! )")  # before a space it opens nothing, and "< 0.1 %" is read by people too
_ENTITY: Final = re.compile(r"&(?=#|\w+;)")


def inline(text: str) -> str:
    """A text inside a line, or in a cell of a table."""
    text = _TAG.sub("&lt;", _ENTITY.sub("&amp;", one_line(text))).replace(">", "&gt;")
    return _UNDERSCORE.sub(r"\_", _MARKS.sub(r"\\\g<0>", text))


def paragraph(text: str) -> str:
    """A text that begins a line."""
    return _LEADING.sub(_kept, inline(text))


def _kept(found: re.Match[str]) -> str:
    lead, mark = found[1], found[2]
    return f"{lead}{mark}\\" if mark.isdigit() else f"{lead}\\{mark}"
