"""CLAP (arXiv 2211.06687): ten seconds of sound, as a picture of its spectrum, and a text, compared."""

from collections.abc import Mapping
from typing import Final

from explorer.analysis.models.blocks.fixed.layer import LayerBlock, Leaves
from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    Run,
    batch_norm,
    dense,
    labelled,
    learnt,
    looked_up,
    normed,
    product,
    valued,
)
from explorer.analysis.models.blocks.fixed.swin import Swin
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import (
    OnePassReader,
    Pass,
    class_of,
    idle,
    nested,
    side_of,
    sizes_of,
)
from explorer.analysis.models.families.pictures.swin import grids_fit, ratio_of
from explorer.analysis.models.families.pictures.vit import encoder, layers_of
from explorer.analysis.models.families.sound.wav2vec2 import SECONDS, noted
from explorer.analysis.models.parts import Tensor
from explorer.analysis.problem import Value

TEXT, SOUND = "text", "sound"
ROBERTA = Leaves(
    "attention.output.LayerNorm", "attention.self.query", "attention.self.key", "attention.self.value",
    "attention.self.attention", "attention.output.dense", "output.LayerNorm", "intermediate.dense",
    "intermediate.intermediate_act_fn", "output.dense", adds=("attention.residual_add", "output.residual_add"),
)  # fmt: skip
PARTS: Final = 3  # of a longer sound


def _clap(fields: Fields) -> Pass:
    """Both towers and what compares them (transformers ClapModel)."""
    class_of(fields, ("ClapModel",))
    texts, block, words = _text(nested(fields, "text_config", WORDS))
    sound = nested(fields, "audio_config", SPECTRUM)
    hidden, net, side = _net(sound)
    fields.refuse_faults()
    grids_fit(sound, net, (side, side))
    stem, grid = net.stem((side, side))
    if not sound.flag("enable_patch_layer_norm"):
        stem = Run(tuple(op for op in stem.ops if op.name != "norm"))
    parts, grids = net.stages(grid)
    rows = grids[-1][0] * grids[-1][1]
    last = normed("norm", net.last, rows), valued("avgpool", "reduction", rows * net.last, "head")
    heard = [Run((*_spread(sound, side), *stem.ops)), *parts, Run(last)]
    size, act = fields.size("projection_dim"), activation(fields, "projection_hidden_act", known=ACTIVATIONS)
    fields.check(hidden == net.last, "model.vision_width", "audio_config.hidden_size", stated=hidden, hidden=net.last)
    noted(fields, grid[0] * grid[1], SECONDS)
    fields.note("model.text_beside_sound", tokens=words)
    compared: Ops = (
        *_projected("text_projection", block.width, size, act), *_projected("audio_projection", hidden, size, act),
        product("logits_per_audio", 1, 1, 1, size), learnt("logit_scale_a", 1, 1, group="head"),
        product("logits_per_text", 1, 1, 1, size), learnt("logit_scale_t", 1, 1, group="head"),
    )  # fmt: skip
    towers = [part._replace(ops=labelled(part.ops, SOUND)) for part in heard]
    return Pass((*texts, *towers, Run(compared)), max(words, grid[0] * grid[1]), _fusion(sound, net))


def _text(fields: Fields) -> tuple[list[Run], LayerBlock, int]:
    """RoBERTa's layers over the longest text: positions are counted from behind the padding's."""
    block, layers = layers_of(fields, ROBERTA, on_sum=True)
    table, padding = fields.size("max_position_embeddings"), fields.natural("pad_token_id")
    fields.check(
        table > padding + 1, "model.out_of_range", "max_position_embeddings", value=table, least=padding + 2, most=10**8
    )
    rows, width = max(table - padding - 1, 1), block.width
    stem = (
        looked_up("word_embeddings", fields.size("vocab_size"), width, rows),
        looked_up("token_type_embeddings", fields.size("type_vocab_size"), width, rows),
        looked_up("position_embeddings", table, width, rows),
        valued("embeddings.add", "residual_add", 2 * rows * width, "embedding"),
        normed("embeddings.LayerNorm", width, rows),
    )
    pooled = dense("pooler.dense", width, width, 1), valued("pooler.activation", "scale", width)
    parts = [Run(stem), encoder(block, layers, rows), Run(pooled)]
    return [part._replace(ops=labelled(part.ops, TEXT)) for part in parts], block, rows


