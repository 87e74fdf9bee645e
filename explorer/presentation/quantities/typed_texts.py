"""Sentences on what was typed into a cell, pasted from a spreadsheet, or written as a formula."""

import explorer.presentation.words.study_texts  # noqa: F401 - typed values meet the study's own limits too
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "typed.two_ways": QT_TRANSLATE_NOOP(
            "messages",
            "“{got}” can be read in two ways; write the number without separators of thousands and with a decimal "
            "point, as in 1234 or 1.5.",
        ),
        "typed.number": QT_TRANSLATE_NOOP(
            "messages", "“{got}” is not a number; write it as in 4096, 1.5e9 or 4k (k, M, G, T)."
        ),
        "typed.dims": QT_TRANSLATE_NOOP("messages", "“{got}” is not understood; write dims as in “m=8 n=4096 k=4096”."),
        "typed.dim_twice": QT_TRANSLATE_NOOP("messages", "The dim {name} stands twice; keep one."),
        "typed.name_taken": QT_TRANSLATE_NOOP("messages", "Another row is named “{name}”; names are unique."),
        "typed.yes_no": QT_TRANSLATE_NOOP("messages", "“{got}” is neither yes nor no."),
        "pasted.empty": QT_TRANSLATE_NOOP("messages", "There is nothing to paste."),
        "pasted.large": QT_TRANSLATE_NOOP(
            "messages", "The text has more than {limit} characters or lines; paste it in parts."
        ),
        "pasted.no_kind": QT_TRANSLATE_NOOP("messages", "The kind of the operator is missing."),
        "pasted.columns": QT_TRANSLATE_NOOP(
            "messages", "There are more cells than columns: expected are name, kind, calls, dims and formats."
        ),
        "pasted.twice": QT_TRANSLATE_NOOP("messages", "The column “{name}” stands twice in the header."),
        "row.kind": QT_TRANSLATE_NOOP("messages", "No operator kind is named “{kind}”."),
        "row.format": QT_TRANSLATE_NOOP("messages", "No number format is named “{format}”."),
        "formula.value": QT_TRANSLATE_NOOP(
            "messages", "The formulas cannot be computed with these dims (a division by zero, or a number too large)."
        ),
        "formula.result": QT_TRANSLATE_NOOP(
            "messages", "The result must be a finite number that is not negative; check the dims and the formula."
        ),
        "formula.long": QT_TRANSLATE_NOOP(
            "messages", "The formula has {length} characters; at most {limit} are accepted."
        ),
        "formula.syntax": QT_TRANSLATE_NOOP("messages", "This is not a formula; write it as in 2 * m * n * k."),
        "formula.name": QT_TRANSLATE_NOOP("messages", "“{name}” is not known here; use one of: {known}."),
        "formula.constant": QT_TRANSLATE_NOOP("messages", "{text} is not a number."),
        "formula.construct": QT_TRANSLATE_NOOP(
            "messages", "Only + - * / // % **, min, max, ceil, floor and log2 may be used."
        ),
        "formula.function": QT_TRANSLATE_NOOP("messages", "“{name}” is not a function here; use one of: {known}."),
        "formula.arguments": QT_TRANSLATE_NOOP("messages", "{name} got the wrong number of values."),
        "kind.name": QT_TRANSLATE_NOOP(
            "messages",
            "“{name}” cannot name a dim: use letters, digits and _, beginning with a letter, and not a, w, o, kv or a "
            "function.",
        ),
        "kind.duplicate": QT_TRANSLATE_NOOP("messages", "The name “{name}” stands twice."),
    }
)
