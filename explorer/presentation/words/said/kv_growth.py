"""By how much a token grows the KV cache, in words that say where the figure holds."""

from typing import TYPE_CHECKING

from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.quantities.numbers import capacity
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

if TYPE_CHECKING:
    from explorer.analysis.models import Model

register(
    {
        "kv_growth.plain": QT_TRANSLATE_NOOP("messages", "{each} per token"),
        "kv_growth.inside": QT_TRANSLATE_NOOP("messages", "{each} per token up to {window} tokens"),
        "kv_growth.beyond": QT_TRANSLATE_NOOP(
            "messages", "{each} per token up to {window} tokens, {later} at context {context}"
        ),
    }
)


def kv_growth_text(model: "Model", context: int, kv_bytes_per_value: float, look: Look = ENGLISH) -> str:
    """`880 KiB per token up to 1,024 tokens, 80.0 KiB at context 2,048`; one figure where no window ends the growth."""
    window = model.smallest_window
    each = capacity(model.kv_bytes_per_token(kv_bytes_per_value), look.unit)
    if window is None:
        return render(Message("kv_growth.plain", {"each": each}), look)
    inside = {"each": each, "window": f"{window:,}"}
    if context <= window:
        return render(Message("kv_growth.inside", inside), look)
    later = capacity(model.kv_bytes_per_token_at(context, kv_bytes_per_value), look.unit)
    return render(Message("kv_growth.beyond", {**inside, "later": later, "context": f"{context:,}"}), look)
