"""Sentences on operator kinds."""

import explorer.presentation.quantities.typed_texts  # noqa: F401 - the faults of formulas
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "kind.taken": QT_TRANSLATE_NOOP("messages", "Another kind is named “{id}”; give this one its own name."),
        "kind.used": QT_TRANSLATE_NOOP(
            "messages", "The kind is used by {count} rows ({rows}); give them another kind or delete them first."
        ),
        "kind.row": QT_TRANSLATE_NOOP(
            "messages", "The row “{name}” cannot be computed by these formulas; mend the formulas or the row."
        ),
        "kind.derived_line": QT_TRANSLATE_NOOP(
            "messages", "Line {line} is not understood; write derived figures as in “pairs = S_q * S_k”, one a line."
        ),
    }
)
