"""Decoders with experts in blocks of their own: DBRX, JetMoE, LongCat-Flash."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.mla import Latent
from explorer.analysis.models.blocks.moe import Experts
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.blocks.single.attention_experts import AttentionExperts, BiasedExperts
from explorer.analysis.models.blocks.single.shortcut import FirstAttention, ShortcutRest
from explorer.analysis.models.config.feedforward import gated_activation, silu
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.sparse import routed_of
from explorer.analysis.models.families.decoder import BIASED, DecoderReader, grouped_query
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only, shaped
from explorer.analysis.models.families.sparse.deepseek import latent
from explorer.analysis.models.transformer import Decoder, Half, Mixer


def _dbrx_mixers(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """As many KV heads as `attn_config` says."""
    kv_heads = fields.part("attn_config").size("kv_n_heads")
    return grouped_query(family, fields.restated(num_key_value_heads=kv_heads), hidden, layers)


def _dbrx_experts(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    part = fields.part("ffn_config")
    routed = routed_of(part, "moe_num_experts", top_k=("moe_top_k",))
    act = part.part("ffn_act_fn")
    block = Experts(
        hidden,
        part.size("ffn_hidden_size"),
        routed.experts,
        routed.top_k,
        activation=gated_activation("name")(act) if act.has("name") else "silu",
        router="router.layer",
        parent="ffn",
        names=("mlp.w1", "mlp.v1", "mlp.w2"),
    )
    return (block,) * layers


def _jetmoe_mixers(_family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    routed = routed_of(fields, "num_local_experts")
    kv_heads = fields.size("num_key_value_heads")
    size = fields.size("head_dim" if fields.has("head_dim") else "kv_channels")  # one field of two names
    return (AttentionExperts(hidden, kv_heads, size, routed.experts, routed.top_k),) * layers


def _jetmoe_experts(fields: Fields, hidden: int, layers: int) -> tuple[Half, ...]:
    routed = routed_of(fields, "num_local_experts")
    act = gated_activation("activation_function")(fields)
    inner = fields.size("intermediate_size")
    block = Experts(hidden, inner, routed.experts, routed.top_k, activation=act, router="router.layer", fused=True)
    return (BiasedExperts(block),) * layers


def _longcat_mixers(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    made = latent(family, fields, hidden, layers)
    if fields.has("qk_head_dim") and isinstance(made[0], Latent):
        only("qk_head_dim", be=made[0].nope + made[0].rope)(fields)
    return tuple(FirstAttention(one) if isinstance(one, Latent) else one for one in made)


def _longcat(fields: Fields, decoder: Decoder) -> Decoder:
    """Experts beside the rest of each layer; of the router's choices some are no experts at all."""
    first = decoder.mixers[0]
    if not isinstance(first, FirstAttention):
        return decoder
    routed = routed_of(fields, "n_routed_experts", "num_local_experts", top_k=("moe_topk", "num_experts_per_tok"))
    zero = fields.natural("zero_expert_num") if fields.config.get("zero_expert_num", 0) is not None else 0
    choices = routed.experts + zero
    used, left = divmod(routed.top_k * routed.experts, choices)
    fields.check(left == 0, "model.variant_unread", "zero_expert_num", value=str(zero), known="a whole share")
    if zero:
        fields.note("model.zero_experts", picks=routed.top_k, zero=zero, choices=choices, used=used)
    experts = Experts(
        decoder.hidden,
        fields.size("expert_ffn_hidden_size", "moe_intermediate_size"),
        routed.experts,
        used,
        activation=silu(fields),
        router="router.classifier",
        router_bias=fields.flag("router_bias"),
    )
    inner = fields.size("ffn_hidden_size", "intermediate_size")
    rest = ShortcutRest(first.latent, experts, inner, choices)
    return replace(decoder, mlps=(rest,) * len(decoder.mixers), norms=NormScheme("", "", "", ""), residuals=False)


def _later(_fields: Fields, _hidden: int, layers: int) -> tuple[Half, ...]:
    """Nothing yet: what follows the first attention needs that attention."""
    return (Experts(1, 1, 1, 1),) * layers


DBRX = DecoderReader(
    "DBRX",
    {"tie_word_embeddings": False, "kv_n_heads": 1},
    names=Names("norm_attn_norm.attn", "out_proj", "Wqkv"),
    norms=NormScheme("norm_attn_norm.norm_1", "", "norm_attn_norm.norm_2", "", "norm_f", "layer_norm", weights=1),
    mixers=_dbrx_mixers,
    mlps=_dbrx_experts,
    embedding="wte",
    ignored=("head_dim",),
    aliases={
        "hidden_size": ("d_model", "hidden_size"),
        "num_hidden_layers": ("n_layers", "num_hidden_layers"),
        "num_attention_heads": ("n_heads", "num_attention_heads"),
        "max_position_embeddings": ("max_seq_len",),
    },
    finish=shaped(parents=("norm_attn_norm.attn", "ffn")),
)
JETMOE = DecoderReader(
    "JetMoE",
    {"tie_word_embeddings": True, "activation_function": "silu", "kv_channels": 128, "num_key_value_heads": 16},
    mixers=_jetmoe_mixers,
    mlps=_jetmoe_experts,
    names=Names("self_attention"),
)
LONGCAT = DecoderReader(
    "LongCat-Flash",
    {**BIASED, "router_bias": False, "zero_expert_num": 256},
    mixers=_longcat_mixers,
    mlps=_later,
    aliases={"num_hidden_layers": ("num_layers", "num_hidden_layers")},
    finish=_longcat,
)

FAMILIES: Final = (
    Family(("dbrx",), DBRX),
    Family(("jetmoe",), JETMOE),
    Family(("longcat_flash",), LONGCAT),
)
