"""Zamba and Zamba2: Mamba layers, some of them behind a transformer block that they share."""

from collections.abc import Mapping
from typing import Final

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.mixture import ABSENT
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.blocks.states.shared_transformer import SharedTransformer, ZambaLayer
from explorer.analysis.models.blocks.states.state_space import Mamba, Mamba2
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.feedforward import silu
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.config.layer_lists import kinds_of
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.recurrent.mixers import first_mamba
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.parts import Architecture
from explorer.analysis.models.transformer import Decoder, assemble
from explorer.analysis.problem import Value

HYBRID, MAMBA = "hybrid", "linear_attention"
COMMON: Mapping[str, Value | None] = {
    "tie_word_embeddings": True,
    "hidden_act": "gelu",
    "mamba_d_conv": 4,
    "mamba_expand": 2,
}
DEFAULTS: Mapping[str, Value | None] = {
    **COMMON,
    "n_mamba_heads": 2,
    "hidden_mamba_act": "silu",
    "mamba_d_state": 16,
    "mamba_conv_bias": True,
    "mamba_proj_bias": False,
    "attn_layer_period": 6,
    "attn_layer_offset": 4,
}
SECOND: Mapping[str, Value | None] = {
    **COMMON,
    "n_mamba_heads": 8,
    "mamba_d_state": 64,
    "mamba_ngroups": 1,
    "num_mem_blocks": 1,
    "adapter_rank": 128,
    "use_shared_attention_adapter": False,
    "use_mem_rope": False,
}
# where the class of Zamba2 puts its shared block when the config does not say: of 54 layers
PLACES = frozenset({6, 12, 18, 24, 30, 36, 42, 47, 51})


class ZambaReader(msgspec.Struct, frozen=True):
    """One reader for both: the second has Mamba-2, several shared blocks, and adapters in each layer that uses one."""

    label: str
    second: bool = False

    @property
    def defaults(self) -> Mapping[str, Value | None]:
        return SECOND if self.second else DEFAULTS

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        hidden, layers = fields.size("hidden_size"), fields.size("num_hidden_layers", limit=LAYER_LIMIT)
        kinds = self._kinds(fields, layers)
        plain = ZambaLayer(hidden, self._second(fields, hidden) if self.second else self._first(fields, hidden))
        shared = self._shared(fields, hidden)
        uses = kinds.count(HYBRID)
        tied = fields.flag("tie_word_embeddings")  # the class shares nothing without it
        blocks = min(uses, fields.size("num_mem_blocks") if self.second else 1) if tied else uses
        decoder = Decoder(
            hidden=hidden,
            vocab=fields.size("vocab_size"),
            tied=tied,
            mixers=tuple(replace(plain, shared=shared) if kind == HYBRID else plain for kind in kinds),
            mlps=(ABSENT,) * len(kinds),
            norms=NormScheme("", "", "", "", "final_layernorm"),
            parents=("mamba", "mamba"),
            extra=tuple(replace(t, count=blocks, active=blocks) for t in shared.tensors() if blocks),
        )
        fields.note("model.states_counted")
        fields.refuse_faults()
        return assemble(decoder, storage)

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        return fields.size("max_position_embeddings") if fields.has("max_position_embeddings") else None

    def _kinds(self, fields: Fields, layers: int) -> tuple[str, ...]:
        name = "layers_block_type" if fields.has("layers_block_type") else "layer_types"
        found = kinds_of(fields, name, layers, (MAMBA, HYBRID, "mamba"))
        if found is not None:
            return tuple(HYBRID if kind == HYBRID else MAMBA for kind in found)
        if self.second:
            known = 54
            fields.check(layers == known, "model.layer_types_count", name, count=known, layers=layers)
            return tuple(HYBRID if i in PLACES else MAMBA for i in range(layers))
        period, offset = fields.size("attn_layer_period"), fields.natural("attn_layer_offset")
        later = (HYBRID if i % period == offset else MAMBA for i in range(layers - 3))
        return (MAMBA, MAMBA, HYBRID, *later)[:layers]

    def _first(self, fields: Fields, hidden: int) -> Mamba:
        only("hidden_mamba_act", be="silu")(fields)
        plain = Fields({**fields.config, "hidden_act": "silu"}, fields.path, fields.defaults)
        plain.problems, plain.notes, plain.assumed = fields.problems, fields.notes, fields.assumed
        made = first_mamba(plain, hidden)
        heads = fields.size("n_mamba_heads")
        fields.check(
            made.inner % heads == 0, "model.hidden_not_divisible", "n_mamba_heads", hidden=made.inner, heads=heads
        )
        return replace(made, heads=heads)

    def _second(self, fields: Fields, hidden: int) -> Mamba2:
        only("add_bias_linear", be=False)(fields)
        only("tie_word_embeddings", be=True)(fields)
        heads, width = fields.size("n_mamba_heads"), fields.size("mamba_expand") * hidden
        each = fields.size("mamba_headdim", otherwise=max(width // heads, 1))
        fields.check(
            each * heads == width, "model.inner_size_differs", "n_mamba_heads", stated=each * heads, derived=width
        )
        sizes = fields.size("mamba_d_state"), fields.size("mamba_ngroups"), fields.size("mamba_d_conv")
        return Mamba2(hidden, heads, each, *sizes, parent="mamba")

    def _shared(self, fields: Fields, hidden: int) -> SharedTransformer:
        parent = "shared_transformer" if self.second else "shared_transf"
        inner = fields.size("intermediate_size", otherwise=4 * hidden)
        block = GatedMlp(hidden, inner, silu(fields), parent=f"{parent}.feed_forward")
        made = SharedTransformer(hidden, self._attention(fields, hidden, parent), block, parent)
        if not self.second:
            return made
        rank, adapted = fields.size("adapter_rank"), fields.flag("use_shared_attention_adapter")
        return replace(made, mlp=replace(block, fused="gate_up_proj"), rank=rank, adapted=adapted)

    def _attention(self, fields: Fields, hidden: int, parent: str) -> GroupedQuery:
        heads = fields.size("num_attention_heads")
        kv_heads = fields.size("num_key_value_heads", otherwise=heads)
        fields.check(
            heads % kv_heads == 0, "model.heads_not_divisible", "num_attention_heads", heads=heads, kv=kv_heads
        )
        wide = fields.size("attention_hidden_size", otherwise=2 * hidden)
        fields.check(
            wide == 2 * hidden, "model.inner_size_differs", "attention_hidden_size", stated=wide, derived=2 * hidden
        )
        size = fields.size("attention_head_dim", "head_dim", otherwise=max(2 * hidden // heads, 1))
        turned = size if self.second and fields.flag("use_mem_rope") else 0
        names = Names(f"{parent}.self_attn")
        return GroupedQuery(wide, heads, kv_heads, size, rotary=turned, names=names, width_out=hidden)


FAMILIES: Final = (
    Family(("zamba",), ZambaReader("Zamba")),
    Family(("zamba2",), ZambaReader("Zamba2", second=True)),
)
