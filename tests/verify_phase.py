"""A made-up phase: the model checks five tokens of each sequence at once; with its words, as any phase has them."""

import pytest

from explorer.analysis.step.phases.ids import DECODE
from explorer.analysis.step.phases.phase import Phase
from explorer.analysis.step.phases.registry import PHASES
from explorer.presentation.words.messages import TEMPLATES

NEW = 5.0  # tokens of each sequence
WORDS = {
    "": "Verify", ".listed": "verify", ".context": "Context, tokens", ".subject": "{model} verify",
    ".title": "{model}, verify at context {context}", ".answer": "On {device} checking takes at least {floor}.",
    ".answer_one": "On {device} checking one takes at least {floor}.",
}  # fmt: skip
VERIFY = Phase(
    id="verify",
    runs=DECODE,
    tokens=lambda _context: NEW,
    cached=lambda group: group.context - group.tokens + 1.0,
    takes_prompt=False,
    writes_encoded=False,
    has_kv_growth=True,
    has_batch_knees=True,
)


def register_verify(monkeypatch: pytest.MonkeyPatch) -> None:
    """Put it where phases are looked up, for one test."""
    monkeypatch.setitem(PHASES, VERIFY.id, VERIFY)
    for form, text in WORDS.items():
        monkeypatch.setitem(TEMPLATES, f"phase.{VERIFY.id}{form}", text)
