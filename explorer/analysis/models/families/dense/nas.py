"""Decoders whose layers a search has made unalike (Nemotron-NAS, arXiv 2411.19146): `block_configs` says each."""

from collections.abc import Mapping
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery
from explorer.analysis.models.blocks.mixture import ABSENT
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.feedforward import silu
from explorer.analysis.models.config.fields import LAYER_LIMIT, SIZE_LIMIT, Fields, brief
from explorer.analysis.models.families.decoder import BIASED
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.parts import Architecture, Cache, Op, linear
from explorer.analysis.models.transformer import Decoder, Half, Mixer, assemble
from explorer.analysis.problem import Value

MULTIPLE = 256  # inner sizes are rounded up to it
MOST_MULT = 100.0
UNREAD = ("window_length", "num_sink_tokens", "sparsify", "moe", "mamba", "llama4")


class Linear(msgspec.Struct, frozen=True):
    """One linear layer in place of a half."""

    hidden: int
    parent: str
    bias: bool = False

    @property
    def code(self) -> str:
        return "linear layer"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return ()

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - its name is its own
        """The layer."""
        role = "attention" if self.parent == "self_attn" else "mlp"
        if role == "attention":
            return (linear("linear_attn", self.hidden, self.hidden, "attention", parent=self.parent, bias=self.bias),)
        return (linear("linear_mlp", self.hidden, self.hidden, "mlp", parent=self.parent, bias=self.bias),)


class Labelled(msgspec.Struct, frozen=True):
    """Attention told apart by its KV heads, or a block told apart by its inner size."""

    inner: GroupedQuery | GatedMlp

    @property
    def code(self) -> str:
        if isinstance(self.inner, GroupedQuery):
            return f"{self.inner.code}, {self.inner.kv_heads} kv heads"
        return f"dense {self.inner.inner}"

    @property
    def caches(self) -> tuple[Cache, ...]:
        return self.inner.caches if isinstance(self.inner, GroupedQuery) else ()

    def ops(self, *, mixed: bool) -> tuple[Op, ...]:  # noqa: ARG002 - it labels itself
        """Operators in execution order."""
        if isinstance(self.inner, GatedMlp):
            return tuple(replace(op, label=str(self.inner.inner)) for op in self.inner.ops(mixed=False))
        label, differ = f"kv {self.inner.kv_heads}", {"k_proj", "v_proj", "attention", "rotary_emb"}
        return tuple(replace(op, label=label if op.name in differ else "") for op in self.inner.ops(mixed=False))


class NemotronNas(msgspec.Struct, frozen=True):
    """Each layer has attention, a linear layer or nothing, then a block of its own size, a linear layer or nothing."""

    label: str = "Nemotron-NAS"
    defaults: Mapping[str, Value | None] = msgspec.field(default_factory=lambda: {**BIASED, "mlp_bias": False})

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        hidden, layers = fields.size("hidden_size"), fields.size("num_hidden_layers", limit=LAYER_LIMIT)
        heads = fields.size("num_attention_heads")
        blocks = fields.items("block_configs", lambda item: isinstance(item, Mapping))
        if blocks is None:
            fields.check(False, "model.missing", "block_configs")  # noqa: FBT003
            fields.refuse_faults()
        blocks = blocks or ()
        fields.check(
            len(blocks) == layers, "model.layer_types_count", "block_configs", count=len(blocks), layers=layers
        )
        decoder = Decoder(
            hidden=hidden,
            vocab=fields.size("vocab_size"),
            tied=fields.flag("tie_word_embeddings"),
            mixers=tuple(
                self._attention(fields, _half(fields, b, i, "attention"), heads) for i, b in enumerate(blocks)
            ),
            mlps=tuple(self._block(fields, _half(fields, b, i, "ffn")) for i, b in enumerate(blocks)),
        )
        fields.refuse_faults()
        return assemble(decoder, storage)

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        return fields.size("max_position_embeddings") if fields.has("max_position_embeddings") else None

    def _attention(self, fields: Fields, part: Fields, heads: int) -> Mixer:
        hidden, bias = fields.size("hidden_size"), fields.flag("attention_bias")
        if part.flag("no_op", otherwise=False):
            return ABSENT
        if part.flag("replace_with_linear", otherwise=False):
            return Linear(hidden, "self_attn", bias)
        kv_heads = self._kv_heads(part, heads)
        divides = hidden % heads == 0 or fields.has("head_dim")
        fields.check(divides, "model.hidden_not_divisible", "hidden_size", hidden=hidden, heads=heads)
        size = fields.size("head_dim") if fields.has("head_dim") else max(hidden // heads, 1)
        return Labelled(GroupedQuery(hidden, heads, kv_heads, size, qkv_bias=bias, out_bias=bias, rotary=size))

    def _kv_heads(self, part: Fields, heads: int) -> int:
        if part.has("num_key_value_heads"):
            kv_heads = part.size("num_key_value_heads")
            divides = heads % kv_heads == 0
            part.check(divides, "model.heads_not_divisible", "num_key_value_heads", heads=heads, kv=kv_heads)
            return kv_heads
        group = part.size("n_heads_in_group")
        part.check(heads % group == 0, "model.heads_not_divisible", "n_heads_in_group", heads=heads, kv=group)
        return max(heads // group, 1)

    def _block(self, fields: Fields, part: Fields) -> Half:
        hidden, bias = fields.size("hidden_size"), fields.flag("mlp_bias")
        if part.flag("no_op", otherwise=False):
            return ABSENT
        if part.flag("replace_with_linear", otherwise=False):
            return Linear(hidden, "mlp", bias)
        inner = part.size("intermediate_size") if part.has("intermediate_size") else _inner(part, hidden)
        return Labelled(GatedMlp(hidden, inner, silu(fields), bias=bias))


def _half(fields: Fields, block: Mapping[str, Any], index: int, name: str) -> Fields:
    """The fields of one half of one layer; what says more than is read here is a fault."""
    inner = block.get(name)
    part = Fields(inner if isinstance(inner, Mapping) else {}, f"{fields.path}block_configs[{index}].{name}.")
    part.problems, part.notes = fields.problems, fields.notes
    if not isinstance(inner, Mapping):
        fields.fault("model.not_an_object", f"block_configs[{index}].{name}", value=brief(inner))
    for unread in UNREAD:
        if part.has(unread):
            part.fault("model.not_of_this_family", unread, value=brief(part.config[unread]))
    return part


def _inner(part: Fields, hidden: int) -> int:
    """Two thirds of `ffn_mult` x hidden, rounded up to a multiple of 256."""
    mult = part.config.get("ffn_mult")
    sound = isinstance(mult, int | float) and not isinstance(mult, bool) and 0 < mult <= MOST_MULT
    if not sound or not isinstance(mult, int | float):
        part.fault("model.missing" if mult is None else "model.not_a_multiple", "ffn_mult", value=brief(mult))
        return 1
    inner = int(2 * round(mult, 6) * hidden / 3)
    return min(max(inner + -inner % MULTIPLE, 1), SIZE_LIMIT)


FAMILIES: Final = (Family(("nemotron-nas",), NemotronNas()),)
