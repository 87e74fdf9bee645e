"""The columns of a comparison's table: which figures, in which order, and which give way first."""

from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.analysis.ask.comparison.compared import Comparison
from explorer.presentation.compare.values import counts_inputs
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import TEMPLATES, Message, render

# the first stay longest; what stands not here is not shown by itself
_PRIORITY: Final = (
    "at_least",
    "in_all",
    "at_batch_1",
    "at_batch_8",
    "at_batch_32",
    "at_batch_own",
    "at_context_512",
    "at_context_2048",
    "at_context_8192",
    "at_context_own",
    "bandwidth",
    "peak",
    "routed",
    "per_request",
    "first_token",
    "largest_batch",
    "per_joule",
    "by_operator",
    "ridge",
    "held",
    "per_price",
    "price",
    "expected",
    "memory_share",
    "compute_share",
    "capacity",
    "launch",
    "link",
    "power",
    "knee",
    "overhead_share",
    "year",
    "fits",
)
_MEASURED: Final = (
    "measured",
    "bound",
    "bytes_moved",
    "tokens",
    "measured_gain",
    "bound_gain",
    "bytes_gain",
    "efficiency",
    "tokens_bound",
)


_ON_ONE_DEVICE: Final = frozenset({"models", "formats"})
_OF_DEVICE: Final = frozenset({"peak", "ridge"})
_SWEPT: Final = {"at_batch": "batch", "at_context": "context"}  # groups: what their columns' headers are values of


class ComparedColumn(msgspec.Struct, frozen=True):
    """One column: its figure, headers under a group and by itself, and its rank, the smallest staying longest.

    `spanned`: its header says nothing without the group's over it. `current`: the study itself asks for it.
    """

    figure: str
    group: str
    header: str
    alone: str
    tip: str
    rank: int
    order: str = ""
    spanned: bool = False
    current: bool = False


def columns_of(
    found: Comparison, words: Mapping[str, str], sort: str, look: Look = ENGLISH
) -> tuple[ComparedColumn, ...]:
    """The columns in their order; those in which nothing says anything are left out.

    `words` are the `format` of the peak, how experts are chosen, `routing`, where that decides, and the study's `batch`
    and `context`.
    """
    order = _MEASURED if found.vary == "measurements" else _PRIORITY
    columns = []
    for figure in found.figures:
        name = "expected" if figure.id == "expected_low" else figure.id
        if name not in order or _says_nothing(found, figure.id):
            continue
        routing = words["prompt_routing" if figure.id == "first_token" else "routing"]
        form = "_inputs" if _counts_inputs(found, figure.id) else "_routed" if routing else ""
        group, header = _said(f"group.{figure.group}", form, words, look), _header(name, form, words, look)
        swept = figure.group in _SWEPT
        columns.append(
            ComparedColumn(
                figure.id,
                group,
                header,
                render(Message("compare.swept_alone", {"group": group, "at": header}), look)
                if swept
                else _header(name, form, words, look, alone=True),
                render(Message(f"compare.tip.{name}"), look),
                order.index(name),
                "" if sort.removeprefix("-") != figure.id else "down" if sort.startswith("-") else "up",
                swept,
                swept and f"{_place(figure.id, words):,}" == words[_SWEPT[figure.group]],
            )
        )
    return _in_order(columns, words)


def _place(figure: str, words: Mapping[str, str]) -> int:
    """The batch, or length of prompts, of a column."""
    group, _, at = figure.rpartition("_")
    return int(words[_SWEPT[group]].replace(",", "") if at == "own" else at)


def _in_order(columns: list[ComparedColumn], words: Mapping[str, str]) -> tuple[ComparedColumn, ...]:
    """The study's own batch among the usual ones, by size."""
    swept = sorted((c for c in columns if c.spanned), key=lambda c: _place(c.figure, words))
    ordered = iter(swept)
    return tuple(next(ordered) if c.spanned else c for c in columns)


def _header(name: str, form: str, words: Mapping[str, str], look: Look, *, alone: bool = False) -> str:
    if name == "peak" and words["format"].startswith("int"):
        name = "peak_int"
    by_itself = alone and f"compare.alone.{name}" in TEMPLATES
    return _said(f"alone.{name}" if by_itself else name, form, words, look)


def _said(key: str, form: str, words: Mapping[str, str], look: Look) -> str:
    """The words of a header, in the form that what is counted or how experts are chosen asks for, where it has one."""
    own = f"compare.{key}{form}"
    return render(Message(own if own in TEMPLATES else f"compare.{key}", words), look).strip()


def _counts_inputs(found: Comparison, figure: str) -> bool:
    base = found.baseline or next(iter(found.rows), None)
    return base is not None and counts_inputs(base.cells[figure].unit)


def _says_nothing(found: Comparison, figure: str) -> bool:
    """Whether nothing waits for it, no row can have it, or all have the same because they are on one device."""
    cells = [row.cells[figure] for row in found.rows]
    if figure.endswith("_share"):
        return all(not cell.value for cell in cells)
    if found.vary in _ON_ONE_DEVICE and figure in _OF_DEVICE:
        return len({cell.value for cell in cells}) == 1 < len(cells)
    reasons = {None if cell.why is None else cell.why.code for cell in cells}
    senseless = {"compare.why.no_model", "compare.why.no_decode", "compare.why.no_prompt", "compare.why.any_batch"}
    return bool(cells) and all(cell.value is None for cell in cells) and reasons <= senseless
