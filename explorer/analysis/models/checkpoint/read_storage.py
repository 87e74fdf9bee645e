"""Reading how a checkpoint is stored: dtype and `quantization_config`."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.problem import Problem

DTYPES = {"bfloat16": "bf16", "float16": "fp16", "half": "fp16", "float32": "fp32", "float": "fp32"}
_MOST_FAULTS: Final = 5
STATED = ("quantization_config", "quantization")  # MLX writes both, older files the second alone


def read_storage(fields: Fields, *nested: Fields, measured: bool = False) -> Storage:
    """Formats from dtype and `quantization_config` of a config or of one nested in it.

    What is not read is a fault of its field; where the bytes are `measured` from the file it is a note.
    """
    wide = _dtype((fields, *nested))
    owner, name = _owner((fields, *nested))
    if owner is None:
        return Storage(wide, wide)
    found = owner.config[name]
    if _differs(found, (fields, *nested)):
        owner.fault("model.quantised_twice", name)
        return Storage(wide, wide)
    if not isinstance(found, Mapping):
        owner.fault("model.not_an_object", name, value=brief(found))
        return Storage(wide, wide)
    return _quantised(owner, found, wide, measured=measured) if found else Storage(wide, wide)


def _owner(all_fields: tuple[Fields, ...]) -> tuple[Fields | None, str]:
    return next(((f, n) for f in all_fields for n in STATED if f.config.get(n) is not None), (None, ""))


def _differs(found: object, all_fields: tuple[Fields, ...]) -> bool:
    """Whether another field says another thing than the one that is read."""
    every = (f.config.get(name) for f in all_fields for name in STATED)
    return any(other and other != found for other in every)


def _quantised(owner: Fields, found: Mapping[str, Any], wide: str, *, measured: bool) -> Storage:
    from explorer.analysis.models.checkpoint.quantisation import quantised

    inner = Fields(owner.config, owner.path)
    read = quantised(inner, found, wide)
    owner.notes.extend(note for i, note in enumerate(inner.notes) if note not in inner.notes[:i])
    if read is not None and not inner.problems:
        return Storage(wide, wide, read.kv, read.kv_scales, read.assignment)
    if measured:
        owner.note("model.quantisation_unread", method=brief(found.get("quant_method")), format=wide)
    else:
        owner.problems.extend(_once(inner.problems))
    return Storage(wide, wide)


def _once(problems: Sequence[Problem]) -> list[Problem]:
    """Faults that say the same are said once, with how often; of many different ones the first few."""
    alike: dict[tuple[str, str, str], list[Problem]] = {}
    for problem in problems:
        last = problem.path.rpartition(".")[2]
        alike.setdefault((problem.code, last, str(sorted(problem.values.items()))), []).append(problem)
    first = [_with_count(same) for same in alike.values()]
    if len(first) <= _MOST_FAULTS:
        return first
    more = Problem("model.faults_more", first[0].path.partition(".")[0], {"count": len(first) - _MOST_FAULTS})
    return [*first[:_MOST_FAULTS], more]


def _with_count(same: Sequence[Problem]) -> Problem:
    if len(same) == 1:
        return same[0]
    return msgspec.structs.replace(same[0], path=f"{same[0].path} (+{len(same) - 1:,})")


def _dtype(all_fields: tuple[Fields, ...]) -> str:
    for fields in all_fields:
        for name in ("torch_dtype", "dtype"):
            value = fields.config.get(name)
            if value is not None:
                return _known_dtype(fields, name, value)
    all_fields[0].note("model.dtype_assumed", format="bf16")
    return "bf16"


def _known_dtype(fields: Fields, name: str, value: object) -> str:
    known = DTYPES.get(value.removeprefix("torch.")) if isinstance(value, str) else None
    if known is None:
        fields.fault("model.dtype_unknown", name, value=brief(value), known=", ".join(DTYPES))
    return known or "bf16"
