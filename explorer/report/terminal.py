"""The one place that writes to a terminal: a stranger's text is shown there, and never steers it."""

import json
from typing import Final, TextIO

from explorer.presentation.words.visible import visible

_PLAIN: Final = str.maketrans({"“": '"', "”": '"', "’": "'", "–": "-", "…": "...", "×": "x", "µ": "u"})


def written(text: str, stream: TextIO) -> str:
    """The text in the characters of a terminal that may know no “, × or µ; hidden characters are spelled out."""
    text = visible(text)
    if _knows(stream, text):
        return text
    encoding = _encoding(stream)
    return text.translate(_PLAIN).encode(encoding, "backslashreplace").decode(encoding)


def json_text(data: object, stream: TextIO | None = None) -> str:
    """Data as JSON in the characters of a terminal; hidden characters are escaped as JSON does it."""
    text = json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if visible(text) == text and (stream is None or _knows(stream, text)):
        return text
    return json.dumps(data, indent=2, allow_nan=False) + "\n"


def _knows(stream: TextIO, text: str) -> bool:
    try:
        text.encode(_encoding(stream))
    except UnicodeEncodeError:
        return False
    return True


def _encoding(stream: TextIO) -> str:
    return stream.encoding or "ascii"
