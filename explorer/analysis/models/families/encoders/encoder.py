"""Encoders: every token sees every other, nothing is cached, nothing is decoded."""

from collections.abc import Callable, Mapping

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.norms import NormScheme, norms
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.parts import Architecture, Op, count_values, elementwise
from explorer.analysis.models.transformer import Decoder, Half, layers_of, lookup
from explorer.analysis.problem import Value
from explorer.analysis.step.phases.ids import PREFILL


class EncoderReader(msgspec.Struct, frozen=True):
    """How one encoder reads its config: its tables, its layers, and the head it is most often trained with.

    `head_in_place_of_pooler` counts the parameters of that head: it is named, not run.
    """

    label: str
    build: Callable[[Fields], "Stack"]
    defaults: Mapping[str, Value | None]
    positions: str = "max_position_embeddings"

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        only("is_decoder", be=False)(fields)
        stack = self.build(fields)
        fields.note("model.encoder_only")
        if not fields.problems:
            fields.note("model.head_left_out", parameters=stack.with_head())
        fields.refuse_faults()
        return stack.architecture(storage)

    def max_context(self, fields: Fields) -> int | None:
        """The longest text the config names, if any."""
        return fields.size(self.positions) if fields.has(self.positions) else None


class Stack(msgspec.Struct, frozen=True):
    """An encoder's parts: `tables` are looked up and added, `pooler` works on each sequence's first token."""

    decoder: Decoder
    tables: tuple[tuple[str, int], ...]
    pooler: tuple[Op, ...] = ()
    head: int = 0

    def architecture(self, storage: Storage) -> Architecture:
        """Its architecture, which has no decode."""
        body, width = self.decoder, self.decoder.hidden
        final = norms(body.norms, body.norms.final, width)
        layers = layers_of(body, storage)
        return Architecture(before=self._before(), layers=layers, after=(*final, *self.pooler), phases=(PREFILL,))

    def with_head(self) -> int:
        """Parameters with the masked-language-model head, which stands in place of the pooler."""
        bare = replace(self, pooler=()).architecture(Storage("bf16", "bf16"))
        own = count_values(t for op in (*bare.before, *bare.after) for t in op.tensors)
        layers = sum(
            len(layer.indices) * count_values(t for op in layer.ops for t in op.tensors) for layer in bare.layers
        )
        return own + layers + self.head

    def _before(self) -> tuple[Op, ...]:
        width = self.decoder.hidden
        found = [lookup(name, rows, width) for name, rows in self.tables[:1]]
        for name, rows in self.tables[1:]:
            found += [lookup(name, rows, width), elementwise(f"{name}.add", "residual_add", width, "embedding")]
        return (*found, *norms(self.decoder.norms, self.decoder.embedding_norm, width))


def sizes_of(fields: Fields, hidden: str, layers: str) -> tuple[int, int, int]:
    """Channels, layers and vocabulary, the first two under names of their own."""
    return fields.size(hidden), fields.size(layers, limit=LAYER_LIMIT), fields.size("vocab_size")


def attention_of(fields: Fields, hidden: int, heads_field: str, names: Names) -> Bidirectional:
    """Attention of one layer; raises no fault but leaves it in `fields`."""
    heads = fields.size(heads_field)
    fields.check(hidden % heads == 0, "model.hidden_not_divisible", heads_field, hidden=hidden, heads=heads)
    return Bidirectional(hidden, heads, max(hidden // heads, 1), names=names)


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
