"""How what stands under a figure was reckoned: both figures and what comes of them."""

from explorer.analysis.ask.comparison.compared import ComparedCell
from explorer.analysis.study.choices import CompareAs
from explorer.presentation.compare.values import difference_text, relation_text, value_text
from explorer.presentation.look import ENGLISH, Look
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

register(
    {
        "compare.reckoned.ratio": QT_TRANSLATE_NOOP("messages", "{value} / {baseline} = {relation}"),
        "compare.reckoned.difference": QT_TRANSLATE_NOOP("messages", "{value} − {baseline} = {relation}"),
    }
)


def reckoned_text(cell: ComparedCell, base: ComparedCell, shown: CompareAs, look: Look = ENGLISH) -> str:
    """`8.00 TB/s / 3.35 TB/s = 2.39×`, or the difference; empty where there is neither."""
    ratio = shown == "ratio" and cell.ratio is not None
    relation = relation_text(cell, shown, look) if ratio else difference_text(cell, look)
    if not relation:
        return ""
    key = "compare.reckoned.ratio" if ratio else "compare.reckoned.difference"
    values = {"value": value_text(cell, look), "baseline": value_text(base, look), "relation": relation}
    return render(Message(key, values), look)
