"""Words of the parts of what is held: a line in each of these for every entry of the memory ledger."""

from typing import Final

from explorer.analysis.step.ledger import KV, RESERVE, STATE, WEIGHTS
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

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
        "part.state.sized": QT_TRANSLATE_NOOP("messages", "state {bytes}"),
        "part.reserve.sized": QT_TRANSLATE_NOOP("messages", "reserve {bytes}"),
    }
)
