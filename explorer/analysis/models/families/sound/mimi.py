"""Mimi (arXiv 2410.00037): EnCodec's convolutions with a transformer on either side, ten seconds there and back."""

from collections.abc import Mapping
from math import ceil, prod
from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.fixed.layer import CLIP_LEAVES, LayerBlock
from explorer.analysis.models.blocks.fixed.pieces import Ops, Run, conv1d, dense, labelled, product, upsampled, valued
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass, class_of, sizes_of
from explorer.analysis.models.families.rules import only
from explorer.analysis.models.families.sound.csm import CODEC
from explorer.analysis.models.families.sound.encodec import DEEPEST, Codec
from explorer.analysis.models.families.sound.wav2vec2 import SECONDS, noted
from explorer.analysis.problem import Value

LEAVES = replace(
    CLIP_LEAVES, first="input_layernorm", second="post_attention_layernorm", out="self_attn.o_proj",
    scales=("self_attn_layer_scale.scale", "mlp_layer_scale.scale"),
)  # fmt: skip


def _mimi(fields: Fields) -> Pass:
    """Samples to codes of all codebooks and back (transformers MimiModel)."""
    class_of(fields, ("MimiModel",))
    only("attention_bias", be=False)(fields)
    codec, block, layers = _codec(fields), _block(fields), fields.size("num_hidden_layers", limit=LAYER_LIMIT)
    rate, hidden = fields.size("sampling_rate"), codec.hidden
    fields.refuse_faults()
    usual = rate / (2 * prod(codec.ratios))
    for name in ("frame_rate", "_frame_rate"):
        stated = fields.config.get(name)
        if stated is not None and stated != usual:
            fields.fault("model.variant_unread", name, value=brief(stated), known=f"{usual:g}")
    inward, frames = codec.inward(SECONDS * rate)
    if frames > fields.size("sliding_window"):
        window = str(fields.size("sliding_window"))
        fields.fault("model.variant_unread", "sliding_window", value=window, known=f"{frames} or more")
    stride = int(ceil(rate / prod(codec.ratios)) * 2 * prod(codec.ratios) / rate)
    groups, few = fields.size("upsample_groups"), -(-frames // stride)
    fields.check(hidden % groups == 0, "model.hidden_not_divisible", "upsample_groups", hidden=hidden, heads=groups)
    fields.refuse_faults()
    noted(fields, frames, SECONDS)
    pad = ((few - 1) * stride + 2 * stride - frames) / 2
    down = conv1d("downsample.conv", hidden, hidden, frames, 2 * stride, stride=stride, pad=pad, bias=False)
    up = upsampled(
        "upsample.conv", hidden, hidden, few, 2 * stride, after=(few + 1) * stride, groups=groups, bias=False
    )
    layer = replace(block, rotated=frames).ops(frames)
    return Pass(
        (
            Run(labelled(inward, "encoder")), Run(labelled(layer, "encoder"), layers, "full", "dense"),
            Run((down, *_quantised(fields, hidden, few), up)),
            Run(labelled(layer, "decoder"), layers, "full", "dense"),
            Run(labelled(codec.outward(few * stride), "decoder")),
        ),
        frames,
    )  # fmt: skip


def _codec(fields: Fields) -> Codec:
    channels, hidden, filters, compress = (
        fields.size(name) for name in ("audio_channels", "hidden_size", "num_filters", "compress")
    )
    first, last, inner = (fields.size(name) for name in ("kernel_size", "last_kernel_size", "residual_kernel_size"))
    deep, ratios = fields.natural("num_residual_layers"), sizes_of(fields, "upsampling_ratios")
    fields.check(len(ratios) <= DEEPEST, "model.list_length", "upsampling_ratios", count=len(ratios), expected=DEEPEST)
    return Codec(
        channels, hidden, filters, min(deep, LAYER_LIMIT), ratios[:DEEPEST], (first, last, inner), compress, 0,
        fields.flag("use_conv_shortcut"), grouped=False, plain=True,
    )  # fmt: skip


def _block(fields: Fields) -> LayerBlock:
    hidden, heads = fields.size("hidden_size"), fields.size("num_attention_heads")
    fields.check(hidden % heads == 0, "model.hidden_not_divisible", "num_attention_heads", hidden=hidden, heads=heads)
    size = fields.size("head_dim", otherwise=max(hidden // heads, 1))
    shared = fields.size("num_key_value_heads")
    if shared != heads:
        fields.fault("model.variant_unread", "num_key_value_heads", value=str(shared), known=str(heads))
    act = activation(fields, "hidden_act", known=ACTIVATIONS)
    return LayerBlock(
        hidden, heads, fields.size("intermediate_size"), act, LEAVES, biases=(False,) * 4, mlp_bias=False, causal=True,
        head_size=size,
    )  # fmt: skip


def _quantised(fields: Fields, hidden: int, frames: int) -> Ops:
    """The nearest code in every book, of what the books before left over."""
    books, codes, narrow, size = (
        fields.size(name)
        for name in ("num_quantizers", "codebook_size", "vector_quantization_hidden_dimension", "codebook_dim")
    )
    if size != narrow:
        fields.fault("model.variant_unread", "codebook_dim", value=str(size), known=str(narrow))
    fields.refuse_faults()
    sides = [f"{name}_residual_vector_quantizer" for name in ("semantic", "acoustic")] if narrow != hidden else []
    return (
        *(dense(f"{side}.input_proj", hidden, narrow, frames, bias=False) for side in sides),
        product("quantizer.distances", books, frames, codes, narrow),
        valued("quantizer.argmin", "reduction", books * frames * codes),
        valued("quantizer.add", "residual_add", 2 * books * frames * narrow, "activation"),
        *(dense(f"{side}.output_proj", narrow, hidden, frames, bias=False) for side in sides),
    )


DEFAULTS: Mapping[str, Value | None] = {
    **{name: value for name, value in CODEC.items() if name != "head_dim"}, "upsampling_ratios": "8, 6, 5, 4",
    "use_conv_shortcut": False, "hidden_act": "gelu", "sliding_window": 250, "num_quantizers": 32,
    "codebook_size": 2048, "codebook_dim": 256,
}  # fmt: skip

FAMILIES: Final = (Family(("mimi",), OnePassReader("Mimi", _mimi, DEFAULTS)),)
