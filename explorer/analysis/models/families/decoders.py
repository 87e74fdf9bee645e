"""Families of decoders as a table: each entry says how its config differs from the plainest one.

Field names, class defaults and module structure: the transformers library, version 5.24.
"""

from collections.abc import Callable, Mapping
from typing import Literal

import msgspec
from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names, QkNorm
from explorer.analysis.models.blocks.mla import Latent
from explorer.analysis.models.blocks.norms import POST, PRE, SANDWICH, NormScheme
from explorer.analysis.models.checkpoint.storage import Storage
from explorer.analysis.models.config.drafts import note_drafts
from explorer.analysis.models.config.feedforward import MlpRule, dense, gated_activation, plain
from explorer.analysis.models.config.fields import LAYER_LIMIT, SIZE_LIMIT, Fields
from explorer.analysis.models.config.sparse import deepseek_experts, gpt_oss_experts, mixtral_experts, qwen_experts
from explorer.analysis.models.config.windows import Windows, every, everywhere, from_layer_on, full
from explorer.analysis.models.parts import Architecture
from explorer.analysis.models.transformer import Decoder, Mixer, assemble
from explorer.analysis.problem import Value

WindowRule = Callable[[Fields, int], Windows]
MixerRule = Callable[["Family", Fields, int, int], tuple[Mixer, ...]]
Rotary = Literal["whole", "partial", "none"] | Callable[[Fields, int], int]
Bias = str  # "always", "never", or the flag that says it
Finish = Callable[[Fields, Decoder], Decoder]
BASE: Mapping[str, Value | None] = {"tie_word_embeddings": False, "hidden_act": "silu"}
BIASED: Mapping[str, Value | None] = {**BASE, "attention_bias": False}
QWEN: Mapping[str, Value | None] = {
    **BASE, "use_sliding_window": False, "sliding_window": 4096, "max_window_layers": 28
}  # fmt: skip
GEMMA: Mapping[str, Value | None] = {
    "tie_word_embeddings": True,
    "attention_bias": False,
    "hidden_activation": "gelu_pytorch_tanh",
    "head_dim": 256,
    "sliding_window": 4096,
}


def as_is(_fields: Fields, decoder: Decoder) -> Decoder:
    """Nothing to add to what a family declares."""
    return decoder


