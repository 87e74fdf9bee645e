"""Reading how a checkpoint is stored: dtype and `quantization_config`."""

from collections.abc import Mapping
from typing import Any

from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields, brief

DTYPES = {"bfloat16": "bf16", "float16": "fp16", "half": "fp16", "float32": "fp32", "float": "fp32"}
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
    if not isinstance(found, Mapping):
        owner.fault("model.not_an_object", name, value=brief(found))
        return Storage(wide, wide)
    return _quantised(owner, found, wide, measured=measured) if found else Storage(wide, wide)


def _owner(all_fields: tuple[Fields, ...]) -> tuple[Fields | None, str]:
    return next(((f, n) for f in all_fields for n in STATED if f.config.get(n) is not None), (None, ""))


def _quantised(owner: Fields, found: Mapping[str, Any], wide: str, *, measured: bool) -> Storage:
    from explorer.analysis.models.checkpoint.quantisation import quantised

    inner = Fields(owner.config, owner.path)
    read = quantised(inner, found, wide)
    owner.notes.extend(inner.notes)
    if read is not None and not inner.problems:
        return Storage(wide, wide, read.kv, read.kv_scales, read.assignment)
    if measured:
        owner.note("model.quantisation_unread", method=brief(found.get("quant_method")), format=wide)
    else:
        owner.problems.extend(inner.problems)
    return Storage(wide, wide)


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
