"""Sentences on typed hardware figures."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "quantity.missing": QT_TRANSLATE_NOOP("messages", "A figure is needed here, for example {example}."),
        "quantity.stored": QT_TRANSLATE_NOOP("messages", "= {value}"),
        "quantity.bare": QT_TRANSLATE_NOOP(
            "messages", "“{got}” alone means bytes; write the unit that is meant, as in {example}."
        ),
        "quantity.comma": QT_TRANSLATE_NOOP(
            "messages",
            "“{got}” has a comma, which can mean thousands or decimals; write a decimal point and no separators, "
            "as in {example}.",
        ),
        "quantity.number": QT_TRANSLATE_NOOP("messages", "“{got}” is not a figure; write it as in {example}."),
        "quantity.unit": QT_TRANSLATE_NOOP(
            "messages", "“{got}” does not end in a known unit; write it as in {example}."
        ),
        "quantity.bits": QT_TRANSLATE_NOOP(
            "messages", "“{got}” is in bits; divide by 8 and write bytes with a capital B, as in {example}."
        ),
    }
)
