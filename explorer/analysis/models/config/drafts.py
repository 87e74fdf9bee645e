"""Layers that draft more tokens (multi-token prediction): counted apart, not run in plain decoding."""

from explorer.analysis.models.config.fields import Fields
from explorer.analysis.models.parts import count_values
from explorer.analysis.models.transformer import Decoder

_NORMS = 5  # two of the layer, two of what is joined, one at the end


def note_drafts(fields: Fields, decoder: Decoder, layers: object) -> None:
    """Say how many there are and what they hold: each is a layer like the last, fed with two joined streams.

    DeepSeek-V3 (arXiv 2412.19437), section 2.2; they share the embedding and the head.
    """
    if not isinstance(layers, int) or isinstance(layers, bool) or layers <= 0 or fields.problems:
        return
    last = (*decoder.mixers[-1].ops(mixed=False), *decoder.mlps[-1].ops(mixed=False))
    width = decoder.hidden
    each = count_values(t for op in last for t in op.tensors) + 2 * width * width + _NORMS * width
    fields.note("model.mtp_counted_apart", layers=int(layers), parameters=layers * each)
