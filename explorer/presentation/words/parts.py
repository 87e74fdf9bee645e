"""Words of the parts of what is held: a line in each of these for every entry of the memory ledger."""

from typing import TYPE_CHECKING, Final

from explorer.analysis.step.ledger import KV, RESERVE, STATE, WEIGHTS
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

if TYPE_CHECKING:
    from explorer.analysis.models import Model

PARTS: Final[tuple[str, ...]] = (WEIGHTS, KV, STATE, RESERVE)

register(
    {
        "part.weights": QT_TRANSLATE_NOOP("messages", "weights"),
        "part.kv": QT_TRANSLATE_NOOP("messages", "KV cache"),
        "part.state": QT_TRANSLATE_NOOP("messages", "state"),
        "part.reserve": QT_TRANSLATE_NOOP("messages", "reserve"),
        "part.weights.short": QT_TRANSLATE_NOOP("messages", "weights"),
        "part.kv.short": QT_TRANSLATE_NOOP("messages", "KV"),
        "part.state.short": QT_TRANSLATE_NOOP("messages", "state"),
        "part.reserve.short": QT_TRANSLATE_NOOP("messages", "reserve"),
        "part.weights.sized": QT_TRANSLATE_NOOP("messages", "weights {bytes}"),
        "part.kv.sized": QT_TRANSLATE_NOOP("messages", "KV {bytes}"),
        "crossed.kv": QT_TRANSLATE_NOOP("messages", "KV cache of self- and cross-attention"),
        "crossed.kv.sized": QT_TRANSLATE_NOOP("messages", "KV of self- and cross-attention {bytes}"),
        "part.state.sized": QT_TRANSLATE_NOOP("messages", "state {bytes}"),
        "part.reserve.sized": QT_TRANSLATE_NOOP("messages", "reserve {bytes}"),
    }
)


def part_key(part: str, model: "Model | None") -> str:
    """The key of a part's word; a cache of two kinds of attention says so, and `.sized` names its bytes."""
    crossed = part == KV and model is not None and model.cross_kv_bytes_per_token(1.0) is not None
    return f"crossed.{part}" if crossed else f"part.{part}"
