"""Which assumptions of a model hold: what is said of a checkpoint or a file is true while the weights are stored so."""

from collections.abc import Iterable
from typing import Final

from explorer.analysis.models.expand import Formats
from explorer.analysis.models.model import Model
from explorer.analysis.problem import Note

INPUT_QUANTISED: Final = "model.input_quantised"
INPUT_QUANTISED_IN_PART: Final = "model.input_quantised_in_part"
_OF_INPUTS: Final = frozenset({INPUT_QUANTISED, INPUT_QUANTISED_IN_PART})
_OF_CHECKPOINT: Final = _OF_INPUTS | {
    "model.average_bits", "model.scales_assumed", "model.experts_format", "model.quantisation_assumed",
}  # fmt: skip
_OF_FILE: Final = frozenset({
    "model.from_file", "model.tensors_idle", "model.tensors_missing", "model.quantisation_unread",
})  # fmt: skip
_OF_SIZE: Final = ("model.mix", "model.file_")


def without_storage(notes: Iterable[Note]) -> tuple[Note, ...]:
    """The assumptions of a model that hold however its weights are stored."""
    apart = _OF_CHECKPOINT | _OF_FILE
    return tuple(note for note in notes if note.code not in apart and not note.code.startswith(_OF_SIZE))


def that_hold(model: Model, formats: Formats, *, own: bool) -> tuple[Note, ...]:
    """The assumptions of a model that hold in these formats, its weights being its `own` or others."""
    if not own:
        return without_storage(model.assumptions)
    apart: frozenset[str] = frozenset() if formats.quantises else _OF_INPUTS
    return tuple(note for note in model.assumptions if note.code not in apart)
