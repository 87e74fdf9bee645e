"""All phases by id, and the step of one of them."""

from typing import Final

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.phases.decode import DECODE_PHASE
from explorer.analysis.step.phases.phase import Phase
from explorer.analysis.step.phases.prefill import PREFILL_PHASE
from explorer.analysis.step.rows import Number, Step

PHASES: Final[dict[str, Phase]] = {phase.id: phase for phase in (PREFILL_PHASE, DECODE_PHASE)}


def phase_of(name: str) -> Phase:
    """The phase of an id.

    Raises
    ------
    Refused
        There is no such phase.
    """
    found = PHASES.get(name)
    if found is None:
        raise Refused(Problem("model.phase_unknown", "phase", {"phase": name}))
    return found


def one_step(
    phase: str,
    batch: Number,
    context: Number,
    weights: str | None = None,
    activations: str | None = None,
    kv: str | None = None,
    attention_count: str = "causal",
    logits: str = "last",
    skew: float = 0.0,
) -> Step:
    """A step of one group of `batch` equal sequences of `context` tokens.

    Raises
    ------
    Refused
        There is no such phase.
    """
    group = phase_of(phase).group(batch, context)
    return Step(phase, (group,), weights, activations, kv, attention_count, logits, skew)
