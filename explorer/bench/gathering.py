"""A job's outcome as it grows: what was measured is kept whatever happens to the rest."""

from typing import Final

import msgspec

from explorer.analysis.measured.imported import Ceiling, Imported, Skipped
from explorer.analysis.problem import Note, Problem
from explorer.bench.ceilings import impossible, measured_ceilings
from explorer.bench.jobs import TOOL, Job, RowResult, device_name, measured_point
from explorer.bench.protocol import CeilingFound, Done, Hello, Operators, RowSkipped, RowTimed, Said
from explorer.bench.reasons import note_of_skip
from explorer.bench.traced import Traced, traced

_BUSY: Final = 0.5  # load per thread
_MOST_CEILINGS: Final = 100


class Summary(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a job; `problem` says why it ended early, `cancelled` that the user wished it."""

    job: Job
    hello: Hello | None = None
    results: tuple[RowResult, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    ceilings: tuple[CeilingFound, ...] = ()
    traced: Traced | None = None
    done: Done | None = None
    problem: Problem | None = None
    cancelled: bool = False

    @property
    def imported(self) -> Imported:
        """The same as if a tool's file had said it."""
        device = device_name(self.hello, self.job.device)
        ceilings: tuple[Ceiling, ...] = ()
        if self.hello is not None and self.ceilings:
            ceilings = measured_ceilings(self.ceilings, self.hello, self.job.device)
        return Imported(
            tool=TOOL,
            kind="ceilings" if self.job.command == "ceilings" else "points",
            points=tuple(r.point for r in self.results),
            ceilings=ceilings,
            skipped=self.skipped,
            device=device,
            notes=self.notes,
        )

    @property
    def notes(self) -> tuple[Note, ...]:
        """What to bear in mind of all of it."""
        notes = [Note("measure.cancelled")] if self.cancelled else []
        hello = self.hello
        if hello and self.job.device == "cpu" and hello.busy is not None and hello.busy > _BUSY * hello.threads:
            notes.append(Note("measure.busy", {"load": hello.busy}))
        return tuple(notes)


class Gathering:
    """Takes messages in and gives the summary so far at any moment; each row and ceiling is answered once."""

    def __init__(self, job: Job) -> None:
        self.job = job
        self._rows = {row.id: row for row in job.rows}  # those not answered yet
        self._hello: Hello | None = None
        self._results: list[RowResult] = []
        self._skipped = list(job.left_out)
        self._ceilings: list[CeilingFound] = []
        self._answered: set[object] = set()  # ceilings
        self._traced: Traced | None = None
        self._done: Done | None = None

    def take(self, said: Said) -> RowResult | Skipped | CeilingFound | Traced | None:
        """What a message adds, None where it adds nothing."""
        if isinstance(said, Hello):
            self._hello = said
        elif isinstance(said, Done):
            self._done = said
        elif isinstance(said, RowTimed):
            return self._row(said)
        elif isinstance(said, RowSkipped):
            return self._skip(said)
        elif isinstance(said, CeilingFound):
            return self._ceiling(said)
        elif isinstance(said, Operators) and self._traced is None and self.job.command == "trace":
            self._traced = traced(said)
            return self._traced
        return None

    def _row(self, said: RowTimed) -> RowResult | None:
        row = self._rows.pop(said.id, None)
        if row is None:
            return None
        self._results.append(RowResult(row, said, measured_point(row, said, self.job, self._hello)))
        return self._results[-1]

    def _skip(self, said: RowSkipped) -> Skipped | None:
        row = self._rows.pop(said.id, None)
        if row is None and not self._is_new_ceiling(said.id):
            return None
        self._skipped.append(Skipped(row.label if row else said.name or said.id, note_of_skip(said)))
        return self._skipped[-1]

    def _ceiling(self, said: CeilingFound) -> CeilingFound | None:
        if not self._is_new_ceiling(said.name) or not self._is_new_ceiling((said.level, said.way, said.format)):
            return None
        self._ceilings.append(said)
        return said

    def _is_new_ceiling(self, key: object) -> bool:
        if self.job.command != "ceilings" or key in self._answered or len(self._answered) > 2 * _MOST_CEILINGS:
            return False
        self._answered.add(key)
        return True

    def unanswered(self) -> tuple[Skipped, ...]:
        """Rows that a worker says to have done and brought nothing of, or nothing that can be."""
        if self._done is None:
            return ()
        return tuple(Skipped(row.label, Note("measure.skip.unanswered")) for row in self._rows.values())

    def summary(self, problem: Problem | None = None, *, cancelled: bool = False) -> Summary:
        """All of it so far."""
        flagged = [Skipped(name, why) for name, why in impossible(self._ceilings)]
        return Summary(
            job=self.job,
            hello=self._hello,
            results=tuple(self._results),
            skipped=(*self._skipped, *self.unanswered(), *flagged),
            ceilings=tuple(self._ceilings),
            traced=self._traced,
            done=self._done,
            problem=problem,
            cancelled=cancelled,
        )
