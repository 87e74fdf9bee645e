"""BART and its kin: mBART, Pegasus, Marian, M2M-100 and NLLB, Blenderbot."""

from collections.abc import Mapping
from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.mlp import PlainMlp
from explorer.analysis.models.blocks.norms import NormScheme, norms
from explorer.analysis.models.config.feedforward import ACTIVATIONS, FC, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.families.encoders.two_stacks import Crossed, EncoderDecoderReader, TwoStacks
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.heads.pairs import BART as HEADS
from explorer.analysis.models.parts import Op, Tensor, elementwise
from explorer.analysis.models.transformer import Decoder, Mixer, lookup
from explorer.analysis.problem import Value

SELF = Names(out="out_proj")
TABLE = "embed_positions"
Positions = Literal["kept", "computed"]  # a table of parameters, or one that is worked out


class BartLike(msgspec.Struct, frozen=True):
    """How one of them differs: where its norms stand, and what it knows of positions."""

    pre_norm: bool = False
    embedding_norm: bool = True
    final_norm: bool = False
    positions: Positions = "kept"
    spare: int = 0
    own_tables: bool = False  # whether the two sides may have words of their own

    def __call__(self, fields: Fields) -> TwoStacks:
        """Both stacks of a config; faults and defaults are left in `fields`."""
        hidden, vocab, tied = fields.size("d_model"), fields.size("vocab_size"), fields.flag("tie_word_embeddings")
        act = activation(fields, "activation_function", known=ACTIVATIONS)
        heads, counts, inner = (
            tuple(fields.size(f"{side}_{what}", limit=LAYER_LIMIT if what == "layers" else 10**8) for side in SIDES)
            for what in ("attention_heads", "layers", "ffn_dim")
        )
        for side, count in zip(SIDES, heads, strict=True):
            fields.check(
                hidden % count == 0, "model.hidden_not_divisible", f"{side}_attention_heads", hidden=hidden, heads=count
            )
        mlps = tuple(
            PlainMlp(hidden, size, act, inward=FC.inward, act=FC.act, outward=FC.outward, parent="") for size in inner
        )
        split = self.own_tables and not fields.flag("share_encoder_decoder_embeddings")
        written = fields.size("decoder_vocab_size", otherwise=vocab) if split else vocab
        encoder = Decoder(
            hidden, vocab, tied=tied, mixers=self.encoder_mixers(fields, hidden, heads[0], counts[0]),
            mlps=(mlps[0],) * counts[0], norms=self._norms(crossed=False), parents=("self_attn", ""),
        )  # fmt: skip
        decoder = replace(
            encoder,
            vocab=written,
            mixers=(self._crossed(hidden, heads[1]),) * counts[1],
            mlps=(mlps[1],) * counts[1],
            norms=self._norms(crossed=True),
            embedding="embed_tokens",
            embedding_norm=self._embedding_norm,
            positions=self._rows(fields, "decoder") if self.positions == "kept" else 0,
            position_table=TABLE,
            scaled_embedding=self._scaled(fields),
            parents=("encoder_attn", ""),
        )
        start = self._computed(hidden) if self.positions == "computed" else ()
        return TwoStacks(
            encoder, decoder, self._front(fields, hidden, vocab), start, shared_table=tied and not split,
            extra=() if tied or split else (Tensor("shared.weight", vocab * hidden, "embedding"),),
        )  # fmt: skip

    def encoder_mixers(self, fields: Fields, hidden: int, heads: int, layers: int) -> tuple[Mixer, ...]:  # noqa: ARG002
        """Attention of the encoder's layers."""
        return (Bidirectional(hidden, heads, max(hidden // heads, 1), names=SELF),) * layers

    def _norms(self, *, crossed: bool) -> NormScheme:
        first, last = "self_attn_layer_norm", "final_layer_norm"
        final = "layer_norm" if self.final_norm else ""
        if self.pre_norm:
            return NormScheme(first, "", last, "", final, "layer_norm")
        after = "encoder_attn_layer_norm" if crossed else first
        return NormScheme("", after, "", last, final, "layer_norm", on_sum=True)

    def _crossed(self, hidden: int, heads: int) -> Crossed:
        size = max(hidden // heads, 1)
        own = GroupedQuery(hidden, heads, heads, size, qkv_bias=True, out_bias=True, names=SELF)
        between = "encoder_attn_layer_norm" if self.pre_norm else "self_attn_layer_norm"
        return Crossed(own, self._norms(crossed=True), between, replace(SELF, parent="encoder_attn"))

    @property
    def _embedding_norm(self) -> str:
        return "layernorm_embedding" if self.embedding_norm else ""

    def _scaled(self, fields: Fields) -> bool:
        return fields.flag("scale_embedding")

    def _rows(self, fields: Fields, side: str) -> int:  # noqa: ARG002
        return fields.size("max_position_embeddings") + self.spare

    def _front(self, fields: Fields, hidden: int, vocab: int) -> tuple[Op, ...]:
        """The encoder's table, positions and norm."""
        scaled = (elementwise("embed_scale", "scale", hidden, "embedding"),) if self._scaled(fields) else ()
        placed = self._computed(hidden) if self.positions == "computed" else (
            lookup(TABLE, self._rows(fields, "encoder"), hidden),
            elementwise(f"{TABLE}.add", "residual_add", hidden, "embedding"),
        )  # fmt: skip
        named = norms(self._norms(crossed=False), self._embedding_norm, hidden)
        return (lookup("embed_tokens", vocab, hidden), *scaled, *placed, *named)

    def _computed(self, hidden: int) -> tuple[Op, ...]:
        return (elementwise(f"{TABLE}.add", "residual_add", hidden, "embedding"),)


SIDES = ("encoder", "decoder")
DEFAULTS: Mapping[str, Value | None] = {
    "activation_function": "gelu", "max_position_embeddings": 1024, "scale_embedding": False,
    "tie_word_embeddings": True,
}  # fmt: skip
LIMIT: Final = "max_position_embeddings"
PRE: Final = BartLike(pre_norm=True, embedding_norm=False, final_norm=True)


def _family(model_type: str, label: str, build: BartLike, *, labels: int = 2, **defaults: Value | None) -> Family:
    return Family((model_type,), EncoderDecoderReader(label, build, {**DEFAULTS, **defaults}, LIMIT, HEADS, labels))


FAMILIES: Final = (
    _family("bart", "BART", BartLike(spare=2), labels=3),
    _family("mbart", "mBART", BartLike(pre_norm=True, final_norm=True, spare=2)),
    _family("pegasus", "Pegasus", PRE),
    _family("blenderbot", "Blenderbot", PRE, max_position_embeddings=128),
    _family("marian", "Marian", BartLike(embedding_norm=False, own_tables=True), share_encoder_decoder_embeddings=True),
    _family("m2m_100", "M2M-100", replace(PRE, positions="computed"), activation_function="relu", scale_embedding=True),
)
