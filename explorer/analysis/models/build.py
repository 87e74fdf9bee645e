"""From a Hugging Face config to a model."""

from collections.abc import Mapping
from typing import Any

from explorer.analysis.models.checkpoint.read_storage import read_storage
from explorer.analysis.models.config.fields import Fields, brief, defaults_note
from explorer.analysis.models.heads.decoders import with_class
from explorer.analysis.models.model import Model
from explorer.analysis.models.registry import nearest, reader_of
from explorer.analysis.problem import Problem, Refused


def build_model(config: Mapping[str, Any], name: str = "", *, measured: bool = False) -> Model:
    """The model a `config.json` describes; `measured` where the bytes of its weights are known from their file.

    Raises `Refused` with every fault found: an unknown `model_type`, fields that are missing or cannot be.
    """
    model_type = config.get("model_type")
    reader = reader_of(model_type) if isinstance(model_type, str) else None
    if reader is None or not isinstance(model_type, str):
        raise Refused(_unsupported(model_type, config.get("_class_name")))
    fields = Fields(config, defaults=reader.defaults)
    text = config.get("text_config")
    nested = [fields.within("text_config")] if isinstance(text, Mapping) else []
    storage = read_storage(fields, *nested, measured=measured)
    architecture = with_class(reader(fields, storage), fields, model_type)
    max_context = reader.max_context(fields)
    fields.refuse_faults()
    model = Model(
        name=name or reader.label,
        model_type=model_type,
        family=reader.label,
        architecture=architecture,
        storage=storage,
        kv_format=storage.kv or storage.activations,
        assumptions=(*defaults_note(fields.assumed), *fields.notes),
        max_context=max_context,
    )
    if storage.assignment is None:
        return model
    from explorer.analysis.models.checkpoint.packed_model import with_packing

    return with_packing(model)


def _unsupported(model_type: object, diffusers: object = None) -> Problem:
    if model_type is None and isinstance(diffusers, str):
        part = "pipeline" if diffusers.endswith("Pipeline") else "part"
        return Problem(f"model.diffusers_{part}", "_class_name", {"value": brief(diffusers)})
    if model_type is None:
        return Problem("model.no_type", "model_type")
    near = nearest(model_type) if isinstance(model_type, str) else ()
    if near:
        return Problem("model.type_unknown", "model_type", {"value": brief(model_type), "near": ", ".join(near)})
    return Problem("model.type_alone", "model_type", {"value": brief(model_type)})
