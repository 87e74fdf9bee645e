"""What speaks: Qwen2.5-Omni's talker, a text model over codes of sound, and what makes a wave of them."""

from collections.abc import Mapping
from typing import Any, Final

from explorer.analysis.models.config.fields import LAYER_LIMIT, SIZE_LIMIT, Fields
from explorer.analysis.models.towers.parts import Parts, affine, gated, mlp, whole_numbers
from explorer.analysis.problem import Value

TIME_BINS: Final = 256
WAVE_KERNEL: Final = 7
TALKER: Final[Mapping[str, Value | None]] = {
    "vocab_size": 8448, "embedding_size": 3584, "hidden_size": 3584, "intermediate_size": 18_944,
    "num_hidden_layers": 28, "num_attention_heads": 28, "num_key_value_heads": 4, "head_dim": 128,
}  # fmt: skip
DIT: Final[Mapping[str, Value | None]] = {
    "hidden_size": 1024, "num_hidden_layers": 22, "num_attention_heads": 16, "ff_mult": 2, "emb_dim": 512,
    "head_dim": 64, "num_embeds": 8193, "mel_dim": 80, "enc_emb_dim": 192, "enc_dim": 128,
    "enc_attention_channels": 64, "enc_res2net_scale": 2, "enc_se_channels": 64,
}  # fmt: skip
WAVE: Final[Mapping[str, Value | None]] = {"mel_dim": 80, "upsample_initial_channel": 1536}


def spoken(whole: Fields) -> Parts:
    """All that speaks beside the thinker, with the defaults of the classes where the config says nothing."""
    parts = _talker(_part(whole, "talker_config", TALKER))
    waves = whole.part("token2wav_config")
    return {**parts, **_diffusion(_part(waves, "dit_config", DIT)), **_wave(_part(waves, "bigvgan_config", WAVE))}


def _part(fields: Fields, name: str, defaults: Mapping[str, Value | None]) -> Fields:
    part = fields.part(name)
    part.defaults = defaults
    return part


def _talker(own: Fields) -> Parts:
    """Qwen2's layers between a wider table of codes and a head."""
    width, vocab, table = own.size("hidden_size"), own.size("vocab_size"), own.size("embedding_size")
    heads, kv_heads, size = own.size("num_attention_heads"), own.size("num_key_value_heads"), own.size("head_dim")
    layer = affine(width, heads * size) + 2 * affine(width, kv_heads * size) + heads * size * width
    layer += gated(width, own.size("intermediate_size")) + 2 * width
    return {
        "talker.embed_tokens": vocab * table,
        "talker.layers": (layer, own.size("num_hidden_layers", limit=LAYER_LIMIT)),
        "talker.norm": width,
        "talker.thinker_to_talker_proj": affine(table, width),
        "talker.codec_head": vocab * width,
    }


def _diffusion(own: Fields) -> Parts:
    """A diffusion transformer over mel spectrograms, and what it knows of the speaker."""
    width, mel = own.size("hidden_size"), own.size("mel_dim")
    inner = own.size("num_attention_heads") * own.size("head_dim")
    layer = affine(width, 6 * width) + 3 * affine(width, inner) + affine(inner, width)
    layer += mlp(width, width * own.size("ff_mult"))
    speaker, codes = own.size("enc_dim"), own.size("emb_dim")
    into = mel + speaker + own.size("enc_emb_dim") + codes
    return {
        "token2wav.time_embed": affine(TIME_BINS, width) + affine(width, width),
        "token2wav.text_embed": (own.size("num_embeds") + 1) * codes,
        "token2wav.input_embed.proj": affine(into, width),
        "token2wav.input_embed.spk_encoder": _speaker(own, mel, speaker),
        "token2wav.transformer_blocks": (layer, own.size("num_hidden_layers", limit=LAYER_LIMIT)),
        "token2wav.norm_out": affine(width, 2 * width) + affine(width, mel),
    }


def _speaker(own: Fields, mel: int, out: int) -> int:
    """ECAPA-TDNN: convolutions over time in parts, and a mean over all of it."""
    channels = whole_numbers(own, "enc_channels", (256, 256, 256, 256, 768))
    kernels = whole_numbers(own, "enc_kernel_sizes", (5, 3, 3, 3, 1))
    own.check(len(channels) == len(kernels) > 1, "model.layer_types_count", "enc_kernel_sizes", count=len(kernels),
              layers=len(channels))  # fmt: skip
    if own.problems:
        return 1
    scale, squeezed = own.size("enc_res2net_scale"), own.size("enc_se_channels")
    total = affine(kernels[0] * mel, channels[0])
    for inputs, outputs, kernel in zip(channels[:-2], channels[1:-1], kernels[1:-1], strict=True):
        part = outputs // scale
        total += affine(inputs, outputs) + (scale - 1) * affine(kernel * part, part) + affine(outputs, outputs)
        total += affine(outputs, squeezed) + affine(squeezed, outputs)
    last, attended = channels[-1], own.size("enc_attention_channels")
    total += affine(kernels[-1] * last, last) + affine(3 * last, attended) + affine(attended, last)
    return total + affine(2 * last, out)


def _wave(own: Fields) -> Parts:
    """BigVGAN: each step makes the sound longer and its channels half as many."""
    first = own.size("upsample_initial_channel")
    rates = whole_numbers(own, "upsample_rates", (5, 3, 2, 2, 2, 2))
    kernels = whole_numbers(own, "upsample_kernel_sizes", (11, 7, 4, 4, 4, 4))[: len(rates)]
    kinds = whole_numbers(own, "resblock_kernel_sizes", (3, 7, 11))
    kinds = kinds[: _listed(own, "resblock_dilation_sizes", len(kinds))]
    ups, blocks = 0, 0
    for level, kernel in enumerate(kernels):
        wide, narrow = first >> level, first >> (level + 1)
        ups += affine(kernel * wide, narrow, bias=False) + narrow
        blocks += sum(6 * affine(kind * narrow, narrow) + 6 * 2 * narrow for kind in kinds)
    last = first >> len(kernels)
    return {
        "token2wav.conv_pre": affine(WAVE_KERNEL * own.size("mel_dim"), first),
        "token2wav.ups": ups,
        "token2wav.resblocks": blocks,
        "token2wav.conv_post": 2 * last + WAVE_KERNEL * last,
    }


def _listed(own: Fields, name: str, otherwise: int) -> int:
    found: Any = own.items(name, lambda item: isinstance(item, list | tuple) and len(item) < SIZE_LIMIT)
    return otherwise if found is None else len(found)
