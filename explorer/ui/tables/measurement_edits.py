"""Cells of the Measurements table: what can be chosen, how typed text is read, and the study with one cell changed."""

from collections.abc import Callable
from typing import Any, Final

from PySide6.QtCore import QCoreApplication

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.phases.registry import PHASES
from explorer.analysis.study.check import LARGEST_BATCH, LARGEST_CONTEXT
from explorer.analysis.study.edit_measurements import change_measurement
from explorer.analysis.study.study import Measurement, Study
from explorer.files.typed.cells import read_name, read_number
from explorer.files.typed.pasted_measurements import read_whole
from explorer.presentation.hardware.device_names import whole_names
from explorer.presentation.look import Look
from explorer.presentation.quantities.dims import number_text
from explorer.presentation.quantities.quantity import Unit, quantity_text, read_quantity
from explorer.presentation.words.phases import phase_word
from explorer.ui.look.text import tr

FIELDS: Final = {
    "measurement": "name",
    "of": "row",
    "on": "device",
    "of_model": "model",
    "phase": "phase",
    "batch": "batch",
    "context": "context",
    "measured_rate": "tokens_per_s",
    "measured_s": "time_s",
    "file_size": "size_bytes",
    "measured_by": "source",
}
WITH_UNITS: Final[dict[str, Unit]] = {"measured_s": "s", "file_size": "B"}
Choices = list[tuple[str, Any]]


def choices(key: str, evaluation: Evaluation) -> Choices:
    """Texts and values that a cell can be set to."""
    study, look = evaluation.study, Look(translate=QCoreApplication.translate)
    if key == "of":
        return [(tr("whole step"), None), *((r.name, r.name) for r in evaluation.rows)]
    if key == "on":
        return [("–", ""), *((name, e) for e, name in whole_names(study.hardware, look).items())]
    if key == "of_model":
        return [(tr("the active one"), ""), *((m.name, m.id) for m in study.models)]
    phases = ((phase_word(phase, "listed", look), phase) for phase in reversed(PHASES))
    return [(tr("as the study"), None), *phases]


def chosen(measurement: Measurement, key: str, evaluation: Evaluation) -> Any:
    """The choice that a cell stands at; a device named by its id counts as its entry."""
    value = getattr(measurement, FIELDS[key])
    if key != "on" or any(e.id == value for e in evaluation.study.hardware):
        return value
    return next((e.id for e in evaluation.study.hardware if e.device.id == value), "")


def typed_text(measurement: Measurement, key: str) -> str:
    """What the editor of a cell starts with."""
    value = getattr(measurement, FIELDS[key])
    if value is None:
        return ""
    if key in WITH_UNITS:
        return quantity_text(value, WITH_UNITS[key])
    return value if isinstance(value, str) else number_text(value)


def reader(key: str) -> Callable[[str], Any]:
    """Reads a typed cell, or refuses it; an empty one means not stated."""
    if key == "measurement":
        return read_name
    if key == "measured_by":
        return lambda text: " ".join(text.split())[:200]
    read: dict[str, Callable[[str], Any]] = {
        "batch": lambda text: read_whole(text, LARGEST_BATCH, "batch"),
        "context": lambda text: read_whole(text, LARGEST_CONTEXT, "context"),
        "measured_rate": lambda text: positive(read_number(text)),
        "measured_s": lambda text: positive(read_quantity(text, "s")),
        "file_size": lambda text: positive(read_quantity(text, "B")),
    }
    return lambda text: read[key](text) if text.strip() else None


def positive(value: float) -> float:
    """A figure over zero; raise Refused otherwise."""
    if not value > 0:
        raise Refused(Problem("study.positive", "", {"got": value, "high": 1e18}))
    return value


def edited(study: Study, measurement: Measurement, key: str, value: Any) -> tuple[Study, str]:
    """The study with one cell changed, and the words of the undo step."""
    fields: dict[str, Any] = {FIELDS[key]: value}
    if key == "of" and value is not None:
        fields |= {"tokens_per_s": None, "size_bytes": None, "model": ""}
    return change_measurement(study, measurement.id, **fields), tr("Edit {name}", name=measurement.name)
