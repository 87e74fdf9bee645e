"""Nemotron-H: layers of one half each, as a pattern says."""

from collections.abc import Mapping
from typing import Final

import msgspec

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.mixture import ABSENT, SquaredMlp, UngatedExperts
from explorer.analysis.models.blocks.states.state_space import Mamba2
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.config.layer_lists import FORMER, kinds_of
from explorer.analysis.models.config.sparse import routed_of
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.recurrent.mamba import ONE_HALF, mamba2
from explorer.analysis.models.parts import Architecture
from explorer.analysis.models.transformer import Decoder, Half, Mixer, assemble
from explorer.analysis.problem import Value

LETTERS = {"M": "linear_attention", "E": "moe", "*": "full_attention", "-": "mlp"}


class NemotronH(msgspec.Struct, frozen=True):
    """Layers of one half each: Mamba-2, attention without positions, experts or a dense block, as a pattern says."""

    label: str = "Nemotron-H"
    defaults: Mapping[str, Value | None] = msgspec.field(
        default_factory=lambda: {
            "mlp_bias": False,
            "use_bias": False,
            "use_conv_bias": True,
            "mlp_hidden_act": "relu2",
            "head_dim": 128,
            "num_key_value_heads": 8,
            "mamba_num_heads": 128,
            "mamba_head_dim": 64,
            "ssm_state_size": 128,
            "n_groups": 8,
            "conv_kernel": 4,
            "moe_latent_size": None,
            "n_shared_experts": 1,
        }
    )

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        kinds = self._kinds(fields)
        hidden, vocab = fields.size("hidden_size"), fields.size("vocab_size")
        act = fields.text("mlp_hidden_act")
        fields.check(act == "relu2", "model.activation_unknown", "mlp_hidden_act", value=brief(act), known="relu2")
        made = {kind: self._half(kind, fields, hidden) for kind in dict.fromkeys(kinds)}
        mixes = {"linear_attention", "full_attention"}
        decoder = Decoder(
            hidden=hidden,
            vocab=vocab,
            tied=False,  # the class never ties, whatever a config says
            mixers=tuple(_as_mixer(made[kind]) if kind in mixes else ABSENT for kind in kinds),
            mlps=tuple(ABSENT if kind in mixes else made[kind] for kind in kinds),
            norms=ONE_HALF,
            embedding="embeddings",
            parents=("mixer", "mixer"),
        )
        if "linear_attention" in kinds:
            fields.note("model.states_counted")
        modules = fields.config.get("num_nextn_predict_layers")
        if isinstance(modules, int) and modules > 0:
            fields.note("model.mtp_left_out", layers=int(modules))
        fields.refuse_faults()
        return assemble(decoder, storage)

    def max_context(self, fields: Fields) -> int | None:
        """The longest context the config names, if any."""
        return fields.size("max_position_embeddings") if fields.has("max_position_embeddings") else None

    def _kinds(self, fields: Fields) -> tuple[str, ...]:
        """What each layer is, from `layers_block_type` or the pattern of letters."""
        name = "layers_block_type" if fields.has("layers_block_type") else "layer_types"
        if fields.has(name):
            found = kinds_of(fields, name, None, (*LETTERS.values(), *FORMER)) or ()
            many = len(found) <= LAYER_LIMIT
            fields.check(many, "model.out_of_range", name, value=len(found), least=1, most=LAYER_LIMIT)
            kinds = tuple(FORMER.get(kind, kind) for kind in found)
        else:
            pattern = fields.text("hybrid_override_pattern")
            known = all(letter in LETTERS for letter in pattern) and 0 < len(pattern) <= LAYER_LIMIT
            fields.check(known, "model.pattern_unread", "hybrid_override_pattern", value=brief(pattern))
            kinds = tuple(LETTERS[letter] for letter in pattern) if known else ()
        fields.refuse_faults()
        return kinds

    def _half(self, kind: str, fields: Fields, hidden: int) -> Half:
        if kind == "linear_attention":
            return mamba2(fields, hidden, "mamba_num_heads", "mamba_head_dim", "ssm_state_size", "use_bias")
        if kind == "full_attention":
            return self._attention(fields, hidden)
        bias = fields.flag("mlp_bias")
        if kind == "mlp":
            return SquaredMlp(hidden, fields.size("intermediate_size"), bias)
        routed = routed_of(fields, "n_routed_experts")
        latent = fields.optional_size("moe_latent_size")
        inner, shared = fields.size("moe_intermediate_size"), fields.size("moe_shared_expert_intermediate_size")
        return UngatedExperts(hidden, inner, routed.experts, routed.top_k, shared, latent, bias)

    def _attention(self, fields: Fields, hidden: int) -> Half:
        """Attention without positions and without biases."""
        heads = fields.size("num_attention_heads")
        kv_heads = fields.size("num_key_value_heads", otherwise=heads)
        divides = heads % kv_heads == 0
        fields.check(divides, "model.heads_not_divisible", "num_attention_heads", heads=heads, kv=kv_heads)
        return GroupedQuery(hidden, heads, kv_heads, fields.size("head_dim"), names=Names("mixer"))


def _as_mixer(half: Half) -> Mixer:
    if isinstance(half, Mamba2 | GroupedQuery):
        return half
    return ABSENT


FAMILIES: Final = (Family(("nemotron_h",), NemotronH()),)
