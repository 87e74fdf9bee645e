"""Encoders of sound: Whisper's, as Qwen2-Audio, Voxtral and Qwen2.5-Omni have it."""

from functools import partial
from typing import Final

from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.towers.parts import Built, Parts, Tower, affine, attention, mlp

KERNEL: Final = 3
HALVINGS: Final = 3  # of time and pitch, in Qwen3-Omni


def whisper(audio: Fields, *, positions: bool = True, out: str = "") -> Built:
    """Two convolutions, learnt or fixed positions, layers whose keys have no bias.

    `out` names the field of the width that it projects to, with two learnt tokens of that width around the sound.
    """
    width, inner = audio.size("d_model", "hidden_size"), audio.size("encoder_ffn_dim", "intermediate_size")
    layers = audio.size("encoder_layers", "num_hidden_layers", limit=LAYER_LIMIT)
    layer = 4 * width * width + 3 * width + mlp(width, inner) + 4 * width
    out_width = audio.size(out) if out else 0
    parts: Parts = {
        "conv1": affine(KERNEL * audio.size("num_mel_bins"), width),
        "conv2": affine(KERNEL * width, width),
        "embed_positions": audio.size("max_source_positions") * width if positions else 0,
        "layers": (layer, layers),
        "layer_norm": 2 * width,
        "proj": affine(width, out_width) if out else 0,
        "audio_bos_eos_token": 2 * out_width,
    }
    return Built(out_width or width, parts)


def qwen3(audio: Fields) -> Built:
    """Qwen3-Omni's: three convolutions over time and pitch in place of Whisper's two, keys with a bias."""
    width, inner, out = audio.size("d_model"), audio.size("encoder_ffn_dim"), audio.size("output_dim")
    channels, pitches = audio.size("downsample_hidden_size"), audio.size("num_mel_bins")
    for _ in range(HALVINGS):
        pitches = (pitches + 1) // 2
    early = affine(KERNEL**2, channels) + (HALVINGS - 1) * affine(KERNEL**2 * channels, channels)
    parts: Parts = {
        "conv2d": early,
        "conv_out": channels * pitches * width,
        "layers": (attention(width) + mlp(width, inner) + 4 * width, audio.size("encoder_layers", limit=LAYER_LIMIT)),
        "ln_post": 2 * width,
        "proj": affine(width, width) + affine(width, out),
    }
    return Built(out, parts)


_SIZES: Final = {
    "d_model": 1280, "encoder_ffn_dim": 5120, "encoder_layers": 32, "num_mel_bins": 128, "max_source_positions": 1500,
}  # fmt: skip

SOUND_TOWERS: Final = {
    "qwen2_audio_encoder": Tower(whisper, _SIZES),
    "voxtral_encoder": Tower(whisper, _SIZES),
    "qwen3_omni_moe_audio_encoder": Tower(qwen3, {**_SIZES, "output_dim": 3584, "downsample_hidden_size": 480}),
    "qwen2_5_omni_audio_encoder": Tower(
        partial(whisper, positions=False, out="output_dim"), {**_SIZES, "output_dim": 3584}
    ),
}
