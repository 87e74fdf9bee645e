"""The text of a module with the places of its nodes, so that a fault changes one span and nothing else."""

import ast
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol


class Placed(Protocol):
    """What the parser gave a place in the text: expressions, statements, arguments."""

    lineno: int
    col_offset: int
    end_lineno: int | None
    end_col_offset: int | None


@dataclass(frozen=True)
class Edit:
    """One span of the text replaced."""

    start: int
    end: int
    text: str
    kind: str


@dataclass
class Source:
    """One module: its name, its text in bytes (as the parser counts) and its tree."""

    module: str
    path: Path
    data: bytes = field(init=False)
    tree: ast.Module = field(init=False)
    _lines: list[int] = field(init=False)

    def __post_init__(self) -> None:
        self.data = self.path.read_bytes().replace(b"\r\n", b"\n")
        self.tree = ast.parse(self.data)
        self._lines = [0, *(found.end() for found in re.finditer(b"\n", self.data))]

    def start(self, node: Placed) -> int:
        return self._lines[node.lineno - 1] + node.col_offset

    def end(self, node: Placed) -> int:
        if node.end_lineno is None or node.end_col_offset is None:
            raise ValueError(f"{self.module}: a node without an end")
        return self._lines[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: Placed) -> str:
        return self.data[self.start(node) : self.end(node)].decode()

    def replaced(self, node: Placed, text: str, kind: str) -> Edit:
        return Edit(self.start(node), self.end(node), text, kind)

    def between(self, left: Placed, right: Placed, sign: str, text: str, kind: str) -> list[Edit]:
        """The sign that stands between two nodes, replaced; nothing where a comment stands there too."""
        start = self.end(left)
        gap = self.data[start : self.start(right)]
        found = re.search(sign.encode(), gap)
        if found is None or b"#" in gap:
            return []
        return [Edit(start + found.start(), start + found.end(), text, kind)]

    def changed(self, edit: Edit) -> bytes:
        return self.data[: edit.start] + edit.text.encode() + self.data[edit.end :]

    def line(self, edit: Edit) -> int:
        return self.data.count(b"\n", 0, edit.start) + 1
