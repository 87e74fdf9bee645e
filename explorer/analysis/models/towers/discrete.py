"""What turns an image into words of a vocabulary: Chameleon's VQ-GAN."""

from typing import Any, Final

from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.towers.parts import Built, Parts, Tower, affine, whole_numbers

KERNEL: Final = 9  # 3 x 3


def _residual(inputs: int, outputs: int) -> int:
    """Two norms, two convolutions, and one more where the channels differ."""
    shortcut = affine(inputs, outputs) if inputs != outputs else 0
    return 2 * inputs + affine(KERNEL * inputs, outputs) + 2 * outputs + affine(KERNEL * outputs, outputs) + shortcut


def _attended(channels: int) -> int:
    return 2 * channels + 4 * affine(channels, channels)


def vqgan(vision: Fields) -> Built:
    """Levels of residual blocks, each half as large as the one before, and a book of codes."""
    base, blocks = vision.size("base_channels"), vision.size("num_res_blocks")
    multiples = [base * n for n in whole_numbers(vision, "channel_multiplier", (1, 1, 2, 2, 4))] or [base]
    vanilla = vision.text("attn_type") == "vanilla"
    size, listed = vision.size("resolution"), _resolutions(vision)
    channels, total = base, 0
    for level, outputs in enumerate(multiples):
        attended = vanilla and size in listed
        total += _residual(channels, outputs) + (blocks - 1) * _residual(outputs, outputs)
        total += blocks * _attended(outputs) * attended
        channels = outputs
        if level < len(multiples) - 1:
            total += affine(KERNEL * channels, channels)
            size //= 2
    latent, code = vision.size("latent_channels"), vision.size("embed_dim")
    middle = 2 * _residual(channels, channels) + _attended(channels) * vanilla
    out = affine(KERNEL * channels, latent * (2 if vision.flag("double_latent") else 1))
    parts: Parts = {
        "encoder.conv_in": affine(KERNEL * vision.size("in_channels"), base),
        "encoder.down": total,
        "encoder.mid": middle,
        "encoder.conv_out": 2 * channels + out,
        "quantize.embedding": vision.size("num_embeddings") * code,
        "quant_conv": affine(latent, code) + affine(code, latent),
    }
    return Built(code, parts)


def _resolutions(vision: Fields) -> tuple[Any, ...]:
    return tuple(vision.items("attn_resolutions", lambda n: isinstance(n, int)) or ())


DISCRETE_TOWERS: Final = {
    "chameleon_vqgan": Tower(
        vqgan,
        {
            "embed_dim": 256, "num_embeddings": 8192, "double_latent": False, "latent_channels": 256,
            "resolution": 512, "in_channels": 3, "base_channels": 128, "num_res_blocks": 2, "attn_type": "vanilla",
        },
    )
}  # fmt: skip
