"""Markdown tables of llama-bench, llama-batched-bench and llama-sweep-bench: columns by their names."""

import re
from dataclasses import dataclass, field
from typing import Any, Final

from explorer.analysis.measured.imported import MeasuredPoint
from explorer.files.importers.figures import count, localised, positive, size, whole
from explorer.files.importers.llama.decimals import SPREAD, Decimals
from explorer.files.importers.llama.devices import LoggedDevice, used
from explorer.files.importers.llama.rows import Test, both, layer_notes, point

_RATE: Final = re.compile(r"(?:t/s|ts|tps|tok(?:en)?s?/s)\s*+(?:\((.*)\))?", re.IGNORECASE)
_ONE: Final = re.compile(r"(pp|tg)\s*+(\d{1,9})(?:\s*+@\s*+d\s*+(\d{1,9}))?", re.IGNORECASE)
_BOTH: Final = re.compile(r"pp\s*+(\d{1,9})\s*+\+\s*+tg\s*+(\d{1,9})(?:\s*+@\s*+d\s*+(\d{1,9}))?", re.IGNORECASE)
_AFTER: Final = re.compile(r"tg\s*+(\d{1,9})\s*+@\s*+pp\s*+(\d{1,9})", re.IGNORECASE)
_LONGEST: Final = 200  # of a name; what stands above in a table would else be copied into every row
_SHORT: Final = 40
_SAME_AS_ABOVE: Final = ("model", "backend")
_FIGURES: Final = {"size", "params", "s_pp t/s", "s_tg t/s", "t_pp s", "t_tg s"}
_SETTINGS: Final = ("fa", "dev", "ts", "sm")


def cells_of(line: str, mark: str = "|") -> list[str]:
    """The cells of a table's row, without emphasis."""
    return [c.strip().strip("*`").strip() for c in line.strip().strip("|").split(mark)]


def mark_of(line: str) -> str:
    """What parts the cells of a line that names the columns of one of ours: `|` or a tab; empty where it does not."""
    lower = line.lower()
    if "test" not in lower and "s_pp" not in lower:  # most lines of most files, looked at no further
        return ""
    return next((m for m in ("|", "\t") if m in line and header_of(cells_of(line, m)) is not None), "")


def is_rule(cells: list[str]) -> bool:
    """Whether a row only parts the header from the rest."""
    return all(re.fullmatch(r":?-++:?", c) for c in cells)


