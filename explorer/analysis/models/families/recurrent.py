"""Families with layers that carry a state: Qwen3-Next, Qwen3.5, Mamba, Nemotron-H, RWKV.

Field names, class defaults and module structure: the transformers library, version 5.24; RWKV-5: its own code.
"""

from collections.abc import Mapping
from math import ceil

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.linear_attention import GatedAttention, GatedDeltaNet
from explorer.analysis.models.blocks.mixture import ABSENT, SquaredMlp, UngatedExperts
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.blocks.rwkv import CHANNEL, TIME, ChannelMixing, TimeMixing
from explorer.analysis.models.blocks.state_space import Mamba, Mamba2
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.drafts import note_drafts
from explorer.analysis.models.config.feedforward import dense
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, shown
from explorer.analysis.models.config.layer_lists import kinds_of
from explorer.analysis.models.config.sparse import routed_of
from explorer.analysis.models.families.decoders import BASE, BIASED, Family, grouped_query
from explorer.analysis.models.families.moe import qwen_with_shared
from explorer.analysis.models.parts import Architecture
from explorer.analysis.models.transformer import Decoder, Half, Mixer, assemble
from explorer.analysis.problem import Value

DELTA: Mapping[str, Value | None] = {
    "attention_bias": False,
    "hidden_act": "silu",
    "tie_word_embeddings": False,
    "head_dim": 256,
    "linear_conv_kernel_dim": 4,
    "linear_key_head_dim": 128,
    "linear_value_head_dim": 128,
    "linear_num_key_heads": 16,
    "linear_num_value_heads": 32,
}
ONE_HALF = NormScheme("norm", "", "norm", "", "norm_f")
RWKV_NORMS = NormScheme("ln1", "", "ln2", "", "ln_out", "layer_norm")
LETTERS = {"M": "linear_attention", "E": "moe", "*": "full_attention", "-": "mlp"}
OLD_NAMES = {"mamba": "linear_attention", "attention": "full_attention"}


def _quarter_rotary(fields: Fields, head_dim: int) -> int:
    """A quarter of a head is rotated unless the config says another part."""
    rope = fields.part("rope_parameters")
    stated = rope if rope.has("partial_rotary_factor") else fields
    return int(head_dim * stated.fraction("partial_rotary_factor", otherwise=0.25))


