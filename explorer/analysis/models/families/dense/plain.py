"""Plain dense decoders, one entry each: Llama's layers under norms, windows, biases and activations of their own."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.norms import POST, NormScheme
from explorer.analysis.models.config.feedforward import FC, UP_DOWN, dense, plain
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.windows import Windows, by_type, every, everywhere, full
from explorer.analysis.models.families.decoder import BASE, BIASED, DecoderReader
from explorer.analysis.models.families.dense.gemma import GEMMA, gelu
from explorer.analysis.models.families.dense.llama import LLAMA
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import (
    attention,
    multiplied,
    rotary_part,
    shaped,
    square,
    windowed_if_any,
)
from explorer.analysis.models.transformer import Decoder

HUNYUAN_NAMES: Final = Names(q_norm="query_layernorm", k_norm="key_layernorm")


def _turned(fields: Fields, layer: int, _window: int | None) -> bool:
    """Which layers of SmolLM3 rotate: those of `no_rope_layers` (1: it does), else all but every fourth."""
    stated = fields.items("no_rope_layers", lambda item: item in (0, 1))
    if stated is not None:
        return bool(stated[layer]) if layer < len(stated) else True
    return (layer + 1) % fields.size("no_rope_layer_interval") != 0


def _smollm_windows(fields: Fields, layers: int) -> Windows:
    """`layer_types`, else windows where layers are not rotated and the config turns them on."""
    window = fields.optional_size("sliding_window")
    if fields.has("layer_types"):
        return by_type(fields, layers, window)
    if window is None or not fields.flag("use_sliding_window"):
        return full(fields, layers)
    return tuple(None if _turned(fields, i, None) else window for i in range(layers))


def _hyperclova(fields: Fields, decoder: Decoder) -> Decoder:
    """Norms behind both halves too, unless `use_post_norm` is off; multipliers as Granite's."""
    more = {"after_attention": "post_norm1", "after_mlp": "post_norm2"} if fields.flag("use_post_norm") else {}
    return multiplied(fields, replace(decoder, norms=replace(decoder.norms, **more)))


SEED_OSS = replace(
    LLAMA,
    label="Seed-OSS",
    defaults={
        **LLAMA.defaults, "attention_bias": True, "attention_out_bias": False, "head_dim": 128,
        "num_key_value_heads": 8,
    },
    out_bias="attention_out_bias",
)  # fmt: skip
SMOLLM3 = replace(
    LLAMA,
    label="SmolLM3",
    defaults={
        **LLAMA.defaults, "tie_word_embeddings": True, "num_key_value_heads": 4, "use_sliding_window": False,
        "sliding_window": None, "no_rope_layer_interval": 4,
    },
    windows=_smollm_windows,
    mixers=attention(turned=_turned),
)  # fmt: skip
EXAONE4 = DecoderReader(
    "EXAONE 4",
    {**BASE, "num_key_value_heads": 32, "sliding_window": 4096},
    qk_norm="head",
    norms=POST,
    windows=every(4, stated=True),
    mixers=attention(turned=windowed_if_any),
)
OLMO = DecoderReader(
    "OLMo",
    BIASED,
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    norms=NormScheme(kind="layer_norm", weights=0),
)
ERNIE = DecoderReader(
    "ERNIE 4.5",
    {**BASE, "tie_word_embeddings": True, "use_bias": False, "num_key_value_heads": 2, "head_dim": 128},
    qkv_bias="use_bias",
    out_bias="use_bias",
    mlps=dense(bias="use_bias"),
)
ARCEE = replace(
    LLAMA,
    label="Arcee",
    defaults={**LLAMA.defaults, "hidden_act": "relu2"},
    mlps=plain(("intermediate_size",), "hidden_act", names=UP_DOWN, bias="mlp_bias", derived=False),
)
CWM = DecoderReader(
    "CWM",
    {**BASE, "mlp_bias": False, "num_key_value_heads": 8, "head_dim": 128, "sliding_window": 8192},
    windows=every(4, first=True),
    mlps=dense(bias="mlp_bias"),
)
VAULTGEMMA = DecoderReader(
    "VaultGemma",
    {**GEMMA, "num_key_value_heads": 4, "final_logit_softcapping": 30.0},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    norms=NormScheme(before_mlp="pre_feedforward_layernorm"),
    windows=every(2),
    mlps=dense(gate=gelu),
    scaled_embedding=True,
    final_softcap=True,
)
NEMOTRON = replace(
    ARCEE,
    label="Nemotron",
    rotary=rotary_part(otherwise=0.5),
    norms=NormScheme(kind="layer_norm"),
)
APERTUS = DecoderReader(
    "Apertus",
    {**BIASED, "hidden_act": "xielu"},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    qk_norm="head",
    norms=NormScheme("attention_layernorm", "", "feedforward_layernorm"),
    mlps=plain(("intermediate_size",), "hidden_act", names=UP_DOWN, bias=False, derived=False),
)
MINISTRAL3 = DecoderReader(
    "Ministral 3",
    {**BASE, "num_key_value_heads": 8, "head_dim": 128, "sliding_window": None},
    windows=everywhere,
)
HUNYUAN = DecoderReader(
    "Hunyuan",
    BIASED,
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    qk_norm="head",
    names=HUNYUAN_NAMES,
)
HELIUM = DecoderReader(
    "Helium",
    {**BIASED, "mlp_bias": False, "num_key_value_heads": 20, "head_dim": 128},
    qkv_bias="attention_bias",
    mlps=dense(bias="mlp_bias"),
    finish=square,
)
HYPERCLOVA = replace(
    LLAMA, label="HyperCLOVA X", defaults={**LLAMA.defaults, "use_post_norm": True}, finish=_hyperclova
)
BITNET = DecoderReader(
    "BitNet",
    {**BIASED, "hidden_act": "relu2", "num_key_value_heads": 5},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    mixers=attention(inner_norm="attn_sub_norm"),
    mlps=dense(inner_norm="ffn_sub_norm"),
    finish=square,
)
NANOCHAT = DecoderReader(
    "nanochat",
    {**BIASED, "hidden_act": "relu2", "final_logit_softcapping": 15.0},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    qk_norm="head",
    norms=NormScheme(weights=0),
    mixers=attention(qk_weights=0),
    mlps=plain(("intermediate_size",), "hidden_act", names=FC, bias=False, derived=False),
    final_softcap=True,
    finish=shaped(embedding_norm="norm"),
)

FAMILIES: Final = (
    Family(("seed_oss",), SEED_OSS),
    Family(("smollm3",), SMOLLM3),
    Family(("exaone4",), EXAONE4),
    Family(("olmo",), OLMO),
    Family(("ernie4_5",), ERNIE),
    Family(("arcee",), ARCEE),
    Family(("cwm",), CWM),
    Family(("vaultgemma",), VAULTGEMMA),
    Family(("nemotron",), NEMOTRON),
    Family(("apertus",), APERTUS),
    Family(("ministral3",), MINISTRAL3),
    Family(("hunyuan_v1_dense",), HUNYUAN),
    Family(("helium",), HELIUM),
    Family(("hyperclovax",), HYPERCLOVA),
    Family(("bitnet",), BITNET),
    Family(("nanochat",), NANOCHAT),
)
