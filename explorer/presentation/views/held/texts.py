"""Words of the tables of the Memory view."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "held.by_device": QT_TRANSLATE_NOOP("messages", "By device"),
        "held.device": QT_TRANSLATE_NOOP("messages", "Device"),
        "held.held": QT_TRANSLATE_NOOP("messages", "Held"),
        "held.capacity": QT_TRANSLATE_NOOP("messages", "Capacity"),
        "held.left": QT_TRANSLATE_NOOP("messages", "Left"),
        "held.batch": QT_TRANSLATE_NOOP("messages", "Largest batch"),
        "held.context": QT_TRANSLATE_NOOP("messages", "Longest context"),
        "held.fewest": QT_TRANSLATE_NOOP("messages", "Devices needed"),
        "held.none": QT_TRANSLATE_NOOP("messages", "none"),
        "held.unknown": QT_TRANSLATE_NOOP("messages", "“–”: the capacity of {names} is not known."),
        "held.never": QT_TRANSLATE_NOOP("messages", "“–”: no number of devices up to {most} holds this."),
        "held.by_kind": QT_TRANSLATE_NOOP("messages", "By kind of layer, batch {batch}, context {context}"),
        "held.by_kind_inputs": QT_TRANSLATE_NOOP("messages", "By kind of layer, batch {batch}"),
        "held.kind": QT_TRANSLATE_NOOP("messages", "Attention · feed-forward"),
        "held.count": QT_TRANSLATE_NOOP("messages", "Layers"),
        "held.kv": QT_TRANSLATE_NOOP("messages", "KV cache"),
        "held.state": QT_TRANSLATE_NOOP("messages", "State"),
        "held.weights": QT_TRANSLATE_NOOP("messages", "Weights"),
        "held.kv_each": QT_TRANSLATE_NOOP("messages", "KV per layer"),
        "held.weights_each": QT_TRANSLATE_NOOP("messages", "Weights per layer"),
        "held.parameters": QT_TRANSLATE_NOOP("messages", "Parameters"),
        "held.other": QT_TRANSLATE_NOOP("messages", "outside of the layers"),
        "held.all": QT_TRANSLATE_NOOP("messages", "in all"),
        "held.file": QT_TRANSLATE_NOOP(
            "messages", "“–”: of the model's file only the size of all weights together is known."
        ),
    }
)
