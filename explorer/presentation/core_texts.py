"""Sentences on results: assumptions, faults of rows, of formulas and of operator kinds."""

from explorer.presentation.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "note.compute_not_judged": QT_TRANSLATE_NOOP(
            "messages", "{device}: no peak for {format} is known, nor one to stand in; compute is not judged."
        ),
        "note.peak_stands_in": QT_TRANSLATE_NOOP(
            "messages", "{device}: the peak of {stand_in} stands in for {format}, which the device does not list."
        ),
        "note.no_launch": QT_TRANSLATE_NOOP(
            "messages", "{device}: no launch overhead is known; launches count as free."
        ),
        "note.ideal_devices": QT_TRANSLATE_NOOP(
            "messages",
            "{device}: {count} devices are ideal, with {count} times the rates and the capacity of one; "
            "links are not counted.",
        ),
        "note.no_capacity": QT_TRANSLATE_NOOP(
            "messages", "{device}: no memory capacity is known; whether the work fits is not judged."
        ),
        "note.fused": QT_TRANSLATE_NOOP(
            "messages", "Rows marked as fused move only their weights and KV cache and launch no kernel."
        ),
        "row.kind": QT_TRANSLATE_NOOP("messages", "{name}: no operator kind is named “{kind}”."),
        "row.format": QT_TRANSLATE_NOOP("messages", "{name}: no number format is named “{format}”."),
        "formula.long": QT_TRANSLATE_NOOP(
            "messages", "The formula has {length} characters; at most {limit} are accepted."
        ),
        "formula.syntax": QT_TRANSLATE_NOOP("messages", "“{text}” is not a formula; write it like 2 * m * n * k."),
        "formula.name": QT_TRANSLATE_NOOP("messages", "The name {name} is unknown here; use one of: {known}."),
        "formula.constant": QT_TRANSLATE_NOOP("messages", "{text} is not a number."),
        "formula.construct": QT_TRANSLATE_NOOP(
            "messages", "{text} is not accepted; use + - * / // % ** and min, max, ceil, floor, log2."
        ),
        "formula.function": QT_TRANSLATE_NOOP("messages", "There is no function “{name}”; use one of: {known}."),
        "formula.arguments": QT_TRANSLATE_NOOP("messages", "{name} is given the wrong number of figures."),
        "formula.value": QT_TRANSLATE_NOOP(
            "messages", "{name}: a formula cannot be computed with these dimensions (division by zero or too large)."
        ),
        "formula.result": QT_TRANSLATE_NOOP(
            "messages", "{name}: the result must be finite and not negative; check the formula and the dimensions."
        ),
        "kind.name": QT_TRANSLATE_NOOP(
            "messages", "“{name}” cannot be a name in formulas; use letters, digits and underscores, not a, w, o or kv."
        ),
        "kind.duplicate": QT_TRANSLATE_NOOP("messages", "The name {name} stands twice; keep one."),
    }
)
