"""Sentences on what fits where."""

import explorer.presentation.answer_texts
import explorer.presentation.decode_texts  # noqa: F401 - the words of lists and parts
from explorer.presentation.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "fit.one": QT_TRANSLATE_NOOP("messages", "one {device}"),
        "fit.several": QT_TRANSLATE_NOOP("messages", "{count} {device}"),
        "fit.yes": QT_TRANSLATE_NOOP(
            "messages",
            "{name} with {weights} weights fits on {device}: {needed} of {capacity} at batch {batch}, "
            "context {context} ({parts}).",
        ),
        "fit.no": QT_TRANSLATE_NOOP(
            "messages",
            "{name} with {weights} weights does not fit on {device}: {needed} of {capacity} at batch {batch}, context "
            "{context} ({parts}); it fits on {enough}.",
        ),
        "fit.never": QT_TRANSLATE_NOOP(
            "messages",
            "{name} with {weights} weights does not fit on {device}: {needed} of {capacity} at batch {batch}, context "
            "{context} ({parts}).",
        ),
        "fit.context": QT_TRANSLATE_NOOP("messages", "Longest context at batch {batch} on {device}: {longest} tokens."),
        "fit.context_beyond": QT_TRANSLATE_NOOP(
            "messages",
            "Longest context at batch {batch} on {device}: {longest} tokens, more than the {model} of the model.",
        ),
        "fit.batch": QT_TRANSLATE_NOOP("messages", "Largest batch at context {context} on {device}: {largest}."),
        "fit.at_model_context": QT_TRANSLATE_NOOP(
            "messages",
            "At the model's longest context, {model} tokens, batch {batch} takes {needed} ({parts}): {device}.",
        ),
    }
)
