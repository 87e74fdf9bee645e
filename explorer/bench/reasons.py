"""Why a worker did not measure, by its codes: only those that are known, with the values that their sentences need."""

from collections.abc import Mapping
from typing import Any, Final

from explorer.analysis.problem import Note, Problem, Value
from explorer.bench.protocol import Fault, RowSkipped, one_line

Fields = Mapping[str, type]
FAULTS: Final[Mapping[str, Fields]] = {
    "no_torch": {},
    "torch_broken": {"text": str},
    "torch_old": {"version": str},
    "python_old": {"version": str},
    "device": {"device": str, "known": str},
    "protocol": {"text": str},
    "raised": {"text": str},
    "no_transformers": {"text": str},
    "no_callable": {"name": str, "known": str},
    "no_input": {"name": str},
    "no_memory": {},
    "offline": {"what": str},
    "config": {"text": str, "fields": str},
}
SKIPS: Final[Mapping[str, Fields]] = {
    "kind": {},
    "format": {"format": str},
    "mixed": {"formats": str},
    "memory": {"need": float, "free": float},
    "out_of_memory": {},
    "slow": {"seconds": float},
    "torch_old": {"needs": str},
    "unsupported": {"text": str},
    "raised": {"text": str},
    "dims": {"name": str},
}
_LARGEST: Final = 1e24
REMARKS: Final = frozenset({"composed", "allocates", "masked", "int32_output"})


def problem_of_fault(said: Fault, python: str) -> Problem:
    """Why there is nothing more; a code that is not known shows itself."""
    values = _values(FAULTS, said.code, said.values)
    if values is None:
        return Problem("measure.unknown", values={"python": python, "code": one_line(said.code)})
    return Problem(f"measure.{said.code}", values={"python": python, **values})


def note_of_skip(said: RowSkipped) -> Note:
    """Why a row was not timed."""
    values = _values(SKIPS, said.code, said.values)
    if values is None:
        return Note("measure.skip.unknown", {"code": one_line(said.code)})
    amounts = {f"{n}_gb": v / 1e9 for n, v in values.items() if n in {"need", "free"} and isinstance(v, float)}
    return Note(f"measure.skip.{said.code}", {**values, **amounts})


def note_of_remark(code: str) -> Note:
    """What to bear in mind of a row's times."""
    return Note(f"measure.note.{code}") if code in REMARKS else Note("measure.note.unknown", {"code": one_line(code)})


def _values(known: Mapping[str, Fields], code: str, given: Mapping[str, Any]) -> dict[str, Value] | None:
    """The values that a code's sentence is filled with; None where the code is not known, or one is missing."""
    if code not in known:
        return None
    found = {name: _value(given.get(name), kind) for name, kind in known[code].items()}
    return None if None in found.values() else {n: v for n, v in found.items() if v is not None}


def _value(given: object, kind: type) -> Value | None:
    if kind is str and isinstance(given, str):
        return one_line(given)
    if isinstance(given, bool) or not isinstance(given, (int, float)) or not 0 <= given < _LARGEST:
        return None
    return str(given) if kind is str else float(given)
