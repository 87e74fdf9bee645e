"""Most encoders, read as a table says: each family names how it differs from BERT.

Field names, class defaults and module structure: the transformers library, version 5.24.
"""

from collections.abc import Callable

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.mlp import GatedMlp, PlainMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import ACTIVATIONS, PlainNames, activation, gated_activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.families.encoders.encoder import Stack, attention_of
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.heads.encoders import BERT
from explorer.analysis.models.heads.parts import FIRST_TOKENS, Heads
from explorer.analysis.models.parts import Op, elementwise, linear
from explorer.analysis.models.transformer import Decoder, Half, Mixer

Finish = Callable[[Fields, Stack], Stack]
BERT_NORMS = NormScheme("", "attention.output.LayerNorm", "", "output.LayerNorm", "", "layer_norm", on_sum=True)
BERT_NAMES = Names("attention.self", "attention.output.dense", "", "query", "key", "value")
BERT_MLP = PlainNames("intermediate.dense", "act", "output.dense", "")
WORDS = ("word_embeddings", "vocab_size")
POSITIONS = ("position_embeddings", "max_position_embeddings")
TYPES = ("token_type_embeddings", "type_vocab_size")


def as_is(_fields: Fields, stack: Stack) -> Stack:
    """Nothing to add to what a family declares."""
    return stack


class Sizes(msgspec.Struct, frozen=True):
    """The names under which a config has its sizes; older ones stand behind, parted by spaces."""

    hidden: str = "hidden_size"
    layers: str = "num_hidden_layers"
    heads: str = "num_attention_heads"
    inner: str = "intermediate_size"
    act: str = "hidden_act"
    table: str = ""  # the width of the embedding table, where it may be another than the stream's


class Plain(msgspec.Struct, frozen=True):
    """Layers that are all alike; `tables` are looked up and added, each with the field that has its rows.

    `rules` check what may not vary; `finish` adds what a table cannot say.
    """

    heads: Heads = msgspec.field(default_factory=lambda: BERT)
    sizes: Sizes = Sizes()
    tables: tuple[tuple[str, str], ...] = (WORDS, POSITIONS, TYPES)
    names: Names = BERT_NAMES
    norms: NormScheme = BERT_NORMS
    mlp: PlainNames = BERT_MLP
    parents: tuple[str, str] = ("attention", "output")
    pooler: str = "pooler.dense"
    embedding_norm: str = "embeddings.LayerNorm"
    bridge: str = ""
    always_bridged: bool = False
    rotary: bool = False
    head_dim: bool = False  # whether a size of its own is honoured
    gated: bool = False
    bias: bool = True
    rules: tuple[Callable[[Fields], None], ...] = (
        only("position_embedding_type", be="absolute"), only("add_cross_attention", be=False),
    )  # fmt: skip
    finish: Finish = as_is

    def __call__(self, fields: Fields) -> Stack:
        """The stack of a config; faults and defaults are left in `fields`."""
        for rule in self.rules:
            rule(fields)
        hidden, count = (
            fields.size(*self.sizes.hidden.split()),
            fields.size(*self.sizes.layers.split(), limit=LAYER_LIMIT),
        )
        mixer, mlp = self._attention(fields, hidden), self._mlp(fields, hidden)
        tables = tuple((name, fields.size(field)) for name, field in self.tables)
        body = self._body(tables[0][1], hidden, (mixer,) * count, (mlp,) * count)
        return self.finish(fields, self._stack(fields, body, tables))

    def _attention(self, fields: Fields, hidden: int) -> Bidirectional:
        own = self.head_dim and fields.has("head_dim")
        attention = attention_of(fields, hidden, self.sizes.heads, self.names, fields.size("head_dim") if own else 0)
        return replace(attention, rotary=attention.head_dim if self.rotary else 0, bias=self.bias)

    def _mlp(self, fields: Fields, hidden: int) -> Half:
        names = self.mlp
        if self.gated:
            older = fields.config.get("activation_function") == "swiglu" and not fields.has(self.sizes.act)
            gate = "silu" if older else gated_activation(self.sizes.act)(fields)
            return GatedMlp(hidden, fields.size(*self.sizes.inner.split()), gate, parent=names.parent)
        act = activation(fields, self.sizes.act, known=ACTIVATIONS) if self.sizes.act else "gelu"
        return PlainMlp(
            hidden,
            fields.size(*self.sizes.inner.split()),
            act,
            inward=names.inward,
            act=names.act,
            outward=names.outward,
            parent=names.parent,
        )

    def _body(self, vocab: int, hidden: int, mixers: tuple[Mixer, ...], mlps: tuple[Half, ...]) -> Decoder:
        return Decoder(
            hidden, vocab, tied=False, mixers=mixers, mlps=mlps, norms=self.norms,
            embedding_norm=self.embedding_norm, parents=self.parents,
        )  # fmt: skip

    def _stack(self, fields: Fields, body: Decoder, tables: tuple[tuple[str, int], ...]) -> Stack:
        table = self.sizes.table
        width = fields.size(table, otherwise=body.hidden) if table else body.hidden
        return Stack(
            body,
            tables,
            pooler(body.hidden, self.pooler) if self.pooler else (),
            self.heads,
            width=width,
            bridge=self.bridge,
            always_bridged=self.always_bridged,
        )


def pooler(hidden: int, path: str = "pooler.dense") -> tuple[Op, ...]:
    """A linear layer and tanh on the first token of each sequence."""
    parent, _, leaf = path.rpartition(".")
    dense = linear(leaf, hidden, hidden, "projection", parent=parent, rows=FIRST_TOKENS, bias=True, group="head")
    return (dense, elementwise("activation", "scale", hidden, "head", parent=parent or leaf, rows=FIRST_TOKENS))
