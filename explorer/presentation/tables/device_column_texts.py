"""Headers of the tables of devices."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "column.device": QT_TRANSLATE_NOOP("messages", "Device"),
        "column.bandwidth": QT_TRANSLATE_NOOP("messages", "Bandwidth"),
        "column.bf16": QT_TRANSLATE_NOOP("messages", "16-bit peak"),
        "column.ridge": QT_TRANSLATE_NOOP("messages", "Ridge"),
        "column.floor": QT_TRANSLATE_NOOP("messages", "At least"),
        "column.step": QT_TRANSLATE_NOOP("messages", "Operator by operator"),
        "column.expected": QT_TRANSLATE_NOOP("messages", "Expected"),
        "column.per_request": QT_TRANSLATE_NOOP("messages", "Tokens/s per request"),
        "column.in_all": QT_TRANSLATE_NOOP("messages", "Tokens/s in all"),
        "column.routed": QT_TRANSLATE_NOOP("messages", "With {routing}"),
        "column.inputs_per_s": QT_TRANSLATE_NOOP("messages", "Inputs/s"),
        "column.per_request_routed": QT_TRANSLATE_NOOP("messages", "Tokens/s per request, {routing}"),
        "column.in_all_routed": QT_TRANSLATE_NOOP("messages", "Tokens/s in all, {routing}"),
        "column.as_routed": QT_TRANSLATE_NOOP("messages", "As routed"),
        "tip.routed": QT_TRANSLATE_NOOP(
            "messages", "With the experts that the workload's routing reads, random unless a skew is set."
        ),
        "column.memory": QT_TRANSLATE_NOOP("messages", "Memory"),
        "column.capacity": QT_TRANSLATE_NOOP("messages", "Capacity"),
        "column.fit": QT_TRANSLATE_NOOP("messages", "Fits up to batch"),
        "column.id": QT_TRANSLATE_NOOP("messages", "Id"),
    }
)
