"""A comparison as plain data in SI base units: for JSON and Python; undefined figures None."""

import math
from typing import Any, Final

import explorer.presentation.compare.texts  # noqa: F401 - registers the words used here
from explorer.analysis.ask.comparison.compared import ComparedCell, ComparedRow, Comparison, compare
from explorer.analysis.ask.comparison.figures.figure import FigureUnit
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.compare.finding import compare_title
from explorer.presentation.compare.names import shorter_names
from explorer.presentation.compare.table import reason_text

Json = dict[str, Any]

UNITS: Final[dict[FigureUnit, str]] = {
    "bandwidth": "B/s",
    "bytes": "B",
    "capacity": "B",
    "count": "",
    "factor": "",
    "flops": "FLOP/s",
    "inputs": "inputs/s",
    "inputs_per_joule": "inputs/J",
    "inputs_per_price": "inputs/price",
    "intensity": "FLOP/B",
    "power": "W",
    "price": "price/h",
    "share": "",
    "time": "s",
    "tokens": "tokens/s",
    "tokens_per_joule": "tokens/J",
    "tokens_per_price": "tokens/price",
    "year": "",
    "yes_no": "",
}


def comparison_data(evaluation: Evaluation) -> Json:
    """What stands side by side in the study's view, with every figure, its ratio and why it is missing."""
    found = compare(evaluation)
    names = {key: forms[0] for key, forms in shorter_names(evaluation, found).items()}
    baseline = found.baseline
    return {
        "vary": found.vary.replace("_", "-"),
        "baseline": None if baseline is None else names[baseline.subject.key],
        "finding": compare_title(evaluation, found=found),
        "rows": [_row(found, row, names) for row in found.rows],
        "flips": [
            {
                "operators": list(flip.rows),
                "bounds": {bound: [names[key] for key in keys] for bound, keys in flip.subjects.items()},
            }
            for flip in found.flips.groups
        ],
    }


def _row(found: Comparison, row: ComparedRow, names: dict[str, str]) -> Json:
    return {
        "name": names[row.subject.key],
        "key": row.subject.key,
        "baseline": names[row.against],
        "figures": {figure.id: _cell(row.cells[figure.id]) for figure in found.figures},
    }


def _cell(cell: ComparedCell) -> Json:
    value = bool(cell.value) if cell.unit == "yes_no" and cell.value is not None else _finite(cell.value)
    return {
        "value": value,
        "unit": UNITS[cell.unit],
        "ratio": _finite(cell.ratio),
        "difference": _finite(cell.difference),
        "best": cell.best,
        "at_least": cell.least,
        "why": reason_text(cell) or None,
    }


def _finite(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else float(value)
