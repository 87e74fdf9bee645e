"""Prefill: the whole prompt at once; of an encoder, its one pass."""

from explorer.analysis.step.phases.ids import PREFILL
from explorer.analysis.step.phases.phase import Phase
from explorer.analysis.step.rows import Number, SequenceGroup


def _cached(group: SequenceGroup) -> Number:
    return 0.0 if group.tokens is group.context else group.context - group.tokens


PREFILL_PHASE = Phase(
    id=PREFILL,
    tokens=lambda context: context,
    cached=_cached,
    takes_prompt=True,
    writes_encoded=True,
    has_kv_growth=False,
    has_batch_knees=False,
)
