"""ModernBERT: rotary, gated, windowed in all but every third layer."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.mlp import GatedMlp
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import gated_activation
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.windows import by_type
from explorer.analysis.models.families.encoders.encoder import EncoderReader, Stack, attention_of, body_of, sizes_of
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.heads.encoders import modernbert

MODERN_NORMS = NormScheme("", "", "mlp_norm", "", "final_norm", "layer_norm")


def _modernbert(fields: Fields) -> Stack:
    """ModernBERT (transformers ModernBertModel): rotary, gated, windowed in all but every third layer."""
    hidden, layers, vocab = sizes_of(fields, "hidden_size", "num_hidden_layers")
    bias, shift = fields.flag("attention_bias"), 2 if fields.flag("norm_bias") else 1
    attention = replace(
        attention_of(fields, hidden, "num_attention_heads", Names("attn", "Wo", "Wqkv")), bias=bias, key_bias=bias
    )
    turned = replace(attention, rotary=attention.head_dim, norm="attn_norm", norm_weights=shift)
    gate = gated_activation("hidden_activation")(fields)
    mlp = GatedMlp(hidden, fields.size("intermediate_size"), gate, bias=fields.flag("mlp_bias"), fused="Wi", down="Wo")
    body = body_of(hidden, vocab, turned, mlp, layers, replace(MODERN_NORMS, weights=shift), ("attn", "mlp"))
    mixers = [replace(turned, reach=reach) for reach in _reaches(fields, layers)]
    first = tuple(replace(mixer, norm="") for mixer in mixers[:1])  # the embedding's norm has just been there
    body = replace(body, mixers=(*first, *mixers[1:]), embedding_norm="embeddings.norm")
    heads = modernbert(
        bias=fields.flag("classifier_bias"), norm_weights=shift, decoder_bias=fields.flag("decoder_bias")
    )
    return Stack(body, (("tok_embeddings", vocab),), (), heads)


def _reaches(fields: Fields, layers: int) -> tuple[int | None, ...]:
    """How far each layer looks: everywhere in every `global_attn_every_n_layers`-th, half of `local_attention` else."""
    reach = fields.size("local_attention") // 2
    if fields.has("layer_types"):
        return by_type(fields, layers, reach)
    period = fields.size("global_attn_every_n_layers")
    return tuple(reach if i % period else None for i in range(layers))


FAMILIES: Final = (
    Family(
        ("modernbert",),
        EncoderReader(
            "ModernBERT",
            _modernbert,
            {
                "hidden_activation": "gelu",
                "attention_bias": False,
                "norm_bias": False,
                "mlp_bias": False,
                "classifier_bias": False,
                "decoder_bias": True,
                "tie_word_embeddings": True,
                "global_attn_every_n_layers": 3,
                "local_attention": 128,
            },
        ),
    ),
)
