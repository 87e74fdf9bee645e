"""Encoders: every token sees every other, nothing is cached, nothing is decoded."""

from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.norms import NormScheme, norms
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.heads.named import BASE, class_of, kind_of, labels_of
from explorer.analysis.models.heads.parts import ClassHead, Dense, Heads, HeadWidths, Spliced, reads_table
from explorer.analysis.models.model import values_of
from explorer.analysis.models.parts import Architecture, Op, elementwise, filled, linear
from explorer.analysis.models.transformer import Decoder, Half, layers_of, lookup
from explorer.analysis.problem import Value
from explorer.analysis.step.phases.ids import PREFILL


class EncoderReader(msgspec.Struct, frozen=True):
    """How one encoder reads its config: its tables, its layers, and the heads that its classes have."""

    label: str
    build: Callable[[Fields], "Stack"]
    defaults: Mapping[str, Value | None]
    positions: str = "max_position_embeddings"

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        only("is_decoder", be=False)(fields)
        stack = self.build(fields)
        fields.note("model.encoder_only")
        fields.refuse_faults()
        return _with_head(stack, fields, storage)

    def max_context(self, fields: Fields) -> int | None:
        """The longest text the config names, if any."""
        return fields.size(self.positions) if fields.has(self.positions) else None


class Stack(msgspec.Struct, frozen=True):
    """An encoder's parts: `tables` are looked up and added, `pooler` works on each sequence's first token.

    The tables are `width` wide where that is not the stream's width, which `bridge` then leads over to. `more` runs
    once before the layers. `outer` and `inner` are widths that only its heads have. Texts are
    `filled` up to a multiple of so many tokens.
    """

    decoder: Decoder
    tables: tuple[tuple[str, int], ...]
    pooler: tuple[Op, ...] = ()
    heads: Heads = msgspec.field(default_factory=dict)
    width: int = 0
    bridge: str = ""
    always_bridged: bool = False
    more: tuple[Op, ...] = ()
    outer: int = 0
    inner: int = 0
    filled: int = 0

    def architecture(self, storage: Storage, head: ClassHead, widths: HeadWidths) -> Architecture:
        """Its architecture, which has no decode, with a head behind."""
        body, width = self.decoder, self.decoder.hidden
        final = norms(body.norms, body.norms.final, width)
        alike = layers_of(body, storage)
        layers = tuple(replace(layer, ops=filled(layer.ops, self.filled)) for layer in alike)
        after = (*final, *(self.pooler if head.pooled else ()), *head.ops(widths))
        tied = widths.tied and any(reads_table(part) for part in head.parts)
        before = filled(self._before(tied=tied), self.filled)
        return Architecture(before, layers, after, body.extra, tied=tied, phases=(PREFILL,))

    def widths(self, labels: int, *, tied: bool) -> HeadWidths:
        """What its heads are made of."""
        table = self.width or self.decoder.hidden
        return HeadWidths(self.decoder.hidden, self.decoder.vocab, labels, table, self.outer, self.inner, tied)

    def _before(self, *, tied: bool) -> tuple[Op, ...]:
        width = self.width or self.decoder.hidden
        found = [lookup(name, rows, width, tied=tied) for name, rows in self.tables[:1]]
        for name, rows in self.tables[1:]:
            found += [lookup(name, rows, width), elementwise(f"{name}.add", "residual_add", width, "embedding")]
        found += norms(self.decoder.norms, self.decoder.embedding_norm, width)
        if self.bridge and (width != self.decoder.hidden or self.always_bridged):
            found.append(
                linear(self.bridge, width, self.decoder.hidden, "projection", parent="", bias=True, group="embedding")
            )
        return (*found, *self.more)


def _with_head(stack: Stack, fields: Fields, storage: Storage) -> Architecture:
    """The stack with the head of the class that the config names; what is not known, or not named, is told."""
    named = class_of(fields)
    kind = kind_of(named)
    head = stack.heads.get(kind or BASE)
    if named and (head is None or not kind):
        fields.note("model.head_unknown", value=brief(named))
    masked = stack.heads.get("ForMaskedLM")
    if not named and masked is not None:
        bare = Fields(fields.config, defaults=fields.defaults)
        other = stack.widths(1, tied=bare.flag("tie_word_embeddings"))
        fields.note(
            "model.head_left_out", parameters=values_of(stack.architecture(Storage("bf16", "bf16"), masked, other))
        )
    head = head or ClassHead(pooled=True)
    uses = {part.outputs for part in head.parts if isinstance(part, Dense | Spliced)}
    labels = labels_of(fields) if "labels" in uses else 0
    tied = "vocab" in uses and fields.flag("tie_word_embeddings")
    fields.refuse_faults()
    return stack.architecture(storage, head, stack.widths(labels, tied=tied))


def sizes_of(fields: Fields, hidden: str, layers: str) -> tuple[int, int, int]:
    """Channels, layers and vocabulary, the first two under names of their own."""
    return fields.size(hidden), fields.size(layers, limit=LAYER_LIMIT), fields.size("vocab_size")


def attention_of(fields: Fields, hidden: int, heads_field: str, names: Names, head_dim: int = 0) -> Bidirectional:
    """Attention of one layer, with heads of `head_dim` where it is stated; a fault is left in `fields`."""
    heads = fields.size(*heads_field.split())
    whole = bool(head_dim) or hidden % heads == 0
    fields.check(whole, "model.hidden_not_divisible", heads_field.split(maxsplit=1)[0], hidden=hidden, heads=heads)
    return Bidirectional(hidden, heads, head_dim or max(hidden // heads, 1), names=names)


def body_of(
    hidden: int,
    vocab: int,
    attention: Bidirectional,
    mlp: Half,
    layers: int,
    scheme: NormScheme,
    parents: tuple[str, str],
) -> Decoder:
    """Layers that are all alike."""
    return Decoder(
        hidden, vocab, tied=False, mixers=(attention,) * layers, mlps=(mlp,) * layers, norms=scheme, parents=parents
    )
