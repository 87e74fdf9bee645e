"""A model as the rest of the program sees it: counts, bytes, and its rows for a step."""

from collections.abc import Callable, Iterable, Mapping
from functools import cached_property

import msgspec
import numpy as np
from msgspec.structs import replace

from explorer.analysis.catalogue.formats import NumberFormat
from explorer.analysis.models.checkpoint.storage import STORED_BYTES, WIDE_FORMATS, Storage
from explorer.analysis.models.checkpoint.stored_formats import Stored, StoredFormat
from explorer.analysis.models.expand import Formats, Template, expand, templates
from explorer.analysis.models.parts import Architecture, Cache, Layer, Packing, Role, Tensor, stacks
from explorer.analysis.models.parts import Storage as Kind
from explorer.analysis.problem import Note, Problem, Refused
from explorer.analysis.step.phases.ids import DECODE
from explorer.analysis.step.phases.registry import PHASES, phase_of
from explorer.analysis.step.routing import skewed
from explorer.analysis.step.rows import Number, Row, Step


class LayerSummary(msgspec.Struct, frozen=True):
    """Layers that are alike: their numbers and the kinds of their halves (`sliding 1024`, `moe 8 of 128`)."""

    indices: tuple[int, ...]
    attention: str
    mlp: str

    @property
    def count(self) -> int:
        """How many there are."""
        return len(self.indices)


class TensorGroup(msgspec.Struct, frozen=True):
    """Equal tensors of a model; `active` of the `count` work on one token."""

    name: str
    count: int
    values_each: int
    role: Role
    storage: Kind
    active: int
    packing: Packing | None = None

    @property
    def values(self) -> int:
        """Values of all its tensors."""
        return self.count * self.values_each


