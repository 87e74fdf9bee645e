"""Measurements from a pasted table: our own copy, or a spreadsheet's tab-separated cells."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.phases.ids import DECODE, PREFILL, PhaseId
from explorer.analysis.step.phases.registry import PHASES
from explorer.analysis.study.check import LARGEST_BATCH, LARGEST_CONTEXT
from explorer.analysis.study.study import Measurement, Study
from explorer.files.typed.cells import read_name, read_number
from explorer.files.typed.pasted import LARGEST, unquoted
from explorer.presentation.hardware.device_names import device_names, whole_names
from explorer.presentation.quantities.quantity import read_quantity

MOST_ROWS: Final = 20_000
ORDER: Final = ("name", "row", "device", "time_s", "tokens_per_s", "phase", "batch", "context", "source")
_HEADERS: Final[Mapping[str, str]] = {
    "measurement": "name", "name": "name", "of": "row", "operator": "row", "row": "row", "on": "device",
    "device": "device", "hardware": "device", "model": "model", "phase": "phase", "batch": "batch",
    "context": "context", "tokens/s": "tokens_per_s", "tok/s": "tokens_per_s", "t/s": "tokens_per_s",
    "measured": "time_s", "time": "time_s", "seconds": "time_s", "file": "size_bytes", "source": "source",
}  # fmt: skip
_ABSENT: Final = frozenset({"", "–", "-"})
_TOLD: Final = 200  # letters of the names that are known
_STEP: Final = frozenset({"step", "whole step"})

Cells = Mapping[str, str]


def parse_measurements(
    text: str, study: Study, rows: Iterable[str]
) -> tuple[tuple[Measurement, ...], tuple[Problem, ...]]:
    """Measurements of a pasted table and the problems of the lines that were left out, by `line 3`.

    The header is optional; without one the columns are name, operator (empty: a whole step), device, time, tokens per
    second, phase, batch, context and source, the later ones optional. `rows` are the operators that there are.
    """
    if len(text) > LARGEST:
        return (), (Problem("pasted.large", "", {"limit": LARGEST}),)
    lines = list(islice(_lines(text), MOST_ROWS + 1))
    if not lines:
        return (), (Problem("pasted.empty"),)
    if len(lines) > MOST_ROWS:
        return (), (Problem("pasted.large", "", {"limit": MOST_ROWS}),)
    header = _header(lines[0][1])
    reader = _Reader(study, rows)
    found: list[Measurement] = []
    problems: list[Problem] = []
    for number, cells in lines if header is None else lines[1:]:
        try:
            found.append(reader.read(dict(zip(header or ORDER, cells, strict=False)), f"pasted-{number}"))
        except Refused as refused:
            problems += (Problem(p.code, f"line {number}, {p.path}".rstrip(", "), p.values) for p in refused.problems)
    return tuple(found), tuple(problems)


def _lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """Number and cells of each line that is not empty."""
    for i, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n"), start=1):
        if line and any(cells := [unquoted(c) for c in line.split("\t")]):
            yield i, cells


def _header(cells: Sequence[str]) -> tuple[str, ...] | None:
    """The field of each column, "" for one that is passed over; None where the first line is a row already."""
    bare = (c.lower().partition(" (")[0] for c in cells)
    fields = tuple(_HEADERS.get(c, "") for c in bare)
    return fields if {"time_s", "tokens_per_s"} & set(fields) else None


class _Reader:
    """Reads cells against the names that a study knows."""

    def __init__(self, study: Study, rows: Iterable[str]) -> None:
        self._rows = {r.lower(): r for r in rows}
        self._devices = {
            name.lower(): e.id
            for e in reversed(study.hardware)  # of twins the first bears the bare name
            for name in (e.device.name, e.device.short, e.device.id, e.id)
        }
        self._devices |= {name.lower(): e for e, name in whole_names(study.hardware).items()}
        self._devices |= {name.plain.lower(): e for e, name in device_names(study.hardware).items()}
        self._models = {name.lower(): m.id for m in study.models for name in (m.name, m.id)}
        self._only = study.hardware[0].id if len(study.hardware) == 1 else ""

    def read(self, cells: Cells, ident: str) -> Measurement:
        """One measurement; raise Refused for the first cell that cannot be."""
        found = {field: cell for field, cell in cells.items() if field and cell not in _ABSENT}
        time_s = read_quantity(found["time_s"], "s", "time") if "time_s" in found else None
        rate = read_number(found["tokens_per_s"], "tokens/s") if "tokens_per_s" in found else None
        figures = [figure for figure in (time_s, rate) if figure is not None]
        if not figures or min(figures) <= 0:
            raise Refused(Problem("pasted.no_figure"))
        row = None if found.get("row", "").lower() in {"", *_STEP} else self._known(found["row"], self._rows, "row")
        return Measurement(
            id=ident,
            name=read_name(found.get("name") or row or "step"),
            row=row,
            device=self._known(found["device"], self._devices, "device") if "device" in found else self._only,
            model=self._known(found["model"], self._models, "model") if "model" in found else "",
            time_s=time_s,
            tokens_per_s=rate if row is None else None,
            phase=read_phase(found["phase"]) if "phase" in found else None,
            batch=read_whole(found["batch"], LARGEST_BATCH, "batch") if "batch" in found else None,
            context=read_whole(found["context"], LARGEST_CONTEXT, "context") if "context" in found else None,
            size_bytes=read_quantity(found["size_bytes"], "B", "file") if "size_bytes" in found else None,
            source=found.get("source", "")[:200],
        )

    def _known(self, cell: str, known: Mapping[str, Any], path: str) -> str:
        value = known.get(cell.lower())
        if value is None:
            listed = ", ".join(islice(known, _TOLD))[:_TOLD] or "–"
            raise Refused(Problem("pasted.not_known", path, {"got": cell[:60], "known": listed}))
        return str(value)


def read_whole(text: str, high: int, path: str = "") -> int:
    """A whole number from 1 up; raise Refused otherwise."""
    value = read_number(text, path)
    if not 1 <= value <= high or value != int(value):
        raise Refused(Problem("study.range", path, {"got": value, "low": 1, "high": high}))
    return int(value)


def read_phase(text: str) -> PhaseId:
    """A phase, also by a benchmark's short names; raise Refused otherwise."""
    known: dict[str, PhaseId] = {**{phase: phase for phase in PHASES}, "pp": PREFILL, "tg": DECODE}
    found = known.get(text.strip().lower())
    if found is None:
        raise Refused(Problem("pasted.not_known", "phase", {"got": text[:60], "known": ", ".join(PHASES)}))
    return found
