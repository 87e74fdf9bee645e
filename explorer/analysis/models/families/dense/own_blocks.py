"""Dense decoders with blocks of their own: DiffLlama, Doge, ModernBERT's, those with latent attention."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import GroupedQuery, Names
from explorer.analysis.models.blocks.norms import NormScheme, norm
from explorer.analysis.models.blocks.single.differential import Differential, Dynamic, Normed, WeightedMlp
from explorer.analysis.models.config.feedforward import dense, gated_activation
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.windows import Windows, by_type, everywhere
from explorer.analysis.models.families.decoder import BIASED, DecoderReader, grouped_query
from explorer.analysis.models.families.dense.llama import LLAMA
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.families.sparse.deepseek import latent
from explorer.analysis.models.families.sparse.minicpm import scaled
from explorer.analysis.models.parts import Op, elementwise, linear
from explorer.analysis.models.transformer import LOGIT_ROWS, Decoder, Mixer


def _differences(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    made = grouped_query(family, fields, hidden, layers)
    return tuple(Differential(one) if isinstance(one, GroupedQuery) else one for one in made)


def _dynamic(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    made = grouped_query(family, fields, hidden, layers)
    return tuple(Dynamic(one, one.qkv_bias) if isinstance(one, GroupedQuery) else one for one in made)


def _doge(fields: Fields, decoder: Decoder) -> Decoder:
    only("is_moe", be=False)(fields)
    return replace(decoder, mlps=tuple(WeightedMlp(half, decoder.hidden) for half in decoder.mlps))


def _modern_windows(fields: Fields, layers: int) -> Windows:
    """`sliding_window`, else half of `local_attention`, in all but every third layer, or as `layer_types` says."""
    stated = fields.has("sliding_window")
    reach = fields.size("sliding_window") if stated else max(fields.size("local_attention") // 2, 1)
    if fields.has("layer_types"):
        return by_type(fields, layers, reach)
    period = fields.size("global_attn_every_n_layers", otherwise=3)
    return tuple(reach if i % period else None for i in range(layers))


def _modern(fields: Fields, decoder: Decoder) -> Decoder:
    """No norm before the first attention; a dense layer and a norm before the head."""
    shift = 2 if fields.flag("norm_bias") else 1
    mixers = tuple(
        Normed(one, "attn_norm", shift) if i and isinstance(one, GroupedQuery) else one
        for i, one in enumerate(decoder.mixers)
    )
    return replace(
        decoder,
        mixers=mixers,
        norms=NormScheme("", "", "mlp_norm", "", "final_norm", "layer_norm", weights=shift),
        embedding_norm="embeddings.norm",
        before_head=_prediction(decoder.hidden, shift, bias=fields.flag("classifier_bias")),
        head="decoder",
        head_bias=fields.flag("decoder_bias"),
    )


def _prediction(hidden: int, shift: int, *, bias: bool) -> tuple[Op, ...]:
    """What makes of a position's values those that the head reads."""
    last = norm("norm", hidden, kind="layer_norm", parent="lm_head", weights=shift)
    dims = tuple((name, LOGIT_ROWS if name == "rows" else value) for name, value in last.dims)
    return (
        linear("dense", hidden, hidden, "head", parent="lm_head", bias=bias, rows=LOGIT_ROWS),
        elementwise("act", "gelu", hidden, "head", parent="lm_head", rows=LOGIT_ROWS),
        replace(last, dims=dims),
    )


def _minicpm3_mixers(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Values are as wide as a share of the stream where `v_head_dim` is null."""
    if "v_head_dim" in fields.config and fields.config["v_head_dim"] is None:
        fields = fields.restated(v_head_dim=max(hidden // fields.size("num_attention_heads"), 1))
    return latent(family, fields, hidden, layers)


def _minicpm3(_fields: Fields, decoder: Decoder) -> Decoder:
    """Embedding, both halves and what the head reads are scaled."""
    return replace(scaled(decoder), scaled_output=True)


DIFFLLAMA = DecoderReader(
    "DiffLlama",
    {**BIASED, "num_key_value_heads": 32},
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    mixers=_differences,
)
DOGE = replace(
    LLAMA,
    label="Doge",
    defaults={**LLAMA.defaults, "sliding_window": None},
    qk_norm="head",
    windows=everywhere,
    mixers=_dynamic,
    finish=_doge,
)
MODERNBERT = DecoderReader(
    "ModernBERT decoder",
    {
        "tie_word_embeddings": True, "hidden_activation": "gelu", "attention_bias": False, "mlp_bias": False,
        "norm_bias": False, "classifier_bias": False, "decoder_bias": True, "local_attention": 128,
    },
    qkv_bias="attention_bias",
    out_bias="attention_bias",
    multi_head=True,
    names=Names("attn", "Wo"),
    windows=_modern_windows,
    mlps=dense(bias="mlp_bias", fused="Wi", down="Wo", gate=gated_activation("hidden_activation")),
    embedding="tok_embeddings",
    finish=_modern,
)  # fmt: skip

FAMILIES: Final = (
    Family(("diffllama",), DIFFLLAMA),
    Family(("doge",), DOGE),
    Family(("modernbert-decoder",), MODERNBERT),
    Family(
        ("minicpm3",),
        DecoderReader(
            "MiniCPM3",
            {**BIASED, "tie_word_embeddings": True, "mlp_bias": False, "q_lora_rank": 768},
            mixers=_minicpm3_mixers,
            mlps=dense(bias="mlp_bias"),
            scaled_embedding=True,
            finish=_minicpm3,
        ),
    ),
    Family(
        ("youtu",),
        DecoderReader("Youtu", {**BIASED, "tie_word_embeddings": True, "q_lora_rank": 1536}, mixers=latent),
    ),
)
