"""Sentences on the faults of a study."""

import explorer.presentation.hardware.device_texts  # noqa: F401 - a study embeds devices
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "study.format": QT_TRANSLATE_NOOP("messages", "The study has format {got}, not {known}."),
        "study.no_format": QT_TRANSLATE_NOOP("messages", "This is no study file: add the line “format: {known}”."),
        "study.newer": QT_TRANSLATE_NOOP(
            "messages", "This study has format {got}, this program reads up to format {known}; update the program."
        ),
        "study.long": QT_TRANSLATE_NOOP("messages", "The text is longer than {limit} characters; shorten it."),
        "study.line": QT_TRANSLATE_NOOP("messages", "One line of at most {limit} printable characters is expected."),
        "study.printable": QT_TRANSLATE_NOOP("messages", "Lines of printable characters are expected."),
        "study.id": QT_TRANSLATE_NOOP("messages", "One line of 1 to {limit} printable characters is expected."),
        "study.twice": QT_TRANSLATE_NOOP("messages", "“{id}” stands twice; each must be unique."),
        "study.many": QT_TRANSLATE_NOOP("messages", "At most {limit} entries are read, not {got}; take some out."),
        "study.whole": QT_TRANSLATE_NOOP("messages", "A whole number is expected, not {got}."),
        "study.groups_unread": QT_TRANSLATE_NOOP(
            "messages", "Groups of sequences cannot be evaluated; take “groups” out of the workload."
        ),
        "study.plan_unread": QT_TRANSLATE_NOOP(
            "messages", "A plan of steps cannot be evaluated; take “plan” out of the study."
        ),
        "study.active_model": QT_TRANSLATE_NOOP("messages", "The study has no model “{id}”; its models are: {known}."),
        "study.no_models": QT_TRANSLATE_NOOP("messages", "The study has no model “{id}”, nor any other."),
        "study.model_source": QT_TRANSLATE_NOOP("messages", "A model is either a config or a quick model; keep one."),
        "study.expected": QT_TRANSLATE_NOOP(
            "messages", "The expected efficiencies must be 0 < low ≤ high ≤ 1, not {low} and {high}."
        ),
        "study.knee_factor": QT_TRANSLATE_NOOP("messages", "The knee factor must lie between 1 and 2, not {got}."),
        "study.view_range": QT_TRANSLATE_NOOP("messages", "The visible range must be finite and not empty."),
        "study.positive": QT_TRANSLATE_NOOP(
            "messages", "The figure must be greater than zero and at most {high}, not {got}."
        ),
        "study.range": QT_TRANSLATE_NOOP("messages", "The figure must lie between {low} and {high}, not {got}."),
        "study.file_bytes": QT_TRANSLATE_NOOP(
            "messages",
            "The size of a file belongs to a model known by its config alone; this one says its own bytes already.",
        ),
        "study.mix_here": QT_TRANSLATE_NOOP(
            "messages",
            "{got} is a mix of formats by tensor, for all weights of a model; here one number format is needed, "
            "for example {format}.",
        ),
        "study.number_format": QT_TRANSLATE_NOOP("messages", "No number format is named “{got}”; use one of: {known}."),
        "study.kind_taken": QT_TRANSLATE_NOOP(
            "messages", "“{id}” is a built-in operator kind; give your kind another id."
        ),
        "study.dim": QT_TRANSLATE_NOOP("messages", "The kind {kind} has no such dimension; it has: {known}."),
    }
)
