"""Reading how a checkpoint is stored: dtype and `quantization_config`."""

from collections.abc import Mapping

from msgspec.structs import replace

from explorer.analysis.models.checkpoint.quantisation import quantised
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields, brief

DTYPES = {"bfloat16": "bf16", "float16": "fp16", "half": "fp16", "float32": "fp32", "float": "fp32"}


def read_storage(fields: Fields, *nested: Fields) -> Storage:
    """Formats from dtype and `quantization_config` of a config or of one nested in it."""
    wide = _dtype((fields, *nested))
    owner = next((f for f in (fields, *nested) if f.config.get("quantization_config") is not None), None)
    if owner is None:
        return Storage(wide, wide)
    found = owner.config["quantization_config"]
    if not isinstance(found, Mapping):
        owner.fault("model.not_an_object", "quantization_config", value=brief(found))
        return Storage(wide, wide)
    return _with_experts(owner, found, quantised(owner, found, wide))


def _with_experts(fields: Fields, config: Mapping[str, object], storage: Storage) -> Storage:
    """Experts in 4 bit beside other weights in 8 (DeepSeek-V4)."""
    stated = config.get("expert_dtype", fields.config.get("expert_dtype"))
    if stated is None:
        return storage
    if stated != "fp4":
        fields.note("model.experts_unread", value=brief(stated), format=storage.weights)
        return storage
    fields.note("model.experts_format", format="mxfp4")
    return replace(storage, experts="mxfp4")


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
