"""Most decoders, read as a table says: each family names how its config differs from the plainest one.

Field names, class defaults and module structure: the transformers library, version 5.24.
"""

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names, QkNorm
from explorer.analysis.models.blocks.norms import PRE, NormScheme
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.drafts import note_drafts
from explorer.analysis.models.config.feedforward import MlpRule, dense
from explorer.analysis.models.config.fields import LAYER_LIMIT, SIZE_LIMIT, Fields
from explorer.analysis.models.config.windows import Windows, full
from explorer.analysis.models.parts import Architecture
from explorer.analysis.models.transformer import Decoder, Mixer, assemble
from explorer.analysis.problem import Value

WindowRule = Callable[[Fields, int], Windows]
MixerRule = Callable[["DecoderReader", Fields, int, int], tuple[Mixer, ...]]
Rotary = Literal["whole", "none"] | Callable[[Fields, int], int]
Bias = str  # "always", "never", or the flag that says it
Finish = Callable[[Fields, Decoder], Decoder]
BASE: Mapping[str, Value | None] = {"tie_word_embeddings": False, "hidden_act": "silu"}
BIASED: Mapping[str, Value | None] = {**BASE, "attention_bias": False}


def as_is(_fields: Fields, decoder: Decoder) -> Decoder:
    """Nothing to add to what a family declares."""
    return decoder


def grouped_query(family: "DecoderReader", fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Grouped-query attention of every layer, which differ in their windows alone."""
    heads = family.size(fields, "num_attention_heads")
    kv_heads = _kv_heads(family, fields, heads)
    fields.check(heads % kv_heads == 0, "model.heads_not_divisible", "num_attention_heads", heads=heads, kv=kv_heads)
    size = head_dim(family, fields, hidden, heads)
    flags = {family.qkv_bias, family.out_bias} - {"always", "never"}
    bias = {"always": True, "never": False, **{name: fields.flag(name) for name in sorted(flags)}}
    base = GroupedQuery(
        hidden=hidden,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=size,
        qkv_bias=bias[family.qkv_bias],
        out_bias=bias[family.out_bias],
        qk_norm=family.qk_norm,
        rotary=_rotary_size(family, fields, size),
        sinks=family.sinks,
        names=family.names,
    )
    return tuple(replace(base, window=window) for window in family.windows(fields, layers))


def _kv_heads(family: "DecoderReader", fields: Fields, heads: int) -> int:
    if family.multi_head:
        return heads
    return fields.size(*family.names_of("num_key_value_heads"), otherwise=heads)


def head_dim(family: "DecoderReader", fields: Fields, hidden: int, heads: int) -> int:
    """Values of a head: `head_dim`, else the width shared out among the heads."""
    derives = not family.multi_head and ("head_dim" in family.defaults or fields.has("head_dim"))
    if not derives:
        fields.check(hidden % heads == 0, "model.hidden_not_divisible", "hidden_size", hidden=hidden, heads=heads)
    derived = max(hidden // heads, 1)
    return derived if family.multi_head else fields.size("head_dim", otherwise=derived)


def _rotary_size(family: "DecoderReader", fields: Fields, head_dim: int) -> int:
    if callable(family.rotary):
        return family.rotary(fields, head_dim)
    return head_dim if family.rotary == "whole" else 0


class DecoderReader(msgspec.Struct, frozen=True):
    """How one model type reads its config; `defaults` are the transformers class defaults it may rely on.

    Fields that its class never reads are `ignored`, whatever they say.
    """

    label: str
    defaults: Mapping[str, Value | None] = msgspec.field(default_factory=lambda: BASE)
    qkv_bias: Bias = "never"
    out_bias: Bias = "never"
    qk_norm: QkNorm = ""
    multi_head: bool = False
    rotary: Rotary = "whole"
    sinks: bool = False
    names: Names = msgspec.field(default_factory=Names)
    norms: NormScheme = PRE
    windows: WindowRule = full
    mixers: MixerRule = grouped_query
    mlps: MlpRule = msgspec.field(default_factory=dense)
    embedding: str = "embed_tokens"
    learned_positions: bool = False
    scaled_embedding: bool = False
    final_softcap: bool = False
    aliases: Mapping[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    ignored: tuple[str, ...] = ()
    finish: Finish = as_is

    def decoder(self, fields: Fields) -> Decoder:
        """The decoder of a config; faults and defaults are left in `fields`."""
        fields = fields.without(*self.ignored) if self.ignored else fields
        hidden = self.size(fields, "hidden_size")
        layers = self.size(fields, "num_hidden_layers", LAYER_LIMIT)
        decoder = Decoder(
            hidden=hidden,
            vocab=self.size(fields, "vocab_size"),
            tied=fields.flag("tie_word_embeddings"),
            mixers=self.mixers(self, fields, hidden, layers),
            mlps=self.mlps(fields, hidden, layers),
            norms=self.norms,
            embedding=self.embedding,
            positions=self.size(fields, "max_position_embeddings") if self.learned_positions else 0,
            scaled_embedding=self.scaled_embedding,
            capped_logits=self.final_softcap and _capped(fields),
            parents=(self.names.parent, "mlp"),
        )
        note_drafts(fields, decoder, fields.config.get("num_nextn_predict_layers"))
        return self.finish(fields, decoder)

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        decoder = self.decoder(fields)
        fields.refuse_faults()
        return assemble(decoder, storage)

    def size(self, fields: Fields, name: str, limit: int = SIZE_LIMIT) -> int:
        """A size by its usual name, read under the names this family gives it."""
        return fields.size(*self.names_of(name), limit=limit)

    def names_of(self, name: str) -> tuple[str, ...]:
        """The names a usual field may stand under in this family's configs, the family's own first."""
        return self.aliases.get(name, (name,))

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        names = self.names_of("max_position_embeddings")
        return fields.size(*names) if fields.has(*names) else None


def _capped(fields: Fields) -> bool:
    """Whether `final_logit_softcapping` is on; absent means the class default."""
    value = fields.config.get("final_logit_softcapping", fields.defaults.get("final_logit_softcapping"))
    return value is not None