class Model(msgspec.Struct, frozen=True, eq=False, dict=True):
    """One model: everything is derived from its architecture and the formats of its checkpoint.

    `parameters` counts tied embeddings once; `active_parameters` (those that work on one token) include
    the embedding and the head. While the weights keep their format, `file_bytes` replaces parameters x bytes, and
    `stored` has the bytes and formats of its file. `packed_formats` are those of its quantised checkpoint, where a
    head that is the embedding table elsewhere may take `untied_bytes` of its own.
    """

    name: str
    model_type: str
    family: str
    architecture: Architecture
    storage: Storage
    kv_format: str
    assumptions: tuple[Note, ...] = ()
    max_context: int | None = None
    rough: bool = False
    file_bytes: float | None = None
    stored: Stored | None = None
    packed_formats: tuple[StoredFormat, ...] = ()
    untied_bytes: float = 0.0

    @cached_property
    def _templates(self) -> dict[str, tuple[Template, ...]]:
        return templates(self.architecture, None if self.stored is None else self.stored.by_op)

    @property
    def weights_format(self) -> str:
        """Format of the big weights, from the config."""
        return self.storage.weights

    @property
    def activations_format(self) -> str:
        """Format activations are stored in, from the config."""
        return self.storage.activations

    @property
    def tied(self) -> bool:
        """Whether the embedding table is the head."""
        return self.architecture.tied

    @cached_property
    def tensors(self) -> tuple[TensorGroup, ...]:
        """All tensors, equal ones of different layers in one group."""
        return _grouped(self.architecture)

    @cached_property
    def parameters(self) -> int:
        """All parameters, exactly."""
        return sum(group.values for group in self.tensors)

    @cached_property
    def active_parameters(self) -> int:
        """Parameters that work on one token, embedding and head included."""
        return sum(group.active * group.values_each for group in self.tensors)

    @property
    def phases(self) -> tuple[str, ...]:
        """The phases it can run; an encoder alone has no decode."""
        return tuple(phase.id for phase in PHASES.values() if phase.runs in self.architecture.phases)

    @property
    def encodes(self) -> bool:
        """Whether its prefill is an encoder's pass, after which no token stands."""
        return self.architecture.encoder is not None or DECODE not in self.phases

    @property
    def runs_once(self) -> bool:
        """Whether it runs once over an input whose size it fixes, such as a picture; the context has no part in it."""
        return self.architecture.encoder_tokens is not None and DECODE not in self.phases

    @property
    def has_cache(self) -> bool:
        """Whether any layer keeps keys and values, so that their format says something."""
        return bool(self._caches)

    @cached_property
    def layers(self) -> tuple[LayerSummary, ...]:
        """Layers by kind, in order of first appearance."""
        kinds: dict[tuple[str, str], list[int]] = {}
        for layer in (layer for stack in stacks(self.architecture) for layer in stack.layers):
            if not layer.attention and not layer.mlp:  # what stands between layers
                continue
            kinds.setdefault((layer.attention, layer.mlp), []).extend(layer.indices)
        return tuple(LayerSummary(tuple(sorted(indices)), *codes) for codes, indices in kinds.items())

    @cached_property
    def _caches(self) -> tuple[Cache, ...]:
        """KV values of all layers, those that fill alike added up."""
        values: dict[Cache, int] = {}
        for layer in self.architecture.layers:
            for cache in layer.caches:
                alike = replace(cache, values=0)
                values[alike] = values.get(alike, 0) + len(layer.indices) * cache.values
        return tuple(replace(alike, values=count) for alike, count in values.items())

    def rows(self, step: Step) -> tuple[Row, ...]:
        """Operator rows of one step, in execution order; dims broadcast over batch (B, 1) and context (1, C)."""
        runs = phase_of(step.phase).runs
        if runs not in self.architecture.phases:
            raise Refused(Problem("model.no_decode", "phase", {"model": self.name}))
        templates = self._templates[runs]
        if len(step.groups) > 1 and (self.encodes or any(t.op.phase for t in templates)):
            raise Refused(Problem("model.mixed_groups", "groups", {"model": self.name}))
        rows = expand(templates, step, self.formats(step), self._streamed_file(step.weights))
        return skewed(rows, step.skew) if step.skew else rows

    def formats(self, step: Step) -> Formats:
        """Formats of a step: what it asks for, else the checkpoint's."""
        own = self._is_own(step.weights)
        packed = own and self.storage.assignment is not None
        weights = step.weights or self.storage.weights
        asked = step.activations or self.storage.activations
        stored = asked if asked in WIDE_FORMATS else self.storage.activations
        wide = weights if weights in WIDE_FORMATS else stored
        return Formats(
            linear=weights,
            kept=wide if own else weights,
            wide=wide,
            linear_input=asked,
            stored=stored,
            kv=step.kv or self.kv_format,
            as_stored=own and self.stored is not None,
            as_packed=packed,
            quantises=packed and step.activations is None,
        )

    @cached_property
    def own_formats(self) -> tuple[StoredFormat, ...]:
        """Formats that this model's file or checkpoint has beside the known ones."""
        return (*(self.stored.formats if self.stored is not None else ()), *self.packed_formats)

    def kv_bytes(self, batch: Number, context: Number, kv_bytes_per_value: float) -> Number:
        """Bytes of the KV cache of `batch` sequences of `context` tokens; windowed layers hold min(context, window).

        Layers that look at an encoder hold as many of its tokens as it takes.
        """
        return self._kv_held(self._caches, batch, context, kv_bytes_per_value)

    def kv_bytes_of(self, layer: Layer, batch: Number, context: Number, kv_bytes_per_value: float) -> Number:
        """Bytes of the KV cache that layers which are alike hold."""
        caches = tuple(replace(c, values=c.values * len(layer.indices)) for c in layer.caches)
        return self._kv_held(caches, batch, context, kv_bytes_per_value)

    def kv_written(self, step: Step, kv_bytes_per_value: float) -> Number:
        """Bytes a step adds to the KV cache: a token a sequence in decode, else the prompt or the encoder's tokens."""
        encoded, alone = phase_of(step.phase).writes_encoded, self.architecture.encoder is None
        written = tuple(c for c in self._caches if alone or c.cross == encoded)
        total: Number = 0.0
        for group in step.groups:
            total = total + self._kv_held(written, group.sequences, group.tokens, kv_bytes_per_value)
        return total

    def prompt_tokens(self, context: Number) -> Number:
        """Tokens that a prefill takes in per sequence."""
        fixed = self.architecture.encoder_tokens
        return context if fixed is None else float(fixed)

    @staticmethod
    def _kv_held(caches: tuple[Cache, ...], batch: Number, context: Number, kv_bytes_per_value: float) -> Number:
        held: Number = 0.0
        for cache in caches:
            tokens = context if cache.window is None else np.minimum(context, cache.window)
            tokens = tokens if cache.tokens is None else float(cache.tokens)
            entries = tokens if cache.rate == 1 else np.floor_divide(tokens, cache.rate)
            held = held + entries * (float(cache.values) * kv_bytes_per_value)
        total = batch * held
        return total if isinstance(total, np.ndarray) else float(total)

    def kv_bytes_per_token(self, kv_bytes_per_value: float) -> float:
        """Bytes by which one token grows a sequence's KV cache below every window, on average where compressed."""
        return sum(cache.values / cache.rate for cache in self._caches if not cache.cross) * kv_bytes_per_value

    def cross_kv_bytes_per_token(self, kv_bytes_per_value: float) -> float | None:
        """Bytes that cross-attention holds of each of the encoder's tokens; None where there is no cross-attention."""
        crossed = [cache.values for cache in self._caches if cache.cross]
        return sum(crossed) * kv_bytes_per_value if crossed else None

    def kv_bytes_per_token_at(self, context: int, kv_bytes_per_value: float) -> float:
        """Bytes by which the token at a context grew a sequence's KV cache: full windows grow no more."""
        growing = (c for c in self._caches if not c.cross and c.tokens is None)
        return sum(c.values / c.rate for c in growing if c.window is None or context <= c.window) * kv_bytes_per_value

    @property
    def smallest_window(self) -> int | None:
        """The tokens up to which `kv_bytes_per_token` holds; None where it holds at every context."""
        return min((c.window for c in self._caches if c.window is not None and not c.cross), default=None)

    def state_bytes(self, batch: Number) -> Number:
        """Bytes of the states of `batch` sequences, which do not grow with the context."""
        return batch * self._state_bytes

    @cached_property
    def _state_bytes(self) -> float:
        stored = STORED_BYTES.get(self.storage.activations, 2)
        return float(
            sum(
                len(layer.indices) * state.values * (STORED_BYTES["fp32"] if state.fp32 else stored)
                for layer in self.architecture.layers
                for state in layer.states
            )
        )

    def weight_bytes(self, weights: str | None, formats: Mapping[str, NumberFormat]) -> float:
        """Resident bytes of all tensors, stored in `weights` (None: as the checkpoint is)."""
        if self.stored is not None and self._is_own(weights):
            return self.stored.resident
        if self._streamed_file(weights):
            return float(self._streamed_file(weights))
        chosen = self.formats(Step(self.phases[0], (), weights))
        if chosen.as_packed:
            return self._packed_bytes(chosen, formats)
        by_kind: dict[Kind, str] = {"linear": chosen.linear, "kept": chosen.kept, "wide": chosen.wide}
        each = {kind: _bytes_per_value(name, formats) for kind, name in by_kind.items()}
        return sum(group.values * each[group.storage] for group in self.tensors)

    def bytes_of(self, weights: str | None, formats: Mapping[str, NumberFormat]) -> Callable[[Tensor], float] | None:
        """What one of a kind of tensor takes, stored in `weights`; None where of a file only the total is known."""
        if (self.stored is not None and self._is_own(weights)) or self._streamed_file(weights):
            return None
        chosen = self.formats(Step(self.phases[0], (), weights))
        linear = chosen.wide if chosen.as_packed else chosen.linear  # packed ones say their own bits
        names: dict[Kind, str] = {"linear": linear, "kept": chosen.kept, "wide": chosen.wide}
        each = {kind: _bytes_per_value(name, formats) for kind, name in names.items()}

        def one(tensor: Tensor) -> float:
            packed = tensor.packing if chosen.as_packed else None
            if packed is not None:
                return tensor.values * packed.bits / 8 + packed.beside
            return tensor.values * each[tensor.storage]

        return one

    def _packed_bytes(self, chosen: Formats, formats: Mapping[str, NumberFormat]) -> float:
        """Bytes of all tensors as the checkpoint packs them, with the scales of its cache."""
        wide = {"kept": _bytes_per_value(chosen.kept, formats), "wide": _bytes_per_value(chosen.wide, formats)}
        total = 0.0
        for group in self.tensors:
            each = group.packing
            if each is None:
                total += group.values * wide["kept" if group.storage == "kept" else "wide"]
            else:
                total += group.count * (group.values_each * each.bits / 8 + each.beside)
        cached = sum(len(layer.indices) for layer in self.architecture.layers if layer.caches)
        return total + self.untied_bytes + cached * self.storage.kv_scales

    def _is_own(self, weights: str | None) -> bool:
        """Whether weights stay as the checkpoint stores them."""
        return weights is None or weights == self.storage.weights

    def _streamed_file(self, weights: str | None) -> float:
        """Bytes of the file the weights came in, where it is known and still what is streamed; else 0."""
        return (self.file_bytes or 0.0) if self._is_own(weights) else 0.0


