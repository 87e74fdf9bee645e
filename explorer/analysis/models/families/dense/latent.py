"""Dense decoders with DeepSeek's latent attention: MiniCPM3, Youtu."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.config.feedforward import dense
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.decoder import BIASED, DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.sparse.deepseek import latent
from explorer.analysis.models.families.sparse.minicpm import scaled
from explorer.analysis.models.transformer import Decoder, Mixer


def _minicpm3_mixers(family: DecoderReader, fields: Fields, hidden: int, layers: int) -> tuple[Mixer, ...]:
    """Values are as wide as a share of the stream where `v_head_dim` is null."""
    if "v_head_dim" in fields.config and fields.config["v_head_dim"] is None:
        fields = fields.restated(v_head_dim=max(hidden // fields.size("num_attention_heads"), 1))
    return latent(family, fields, hidden, layers)


def _minicpm3(_fields: Fields, decoder: Decoder) -> Decoder:
    """Embedding, both halves and what the head reads are scaled."""
    return replace(scaled(decoder), scaled_output=True)


FAMILIES: Final = (
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