def _delta_mixers(family: Family, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Gated DeltaNet, with gated attention where `layer_types` says so or in every fourth layer."""
    attention = grouped_query(family, fields, hidden, 1)[0]
    key_heads, value_heads = fields.size("linear_num_key_heads"), fields.size("linear_num_value_heads")
    divides = value_heads % key_heads == 0
    fields.check(divides, "model.heads_not_divisible", "linear_num_value_heads", heads=value_heads, kv=key_heads)
    net = GatedDeltaNet(
        hidden,
        key_heads,
        value_heads,
        fields.size("linear_key_head_dim"),
        fields.size("linear_value_head_dim"),
        fields.size("linear_conv_kernel_dim"),
        split=family.label.startswith("Qwen3.5"),
    )
    kinds = kinds_of(fields, "layer_types", layers, ("linear_attention", "full_attention"))
    period = fields.size("full_attention_interval", otherwise=4)
    kinds = kinds or tuple("linear_attention" if (i + 1) % period else "full_attention" for i in range(layers))
    note_states(fields)
    gated = GatedAttention(attention) if isinstance(attention, GroupedQuery) else attention
    return tuple(gated if kind == "full_attention" else net for kind in kinds)


def note_states(fields: Fields) -> None:
    """Say how states are counted."""
    fields.note("model.states_counted")


def _left_out_mtp(fields: Fields, decoder: Decoder) -> Decoder:
    """Layers for multi-token prediction are named, under Qwen3.5's own name for them."""
    note_drafts(fields, decoder, fields.config.get("mtp_num_hidden_layers"))
    return decoder


def _all_sparse(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    whole = Fields({**fields.config, "decoder_sparse_step": 1, "mlp_only_layers": []}, fields.path, fields.defaults)
    whole.problems, whole.notes, whole.assumed = fields.problems, fields.notes, fields.assumed
    return qwen_with_shared(whole, hidden, layers)


class MambaFamily(msgspec.Struct, frozen=True):
    """Stacks of Mamba layers, without feed-forward blocks."""

    label: str
    second: bool = False

    @property
    def defaults(self) -> Mapping[str, Value | None]:
        """The class defaults of either generation."""
        common: Mapping[str, Value | None] = {
            "expand": 2, "conv_kernel": 4, "use_bias": False, "use_conv_bias": True, "hidden_act": "silu",
        }  # fmt: skip
        if self.second:
            own = {"num_heads": 128, "head_dim": 64, "state_size": 128, "n_groups": 8, "tie_word_embeddings": False}
            return {**common, **own}
        return {**common, "state_size": 16, "tie_word_embeddings": True}

    def __call__(self, fields: Fields, storage: Storage) -> Architecture:
        """The architecture of a config; raises `Refused` with the faults found."""
        hidden, layers = fields.size("hidden_size"), fields.size("num_hidden_layers", limit=LAYER_LIMIT)
        mixer = (self._second if self.second else self._first)(fields, hidden)
        decoder = Decoder(
            hidden=hidden,
            vocab=fields.size("vocab_size"),
            tied=fields.flag("tie_word_embeddings"),
            mixers=(mixer,) * layers,
            mlps=(ABSENT,) * layers,
            norms=ONE_HALF,
            embedding="embeddings",
            parents=("mixer", "mixer"),
        )
        note_states(fields)
        fields.refuse_faults()
        return assemble(decoder, storage)

    def max_context(self, fields: Fields) -> int | None:  # noqa: ARG002 - a state has no longest context
        """None: a state holds whatever came before."""
        return None

    def _first(self, fields: Fields, hidden: int) -> Mixer:
        inner = fields.size("expand") * hidden
        automatic = fields.config.get("time_step_rank", "auto") == "auto"
        rank = ceil(hidden / 16) if automatic else fields.size("time_step_rank")
        if fields.has("intermediate_size"):
            stated = fields.size("intermediate_size")
            fields.check(stated == inner, "model.inner_size_differs", "intermediate_size", stated=stated, derived=inner)
        size, kernel = fields.size("state_size"), fields.size("conv_kernel")
        return Mamba(hidden, inner, size, kernel, rank, fields.flag("use_bias"), fields.flag("use_conv_bias"))

    def _second(self, fields: Fields, hidden: int) -> Mixer:
        made = mamba2(fields, hidden, "num_heads", "head_dim", "state_size", "use_bias")
        inner, heads = fields.size("expand") * hidden, made.heads * made.head_dim
        fields.check(inner == heads, "model.inner_size_differs", "num_heads", stated=heads, derived=inner)
        return made


def mamba2(fields: Fields, hidden: int, heads: str, head_dim: str, size: str, bias: str) -> Mamba2:
    """A Mamba-2 layer whose sizes stand under these names."""
    return Mamba2(
        hidden,
        fields.size(heads),
        fields.size(head_dim),
        fields.size(size),
        fields.size("n_groups", "mamba_n_groups"),
        fields.size("conv_kernel", "mamba_d_conv"),
        fields.flag(bias),
        fields.flag("use_conv_bias"),
    )


class NemotronH(msgspec.Struct, frozen=True):
    """Layers of one half each: Mamba-2, attention without positions, experts or a dense block, as a pattern says."""

    label: str = "Nemotron-H"
    defaults: Mapping[str, Value | None] = msgspec.field(
        default_factory=lambda: {
            "tie_word_embeddings": False,
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
        hidden, vocab, tied = fields.size("hidden_size"), fields.size("vocab_size"), fields.flag("tie_word_embeddings")
        act = fields.text("mlp_hidden_act")
        fields.check(act == "relu2", "model.activation_unknown", "mlp_hidden_act", value=shown(act), known="relu2")
        made = {kind: self._half(kind, fields, hidden) for kind in dict.fromkeys(kinds)}
        mixes = {"linear_attention", "full_attention"}
        decoder = Decoder(
            hidden=hidden,
            vocab=vocab,
            tied=tied,
            mixers=tuple(_as_mixer(made[kind]) if kind in mixes else ABSENT for kind in kinds),
            mlps=tuple(ABSENT if kind in mixes else made[kind] for kind in kinds),
            norms=ONE_HALF,
            embedding="embeddings",
            parents=("mixer", "mixer"),
        )
        if "linear_attention" in kinds:
            note_states(fields)
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
            found = kinds_of(fields, name, None, (*LETTERS.values(), *OLD_NAMES)) or ()
            kinds = tuple(OLD_NAMES.get(kind, kind) for kind in found)
        else:
            pattern = fields.text("hybrid_override_pattern")
            known = all(letter in LETTERS for letter in pattern) and 0 < len(pattern) <= LAYER_LIMIT
            fields.check(known, "model.pattern_unread", "hybrid_override_pattern", value=shown(pattern))
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


class RwkvFamily(msgspec.Struct, frozen=True):
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
        note_states(fields)
        fields.refuse_faults()
        return assemble(decoder, storage)

    def _head_size(self, fields: Fields, width: int) -> int | None:
        if not self.fifth:
            return None
        version = fields.config.get("model_version", "5_2")
        fields.check(version == "5_2", "model.rwkv_version", "model_version", value=shown(version))
        size = fields.size("head_size", otherwise=64)
        fields.check(width % size == 0, "model.hidden_not_divisible", "attention_hidden_size", hidden=width, heads=size)
        return size

    def max_context(self, fields: Fields) -> int | None:
        """The context it was trained on, if the config names it."""
        return fields.size("context_length") if fields.has("context_length") else None


QWEN35 = Family(
    "Qwen3.5",
    DELTA,
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    qk_norm="head",
    rotary=_quarter_rotary,
    mixers=_delta_mixers,
    mlps=dense(),
    finish=_left_out_mtp,
)
QWEN35_MOE = replace(QWEN35, label="Qwen3.5 MoE", mlps=_all_sparse)
RECURRENT: dict[str, Family | MambaFamily | NemotronH | RwkvFamily] = {
    "qwen3_next": replace(
        QWEN35,
        label="Qwen3-Next",
        defaults={**DELTA, **BASE, **BIASED, "decoder_sparse_step": 1},
        mlps=qwen_with_shared,
    ),
    "qwen3_5_text": QWEN35,
    "qwen3_5_moe_text": QWEN35_MOE,
    "mamba": MambaFamily("Mamba"),
    "mamba2": MambaFamily("Mamba-2", second=True),
    "nemotron_h": NemotronH(),
    "rwkv": RwkvFamily("RWKV-4"),
    "rwkv5": RwkvFamily("RWKV-5", fifth=True),
}
