"""What a reader gathers on its way: points, ceilings and, in order, what it had to leave out."""

from typing import Final, Generic, TypeVar

from explorer.analysis.measured.imported import Ceiling, Imported, Kind, MeasuredPoint, Skipped
from explorer.analysis.problem import Note, Problem, Refused, Value
from explorer.files.disk import limits
from explorer.files.disk.text import printable

_LISTED: Final = 1_000
LONGEST: Final = 1_000  # names of kernels in C++ are that long
T = TypeVar("T")


class Few(list[T], Generic[T]):
    """A list that refuses to grow beyond what an import may hold."""

    def append(self, item: T) -> None:
        """One more."""
        if len(self) >= limits.TOOL_POINTS:
            raise Refused(Problem("import.many", values={"limit": limits.TOOL_POINTS}))
        super().append(item)


class Findings:
    """The gathered parts of one file; the same reason many times is counted under its first place."""

    def __init__(self, tool: str, kind: Kind) -> None:
        self.tool = tool
        self.kind: Kind = kind
        self.points: Few[MeasuredPoint] = Few()
        self.ceilings: Few[Ceiling] = Few()
        self.notes: list[Note] = []
        self.device = ""
        self._skipped: dict[object, tuple[str, Note, int]] = {}

    def skip(self, where: str, code: str, *, together: str = "", **values: Value) -> None:
        """Leave a part out; parts that share `together` are one line with a count."""
        key: object = (code, together) if together else len(self._skipped)
        if len(self._skipped) >= _LISTED and key not in self._skipped:
            key = (code, "rest")
        if (known := self._skipped.get(key)) is not None:
            first, told, count = known
            self._skipped[key] = (first, told, count + 1)
            return
        why = Note(code, {k: printable(v, 80) if isinstance(v, str) else v for k, v in values.items()})
        self._skipped[key] = (printable(where, 120), why, 1)

    def note(self, code: str, **values: Value) -> None:
        """Remark on the whole file, once."""
        note = Note(code, values)
        if note not in self.notes:
            self.notes.append(note)

    def imported(self) -> Imported:
        """All of it as one value."""
        return Imported(
            tool=self.tool,
            kind=self.kind,
            points=tuple(self.points),
            ceilings=tuple(self.ceilings),
            skipped=tuple(Skipped(where, why, count) for where, why, count in self._skipped.values()),
            device=self.device,
            notes=tuple(self.notes),
        )
