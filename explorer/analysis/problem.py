"""What is wrong with an input: a code and values, where it stands, never a sentence."""

from collections.abc import Mapping

import msgspec

Value = str | int | float


class Problem(msgspec.Struct, frozen=True):
    """One fault of an input; `path` is its field path (`peaks[0].rate`), `code` keys the sentence."""

    code: str
    path: str = ""
    values: Mapping[str, Value] = {}


class Note(msgspec.Struct, frozen=True):
    """An assumption or remark that travels with a result; `code` keys the sentence."""

    code: str
    values: Mapping[str, Value] = {}


class Refused(Exception):  # noqa: N818 - it is the edge's answer, not a program error
    """An input was refused; carries every problem found."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("; ".join(f"{p.path}: {p.code} {dict(p.values)}" for p in problems))
        self.problems = problems
