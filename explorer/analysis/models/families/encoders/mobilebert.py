"""MobileBERT: narrow layers between a stream that is wide, several feed-forward blocks in each."""

from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import attention_dims
from explorer.analysis.models.blocks.mlp import Activation
from explorer.analysis.models.blocks.norms import NormScheme, norm
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.families.encoders.encoder import EncoderReader, Stack
from explorer.analysis.models.families.encoders.plain import POSITIONS, TYPES, pooler
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.heads.encoders import MOBILEBERT
from explorer.analysis.models.parts import Cache, Op, Tensor, elementwise, linear
from explorer.analysis.models.transformer import Decoder, lookup

NONE = NormScheme("", "", "", "", "")
TRIGRAM: Final = 3  # a token's row, and those beside it
SCALE_AND_SHIFT: Final = 2.0


class Narrow(msgspec.Struct, frozen=True):
    """What both halves share: widths of the stream, of a layer, of its blocks; whether norms are norms."""

    hidden: int
    width: int
    inner: int
    activation: Activation
    normed: bool

    def scaled(self, parent: str, channels: int) -> Op:
        """A layer norm, or a scale and a shift in its place."""
        if self.normed:
            return norm("LayerNorm", channels, parent=parent, kind="layer_norm")
        plain = elementwise("LayerNorm", "scale", channels, "norm", parent=parent)
        owned = Tensor(f"{parent}.LayerNorm.weight", 2 * channels, "bias")
        return replace(plain, dims=(*plain.dims, ("per_value", SCALE_AND_SHIFT)), tensors=(owned,))

    def led(self, parent: str, inputs: int, outputs: int, *, added: bool = True) -> tuple[Op, ...]:
        """A linear layer, what it is added to, and its norm."""
        add = (elementwise("residual_add", "residual_add", outputs, "residual", parent=parent),) if added else ()
        return (linear("dense", inputs, outputs, "mlp", parent=parent, bias=True), *add, self.scaled(parent, outputs))

    def block(self, parent: str) -> tuple[Op, ...]:
        """Two linear layers."""
        lead = f"{parent}." if parent else ""
        inward = linear("dense", self.width, self.inner, "mlp", parent=f"{lead}intermediate", bias=True)
        act = elementwise(
            "intermediate_act_fn", self.activation, self.inner, "activation", parent=f"{lead}intermediate"
        )
        return (inward, act, *self.led(f"{lead}output", self.inner, self.width))


class NarrowAttention(msgspec.Struct, frozen=True):
    """Queries and keys of a narrow copy of the stream, values of the stream itself."""

    sizes: Narrow
    heads: int

    @property
    def code(self) -> str:
        return "bidirectional"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - layers are all alike
        """Operators in execution order."""
        own, parent, size = self.sizes, "attention.self", self.sizes.width // self.heads
        inputs = (("query", own.width), ("key", own.width), ("value", own.hidden))
        dims = {**dict(attention_dims(self.heads, self.heads, size, size)), "causal": 0.0}
        return (
            *own.led("bottleneck.input", own.hidden, own.width, added=False),
            *own.led("bottleneck.attention", own.hidden, own.width, added=False),
            *(linear(name, width, own.width, "attention", parent=parent, bias=True) for name, width in inputs),
            Op("attention", "attention", tuple(dims.items()), "attention", parent=parent, keys="stored"),
            *own.led("attention.output", own.width, own.width),
        )


class NarrowBlocks(msgspec.Struct, frozen=True):
    """Blocks in a row, then the way back to the stream."""

    sizes: Narrow
    count: int

    @property
    def code(self) -> str:
        return "dense"

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - layers are all alike
        """Operators in execution order."""
        before = (op for index in range(self.count - 1) for op in self.sizes.block(f"ffn.{index}"))
        back = self.sizes.led("output.bottleneck", self.sizes.width, self.sizes.hidden)
        return (*before, *self.sizes.block(""), *back)


def _mobilebert(fields: Fields) -> Stack:
    """MobileBERT (transformers MobileBertModel) with the bottlenecks that its checkpoints have."""
    for name, known in (
        ("use_bottleneck", True), ("use_bottleneck_attention", False), ("key_query_shared_bottleneck", True),
        ("trigram_input", True), ("classifier_activation", True),
    ):  # fmt: skip
        only(name, be=known)(fields)
    hidden, width = fields.size("hidden_size"), fields.size("intra_bottleneck_size")
    table, vocab = fields.size("embedding_size"), fields.size("vocab_size")
    heads, layers = fields.size("num_attention_heads"), fields.size("num_hidden_layers", limit=LAYER_LIMIT)
    fields.check(width % heads == 0, "model.hidden_not_divisible", "num_attention_heads", hidden=width, heads=heads)
    fields.check(table <= hidden, "model.out_of_range", "embedding_size", value=str(table), least=1, most=hidden)
    kind = fields.text("normalization_type")
    if kind not in {"no_norm", "layer_norm"}:
        fields.fault("model.variant_unread", "normalization_type", value=brief(kind), known="no_norm, layer_norm")
    act = activation(fields, "hidden_act", known=ACTIVATIONS)
    sizes = Narrow(hidden, width, fields.size("intermediate_size"), act, kind == "layer_norm")
    blocks = NarrowBlocks(sizes, fields.size("num_feedforward_networks", limit=LAYER_LIMIT))
    body = Decoder(
        hidden, vocab, tied=False, mixers=(NarrowAttention(sizes, heads),) * layers, mlps=(blocks,) * layers,
        norms=NONE, residuals=False,
    )  # fmt: skip
    wide = linear(
        "embedding_transformation", TRIGRAM * table, hidden, "projection", parent="", bias=True, group="embedding"
    )
    more = [wide]
    for name, field in (POSITIONS, TYPES):
        more += [
            lookup(name, fields.size(field), hidden),
            elementwise(f"{name}.add", "residual_add", hidden, "embedding"),
        ]
    more.append(sizes.scaled("embeddings", hidden))
    return Stack(body, (("word_embeddings", vocab),), pooler(hidden), MOBILEBERT, width=table, more=tuple(more))


FAMILIES: Final = (
    Family(
        ("mobilebert",),
        EncoderReader(
            "MobileBERT",
            _mobilebert,
            {
                "hidden_act": "relu",
                "max_position_embeddings": 512,
                "type_vocab_size": 2,
                "embedding_size": 128,
                "intra_bottleneck_size": 128,
                "num_feedforward_networks": 4,
                "normalization_type": "no_norm",
                "tie_word_embeddings": True,
            },
        ),
    ),
)