def _net(fields: Fields) -> tuple[int, Swin, int]:
    """The width that is compared, Swin's layers, and the side of the picture of a spectrum."""
    depths, width = sizes_of(fields, "depths"), fields.size("patch_embeds_hidden_size")
    heads = sizes_of(fields, "num_attention_heads", len(depths))
    for index, count in enumerate(heads):
        wide = width * 2**index
        fields.check(wide % count == 0, "model.hidden_not_divisible", "num_attention_heads", hidden=wide, heads=count)
    patch = side_of(fields, "patch_size", (4, 4))
    stride = side_of(fields, "patch_stride", (4, 4))
    if patch[0] != patch[1]:
        fields.fault("model.patch_not_square", "patch_size", height=patch[0], width=patch[1])
    if stride != patch:
        fields.fault("model.variant_unread", "patch_stride", value=str(stride), known=str(patch))
    side, bins = fields.size("spec_size", limit=10_000), fields.size("num_mel_bins")
    whole = patch[0] * 2 ** (len(depths) - 1)
    if side % whole or side % bins:  # patches would be lost from stage to stage, or bins from the picture
        fields.fault("model.variant_unread", "spec_size", value=str(side), known=f"{whole * -(-side // whole)}")
    act = activation(fields, "hidden_act", known=ACTIVATIONS)
    net = Swin(
        patch[0], fields.size("patch_embed_input_channels"), width, depths, heads, fields.size("window_size"),
        ratio_of(fields, "mlp_ratio"), fields.flag("qkv_bias"), act, older=True,
    )  # fmt: skip
    return fields.size("hidden_size"), net, side


def _spread(fields: Fields, side: int) -> Ops:
    """The spectrum under a norm of its bins, made as long as the picture wants it and folded."""
    bins = fields.size("num_mel_bins")
    frames = side * side // bins
    return batch_norm("batch_norm", bins, frames), valued("reshape_mel2img", "copy", side * side)


def _projected(path: str, inputs: int, size: int, act: str) -> Ops:
    return (
        dense(f"{path}.linear1", inputs, size, 1, role="head", storage="wide"),
        valued(f"{path}.activation", act, size, "head"),
        dense(f"{path}.linear2", size, size, 1, role="head", storage="wide"),
    )


def _fusion(fields: Fields, net: Swin) -> tuple[Tensor, ...]:
    """What joins the parts of a longer sound to the whole of it: a convolution, and two ways to weigh them."""
    if not fields.flag("enable_fusion"):
        return ()
    if fields.config.get("fusion_type") == "channel_map":
        fields.fault("model.variant_unread", "fusion_type", value=brief("channel_map"), known="aff_2d")
    width, inner = net.width, max(net.width // fields.size("aff_block_r"), 1)
    weighed = (width * inner + inner) + 2 * inner + (inner * width + width) + 2 * width
    parts = net.channels * width * net.patch * PARTS * net.patch + width
    fields.note("model.fusion_idle")
    return idle("patch_embed.fusion_model", 2 * weighed), idle("patch_embed.mel_conv2d", parts)


WORDS: Mapping[str, Value | None] = {
    "vocab_size": 50265, "hidden_size": 768, "num_hidden_layers": 12, "num_attention_heads": 12,
    "intermediate_size": 3072, "hidden_act": "gelu", "max_position_embeddings": 514, "type_vocab_size": 1,
    "pad_token_id": 1,
}  # fmt: skip
SPECTRUM: Mapping[str, Value | None] = {
    "window_size": 8, "num_mel_bins": 64, "spec_size": 256, "hidden_act": "gelu", "hidden_size": 768,
    "depths": "2, 2, 6, 2", "num_attention_heads": "4, 8, 16, 32", "enable_fusion": False,
    "patch_embed_input_channels": 1, "patch_embeds_hidden_size": 96, "enable_patch_layer_norm": True,
    "qkv_bias": True, "mlp_ratio": 4.0, "aff_block_r": 4,
}  # fmt: skip

FAMILIES: Final = (
    Family(("clap",), OnePassReader("CLAP", _clap, {"projection_dim": 512, "projection_hidden_act": "relu"})),
)
