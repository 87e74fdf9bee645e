"""mixbench: a sweep of FLOPs per byte for each precision; GFLOP/s and GB/s of each, and their tops as ceilings."""

import re
from collections.abc import Iterator
from statistics import median
from typing import Final, NamedTuple

from explorer.analysis.measured.imported import Ceiling, Imported, MeasuredPoint
from explorer.analysis.problem import Note
from explorer.files.importers.ceilings import precision
from explorer.files.importers.figures import finite
from explorer.files.importers.findings import Findings
from explorer.files.importers.importer import Importer
from explorer.files.importers.source import SourceText, lines_of

TOOL: Final = "mixbench"
_TITLES: Final = re.compile(r"^[ \t]*+(?:Experiment ID|Operations ratio)[ \t]*+,", re.MULTILINE)
_NAMES: Final = re.compile(r"^[ \t]*+(?:Compute iters|compute/memory)[ \t]*+,", re.MULTILINE)
_RATIO: Final = re.compile(r"(?:Fl|I)ops/byte", re.IGNORECASE)
_STEP: Final = re.compile(r"\d++(?:\s*+/\s*+\d++)?")  # iterations, or in the first versions compute to memory
_TIMES: Final = {"ex.time", "time"}
_DEVICE: Final = "Device:"
_MOST_BLOCKS: Final = 16  # precisions side by side; the tool has a handful
_RATES: Final = {"gflops", "giops"}
_OUTLIER: Final = 1.5
_TURNED: Final = 0.9  # of the other figure's top that is still there: the sweep has not turned the corner


class _Block(NamedTuple):
    """One precision's columns: where each figure stands."""

    title: str
    format: str | None
    time: int
    compute: int
    bandwidth: int
    at: int


def recognises(source: SourceText) -> bool:
    """Whether it holds mixbench's CSV."""
    return bool(_NAMES.search(source.start) and _TITLES.search(source.start))


def read(source: SourceText) -> Imported:
    """Every row of every precision as a point, and the best of each as ceilings."""
    found = Findings(TOOL, "ceilings")
    titles: list[str] = []
    blocks: list[_Block] = []
    for number, line in enumerate(lines_of(source.text()), 1):
        if not found.device and line.startswith(_DEVICE):
            found.device = line.removeprefix(_DEVICE).strip()[:100]
        cells = [c.strip() for c in line.split(",")]
        if _TITLES.match(line):
            titles = [c[:100] for c in cells[1:] if c]
        elif _NAMES.match(line):
            blocks = list(_blocks(cells, titles, found, number))
        elif blocks and _STEP.fullmatch(cells[0]):
            _row(cells, blocks, found, number)
    _ceilings(found)
    return found.imported()


def _blocks(names: list[str], titles: list[str], found: Findings, number: int) -> Iterator[_Block]:
    starts = [i for i, n in enumerate(names) if _RATIO.fullmatch(n)]
    starts = starts or [i for i, n in enumerate(names) if n.lower() in _TIMES]
    if len(starts) != len(titles) or len(titles) > _MOST_BLOCKS:
        found.skip(f"line {number}", "import.columns", given=len(titles), wanted=len(starts))
        return
    for start, end, title in zip(starts, [*starts[1:], len(names)], titles, strict=True):
        here = {n.lower(): i for i, n in enumerate(names[start:end], start)}
        time, compute = (next((i for n, i in here.items() if n in known), None) for known in (_TIMES, _RATES))
        if time is None or compute is None or "gb/sec" not in here:
            found.skip(title, "import.header", text=", ".join(names[start:end]))
            continue
        yield _Block(title, precision(title.split()[0]), time, compute, here["gb/sec"], start)


def _row(cells: list[str], blocks: list[_Block], found: Findings, number: int) -> None:
    whole = max(block.bandwidth for block in blocks) < len(cells)
    for block in blocks:
        if not whole and max(block.time, block.compute, block.bandwidth) >= len(cells) - 1:
            found.skip(f"line {number}", "import.cut_row")  # its last figure may be cut in the middle
            return
        figures = [finite(cells[i]) if i < len(cells) else None for i in (block.time, block.compute, block.bandwidth)]
        milliseconds, compute, bandwidth = (-1.0 if f is None else f for f in figures)
        if milliseconds <= 0 or compute < 0 or bandwidth < 0:
            found.skip(f"line {number}", "import.row", text=block.title)
            continue
        seconds = milliseconds * 1e-3
        ratio = cells[block.at] if block.at != block.time else cells[0]
        found.points.append(
            MeasuredPoint(
                name=f"{block.title}, {_spelled(ratio)}",
                time_s=seconds,
                flops=compute * 1e9 * seconds,
                bytes=bandwidth * 1e9 * seconds,
                format=block.format or block.title,
                device=found.device,
                notes=(Note("import.mixbench_rounded"),) if milliseconds < 1 else (),
            )
        )


def _spelled(ratio: str) -> str:
    """FLOPs per byte without its zeros, or the first versions' shares of compute and memory."""
    value = finite(ratio)
    return ratio[:100].replace(" ", "") if value is None else f"{value:g} per byte"


def _ceilings(found: Findings) -> None:
    groups: dict[str, list[MeasuredPoint]] = {}
    for point in found.points:
        groups.setdefault(point.name.rpartition(",")[0], []).append(point)
    tops = {title: max(_per_second(p.bytes, p) for p in points) for title, points in groups.items()}
    typical = median(tops.values()) if tops else 0.0
    for title, points in groups.items():
        best = max(_per_second(p.flops, p) for p in points)
        left = min(_per_second(p.bytes, p) for p in points if _per_second(p.flops, p) >= _TURNED * best)
        if best > 0 and left > _TURNED * tops[title]:
            found.skip(title, "import.memory_side")
        elif best > 0:
            found.ceilings.append(Ceiling(format=points[0].format, rate=best, name=title, device=found.device))
        if tops[title] > 0 and _per_second(points[0].flops, points[0]) > _TURNED * best:
            found.skip(title, "import.compute_side")
        elif tops[title] > 0:
            doubtful = tops[title] > _OUTLIER * typical
            found.ceilings.append(
                Ceiling(level="DRAM", rate=tops[title], name=title, device=found.device, doubtful=doubtful)
            )


def _per_second(amount: float | None, point: MeasuredPoint) -> float:
    return round((amount or 0.0) / (point.time_s or 1.0) / 1e9, 6) * 1e9


IMPORTER: Final = Importer(TOOL, TOOL, recognises, read)
