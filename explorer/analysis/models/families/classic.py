"""Decoders from before and beside Llama: layer norms, biases, fused projections, parallel halves, ALiBi."""

from collections.abc import Callable

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import DENSE, FC, PlainNames, dense, plain
from explorer.analysis.models.config.fields import Fields, shown
from explorer.analysis.models.config.windows import every, everywhere
from explorer.analysis.models.families.decoders import BASE, BIASED, GEMMA, GPT2, Family, MixerRule, gelu, grouped_query
from explorer.analysis.models.transformer import Decoder, Mixer

BLOOM_NORMS = NormScheme("input_layernorm", "", "post_attention_layernorm", "", "ln_f", "layer_norm")


def only(name: str, *, be: object) -> Callable[[Fields], None]:
    """A check that a field is absent, null or has the one value this family is exact for."""

    def check(fields: Fields) -> None:
        value = fields.config.get(name)
        if value is not None and not (value == be and isinstance(value, type(be))):
            fields.fault("model.variant_unread", name, value=shown(value), known=str(be).lower())

    return check


def rotary_share(default: float, *names: str) -> Callable[[Fields, int], int]:
    """The rotated size per head from the share of it that `rope_parameters` or the config names."""

    def size(fields: Fields, head_dim: int) -> int:
        rope = fields.part("rope_parameters")
        for stated in (rope, fields):
            for name in ("partial_rotary_factor", *names):
                if stated.has(name):
                    return int(head_dim * stated.fraction(name, otherwise=default))
        fields.assumed[f"{fields.path}partial_rotary_factor"] = default
        return int(head_dim * default)

    return size


def rotary_size(fields: Fields, head_dim: int) -> int:
    """The rotated size per head as `rotary_dim` states it (GPT-J, the first Phi); the whole head where it is null."""
    size = fields.optional_size("rotary_dim")
    fields.check(
        size is None or size <= head_dim, "model.rotary_over_head", "rotary_dim", rotary=size or 0, head=head_dim
    )
    return size or head_dim


def _gpt_neox(fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, parallel=fields.flag("use_parallel_residual"))


def _biased_head(_fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, parallel=True, head_bias=True)


