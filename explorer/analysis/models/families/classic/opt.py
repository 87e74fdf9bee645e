"""OPT: norms before or after the halves, a table narrower than the stream."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.norms import NormScheme
from explorer.analysis.models.config.feedforward import FC, plain
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.config.windows import full
from explorer.analysis.models.families.decoder import DecoderReader
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.transformer import Decoder

OPT_PRE = NormScheme("self_attn_layer_norm", "", "final_layer_norm", "", "decoder.final_layer_norm", "layer_norm")
OPT_POST = NormScheme("", "self_attn_layer_norm", "", "final_layer_norm", "", "layer_norm", on_sum=True)


def _opt(fields: Fields, decoder: Decoder) -> Decoder:
    """Norms before or after each half, with or without weights; a table narrower than the stream; 2 spare positions."""
    before = fields.flag("do_layer_norm_before")
    norms = OPT_PRE if before else OPT_POST
    if fields.flag("_remove_final_layer_norm"):
        norms = replace(norms, final="")
    width = fields.size("word_embed_proj_dim", otherwise=decoder.hidden)
    return replace(
        decoder,
        norms=replace(norms, weights=2 if fields.flag("layer_norm_elementwise_affine") else 0),
        embedding_width=width,
        position_table="embed_positions",
        spare_positions=2,
    )


FAMILIES: Final = (
    Family(
        ("opt",),
        DecoderReader(
            "OPT",
            {
                "tie_word_embeddings": True,
                "activation_function": "relu",
                "enable_bias": True,
                "do_layer_norm_before": True,
                "layer_norm_elementwise_affine": True,
                "_remove_final_layer_norm": False,
            },
            qkv_bias="enable_bias",
            out_bias="enable_bias",
            multi_head=True,
            rotary="none",
            names=Names(out="out_proj"),
            windows=full,
            mlps=plain(
                ("ffn_dim",), "activation_function", names=replace(FC, parent=""), bias="enable_bias", derived=False
            ),
            learned_positions=True,
            finish=_opt,
        ),
    ),
)
