"""Pixtral's image encoder alone: gated layers without biases, positions rotated, RMS norms."""

from collections.abc import Mapping
from typing import Final

from explorer.analysis.models.blocks.fixed.layer import Leaves
from explorer.analysis.models.blocks.fixed.pieces import Run, normed
from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass, class_of
from explorer.analysis.models.families.pictures.vit import encoder, layers_of, patches_of
from explorer.analysis.problem import Value

LEAVES: Final = Leaves(
    "attention_norm", "attention.q_proj", "attention.k_proj", "attention.v_proj", "attention.attention",
    "attention.o_proj", "ffn_norm", "feed_forward.up_proj", "feed_forward.act_fn", "feed_forward.down_proj",
    gate="feed_forward.gate_proj", adds=("attention.residual_add", "feed_forward.residual_add"),
)  # fmt: skip
NO_BIAS: Final = (False, False, False, False)


def _pixtral(fields: Fields) -> Pass:
    """A picture of the largest size that the config allows."""
    class_of(fields, ("PixtralVisionModel",))
    patches = patches_of(fields, fields.size("hidden_size"), tokens=0)
    rows = patches.rows
    block, layers = layers_of(fields, LEAVES, biases=NO_BIAS, mlp_bias=False, rms=True, rotated=rows)
    stem = (*patches.projected("patch_conv", bias=False), normed("ln_pre", block.width, rows, weights=1, rms=True))
    return Pass((Run(stem), encoder(block, layers, rows)), rows)


PIXTRAL: Final[Mapping[str, Value | None]] = {
    "hidden_size": 1024, "intermediate_size": 4096, "num_hidden_layers": 24, "num_attention_heads": 16,
    "num_channels": 3, "image_size": 1024, "patch_size": 16, "hidden_act": "gelu",
}  # fmt: skip

FAMILIES: Final = (Family(("pixtral",), OnePassReader("Pixtral", _pixtral, PIXTRAL)),)
