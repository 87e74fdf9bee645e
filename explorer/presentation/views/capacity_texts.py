"""Sentences on what fits where."""

import explorer.presentation.answer.texts
import explorer.presentation.words.parts  # noqa: F401 - the words of lists and parts
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

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
        "fit.yes_inputs": QT_TRANSLATE_NOOP(
            "messages",
            "{name} with {weights} weights fits on {device}: {needed} of {capacity} at batch {batch} ({parts}).",
        ),
        "fit.no_inputs": QT_TRANSLATE_NOOP(
            "messages",
            "{name} with {weights} weights does not fit on {device}: {needed} of {capacity} at batch {batch} "
            "({parts}); it fits on {enough}.",
        ),
        "fit.never_inputs": QT_TRANSLATE_NOOP(
            "messages",
            "{name} with {weights} weights does not fit on {device}: {needed} of {capacity} at batch {batch} "
            "({parts}).",
        ),
        "fit.context": QT_TRANSLATE_NOOP("messages", "Longest context at batch {batch} on {device}: {longest} tokens."),
        "fit.context_beyond": QT_TRANSLATE_NOOP(
            "messages",
            "Longest context at batch {batch} on {device}: {longest} tokens, more than the {model} of the model.",
        ),
        "fit.batch": QT_TRANSLATE_NOOP("messages", "Largest batch at context {context} on {device}: {largest}."),
        "memory_view.title": QT_TRANSLATE_NOOP("messages", "{model}: memory held at batch {batch}, context {context}"),
        "memory_view.title_inputs": QT_TRANSLATE_NOOP("messages", "{model}: memory held at batch {batch}"),
        "memory_view.growth": QT_TRANSLATE_NOOP("messages", "KV cache of a sequence: {growth}."),
        "memory_view.empty": QT_TRANSLATE_NOOP("messages", "Choose a model and a device to see what fits."),
        "memory_view.of": QT_TRANSLATE_NOOP("messages", "{held} of {capacity}"),
        "memory_view.at": QT_TRANSLATE_NOOP("messages", "at {context} tokens"),
        "memory_view.needs": QT_TRANSLATE_NOOP("messages", "does not fit: needs {count} devices"),
        "memory_view.limits": QT_TRANSLATE_NOOP("messages", "fits: up to context {context}, or batch {batch}"),
        "fit.at_model_context": QT_TRANSLATE_NOOP(
            "messages",
            "At the model's longest context, {model} tokens, batch {batch} takes {needed} ({parts}): {device}.",
        ),
    }
)
