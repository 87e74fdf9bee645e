"""Sentences that only a caller from Python reads."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "api.model": QT_TRANSLATE_NOOP(
            "messages",
            "No model or file is named “{text}”; give a preset's name, a {hint}, a GGUF or safetensors file, "
            "or a dict: a config, or params, layers, kv_heads and head_dim.",
        ),
        "api.catalogue": QT_TRANSLATE_NOOP("messages", "The catalogue is what load_catalogue() gives, not {got}."),
        "api.study": QT_TRANSLATE_NOOP("messages", "A study, its file or its evaluation is expected, not {got}."),
        "api.value": QT_TRANSLATE_NOOP("messages", "The study holds a value that no study has: {reason}."),
        "api.config": QT_TRANSLATE_NOOP("messages", "The config is not plain JSON: {reason}."),
        "api.device": QT_TRANSLATE_NOOP(
            "messages", "“{got}” is none of the evaluation’s devices, or several; take one of {known}."
        ),
        "api.no_hardware": QT_TRANSLATE_NOOP(
            "messages", 'The study shows no device; give it one, for example hardware="H100 SXM5".'
        ),
        "api.no_work": QT_TRANSLATE_NOOP("messages", "The study has neither a model nor operators; give it a model."),
        "api.path": QT_TRANSLATE_NOOP("messages", "A name or a path is expected, not {got}."),
        "api.theme": QT_TRANSLATE_NOOP("messages", "There is no theme “{got}”; take light or dark."),
        "api.scale": QT_TRANSLATE_NOOP("messages", "The scale is a number, for example 2.0, not “{got}”."),
        "api.text": QT_TRANSLATE_NOOP("messages", "A slide has no text “{got}”; the texts are: {known}."),
        "api.axis": QT_TRANSLATE_NOOP("messages", "{got} is no axis; give its two ends, for example (0.1, 1000)."),
        "api.size": QT_TRANSLATE_NOOP("messages", "{got} is no width and height in pixels; give (1600, 900)."),
    }
)
