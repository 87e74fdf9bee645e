"""VITS (arXiv 2106.06103): an encoder of text; flows and convolutions behind it make sound of what it says.

Structure: the transformers library, version 5.24 (VitsModel). How long the sound is depends on the text itself, so
only the encoder has rows.
"""

from collections.abc import Mapping
from typing import Final

from explorer.analysis.models.blocks.fixed.pieces import (
    Ops,
    Run,
    added,
    attended,
    conv1d,
    dense,
    learnt,
    looked_up,
    normed,
    product,
    valued,
)
from explorer.analysis.models.config.feedforward import ACTIVATIONS, activation
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields, brief
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.one_pass import OnePassReader, Pass, class_of, idle, sizes_of
from explorer.analysis.problem import Value

CHARACTERS = 256  # nothing in the config says how long a text is
DEEPEST = 16


def _vits(fields: Fields) -> Pass:
    class_of(fields, ("VitsModel",))
    hidden, flow, vocab = fields.size("hidden_size"), fields.size("flow_size"), fields.size("vocab_size")
    layers, rows = fields.size("num_hidden_layers", limit=LAYER_LIMIT), CHARACTERS
    if flow % 2:
        fields.fault("model.variant_unread", "flow_size", value=str(flow), known="an even number")
    layer = _layer(fields, hidden, rows)
    extra = (
        idle("flow", _flow(fields, hidden, flow)), idle("decoder", _sound(fields, flow)),
        idle("duration_predictor", _durations(fields, hidden)),
        idle("posterior_encoder", _conv(fields.size("spectrogram_bins"), hidden) + _conv(hidden, 2 * flow)
             + _wavenet(fields, hidden, fields.size("posterior_encoder_num_wavenet_layers", limit=LAYER_LIMIT))),
    )  # fmt: skip
    speakers, voice = fields.size("num_speakers"), fields.natural("speaker_embedding_size")
    told = (idle("embed_speaker", speakers * voice),) if speakers > 1 else ()
    fields.refuse_faults()
    fields.note("model.text_encoder_alone", tokens=rows)
    stem = looked_up("embed_tokens", vocab, hidden, rows), learnt("embed_scale", 0, rows * hidden)
    return Pass(
        (
            Run(stem), Run(layer, layers, "bidirectional", "dense"),
            Run((conv1d("project", hidden, 2 * flow, rows, 1),)),
        ),
        rows, (*extra, *told),
    )  # fmt: skip


