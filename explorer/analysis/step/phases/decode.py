"""Decode: one new token of each sequence, which reads the keys and values of all before it."""

from explorer.analysis.step.phases.ids import DECODE
from explorer.analysis.step.phases.phase import Phase
from explorer.analysis.step.rows import Number, SequenceGroup

ONE = 1.0


def _cached(group: SequenceGroup) -> Number:
    """The context; the newest token reads its own key back, so it counts among them."""
    return group.context if group.tokens is ONE else group.context - group.tokens + 1.0


DECODE_PHASE = Phase(
    id=DECODE,
    tokens=lambda _context: ONE,
    cached=_cached,
    takes_prompt=False,
    writes_encoded=False,
    has_kv_growth=True,
    has_batch_knees=True,
)
