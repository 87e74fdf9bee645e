"""What the layers of a model hold, by kind: layers that are alike in both halves are one kind."""

import msgspec

from explorer.analysis.models.checkpoint.storage import STORED_BYTES
from explorer.analysis.models.model import Model
from explorer.analysis.models.parts import Layer, stacks
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.ledger import KV, STATE, WEIGHTS


class LayerKind(msgspec.Struct, frozen=True):
    """Layers of one kind: how many, what their keys and values and their states take, and their weights.

    Bytes are of all these layers: `kv` and `state` of every sequence of the step, `weights` None where the file of a
    model says only what all of its tensors take together.
    """

    attention: str
    mlp: str
    count: int
    kv: float
    state: float
    values: int
    weights: float | None


class LayerKinds(msgspec.Struct, frozen=True):
    """Every kind in order of first appearance; `other` is what no layer holds: embeddings, head, norms, buffers."""

    kinds: tuple[LayerKind, ...]
    kv: float
    state: float
    weights: float
    values: int

    @property
    def other_weights(self) -> float | None:
        """Bytes of weights outside of the layers; None where those of the layers are not known."""
        known = [k.weights for k in self.kinds if k.weights is not None]
        return self.weights - sum(known) if len(known) == len(self.kinds) else None

    @property
    def other_values(self) -> int:
        """Parameters outside of the layers."""
        return self.values - sum(k.values for k in self.kinds)


def layer_kinds(evaluation: Evaluation) -> LayerKinds | None:
    """What each kind of layer holds at a study's step; None without a model, or where its layers are not told apart."""
    model = evaluation.model
    if model is None or model.rough or not model.layers:
        return None
    held = evaluation.memory
    alike: dict[tuple[str, str], list[Layer]] = {}
    for layer in (layer for stack in stacks(model.architecture) for layer in stack.layers):
        if layer.attention or layer.mlp:
            alike.setdefault((layer.attention, layer.mlp), []).append(layer)
    holding = {id(layer) for layer in model.architecture.layers}
    return LayerKinds(
        tuple(_kind(evaluation, model, codes, layers, holding) for codes, layers in alike.items()),
        kv=float(held.of(KV)),
        state=float(held.of(STATE)),
        weights=float(held.of(WEIGHTS)),
        values=model.parameters,
    )


def _kind(
    evaluation: Evaluation, model: Model, codes: tuple[str, str], layers: list[Layer], holding: set[int]
) -> LayerKind:
    step, formats = evaluation.step, evaluation.evaluator.formats
    kept = [layer for layer in layers if id(layer) in holding]  # an encoder keeps nothing between steps
    each = formats[step.kv or model.kv_format].bytes
    kv = sum(
        float(model.kv_bytes_of(layer, group.sequences, group.context, each)) for layer in kept for group in step.groups
    )
    sequences = sum(float(group.sequences) for group in step.groups)
    stored = STORED_BYTES.get(model.storage.activations, 2)
    state = sum(
        len(layer.indices) * state.values * (STORED_BYTES["fp32"] if state.fp32 else stored)
        for layer in kept
        for state in layer.states
    )
    size_of = model.bytes_of(step.weights, formats)
    tensors = [(layer.owned, t) for layer in layers for op in layer.ops for t in op.tensors]
    return LayerKind(
        *codes,
        count=sum(len(layer.indices) for layer in layers),
        kv=kv,
        state=float(state) * sequences,
        values=sum(owned * t.values * t.count for owned, t in tensors),
        weights=None if size_of is None else sum(owned * t.count * size_of(t) for owned, t in tensors),
    )
