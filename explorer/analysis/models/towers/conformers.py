"""Encoders of sound that mix attention and convolutions: Granite Speech's and Phi-4's."""

from math import log2
from typing import Final

from explorer.analysis.models.config.fields import LAYER_LIMIT, SIZE_LIMIT, Fields, brief
from explorer.analysis.models.towers.parts import Built, Parts, Tower, affine, attention, mlp, whole_numbers

KERNEL: Final = 9  # of the two-dimensional convolutions that come first, 3 x 3
MOST_HALVINGS: Final = 16
CONVOLUTIONS: Final = 2  # of Gemma 3n, before its layers


def granite(audio: Fields) -> Built:
    """Granite Speech's: two half feed-forward blocks around attention and a gated convolution."""
    width, heads = audio.size("hidden_dim"), audio.size("num_heads")
    size = audio.size("dim_head", otherwise=max(width // heads, 1))
    inner, kernel = width * audio.size("conv_expansion_factor"), audio.size("conv_kernel_size")
    out = audio.size("output_dim")
    forward = 2 * width + mlp(width, width * audio.size("feedforward_mult"))
    attended = 2 * width + 3 * width * heads * size + affine(heads * size, width)
    attended += (2 * audio.size("max_pos_emb") + 1) * size
    convolved = 2 * width + affine(width, 2 * inner) + inner * kernel + 2 * inner + affine(inner, width)
    parts: Parts = {
        "input_linear": affine(audio.size("input_dim"), width),
        "layers": (2 * forward + attended + convolved + 2 * width, audio.size("num_layers", limit=LAYER_LIMIT)),
        "out": affine(width, out),
        "out_mid": affine(out, width),
    }
    return Built(width, parts)


def phi4(audio: Fields) -> Built:
    """Phi-4's: convolutions that halve time and pitch, a bias for each distance, layers of two gated blocks."""
    width, inner = audio.size("hidden_size"), audio.size("intermediate_size")
    steps = _halvings(audio)
    channels, pitches = audio.size("nemo_conv_channels"), audio.size("input_size")
    for _ in range(steps):
        pitches = (pitches - 1) // 2 + 1
    early = affine(KERNEL, channels) + (steps - 1) * (affine(KERNEL, channels) + affine(channels, channels))
    distances = audio.size("bias_max_distance") * (1 if audio.flag("bias_symmetric") else 2)
    outer, deep = audio.size("ext_pw_out_channel"), audio.size("depthwise_separable_out_channel")
    many = width * audio.size("depthwise_multiplier")
    block = 2 * width + affine(width, 2 * inner) + affine(inner, width)
    convolved = 2 * width + 2 * outer + affine(width, 2 * outer) + affine(audio.size("kernel_size"), many)
    convolved += affine(many, deep) + affine(width, outer)
    parts: Parts = {
        "embed": early + affine(channels * audio.size("nemo_final_size", otherwise=pitches), width),
        "relative_attention_bias_layer": distances * audio.size("num_attention_heads"),
        "encoders": (2 * block + attention(width) + convolved + 4 * width, audio.size("num_blocks", limit=LAYER_LIMIT)),
    }
    return Built(width * audio.size("downsample_rate"), parts)


def gemma3n(audio: Fields) -> Built:
    """Gemma 3n's: two convolutions, then two half feed-forward blocks around attention and a gated convolution."""
    width, heads = audio.size("hidden_size"), audio.size("conf_num_attention_heads")
    audio.check(width % heads == 0, "model.hidden_not_divisible", "conf_num_attention_heads", hidden=width, heads=heads)
    size = max(width // heads, 1)
    channels = whole_numbers(audio, "sscp_conv_channel_size", (128, 32))
    audio.check(len(channels) == CONVOLUTIONS, "model.not_a_list", "sscp_conv_channel_size", value=str(channels))
    kernels, strides = (_pairs(audio, name, pair) for name, pair in (("kernel", (3, 3)), ("stride", (2, 2))))
    early, inputs, pitches = 0, 1, audio.size("input_feat_size")
    for outputs, (high, wide), (_, stride) in zip(channels, kernels, strides, strict=False):
        early += inputs * outputs * high * wide + outputs
        inputs, pitches = outputs, (pitches + 2 - wide) // stride + 1
    forward = 2 * width + 8 * width * width
    attended = 2 * width + size + 5 * width * heads * size
    convolved = 2 * width + 3 * width * width + width * audio.size("conf_conv_kernel_size")
    parts: Parts = {
        "subsample_conv_projection": early + inputs * max(pitches, 1) * width,
        "conformer": (
            2 * forward + attended + convolved + width,
            audio.size("conf_num_hidden_layers", limit=LAYER_LIMIT),
        ),
    }
    return Built(width, parts)


def _pairs(audio: Fields, name: str, otherwise: tuple[int, int]) -> list[tuple[int, int]]:
    """Heights and widths of both convolutions; the class's where the config says nothing."""
    field = f"sscp_conv_{name}_size"
    found = audio.items(field, _is_pair)
    if found is not None and len(found) == CONVOLUTIONS:
        return [(first, second) for first, second in found]
    if found is not None:
        audio.fault("model.not_a_list", field, value=brief(found))
    audio.assumed[audio.path + field] = f"{otherwise[0]} x {otherwise[1]}"
    return [otherwise] * CONVOLUTIONS


def _is_pair(item: object) -> bool:
    return (
        isinstance(item, list | tuple)
        and len(item) == len("hw")
        and all(isinstance(n, int) and not isinstance(n, bool) and 0 < n < SIZE_LIMIT for n in item)
    )


def _halvings(audio: Fields) -> int:
    reduction = audio.size("time_reduction")
    sound = reduction > 1 and reduction & (reduction - 1) == 0 and reduction <= 1 << MOST_HALVINGS
    audio.check(sound, "model.not_of_this_family", "time_reduction", value=reduction)
    return int(log2(reduction)) if sound else 1


CONFORMER_TOWERS: Final = {
    "gemma3n_audio": Tower(
        gemma3n,
        {
            "input_feat_size": 128, "hidden_size": 1536, "conf_num_attention_heads": 8, "conf_num_hidden_layers": 12,
            "conf_conv_kernel_size": 5,
        },
    ),
    "granite_speech_encoder": Tower(
        granite,
        {
            "input_dim": 160, "num_layers": 10, "hidden_dim": 1024, "feedforward_mult": 4, "num_heads": 8,
            "output_dim": 42, "max_pos_emb": 512, "conv_kernel_size": 15, "conv_expansion_factor": 2,
        },
    ),
    "phi4_multimodal_audio": Tower(
        phi4,
        {
            "hidden_size": 1024, "intermediate_size": 1536, "num_blocks": 24, "num_attention_heads": 16,
            "ext_pw_out_channel": 1024, "depthwise_separable_out_channel": 1024, "depthwise_multiplier": 1,
            "kernel_size": 3, "input_size": 80, "time_reduction": 8, "bias_max_distance": 1000,
            "bias_symmetric": False, "nemo_conv_channels": 1024, "downsample_rate": 1,
        },
    ),
}  # fmt: skip
