"""RWKV-4, and RWKV-5 by its own code."""

from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.blocks.states.rwkv import CHANNEL, TIME, ChannelMixing, TimeMixing
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.parts import Architecture
from explorer.analysis.models.transformer import Decoder, assemble
from explorer.analysis.problem import Value

RWKV_NORMS = NormScheme("ln1", "", "ln2", "", "ln_out", "layer_norm")


class RwkvReader(msgspec.Struct, frozen=True):
    """RWKV-4 and RWKV-5; the head never is the embedding table."""

    label: str
    fifth: bool = False
    defaults: Mapping[str, Value | None] = msgspec.field(default_factory=lambda: {"tie_word_embeddings": False})

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        hidden, layers = fields.size("hidden_size"), fields.size("num_hidden_layers", limit=LAYER_LIMIT)
        width = fields.size("attention_hidden_size", otherwise=hidden)
        derived = int(hidden * 3.5) // 32 * 32 if self.fifth else 4 * hidden
        inner = fields.size("intermediate_size", otherwise=max(derived, 1))
        tied = fields.flag("tie_word_embeddings")
        if tied and self.fifth:
            fields.note("model.head_untied")
        decoder = Decoder(
            hidden=hidden,
            vocab=fields.size("vocab_size"),
            tied=tied and not self.fifth,
            mixers=(TimeMixing(hidden, width, self._head_size(fields, width)),) * layers,
            mlps=(ChannelMixing(hidden, inner),) * layers,
            norms=RWKV_NORMS,
            embedding="embeddings",
            embedding_norm="pre_ln",
            head="head",
            parents=(TIME, CHANNEL),
        )
        fields.note("model.states_counted")
        fields.refuse_faults()
        return assemble(decoder, storage)

    def _head_size(self, fields: Fields, width: int) -> int | None:
        if not self.fifth:
            return None
        version = fields.config.get("model_version", "5_2")
        fields.check(version == "5_2", "model.rwkv_version", "model_version", value=brief(version))
        size = fields.size("head_size", otherwise=64)
        fields.check(width % size == 0, "model.hidden_not_divisible", "attention_hidden_size", hidden=width, heads=size)
        return size

    def max_context(self, fields: Fields) -> int | None:
        """The context it was trained on, if the config names it."""
        return fields.size("context_length") if fields.has("context_length") else None


FAMILIES: Final = (
    Family(("rwkv",), RwkvReader("RWKV-4")),
    Family(("rwkv5",), RwkvReader("RWKV-5", fifth=True)),
)
