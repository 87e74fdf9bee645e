"""Words of the levers: a chip with its gain, the change by itself, and what a click does."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "lever.weights8": QT_TRANSLATE_NOOP("messages", "8-bit weights <b>{gain}</b>"),
        "lever.weights8.change": QT_TRANSLATE_NOOP("messages", "8-bit weights"),
        "lever.weights8.tip": QT_TRANSLATE_NOOP(
            "messages", "How much faster the operators of the step get with 8-bit weights; click to use them"
        ),
        "lever.kv8": QT_TRANSLATE_NOOP("messages", "8-bit KV <b>{gain}</b>"),
        "lever.kv8.change": QT_TRANSLATE_NOOP("messages", "8-bit KV cache"),
        "lever.kv8.tip": QT_TRANSLATE_NOOP(
            "messages", "How much faster the operators of the step get with an 8-bit KV cache; click to use it"
        ),
        "lever.bandwidth2": QT_TRANSLATE_NOOP("messages", "2× bandwidth <b>{gain}</b>"),
        "lever.bandwidth2.change": QT_TRANSLATE_NOOP("messages", "2× bandwidth"),
        "lever.bandwidth2.tip": QT_TRANSLATE_NOOP(
            "messages", "What twice the bandwidth would bring; click to put such a device beside this one"
        ),
        "lever.compute2": QT_TRANSLATE_NOOP("messages", "2× compute <b>{gain}</b>"),
        "lever.compute2.change": QT_TRANSLATE_NOOP("messages", "2× compute"),
        "lever.compute2.tip": QT_TRANSLATE_NOOP(
            "messages", "What twice the compute would bring; click to put such a device beside this one"
        ),
    }
)
