"""What a summary of tensors must fulfil, and the writing of layer numbers as ranges."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.problem import Problem
from explorer.analysis.study.study import TensorEntry, TensorSummary

LARGEST_NAME: Final = 200
MOST_ENTRIES: Final = 4_000
LARGEST_LAYER: Final = 9_999
_LARGEST: Final = 10**18
_RANGES: Final = re.compile(r"\d{1,4}(-\d{1,4})?(, \d{1,4}(-\d{1,4})?)*")
PACKED: Final = frozenset({"U8", "I16", "U16", "I32", "U32", "I64", "U64"})  # several values in one number


def layer_ranges(layers: Iterable[int]) -> str:
    """Layer numbers as text: `0-3, 7`."""
    runs: list[list[int]] = []
    for layer in sorted(layers):
        if runs and layer == runs[-1][1] + 1:
            runs[-1][1] = layer
        else:
            runs.append([layer, layer])
    return ", ".join(f"{a}-{b}" if a < b else f"{a}" for a, b in runs)


def layers_of(text: str) -> frozenset[int]:
    """The layer numbers of a text that `layer_ranges` wrote."""
    if not text:
        return frozenset()
    ends = [part.split("-") for part in text.split(", ")]
    return frozenset(layer for pair in ends for layer in range(int(pair[0]), int(pair[-1]) + 1))


def tensor_problems(summary: TensorSummary, path: str, catalogue: Catalogue | None = None) -> Iterator[Problem]:
    """Yield the faults of a summary; with a catalogue also bytes that do not follow from values and format."""
    for name in ("label", "read_as"):
        yield from _line(getattr(summary, name), f"{path}.{name}")
    if not summary.entries:
        yield Problem("tensors.none", f"{path}.entries")
    if len(summary.entries) > MOST_ENTRIES:
        yield Problem("tensors.many", f"{path}.entries", {"count": len(summary.entries), "limit": MOST_ENTRIES})
        return
    for i, entry in enumerate(summary.entries):
        yield from _entry(entry, f"{path}.entries[{i}]", catalogue)


def _entry(entry: TensorEntry, path: str, catalogue: Catalogue | None) -> Iterator[Problem]:
    yield from _line(entry.name, f"{path}.name")
    yield from _line(entry.format, f"{path}.format")
    for name, least in (("count", 1), ("values", 0), ("bytes", 0)):
        value = getattr(entry, name)
        if not least <= value <= _LARGEST:
            yield Problem("study.range", f"{path}.{name}", {"got": value, "low": least, "high": _LARGEST})
    if entry.layers and not _sound_layers(entry.layers):
        yield Problem("tensors.layers", f"{path}.layers", {"got": entry.layers[:60]})
    known = catalogue.format_by_id.get(entry.format) if catalogue is not None else None
    if known is not None and abs(entry.bytes - entry.values * known.bytes) > 0.02 * entry.bytes + entry.count * 64:
        yield Problem("tensors.bytes", f"{path}.bytes", {"format": entry.format})


def _line(text: str, path: str) -> Iterator[Problem]:
    if len(text) > LARGEST_NAME or not text.isprintable():
        yield Problem("study.line", path, {"limit": LARGEST_NAME})


def _sound_layers(text: str) -> bool:
    return bool(_RANGES.fullmatch(text)) and all(
        int(part.split("-")[0]) <= int(part.split("-")[-1]) for part in text.split(", ")
    )
