"""Text in a block: broken at spaces, or between ideographs, by measured widths."""

import re
from functools import lru_cache

from explorer.plot.paint.fonts import Face

_SMALLEST = 0.7  # of a face's size, before words are cut
_KEPT = 128  # texts whose lines are remembered: a head is laid out to know its height, then to be painted
_NAMED = ": "  # between a name and what is said of it
_PIECES = re.compile(
    r"[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|(?:\u00a0|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef])+|[^\S\u00a0]+"
)


def wrapped(text: str, face: Face, width: float, most: int = 1000) -> list[str]:
    """Lines that fit the width, at most `most`; the last one ends in an ellipsis where text is left over."""
    return [*_wrapped(text, face, width, most)]


@lru_cache(maxsize=_KEPT)
def _wrapped(text: str, face: Face, width: float, most: int) -> tuple[str, ...]:
    if face.measure(text.rstrip()) <= width:
        return (text.strip(),) if text.strip() else ()
    lines: list[str] = []
    line = ""
    for piece in _PIECES.findall(text):
        if face.measure(line + piece.rstrip()) <= width:
            line += piece
            continue
        if line.strip():
            lines.append(line.strip())
        line = ""
        for part in _cut(piece.strip(), face, width):
            if line:
                lines.append(line)
            line = part
    if line.strip():
        lines.append(line.strip())
    if len(lines) > most:
        rest = " ".join(lines[most - 1 :])
        lines = [*lines[: most - 1], face.elided(rest, width)]
    return tuple(lines)


def in_one_line(text: str, face: Face, width: float) -> tuple[Face, str]:
    """A sentence with figures in one line: smaller where it is wide, then with less of the name that leads it.

    What is still too wide is left out, for a figure that is cut is another figure.
    """
    wide = face.width(text)
    if wide <= width:
        return face, text
    small = face.smaller(max(_SMALLEST, 0.99 * width / wide))
    if small.width(text) <= width:
        return small, text
    name, named, said = text.partition(_NAMED)
    if named:
        begun = small.elided(name, width - small.width(named + said))
        if begun:
            return small, begun + named + said
        if small.width(said) <= width:
            return small, said
    cut = small.elided(text, width)
    lost = text[len(cut.removesuffix("…")) :]
    return small, "" if any(c.isdigit() for c in lost) else cut


def _cut(piece: str, face: Face, width: float) -> list[str]:
    """A word cut where it is wider than a line."""
    parts, guess = [], 16
    while piece and len(piece) > 1 and (count := _fitting(piece, face, width, guess)) < len(piece):
        parts.append(piece[:count])
        piece, guess = piece[count:], count
    return [*parts, piece] if piece else parts


def _fitting(piece: str, face: Face, width: float, guess: int) -> int:
    """How many characters fit, at least one; few beginnings are measured, and none much longer than those that do."""
    low, high = 1, min(guess, len(piece))
    while face.measure(piece[:high]) <= width:
        if high == len(piece):
            return high
        low, high = high, min(2 * high, len(piece))
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if face.measure(piece[:middle]) <= width else (low, middle)
    return low