@dataclass
class Table:
    """A table whose header is known; `devices` and `model` are what the text before it said."""

    header: list[str]  # in lower case
    written: list[str]
    devices: tuple[LoggedDevice, ...] = ()
    model: str = ""
    rows: list[tuple[int, list[str]]] = field(default_factory=list)  # with the numbers of their lines
    closed: bool = False  # whether a row ends in a pipe
    _last: dict[str, str] = field(default_factory=dict)
    _decimals: Decimals = field(default_factory=lambda: Decimals({}))

    @property
    def batched(self) -> bool:
        """Whether it is llama-batched-bench's or, without a batch, llama-sweep-bench's."""
        return "s_pp t/s" in self.header

    def is_cut(self, line: str) -> bool:
        """Whether a row lacks what ends the others: their pipe, or the deviation behind their rate."""
        if self.closed:
            return not line.rstrip().endswith("|")
        deviates = any(SPREAD.search(cells[-1]) for _, cells in self.rows[:1])
        return deviates and SPREAD.search(cells_of(line, "\t" if "\t" in line else "|")[-1]) is None

    def tell_decimals(self) -> None:
        """Learn from all rows which mark parts whole and decimal figures."""
        rows = [cells for _, cells in self.rows if len(cells) == len(self.header)]
        figures = ((i, name) for i, name in enumerate(self.header) if name in _FIGURES or _RATE.fullmatch(name))
        self._decimals = Decimals({name: [cells[i] for cells in rows] for i, name in figures})

    def points(self, cells: list[str]) -> list[MeasuredPoint] | str:
        """The points of a row; else the code of why not."""
        if len(cells) != len(self.header):
            return "import.cells"
        row = dict(zip(self.header, cells, strict=True))
        return self._batched(row) if self.batched else self._plain(row, cells)

    def _plain(self, row: dict[str, str], cells: list[str]) -> list[MeasuredPoint] | str:
        for name in _SAME_AS_ABOVE:
            if name in row:
                row[name] = self._last[name] = row[name] or self._last.get(name, "")
        test = test_of(row["test"])
        if test is None:
            return "import.llama_test"
        about = self._about(row)
        run, unclear, found = _run(row), False, []
        for name, text in zip(self.written, cells, strict=True):
            match = _RATE.fullmatch(name)
            if match is None:
                continue
            mark = self._decimals.mark_of(text, name.lower())
            if mark is None:
                unclear = True
            elif rate := _rate(text, mark):
                variant = ", ".join(v for v in ((match[1] or "")[:_LONGEST], run) if v)
                found.append(point(test, rate[0], deviation=rate[1], variant=variant, **about))
        return found or ("import.decimals" if unclear else "import.llama_rate")

    def _about(self, row: dict[str, str]) -> dict[str, Any]:
        layers = whole(row.get("ngl"))
        backend = row.get("backend", "")
        return {
            "model": (row.get("model") or self.model)[:_LONGEST],
            "size_bytes": positive(size(self._decimals.plain(row.get("size", ""), "size"))),
            "parameters": positive(count(self._decimals.plain(row.get("params", ""), "params"))),
            "backend": backend[:_LONGEST],
            "device": "" if backend == "CPU" else used(self.devices, row.get("dev", "")),
            "threads": whole(row.get("threads")),
            "offloaded_layers": layers,
            "kv": both(row.get("type_k", ""), row.get("type_v", ""))[:_LONGEST],
            "notes": layer_notes(layers, backend),
        }

    def _batched(self, row: dict[str, str]) -> list[MeasuredPoint] | str:
        prompt, generated, requests = (whole(row.get(n, "1")) for n in ("pp", "tg", "b"))
        held = 0 if "b" in row else whole(row.get("n_kv"))  # a sweep goes on behind what it held before
        if not prompt or generated is None or not requests or held is None:
            return "import.llama_test"
        behind = prompt if "b" in row else held
        tests = {
            "s_pp t/s": Test(prompt=prompt, generated=0, depth=held, requests=requests),
            "s_tg t/s": Test(prompt=0, generated=generated, depth=behind, requests=requests),
        }
        about: dict[str, Any] = {"model": self.model, "device": used(self.devices)}
        about["variant"] = f"B={requests}" if "b" in row else ""
        timed = [(test, row.get(name, ""), name) for name, test in tests.items() if _any_tokens(test)]
        marks = [self._decimals.mark_of(text, name) for _, text, name in timed]
        rates = [(test, localised(text, mark)) for (test, text, _), mark in zip(timed, marks, strict=True) if mark]
        found = [point(test, rate, **about) for test, rate in rates if rate and rate > 0]
        return found or ("import.decimals" if None in marks else "import.llama_rate")


def _any_tokens(test: Test) -> bool:
    return bool(test.prompt + test.generated)


def header_of(cells: list[str]) -> list[str] | None:
    """The names of a header's columns in lower case, where it is one of ours."""
    names = [c.lower() for c in cells]
    if len(set(names)) < len(names):
        return None
    plain = "test" in names and any(_RATE.fullmatch(n) for n in names)
    batched = names[:2] == ["pp", "tg"] and {"s_pp t/s", "s_tg t/s"} <= set(names)
    return names if plain or batched else None


def test_of(text: str) -> Test | None:
    """What a cell like `tg128 @ d512` timed."""
    if found := _ONE.fullmatch(text):
        tokens, depth = int(found[2]), int(found[3] or 0)
        reads = found[1].lower() == "pp"
        test = Test(prompt=tokens if reads else 0, generated=0 if reads else tokens, depth=depth)
    elif found := _BOTH.fullmatch(text):
        test = Test(prompt=int(found[1]), generated=int(found[2]), depth=int(found[3] or 0))
    elif found := _AFTER.fullmatch(text):
        test = Test(prompt=0, generated=int(found[1]), depth=int(found[2]))
    else:
        return None
    return test if _any_tokens(test) else None


def _run(row: dict[str, str]) -> str:
    """How the run differed from others of the table, by the tool's own short names."""
    return ", ".join(f"{name} {row[name][:_SHORT]}" for name in _SETTINGS if row.get(name))


def _rate(text: str, mark: str) -> tuple[float, float | None] | None:
    parts = [p.strip().strip("*").strip() for p in SPREAD.split(text, 2)]
    rate = localised(parts[0], mark)
    if rate is None or rate <= 0:
        return None
    return rate, localised(parts[1], mark) if len(parts) == 2 else None
