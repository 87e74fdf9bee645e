"""A model stored in a mix of llama.cpp's: bytes and formats of its rows as a file of that mix has them."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from explorer.analysis.catalogue.ggml_types import by_name
from explorer.analysis.catalogue.mixes import NAMED_AS_MIXES, Mix, mix_of
from explorer.analysis.models.build import build_model
from explorer.analysis.models.checkpoint.held import Held, Ops, stored_as
from explorer.analysis.models.checkpoint.holding import without_storage
from explorer.analysis.models.checkpoint.mixes.converted import is_converted
from explorer.analysis.models.checkpoint.mixes.rules import type_of
from explorer.analysis.models.checkpoint.mixes.tensors import Inventory, MixTensor, inventory
from explorer.analysis.models.checkpoint.storage import STORED_BYTES, WIDE_FORMATS, Storage
from explorer.analysis.models.checkpoint.stored_formats import Stored, StoredFormat
from explorer.analysis.models.model import Model
from explorer.analysis.models.parts import Op, stacks
from explorer.analysis.problem import Note, Value

EXPERTS_KEPT: Final = "mxfp4"  # a checkpoint that has its experts so is never requantised
_TYPICAL: Final = {  # Llama-3.1-8B
    "model_type": "llama",
    "hidden_size": 4096,
    "intermediate_size": 14336,
    "num_hidden_layers": 32,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "vocab_size": 128256,
    "tie_word_embeddings": False,
    "torch_dtype": "bfloat16",
}


def with_mix(model: Model, name: str) -> Model:
    """The model as `llama-quantize` would store it.

    A model known by six numbers takes as many bits a weight as a Llama of 8B.
    """
    mix = mix_of(name)
    if mix is None:
        return model
    if model.rough:
        return _rough(model, mix)
    stored = stored_in(model, mix, name)
    storage = Storage(stored.label, model.storage.activations)
    notes = (*without_storage(model.assumptions), *_notes(model, mix, stored))
    return replace(model, storage=storage, stored=stored, assumptions=notes)


def with_one_format(model: Model, name: str) -> Model:
    """The model, told that `llama-quantize` calls the files of a mix by the name of this one format."""
    if model.rough or not is_converted(model):
        return model
    note = Note("model.one_format", {"format": name, "mix": NAMED_AS_MIXES[name]})
    return replace(model, assumptions=(*model.assumptions, note))


def _rough(model: Model, mix: Mix) -> Model:
    if mix.name in by_name():  # a number format as well
        return model
    typical = stored_in(build_model(_TYPICAL), mix, mix.name).formats[0]
    resident = model.file_bytes or model.parameters * typical.bits / 8
    whole = StoredFormat(mix.name, 8 * resident / model.parameters, mix.base)
    stored = Stored(label=mix.name, resident=resident, active=resident, formats=(whole,), by_op={})
    note = Note("model.mix_rough", {"mix": mix.name, "bits": typical.bits})
    notes = model.assumptions if model.file_bytes else (*model.assumptions, note)
    return replace(
        model, storage=replace(model.storage, weights=mix.name), stored=stored, file_bytes=None, assumptions=notes
    )


def stored_in(model: Model, mix: Mix, label: str, size: float | None = None, *, alike: bool = False) -> Stored:
    """Bytes and formats of a mix under a name; quantised tensors are scaled evenly where a `size` is asked for.

    With `alike` they all get as many bits a value.
    """
    known = _inventory(model)
    values = float(sum(t.rows * t.columns for t in known.tensors))
    held = _held(known, mix, model)
    if size is not None:
        _scale(held, size - STORED_BYTES["fp32"] * _beside(model), alike=alike)
    resident = sum(found.bytes for found in held.values()) + STORED_BYTES["fp32"] * _beside(model)
    return stored_as(model, label, resident, held, _expected(model), values + _beside(model))


def _beside(model: Model) -> int:
    """Values beside the operators that have no file of their own, as those of towers have in llama.cpp."""
    return 0 if is_converted(model) else sum(t.values * t.count for t in model.architecture.extra)


def _scale(held: Mapping[Ops, Held], size: float, *, alike: bool) -> None:
    """Make tensors larger or smaller until all take so many bytes; those in fp32 stay, and 16 bit beside quantised."""
    every = sum(found.bytes for found in held.values())
    kept = {"fp32"} if all(set(found.formats) <= WIDE_FORMATS for found in held.values()) else WIDE_FORMATS
    scaled = [found for found in held.values() if not set(found.formats) <= kept]
    rest = every - sum(found.main_bytes for found in scaled)
    if not scaled or size <= rest:
        return
    values = sum(found.values for found in scaled)
    for found in scaled:
        share = found.values / values if alike else found.main_bytes / (every - rest)
        own = share * (size - rest)
        found.bytes += own - found.main_bytes
        found.main_bytes = own


def mix_bytes(model: Model, mix: Mix) -> int:
    """Bytes of all tensors of a file in this mix, its header apart."""
    known = _inventory(model)
    beside = STORED_BYTES["fp32"] * _beside(model)
    return beside + sum(t.bytes_as(_type(t, mix, known, model)) for t in known.tensors)


@lru_cache(maxsize=8)
def _inventory(model: Model) -> Inventory:
    return inventory(model)


def _type(tensor: MixTensor, mix: Mix, known: Inventory, model: Model) -> str:
    if tensor.matrix is None:
        return "fp32"
    if tensor.matrix.stacked and keeps_experts(model):
        return EXPERTS_KEPT
    return type_of(mix, tensor.matrix, known.facts)


def keeps_experts(model: Model) -> bool:
    """Whether the checkpoint's experts are in MXFP4, which files of every mix keep."""
    return EXPERTS_KEPT in {model.storage.weights, *(f.id for f in model.packed_formats)}


def _held(known: Inventory, mix: Mix, model: Model) -> dict[Ops, Held]:
    held: dict[Ops, Held] = {}
    for tensor in known.tensors:
        name = _type(tensor, mix, known, model)
        found = held.setdefault(tensor.ops, Held())
        size = tensor.bytes_as(name)
        found.bytes += size
        if tensor.matrix is not None or not found.values:
            found.values += tensor.rows * tensor.columns
            found.formats[name] += size
            found.main_bytes += size
    return held


def _expected(model: Model) -> dict[Op, float]:
    """Weight values of every operator over all layers, biases apart."""
    found: Counter[Op] = Counter()
    for stack in stacks(model.architecture):
        for op in (*stack.before, *stack.after):
            found[op] = sum(t.values * t.count for t in op.tensors if t.role != "bias")
        for layer in stack.layers:
            for op in layer.ops:
                found[op] += len(layer.indices) * sum(t.values * t.count for t in op.tensors if t.role != "bias")
    return dict(found)


def _notes(model: Model, mix: Mix, stored: Stored) -> list[Note]:
    values: dict[str, Value] = {"mix": mix.name, "rules": mix.label, "bytes": round(stored.resident)}
    found = [Note("model.mix_nearest" if mix.nearest else "model.mix", values)]
    if mix.wide_ends:
        found.append(Note("model.mix_ends", values))
    if mix.asks and not mix.nearest:
        found.append(Note("model.mix_imatrix" if mix.imatrix else "model.mix_no_imatrix", values))
    if keeps_experts(model):
        found.append(Note("model.mix_experts", values))
    if not is_converted(model):
        found.append(Note("model.mix_not_converted", values))
    elif any(t.role == "vision" for t in model.architecture.extra):
        found.append(Note("model.mix_text_only", values))
    return found