def grouped_query(family: "Family", fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Grouped-query attention of every layer, which differ in their windows alone."""
    heads = family.size(fields, "num_attention_heads")
    kv_heads = _kv_heads(family, fields, heads)
    fields.check(heads % kv_heads == 0, "model.heads_not_divisible", "num_attention_heads", heads=heads, kv=kv_heads)
    head_dim = _head_dim(family, fields, hidden, heads)
    flags = {family.qkv_bias, family.out_bias} - {"always", "never"}
    bias = {"always": True, "never": False, **{name: fields.flag(name) for name in sorted(flags)}}
    base = GroupedQuery(
        hidden=hidden,
        heads=heads,
        kv_heads=kv_heads,
        head_dim=head_dim,
        qkv_bias=bias[family.qkv_bias],
        out_bias=bias[family.out_bias],
        qk_norm=family.qk_norm,
        rotary=_rotary_size(family, fields, head_dim),
        sinks=family.sinks,
        names=family.names,
    )
    return tuple(replace(base, window=window) for window in family.windows(fields, layers))


def _kv_heads(family: "Family", fields: Fields, heads: int) -> int:
    if family.multi_head:
        return heads
    return fields.size(*family.names_of("num_key_value_heads"), otherwise=heads)


def _head_dim(family: "Family", fields: Fields, hidden: int, heads: int) -> int:
    derives = not family.multi_head and ("head_dim" in family.defaults or fields.has("head_dim"))
    if not derives:
        fields.check(hidden % heads == 0, "model.hidden_not_divisible", "hidden_size", hidden=hidden, heads=heads)
    derived = max(hidden // heads, 1)
    return derived if family.multi_head else fields.size("head_dim", otherwise=derived)


def _rotary_size(family: "Family", fields: Fields, head_dim: int) -> int:
    if callable(family.rotary):
        return family.rotary(fields, head_dim)
    if family.rotary == "none":
        return 0
    if family.rotary == "whole":
        return head_dim
    rope = fields.part("rope_parameters")
    stated = rope if rope.has("partial_rotary_factor") else fields
    factor = stated.fraction("partial_rotary_factor", otherwise=1.0)
    return int(head_dim * factor)


def latent(_family: "Family", fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Multi-head latent attention, alike in every layer."""
    fields.note("model.latent_attention")
    one = Latent(
        hidden=hidden,
        heads=fields.size("num_attention_heads"),
        rank=fields.size("kv_lora_rank"),
        rope=fields.size("qk_rope_head_dim"),
        nope=fields.size("qk_nope_head_dim"),
        v_size=fields.size("v_head_dim"),
        q_rank=fields.optional_size("q_lora_rank"),
        bias=fields.flag("attention_bias"),
    )
    return (one,) * layers


class Family(msgspec.Struct, frozen=True):
    """How one model type reads its config; `defaults` are the transformers class defaults it may rely on."""

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
    finish: Finish = as_is

    def decoder(self, fields: Fields) -> Decoder:
        """The decoder of a config; faults and defaults are left in `fields`."""
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


gelu = gated_activation("hidden_activation", "hidden_act")
GPT2 = Family(
    "GPT-2",
    defaults={"tie_word_embeddings": True, "activation_function": "gelu_new", "n_inner": None},
    qkv_bias="always",
    out_bias="always",
    multi_head=True,
    rotary="none",
    names=Names("attn", "c_proj", "c_attn"),
    norms=NormScheme("ln_1", "", "ln_2", "", "ln_f", "layer_norm"),
    mlps=plain(("n_inner", "intermediate_size"), "activation_function"),
    embedding="wte",
    learned_positions=True,
    aliases={
        "hidden_size": ("n_embd", "hidden_size"),
        "num_hidden_layers": ("n_layer", "num_hidden_layers"),
        "num_attention_heads": ("n_head", "num_attention_heads"),
        "max_position_embeddings": ("n_positions", "max_position_embeddings", "n_ctx"),
    },
)
QWEN3 = Family(
    "Qwen3",
    {**QWEN, "attention_bias": False, "head_dim": 128},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    qk_norm="head",
    windows=from_layer_on,
)
OLMO2 = Family(
    "OLMo 2", BIASED, qkv_bias="attention_bias", out_bias="attention_bias", qk_norm="width", norms=POST
)  # fmt: skip
GEMMA2 = Family(
    "Gemma 2",
    {**GEMMA, "final_logit_softcapping": 30.0},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    norms=SANDWICH,
    windows=every(2),
    mlps=dense(gate=gelu),
    scaled_embedding=True,
    final_softcap=True,
)
GEMMA3 = Family(
    "Gemma 3",
    {**GEMMA, "vocab_size": 262_208, "num_attention_heads": 8, "num_key_value_heads": 4},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    qk_norm="head",
    norms=SANDWICH,
    windows=every(6, stated=True),
    mlps=dense(gate=gelu),
    scaled_embedding=True,
    final_softcap=True,
)

FAMILIES: dict[str, Family] = {
    "llama": Family(
        "Llama",
        {**BIASED, "mlp_bias": False},
        qkv_bias="attention_bias",
        out_bias="attention_bias",
        mlps=dense(bias="mlp_bias"),
    ),
    "mistral": Family("Mistral", {**BASE, "num_key_value_heads": 8, "sliding_window": 4096}, windows=everywhere),
    "qwen2": Family("Qwen2", QWEN, qkv_bias="always", windows=from_layer_on),
    "qwen3": QWEN3,
    "phi3": Family(
        "Phi-3",
        {**BASE, "sliding_window": None},
        rotary="partial",
        names=Names(fused="qkv_proj"),
        windows=everywhere,
        mlps=dense(fused="gate_up_proj"),
    ),
    "gemma2": GEMMA2,
    "gemma3_text": GEMMA3,
    "olmo2": OLMO2,
    "olmo3": Family(
        "OLMo 3",
        {**BIASED, "sliding_window": 4096},
        qkv_bias="attention_bias",
        out_bias="attention_bias",
        qk_norm="width",
        norms=POST,
        windows=every(4),
    ),
    "gpt2": GPT2,
    "mixtral": Family(
        "Mixtral", {**BASE, "num_key_value_heads": 8, "sliding_window": None}, windows=everywhere, mlps=mixtral_experts
    ),
    "qwen3_moe": Family(
        "Qwen3 MoE",
        {**QWEN, "attention_bias": False, "decoder_sparse_step": 1},
        qkv_bias="attention_bias",
        out_bias="attention_bias",
        qk_norm="head",
        windows=from_layer_on,
        mlps=qwen_experts,
    ),
    "gpt_oss": Family(
        "gpt-oss",
        {**BASE, "attention_bias": True, "head_dim": 64, "sliding_window": 128},
        qkv_bias="attention_bias",
        out_bias="attention_bias",
        sinks=True,
        windows=every(2),
        mlps=gpt_oss_experts,
    ),
    "deepseek_v2": Family("DeepSeek-V2", {**BIASED, "mlp_bias": False}, mixers=latent, mlps=deepseek_experts),
    "deepseek_v3": Family("DeepSeek-V3", {**BIASED, "mlp_bias": False}, mixers=latent, mlps=deepseek_experts),
}
