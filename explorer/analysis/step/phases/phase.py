"""What a phase is: which tokens go through the model, what is cached before, which figures and panels it has."""

from collections.abc import Callable

import msgspec

from explorer.analysis.step.phases.ids import PhaseId
from explorer.analysis.step.rows import Number, SequenceGroup


class Phase(msgspec.Struct, frozen=True, eq=False):
    """One phase; everything that differs between phases is asked here.

    Attributes
    ----------
    tokens
        New tokens of one sequence in a step, from the context.
    cached
        Keys of a sequence that stand in the cache before a step, from its group.
    takes_prompt
        Whether the tokens that count are those of the prompt, not those that come out.
    writes_encoded
        Whether the keys and values that a decoder makes of an encoder's output are written here, and no others.
    has_kv_growth
        Whether the KV cache is read and grows, so that its format says something of the step.
    has_batch_knees
        Whether the step changes its nature with the batch: KV-half, ridge, fit and knee batch, and the simple lines.
    """

    id: PhaseId
    tokens: Callable[[Number], Number]
    cached: Callable[[SequenceGroup], Number]
    takes_prompt: bool
    writes_encoded: bool
    has_kv_growth: bool
    has_batch_knees: bool

    def group(self, batch: Number, context: Number) -> SequenceGroup:
        """The group of `batch` sequences of `context` tokens."""
        return SequenceGroup(self.tokens(context), context, batch)

    def yields(self, group: SequenceGroup, prompt: Number) -> tuple[Number, Number]:
        """Tokens that a group yields in all and per sequence, whose prompts have `prompt` tokens."""
        each = prompt if self.takes_prompt else group.tokens
        return group.sequences * each, each
