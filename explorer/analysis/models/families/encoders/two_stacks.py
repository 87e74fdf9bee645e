"""Encoders with a decoder behind: T5 and Whisper.

Prefill is the encoder over its input, and the keys and values that every decoder layer makes of its output. Decode is
one step of the decoder, which attends to its own tokens and to those of the encoder.
"""

from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names, attention_dims
from explorer.analysis.models.blocks.norms import NormScheme, norms
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.heads.named import LABELS
from explorer.analysis.models.heads.pairs import of_class
from explorer.analysis.models.heads.parts import Heads
from explorer.analysis.models.parts import (
    Architecture,
    Cache,
    Dim,
    Layer,
    Op,
    Per,
    Symbol,
    Tensor,
    filled,
    linear,
    residual,
)
from explorer.analysis.models.transformer import Decoder, assemble, layers_of
from explorer.analysis.problem import Value
from explorer.analysis.step.phases.ids import DECODE, PREFILL, PhaseId

OF_A_SEQUENCE: tuple[Symbol, ...] = ("tokens", "queries", "keys", "positions")


def of_phase(ops: tuple[Op, ...], phase: PhaseId) -> tuple[Op, ...]:
    """Operators limited to one phase; those that know their phase keep it."""
    return tuple(op if op.phase else replace(op, phase=phase) for op in ops)


def of_length(ops: tuple[Op, ...], length: int | None) -> tuple[Op, ...]:
    """Operators over sequences of a fixed length, whatever the context (None: over the context)."""
    return ops if length is None else tuple(_fixed(op, length) for op in ops)


def _fixed(op: Op, length: int) -> Op:
    return replace(op, dims=tuple((name, _fixed_dim(value, length)) for name, value in op.dims))


def _fixed_dim(value: Dim, length: int) -> Dim:
    if not isinstance(value, Per) or value.symbol not in OF_A_SEQUENCE:
        return value
    times = value.factor * length
    return Per("batch", times) if value.symbol == "tokens" else times


class Crossed(msgspec.Struct, frozen=True):
    """Self-attention, then attention to the encoder's `length` tokens (None: as many as the context).

    The encoder's stream is `encoded` wide (0: as the decoder's). `own_after` is a norm of what self-attention says;
    `across` has the heads that look at the encoder where they are not those of self-attention.
    """

    own: GroupedQuery
    scheme: NormScheme
    norm: str
    names: Names
    length: int | None = None
    key_bias: bool = True
    encoded: int = 0
    own_after: str = ""
    across: GroupedQuery | None = None

    @property
    def code(self) -> str:
        return f"{self.own.code} + cross" if self.length is None else f"{self.own.code} + cross {self.length}"

    @property
    def caches(self) -> tuple[Cache, ...]:
        across = self.across or self.own
        values = 2 * across.kv_heads * across.head_dim
        return (*self.own.caches, Cache(values, cross=True, tokens=self.length))

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order: keys and values of the encoder in prefill, the rest in decode."""
        hidden, parent = self.own.hidden, self.own.names.parent
        after = norms(self.scheme, self.own_after, hidden)
        between = (*after, residual(hidden, parent), *norms(self.scheme, self.norm, hidden))
        return (*self._encoded(), *of_phase((*self.own.ops(mixed=mixed), *between, *self._crossed()), DECODE))

    def _encoded(self) -> tuple[Op, ...]:
        names, across = self.names, self.across or self.own
        sides = ((names.k, across.qkv_bias and self.key_bias), (names.v, across.qkv_bias))
        width, seen = across.kv_heads * across.head_dim, self.encoded or across.hidden
        made = tuple(
            linear(name, seen, width, "attention", parent=names.parent, bias=biased, output="kv")
            for name, biased in sides
        )
        return of_length(of_phase(made, PREFILL), self.length)

    def _crossed(self) -> tuple[Op, ...]:
        own, names = self.across or self.own, self.names
        width = own.heads * own.head_dim
        seen = attention_dims(own.heads, own.kv_heads, own.head_dim, own.head_dim)
        dims: dict[str, Dim] = {**dict(seen), "causal": 0.0}
        if self.length is not None:
            dims |= {"S_k": float(self.length), "cached": float(self.length)}
        product = Op("attention", "attention", tuple(dims.items()), "attention", parent=names.parent)
        out = linear(names.out, width, own.hidden, "attention", parent=names.parent, bias=own.out_bias)
        query = linear(names.q, own.hidden, width, "attention", parent=names.parent, bias=own.qkv_bias)
        return (query, product, out)


class EncoderDecoderReader(msgspec.Struct, frozen=True):
    """How one model with both reads its config."""

    label: str
    build: Callable[[Fields], "TwoStacks"]
    defaults: Mapping[str, Value | None]
    positions: str = ""
    heads: Heads = msgspec.field(default_factory=dict)
    labels: int = LABELS

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        pair = self.build(fields)
        fields.refuse_faults()
        made = of_class(pair.architecture(storage), fields, self.heads, self.labels)
        if DECODE not in made.phases:
            fields.note("model.one_pass")
        elif pair.length is None:
            fields.note("model.encoder_then_decoder")
        else:
            fields.note("model.encoder_of_fixed_length", tokens=pair.length)
        fields.refuse_faults()
        return made

    def max_context(self, fields: Fields) -> int | None:
        """The longest text the decoder can write, if the config names it."""
        return fields.size(self.positions) if self.positions and fields.has(self.positions) else None


class TwoStacks(msgspec.Struct, frozen=True):
    """The two stacks, what each starts with, and the encoder's length where it is fixed."""

    encoder: Decoder
    decoder: Decoder
    front: tuple[Op, ...]
    start: tuple[Op, ...] = ()
    length: int | None = None
    shared_table: bool = False
    extra: tuple[Tensor, ...] = ()
    filled: int = 0  # the encoder's texts are filled up to a multiple of so many tokens

    def architecture(self, storage: Storage) -> Architecture:
        """Its architecture: the encoder runs in prefill, the decoder in decode."""
        made = assemble(self.decoder, storage)
        table, *others = made.before
        if self.shared_table:  # the encoder's own
            table = replace(table, tensors=())
        return replace(
            made,
            before=of_phase((table, *others, *self.start), DECODE),
            layers=tuple(replace(layer, ops=of_phase(layer.ops, DECODE)) for layer in made.layers),
            after=of_phase(made.after, DECODE),
            encoder=self._encoder(storage),
            encoder_tokens=self.length,
            extra=(*made.extra, *self.extra),
        )

    def _encoder(self, storage: Storage) -> Architecture:
        stack, width = self.encoder, self.encoder.hidden
        final = norms(stack.norms, stack.norms.final, width)
        return Architecture(
            before=filled(of_phase(self.front, PREFILL), self.filled),
            layers=tuple(self._prefilled(layer) for layer in layers_of(stack, storage)),
            after=of_length(of_phase(final, PREFILL), self.length),
        )

    def _prefilled(self, layer: Layer) -> Layer:
        return replace(layer, ops=filled(of_length(of_phase(layer.ops, PREFILL), self.length), self.filled))