def _layer(fields: Fields, hidden: int, rows: int) -> Ops:
    """Attention that takes in distances on both sides, then two convolutions."""
    heads, window = fields.size("num_attention_heads"), fields.size("window_size")
    fields.check(hidden % heads == 0, "model.hidden_not_divisible", "num_attention_heads", hidden=hidden, heads=heads)
    inner, kernel, size = fields.size("ffn_dim"), fields.size("ffn_kernel_size"), max(hidden // heads, 1)
    act, bias = activation(fields, "hidden_act", known=ACTIVATIONS), fields.flag("use_bias")
    q, k, v, out = (
        dense(f"attention.{name}_proj", hidden, hidden, rows, bias=bias, role="attention")
        for name in ("q", "k", "v", "out")
    )
    table, far = (2 * window + 1) * size, 2 * rows - 1
    pad = (kernel - 1) / 2
    return (
        q, k, v, learnt("attention.emb_rel_k", table, table),
        product("attention.rel_k", heads, rows, far, size),
        attended("attention.attention", heads, size, rows, rows), learnt("attention.emb_rel_v", table, table),
        product("attention.rel_v", heads, rows, size, far), out,
        added("attention.residual_add", rows * hidden), normed("layer_norm", hidden, rows),
        conv1d("feed_forward.conv_1", hidden, inner, rows, kernel, pad=pad),
        valued("feed_forward.act_fn", act, rows * inner),
        conv1d("feed_forward.conv_2", inner, hidden, rows, kernel, pad=pad),
        added("feed_forward.residual_add", rows * hidden), normed("final_layer_norm", hidden, rows),
    )  # fmt: skip


def _conv(inputs: int, outputs: int, kernel: int = 1) -> int:
    return inputs * outputs * kernel + outputs


def _wavenet(fields: Fields, hidden: int, layers: int) -> int:
    """Values of dilated convolutions, each with the length of its weights apart, and of the speaker's part in them."""
    voice, kernel = fields.natural("speaker_embedding_size"), fields.size("wavenet_kernel_size")
    inward = layers * (_conv(hidden, 2 * hidden, kernel) + 2 * hidden)
    outputs = (2 * layers - 1) * hidden  # the last layer hands nothing on
    told = _conv(voice, 2 * hidden * layers) + 2 * hidden * layers if voice else 0
    return inward + outputs * (hidden + 2) + told


def _flow(fields: Fields, hidden: int, flow: int) -> int:
    deep = fields.size("prior_encoder_num_wavenet_layers", limit=LAYER_LIMIT)
    each = _conv(flow // 2, hidden) + _wavenet(fields, hidden, deep) + _conv(hidden, flow // 2)
    return fields.size("prior_encoder_num_flows", limit=LAYER_LIMIT) * each


def _sound(fields: Fields, flow: int) -> int:
    """Values of HiFi-GAN: it halves the channels as it stretches, with blocks of convolutions at each length."""
    width, voice = fields.size("upsample_initial_channel"), fields.natural("speaker_embedding_size")
    rates, kernels = sizes_of(fields, "upsample_rates"), sizes_of(fields, "upsample_kernel_sizes")
    blocks = sizes_of(fields, "resblock_kernel_sizes")
    for name, found, expected in (
        ("upsample_kernel_sizes", len(kernels), len(rates)), ("upsample_rates", len(rates), min(len(rates), DEEPEST)),
    ):  # fmt: skip
        fields.check(found == expected, "model.list_length", name, count=found, expected=expected)
    whole = 2 ** min(len(rates), DEEPEST)
    if width % whole:
        fields.fault("model.variant_unread", "upsample_initial_channel", value=str(width), known=f"{whole} x n")
    depths = _dilations(fields, len(blocks))
    total = _conv(flow, width, 7) + (_conv(voice, width) if voice else 0)
    for kernel in kernels[:DEEPEST]:
        total += _conv(width, width // 2, kernel)
        width //= 2
        total += sum(2 * deep * _conv(width, width, k) for deep, k in zip(depths, blocks, strict=True))
    return total + 7 * width


def _dilations(fields: Fields, count: int) -> list[int]:
    """How many steps each block has."""
    value = fields.config.get("resblock_dilation_sizes")
    if value is None:
        value = [[1, 3, 5]] * 3
    if not isinstance(value, list) or len(value) != count or not all(isinstance(n, list) and n for n in value):
        fields.fault("model.variant_unread", "resblock_dilation_sizes", value=brief(value), known=f"{count} lists")
        return [1] * count
    return [len(steps) for steps in value]


def _durations(fields: Fields, hidden: int) -> int:
    """Values of what says how long each character sounds."""
    kernel, voice = fields.size("duration_predictor_kernel_size"), fields.natural("speaker_embedding_size")
    told = _conv(voice, hidden) if voice else 0
    if not fields.flag("use_stochastic_duration_prediction"):
        inner = fields.size("duration_predictor_filter_channels")
        return _conv(hidden, inner, kernel) + _conv(inner, inner, kernel) + 4 * inner + _conv(inner, 1) + told
    channels, bins = fields.size("depth_separable_channels"), fields.size("duration_predictor_flow_bins")
    if channels != 2:  # its class splits two values
        fields.fault("model.variant_unread", "depth_separable_channels", value=str(channels), known="2")
    deep = fields.size("depth_separable_num_layers", limit=LAYER_LIMIT)
    apart = deep * (_conv(1, hidden, kernel) + _conv(hidden, hidden) + 4 * hidden)
    flow = _conv(1, hidden) + apart + _conv(hidden, 3 * bins - 1)
    flows = fields.size("duration_predictor_num_flows", limit=LAYER_LIMIT) * flow + 2 * channels
    return 2 * (flows + apart) + 3 * _conv(hidden, hidden) + _conv(1, hidden) + told


DEFAULTS: Mapping[str, Value | None] = {
    "vocab_size": 38, "hidden_size": 192, "num_hidden_layers": 6, "num_attention_heads": 2, "window_size": 4,
    "use_bias": True, "ffn_dim": 768, "ffn_kernel_size": 3, "flow_size": 192, "spectrogram_bins": 513,
    "hidden_act": "relu", "use_stochastic_duration_prediction": True, "num_speakers": 1, "speaker_embedding_size": 0,
    "upsample_initial_channel": 512, "upsample_rates": "8, 8, 2, 2", "upsample_kernel_sizes": "16, 16, 4, 4",
    "resblock_kernel_sizes": "3, 7, 11", "depth_separable_channels": 2, "depth_separable_num_layers": 3,
    "duration_predictor_flow_bins": 10, "duration_predictor_kernel_size": 3, "duration_predictor_num_flows": 4,
    "duration_predictor_filter_channels": 256, "prior_encoder_num_flows": 4, "prior_encoder_num_wavenet_layers": 4,
    "posterior_encoder_num_wavenet_layers": 16, "wavenet_kernel_size": 5,
}  # fmt: skip

FAMILIES: Final = (Family(("vits",), OnePassReader("VITS", _vits, DEFAULTS)),)
