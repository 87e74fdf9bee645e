"""LongT5: T5 whose encoder looks at the blocks beside a token, and at means of all blocks where it is asked to."""

from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names, attention_dims
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.in_blocks import Blocks, InBlocks
from explorer.analysis.models.blocks.norms import norm
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.families.encoders.relative import relative_bias
from explorer.analysis.models.families.encoders.t5 import T5_DEFAULTS, T5_NORMS, t5_always_tied
from explorer.analysis.models.families.encoders.two_stacks import EncoderDecoderReader, TwoStacks
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.heads.parts import ClassHead
from explorer.analysis.models.parts import Cache, Dim, Op, Per, linear

LOCAL, GLOBAL = "local", "transient-global"


class WithMeans(msgspec.Struct, frozen=True):
    """Attention in blocks, and to the mean of every `size` tokens, after a norm and the same projections."""

    own: InBlocks
    size: int

    @property
    def code(self) -> str:
        return f"{self.own.code} + 1 in {self.size}"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        own = self.own.ops(mixed=mixed)
        at = next(i for i, op in enumerate(own) if op.kind == "block_attention")
        return (*own[:at], *self._means(), own[at], self._attended(), *own[at + 1 :])

    def _means(self) -> tuple[Op, ...]:
        plain, parent, rows = self.own.plain, self.own.plain.names.parent, Per("tokens", 1 / self.size)
        width = plain.heads * plain.head_dim
        summed: tuple[tuple[str, Dim], ...] = (
            ("b", Per("batch")), ("m", Per("queries", 1 / self.size)), ("n", float(plain.hidden)),
            ("k", Per("queries")),
        )  # fmt: skip
        scaled = norm("global_input_layer_norm", plain.hidden, parent=parent)
        scaled = replace(scaled, dims=tuple((name, rows if name == "rows" else value) for name, value in scaled.dims))
        sides = (
            linear(name, plain.hidden, width, "attention", parent=parent, rows=rows)
            for name in (plain.names.k, plain.names.v)
        )
        means = Op("means", "batched_matmul", summed, "attention", parent=parent)
        return (means, scaled, *(replace(op, tensors=(), label="means") for op in sides))

    def _attended(self) -> Op:
        plain = self.own.plain
        dims = dict(attention_dims(plain.heads, plain.heads, plain.head_dim, plain.head_dim))
        dims |= {"S_k": Per("keys", 1 / self.size), "causal": 0.0, "cached": 0.0}
        parent = plain.names.parent
        return Op(
            "attention", "attention", tuple(dims.items()), "attention", parent=parent, keys="stored", label="means"
        )


def _longt5(fields: Fields) -> TwoStacks:
    """Both stacks (transformers LongT5ForConditionalGeneration)."""
    pair = t5_always_tied(fields, bias_each=False)
    kind = fields.text("encoder_attention_type")
    if kind not in {LOCAL, GLOBAL}:
        fields.fault("model.variant_unread", "encoder_attention_type", value=brief(kind), known=f"{LOCAL}, {GLOBAL}")
    block, heads = fields.size("local_radius") + 1, fields.size("num_heads")
    parent = "LocalSelfAttention" if kind == LOCAL else "TransientGlobalSelfAttention"
    names = Names(parent, "o", "", "q", "k", "v")
    plain = Bidirectional(pair.encoder.hidden, heads, fields.size("d_kv"), bias=False, names=names)
    mixer = InBlocks(plain, Blocks(block, 3, 0, 3, 0, reach=block - 1))
    several = kind == GLOBAL
    chosen = WithMeans(mixer, fields.size("global_block_size")) if several else mixer
    encoder = replace(
        pair.encoder, mixers=(chosen,) * len(pair.encoder.mixers), norms=T5_NORMS, parents=(parent, "DenseReluDense")
    )
    buckets = fields.size("relative_attention_num_buckets")
    far = (relative_bias(heads, buckets, "global_relative_attention_bias"),) if several else ()
    return replace(pair, encoder=encoder, front=(*pair.front, *far))


FAMILIES: Final = (
    Family(
        ("longt5",),
        EncoderDecoderReader(
            "LongT5",
            _longt5,
            {**T5_DEFAULTS, "encoder_attention_type": LOCAL, "local_radius": 127, "global_block_size": 16},
            heads={"EncoderModel": ClassHead()},
        ),
    ),
)
