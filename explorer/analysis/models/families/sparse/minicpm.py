"""MiniCPM (its own code): both halves, embedding and logits are scaled."""

from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.config.feedforward import dense
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.sparse import mixtral_experts
from explorer.analysis.models.families.decoder import BASE, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.parts import Cache, Op, elementwise
from explorer.analysis.models.transformer import Decoder, Half, Mixer


class ScaledMixer(msgspec.Struct, frozen=True):
    """Attention whose output is scaled before it is added."""

    inner: Mixer
    hidden: int

    @property
    def code(self) -> str:
        return self.inner.code

    @property
    def caches(self) -> tuple[Cache, ...]:
        return self.inner.caches

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        scale = elementwise("residual_scale", "scale", self.hidden, "residual", parent="self_attn")
        return (*self.inner.ops(mixed=mixed), scale)


class ScaledMlp(msgspec.Struct, frozen=True):
    """A feed-forward block whose output is scaled before it is added."""

    inner: Half
    hidden: int

    @property
    def code(self) -> str:
        return self.inner.code

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:
        """Operators in execution order."""
        scale = elementwise("residual_scale", "scale", self.hidden, "residual", parent="mlp")
        return (*self.inner.ops(mixed=mixed), scale)


def _minicpm_mlps(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    """`num_experts` of `intermediate_size` in every layer, or dense blocks where there are none."""
    experts = fields.natural("num_experts", otherwise=0) if fields.has("num_experts") else 0
    return (mixtral_experts if experts else dense())(fields, hidden, layers)


def scaled(decoder: Decoder) -> Decoder:
    """Both halves are scaled before they are added."""
    return replace(
        decoder,
        mixers=tuple(ScaledMixer(m, decoder.hidden) for m in decoder.mixers),
        mlps=tuple(ScaledMlp(m, decoder.hidden) for m in decoder.mlps),
    )


def _minicpm(fields: Fields, decoder: Decoder) -> Decoder:
    """Embedding, both halves and logits are scaled."""
    if fields.has("sparse_config"):
        fields.note("model.sparse_config_unread")
    return replace(scaled(decoder), scaled_logits=True)


FAMILIES: Final = (
    Family(
        ("minicpm",),
        DecoderReader(
            "MiniCPM",
            {**BASE, "tie_word_embeddings": True},
            mlps=_minicpm_mlps,
            scaled_embedding=True,
            finish=_minicpm,
        ),
    ),
)
