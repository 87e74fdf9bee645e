"""EnCodec (arXiv 2210.13438): convolutions around a recurrence, from samples to codes and back."""

from collections.abc import Mapping
from typing import Final

from explorer.analysis.models.config.fields import Fields, brief
from explorer.analysis.models.families.one_pass import sizes_of
from explorer.analysis.problem import Value

ENCODEC: Final[Mapping[str, Value | None]] = {
    "audio_channels": 1, "hidden_size": 128, "num_filters": 32, "num_residual_layers": 1,
    "upsampling_ratios": "8, 5, 4, 2", "norm_type": "weight_norm", "kernel_size": 7, "last_kernel_size": 7,
    "residual_kernel_size": 3, "compress": 2, "num_lstm_layers": 2, "use_conv_shortcut": True,
}  # fmt: skip
GATES: Final = 4  # of a long short-term memory


def encodec_values(part: Fields) -> int:
    """Values of both sides; the codebooks are no parameters, each convolution has norms of its weights or outputs."""
    part.defaults = ENCODEC
    filters, hidden, channels = (part.size(name) for name in ("num_filters", "hidden_size", "audio_channels"))
    first, last, kernel = (part.size(name) for name in ("kernel_size", "last_kernel_size", "residual_kernel_size"))
    ratios, deep = sizes_of(part, "upsampling_ratios"), part.natural("num_residual_layers")
    compress, shortcut = part.size("compress"), part.flag("use_conv_shortcut")
    grouped = _grouped(part)
    wide: int = filters * 2 ** len(ratios)
    recurrence = part.natural("num_lstm_layers") * GATES * (2 * wide * wide + 2 * wide)

    def conv(inputs: int, outputs: int, size: int, *, back: bool = False) -> int:
        norm = 2 * outputs if grouped else (inputs if back else outputs)
        return inputs * outputs * size + outputs + norm

    def residual(width: int) -> int:
        inner = max(width // compress, 1)
        one = conv(width, inner, kernel) + conv(inner, width, 1)
        return deep * (one + (conv(width, width, 1) if shortcut else 0))

    total = conv(channels, filters, first) + conv(wide, hidden, last) + 2 * recurrence
    total += conv(hidden, wide, first) + conv(filters, channels, last)
    for at, ratio in enumerate(reversed(ratios)):
        width: int = filters * 2**at
        total += 2 * residual(width) + conv(width, 2 * width, 2 * ratio)
        total += conv(2 * width, width, 2 * ratio, back=True)
    return total


def _grouped(part: Fields) -> bool:
    """Whether outputs are normalised in place of weights."""
    kind = part.text("norm_type")
    if kind not in ("weight_norm", "time_group_norm"):
        part.fault("model.variant_unread", "norm_type", value=brief(kind), known="weight_norm, time_group_norm")
    return kind == "time_group_norm"
