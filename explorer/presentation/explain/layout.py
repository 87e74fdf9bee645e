"""Explained figures as a monospace block: hanging indents, wrapped at a number of columns."""

import re
from collections.abc import Iterable
from functools import lru_cache
from typing import Literal

import msgspec

from explorer.presentation.explain.lines import Line
from explorer.presentation.words.visible import one_line, shortened, visible

Role = Literal["label", "plain", "result", "muted"]
_INDENT = "  "
_LONGEST = 4_000  # characters of a remark
# break after signs inside a long formula, never inside a number or a name
_BREAK = re.compile(r"(?<=[\u2009·/,(])(?=\S)|(?<=\s)(?=\S)")


class Block(msgspec.Struct, frozen=True):
    """One line of the block and its spans: (start, length, role)."""

    text: str
    spans: tuple[tuple[int, int, Role], ...]


def lay_out(lines: Iterable[Line], columns: int) -> list[Block]:
    """Wrap explained figures into blocks of at most `columns` characters."""
    width = max(16, columns)
    return [block for line in lines for block in _laid_out(line, width)]


@lru_cache(maxsize=512)  # most lines stay as they are while a slider moves
def _laid_out(line: Line, width: int) -> tuple[Block, ...]:
    blocks = _figure(line, width) if line.label else []
    if line.source:
        blocks += _muted(visible(shortened(line.source, _LONGEST)), width, _INDENT if line.label else "")
    return tuple(blocks)


def as_text(blocks: Iterable[Block]) -> str:
    """The block as plain text."""
    return "\n".join(b.text for b in blocks)


def _figure(line: Line, width: int) -> list[Block]:
    """Label and the chain `= formula = numbers = result`, broken before an equals sign where it is too long."""
    parts: list[tuple[str, Role]] = [(one_line(line.label), "label")]
    parts += [(f"= {one_line(p)}", "plain") for p in (line.formula, line.substituted) if p]
    parts.append((f"= {line.answer}", "result"))
    writer = _Writer(width)
    for text, role in parts:
        writer.put(text, role)
    return writer.blocks()


class _Writer:
    """Fills lines greedily; pieces that do not fit start a new, indented line."""

    def __init__(self, width: int) -> None:
        self._width = width
        self._done: list[Block] = []
        self._text = ""
        self._spans: list[tuple[int, int, Role]] = []

    def put(self, text: str, role: Role) -> None:
        gap = " " if self._text.strip() else ""
        if len(self._text) + len(gap) + len(text) <= self._width:
            self._add(gap + text, role)
            return
        if gap:
            self._end()
        for piece in _pieces(text):
            if len(self._text) + len(piece.rstrip()) > self._width and self._text.strip():
                self._end()
            self._add(piece, role)

    def _add(self, text: str, role: Role) -> None:
        self._spans.append((len(self._text), len(text), role))
        self._text += text

    def _end(self) -> None:
        self._done.append(Block(self._text.rstrip(), tuple(self._spans)))
        self._text, self._spans = _INDENT, []

    def blocks(self) -> list[Block]:
        self._end()
        return self._done


def _pieces(text: str) -> list[str]:
    return [p for p in _BREAK.split(text) if p]


def _muted(text: str, width: int, indent: str) -> list[Block]:
    """A remark or a source, wrapped in words."""
    blocks: list[Block] = []
    current = indent
    for word in text.split():
        if len(current) + len(word) + 1 > width and current.strip():
            blocks.append(Block(current, ((0, len(current), "muted"),)))
            current = indent
        current = f"{current} {word}" if current.strip() else indent + word
    return [*blocks, Block(current, ((0, len(current), "muted"),))]
