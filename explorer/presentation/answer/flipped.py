"""Which operators wait for something else on some of the visible devices: said beside the answer."""

from explorer.analysis.ask.comparison.compared import compare
from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.compare.table import table_of
from explorer.presentation.look import ENGLISH, Look


def flips_text(evaluation: Evaluation, look: Look = ENGLISH) -> str:
    """`Verdicts that flip, 8 of 17: q, o, ...: compute A100`; nothing where all wait alike, or on one device."""
    found = compare(evaluation, "machines")
    return table_of(evaluation, found, look).flips.text if found.flips.count or found.flips.left_out else ""