def _grouped(architecture: Architecture) -> tuple[TensorGroup, ...]:
    counts: dict[tuple[str, int, Role, Kind, Packing | None], tuple[int, int]] = {}
    for times, tensor in _all_tensors(architecture):
        key = (tensor.name, tensor.values, tensor.role, tensor.storage, tensor.packing)
        count, active = counts.get(key, (0, 0))
        counts[key] = (count + times * tensor.count, active + times * tensor.active)
    return tuple(
        TensorGroup(name, count, values, role, storage, active, packing)
        for (name, values, role, storage, packing), (count, active) in counts.items()
    )


def values_of(architecture: Architecture) -> int:
    """Values of all tensors of an architecture."""
    return sum(times * tensor.values * tensor.count for times, tensor in _all_tensors(architecture))


def _all_tensors(architecture: Architecture) -> Iterable[tuple[int, Tensor]]:
    """Every tensor with the number of layers that own it."""
    for stack in stacks(architecture):
        yield from _own_tensors(stack)


def _own_tensors(architecture: Architecture) -> Iterable[tuple[int, Tensor]]:
    yield from ((1, t) for op in architecture.before for t in op.tensors)
    for layer in architecture.layers:
        yield from ((layer.owned, t) for op in layer.ops for t in op.tensors)
    yield from ((1, t) for op in architecture.after for t in op.tensors)
    yield from ((1, t) for t in architecture.extra)


def _bytes_per_value(name: str, formats: Mapping[str, NumberFormat]) -> float:
    if name not in formats:
        raise Refused(Problem("model.format_unknown", "weights", {"format": name, "known": ", ".join(formats)}))
    return formats[name].bytes