def _phi_mixers(family: Family, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Queries and keys under a layer norm per head where `qk_layernorm` says so."""
    mixers = grouped_query(family, fields, hidden, layers)
    return _with_norms(mixers, "head", 2) if fields.flag("qk_layernorm") else mixers


def _per_head_norms(flag: str) -> MixerRule:
    """Queries and keys under layer norms without shift, one for each head, where the flag says so."""

    def mixers(family: Family, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
        found = grouped_query(family, fields, hidden, layers)
        return _with_norms(found, "each", 1) if fields.flag(flag) else found

    return mixers


def _with_norms(mixers: tuple[Mixer, ...], span: str, weights: int) -> tuple[Mixer, ...]:
    return tuple(
        replace(m, qk_norm="head" if span == "head" else "each", qk_kind="layer_norm", qk_weights=weights)
        if isinstance(m, GroupedQuery)
        else m
        for m in mixers
    )


def _bigcode_mixers(family: Family, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """One KV head for all queries unless `multi_query` is off."""
    only("add_cross_attention", be=False)(fields)
    many = grouped_query(replace(family, multi_head=True), fields, hidden, layers)
    if not fields.flag("multi_query"):
        return many
    return tuple(replace(m, kv_heads=1) if isinstance(m, GroupedQuery) else m for m in many)


def _bloom(_fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, embedding_norm="word_embeddings_layernorm")


def _mpt_mixers(family: Family, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Multi-head attention with ALiBi, as the transformers library has it; other variants are refused."""
    part = fields.part("attn_config")
    only("attn_type", be="multihead_attention")(part)
    only("alibi", be=True)(part)
    only("qk_ln", be=False)(part)
    only("no_bias", be=True)(fields)
    only("expansion_ratio", be=4)(fields)
    return grouped_query(family, fields, hidden, layers)


def _stablelm(fields: Fields, decoder: Decoder) -> Decoder:
    if not fields.flag("use_parallel_residual"):
        return decoder
    return replace(decoder, parallel=True, norms=replace(decoder.norms, before_mlp=""))


def _scaled_logits(_fields: Fields, decoder: Decoder) -> Decoder:
    return replace(decoder, parallel=True, scaled_logits=True)


def _granite(fields: Fields, decoder: Decoder) -> Decoder:
    """Embedding and logits are scaled where their multipliers are not 1; the residual's is fused into its addition."""
    names = ("embedding_multiplier", "logits_scaling")
    scaled = [fields.config.get(name) not in (None, 1, 1.0) for name in names]
    return replace(decoder, scaled_embedding=scaled[0], scaled_logits=scaled[1])


def _unrotated_where_full(family: Family, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Positions are rotated in windowed layers alone."""
    mixers = grouped_query(family, fields, hidden, layers)
    return tuple(m if not isinstance(m, GroupedQuery) or m.window else replace(m, rotary=0) for m in mixers)


GPTJ = Family(
    "GPT-J",
    {"tie_word_embeddings": False, "activation_function": "gelu_new", "rotary_dim": 64, "n_inner": None},
    multi_head=True,
    rotary=rotary_size,
    names=Names("attn", "out_proj"),
    norms=NormScheme("ln_1", "", "", "", "ln_f", "layer_norm"),
    mlps=plain(("n_inner", "intermediate_size"), "activation_function", names=PlainNames("fc_in", "act", "fc_out")),
    embedding="wte",
    aliases=GPT2.aliases,
    finish=_biased_head,
)
GPT_NEOX = Family(
    "GPT-NeoX",
    {"tie_word_embeddings": False, "hidden_act": "gelu", "attention_bias": True, "use_parallel_residual": True},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    multi_head=True,
    rotary=rotary_share(0.25, "rotary_pct"),
    names=Names("attention", "dense", "query_key_value"),
    norms=NormScheme("input_layernorm", "", "post_attention_layernorm", "", "final_layer_norm", "layer_norm"),
    mlps=plain(("intermediate_size",), "hidden_act", names=DENSE, derived=False),
    embedding="embed_in",
    finish=_gpt_neox,
)
GPT_BIGCODE = replace(
    GPT2,
    label="GPT BigCode",
    defaults={
        "tie_word_embeddings": True,
        "activation_function": "gelu_pytorch_tanh",
        "n_inner": None,
        "multi_query": True,
    },
    multi_head=False,
    mixers=_bigcode_mixers,
)
STARCODER2 = Family(
    "StarCoder2",
    {
        "tie_word_embeddings": True,
        "hidden_act": "gelu_pytorch_tanh",
        "use_bias": True,
        "num_key_value_heads": 2,
        "sliding_window": None,
    },
    qkv_bias="use_bias",
    out_bias="use_bias",
    norms=NormScheme(kind="layer_norm"),
    windows=everywhere,
    mlps=plain(("intermediate_size",), "hidden_act", bias="use_bias", derived=False),
)
BLOOM = Family(
    "BLOOM",
    {"tie_word_embeddings": True},
    qkv_bias="always",
    out_bias="always",
    multi_head=True,
    rotary="none",
    names=Names("self_attention", "dense", "query_key_value"),
    norms=BLOOM_NORMS,
    mlps=plain((), "", names=replace(DENSE, act="gelu_impl")),
    embedding="word_embeddings",
    aliases={
        "hidden_size": ("n_embed", "hidden_size"),
        "num_hidden_layers": ("n_layer", "num_hidden_layers"),
        "num_attention_heads": ("n_head", "num_attention_heads"),
        "max_position_embeddings": ("seq_length",),
    },
    finish=_bloom,
)
MPT = Family(
    "MPT",
    {"tie_word_embeddings": True},
    multi_head=True,
    rotary="none",
    names=Names("attn", "out_proj", "Wqkv"),
    norms=NormScheme("norm_1", "", "norm_2", "", "norm_f", "layer_norm", weights=1),
    mixers=_mpt_mixers,
    mlps=plain((), "", names=PlainNames("up_proj", "act", "down_proj", "ffn"), bias=False),
    embedding="wte",
    aliases={
        "hidden_size": ("d_model", "hidden_size"),
        "num_hidden_layers": ("n_layers", "num_hidden_layers"),
        "num_attention_heads": ("n_heads", "num_attention_heads"),
        "max_position_embeddings": ("max_seq_len",),
    },
)
PHI = Family(
    "Phi",
    {"tie_word_embeddings": False, "hidden_act": "gelu_new", "qk_layernorm": False},
    qkv_bias="always",
    out_bias="always",
    rotary=rotary_share(0.5),
    names=Names(out="dense", q_norm="q_layernorm", k_norm="k_layernorm"),
    norms=NormScheme("input_layernorm", "", "", "", "final_layernorm", "layer_norm"),
    mixers=_phi_mixers,
    mlps=plain(("intermediate_size",), "hidden_act", names=FC, derived=False),
    finish=_biased_head,
)
PHI_MSFT = Family(
    "Phi (first code)",
    {"tie_word_embeddings": False, "activation_function": "gelu_new", "n_inner": None, "rotary_dim": 32},
    qkv_bias="always",
    out_bias="always",
    rotary=rotary_size,
    names=Names("mixer", "out_proj", "Wqkv"),
    norms=NormScheme("ln", "", "", "", "lm_head.ln", "layer_norm"),
    mlps=plain(("n_inner",), "activation_function", names=replace(FC, act="act")),
    embedding="wte",
    aliases={
        **{name: GPT2.aliases[name][:1] for name in ("hidden_size", "num_hidden_layers", "num_attention_heads")},
        "num_key_value_heads": ("n_head_kv",),
        "max_position_embeddings": ("n_positions",),
    },
    finish=_biased_head,
)
STABLELM = Family(
    "StableLM",
    {
        **BASE,
        "num_key_value_heads": 32,
        "use_qkv_bias": False,
        "qk_layernorm": False,
        "use_parallel_residual": False,
    },
    qkv_bias="use_qkv_bias",
    rotary=rotary_share(0.25),
    names=Names(q_norm="q_layernorm", k_norm="k_layernorm"),
    norms=NormScheme(kind="layer_norm"),
    mixers=_per_head_norms("qk_layernorm"),
    finish=_stablelm,
)
COHERE = Family(
    "Cohere",
    {**BIASED, "tie_word_embeddings": True, "use_qk_norm": False},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    norms=NormScheme("input_layernorm", "", "", "", "norm", "layer_norm", weights=1),
    mixers=_per_head_norms("use_qk_norm"),
    finish=_scaled_logits,
)
GLM = Family(
    "GLM",
    {**BASE, "attention_bias": True, "head_dim": 128, "num_key_value_heads": 2},
    qkv_bias="attention_bias",
    rotary=rotary_share(0.5),
    mlps=dense(fused="gate_up_proj"),
)

CLASSIC: dict[str, Family] = {
    "gemma": Family(
        "Gemma",
        {**GEMMA, "num_key_value_heads": 16},
        qkv_bias="attention_bias",
        out_bias="attention_bias",
        mlps=dense(gate=gelu),
        scaled_embedding=True,
    ),
    "gptj": GPTJ,
    "gpt_neox": GPT_NEOX,
    "gpt_bigcode": GPT_BIGCODE,
    "starcoder2": STARCODER2,
    "bloom": BLOOM,
    "mpt": MPT,
    "phi": PHI,
    "phi-msft": PHI_MSFT,
    "stablelm": STABLELM,
    "cohere": COHERE,
    "cohere2": replace(
        COHERE,
        label="Cohere 2",
        defaults={**BIASED, "tie_word_embeddings": True, "sliding_window": 4096},
        windows=every(4, stated=True),
        mixers=_unrotated_where_full,
    ),
    "granite": Family(
        "Granite",
        {**BIASED, "mlp_bias": False},
        qkv_bias="attention_bias",
        out_bias="attention_bias",
        mlps=dense(bias="mlp_bias"),
        finish=_granite,
    ),
    "glm": GLM,
    "glm4": replace(
        GLM,
        label="GLM-4",
        norms=NormScheme(
            "input_layernorm", "post_self_attn_layernorm", "post_attention_layernorm", "post_mlp_layernorm"
        ),
    ),
}
