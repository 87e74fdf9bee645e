"""LED: BART whose encoder looks at windows, as Longformer's does."""

from typing import Final

from msgspec.structs import replace

from explorer.analysis.models.blocks.attention import Names
from explorer.analysis.models.blocks.bidirectional import Bidirectional
from explorer.analysis.models.blocks.in_blocks import in_chunks
from explorer.analysis.models.config.fields import LAYER_LIMIT, Fields
from explorer.analysis.models.families.encoders.long import idle_projections, windows_of
from explorer.analysis.models.families.encoders.two_stacks import EncoderDecoderReader, TwoStacks
from explorer.analysis.models.families.family import Family
from explorer.analysis.models.families.pairs.bart import BartLike
from explorer.analysis.models.heads.pairs import BART as HEADS
from explorer.analysis.models.transformer import Mixer

NAMES = Names("self_attn.longformer_self_attn", "self_attn.output", "", "query", "key", "value")


class Windowed(BartLike, frozen=True):
    """Sizes of positions for either side, no scale of the table."""

    def _scaled(self, fields: Fields) -> bool:  # noqa: ARG002 - it has no field for it
        return False

    def _rows(self, fields: Fields, side: str) -> int:
        return fields.size(f"max_{side}_position_embeddings")

    def encoder_mixers(self, fields: Fields, hidden: int, heads: int, layers: int) -> tuple[Mixer, ...]:
        """A window for each layer."""
        plain = Bidirectional(hidden, heads, max(hidden // heads, 1), names=NAMES)
        windows = windows_of(fields, layers)
        longest = max(windows, default=0)
        return tuple(in_chunks(plain, max(window // 2, 1), longest) for window in windows)


def _led(fields: Fields) -> TwoStacks:
    """Both stacks (transformers LEDForConditionalGeneration)."""
    pair = Windowed()(fields)
    layers = fields.size("encoder_layers", limit=LAYER_LIMIT)
    heads = fields.size("encoder_attention_heads")
    plain = Bidirectional(pair.encoder.hidden, heads, max(pair.encoder.hidden // heads, 1), names=NAMES)
    fields.note("model.global_tokens")
    idle = idle_projections(plain, layers)
    windows = windows_of(fields, layers) if not fields.problems else ()
    return replace(pair, extra=(*pair.extra, *idle), filled=max(windows, default=0))


FAMILIES: Final = (
    Family(
        ("led",),
        EncoderDecoderReader(
            "LED",
            _led,
            {
                "activation_function": "gelu",
                "max_encoder_position_embeddings": 16384,
                "max_decoder_position_embeddings": 1024,
                "attention_window": 512,
                "tie_word_embeddings": True,
            },
            "max_decoder_position_embeddings",
            HEADS,
        ),
    ),
)
