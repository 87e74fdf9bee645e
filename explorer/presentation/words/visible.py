"""A stranger's text made fit to be shown: what shows nothing, or moves other characters, is spelled out.

Escape sequences, NUL, marks that turn the direction of writing, separators of lines: in a name they hide or forge.
"""

import re
from typing import Final

# controls, surrogates, format characters (soft hyphen, zero width, direction, tags), separators of lines and paragraphs
_FORMAT: Final = (
    "\u00ad\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    "\ufff9-\ufffb\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a"
    "\U000e0001\U000e0020-\U000e007f"
)
_NO_CHARACTER: Final = "\ufdd0-\ufdef\ufffe\uffff"
_HIDDEN: Final = re.compile(f"[\x00-\x1f\x7f-\x9f\ud800-\udfff\u2028\u2029{_FORMAT}{_NO_CHARACTER}]")
_HIDDEN_IN_LINES: Final = re.compile(_HIDDEN.pattern.replace("\x00-\x1f", "\x00-\x08\x0b-\x1f"))
_NAMED: Final = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def one_line(text: str) -> str:
    """The text on one line: line ends and tabs are spelled out too."""
    return text if text.isprintable() else _HIDDEN.sub(_spelled, text)


def visible(text: str) -> str:
    """The text with its lines and tabs as they are."""
    return text if text.isprintable() else _HIDDEN_IN_LINES.sub(_spelled, text)


def shortened(text: str, most: int) -> str:
    """The text, or its beginning and an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def middle_cut(text: str, most: int) -> str:
    """The text, or its beginning and its end around an ellipsis."""
    tail = (most - 1) // 2
    return text if len(text) <= most else f"{text[: most - 1 - tail]}…{text[-tail:]}"


def _spelled(found: re.Match[str]) -> str:
    character = found[0]
    code = ord(character)
    if character in _NAMED:
        return _NAMED[character]
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
