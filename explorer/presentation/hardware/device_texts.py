"""Sentences on hardware: faults of a hardware file and names that fit none or several devices."""

import explorer.presentation.words.file_texts  # noqa: F401 - the faults of a file show beside these
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "device.format": QT_TRANSLATE_NOOP(
            "messages",
            "This hardware file has format {got}, this program reads format {known}; update the program.",
        ),
        "device.id": QT_TRANSLATE_NOOP(
            "messages",
            "An id is 1 to 100 small letters, digits, dots, dashes and underscores, beginning with a letter or digit.",
        ),
        "device.no_memory": QT_TRANSLATE_NOOP(
            "messages", "At least one memory level is needed; list the outermost first."
        ),
        "device.no_bandwidth": QT_TRANSLATE_NOOP("messages", "The outermost memory level needs a bandwidth in B/s."),
        "device.repeated": QT_TRANSLATE_NOOP("messages", "“{what}” stands twice; keep one entry."),
        "device.source": QT_TRANSLATE_NOOP(
            "messages", "The source “{got}” is not listed under sources; add it there or leave it out."
        ),
        "device.same_id": QT_TRANSLATE_NOOP(
            "messages", "Another file of the folder has the id “{id}” already; give this device its own id."
        ),
        "device.ambiguous": QT_TRANSLATE_NOOP("messages", "“{text}” fits {count} devices; say which: {candidates}."),
        "device.size_not_sold": QT_TRANSLATE_NOOP(
            "messages", "{device} is known with {sizes} GiB of memory, not others."
        ),
        "device.unknown": QT_TRANSLATE_NOOP("messages", "No device is named “{text}”; the nearest are: {nearest}."),
        "typed.device_part": QT_TRANSLATE_NOOP(
            "messages",
            "“{part}” is no figure of a device; type its bandwidth, dense bf16 peak and perhaps capacity, as in "
            "“{example}”.",
        ),
        "typed.device_bandwidth": QT_TRANSLATE_NOOP(
            "messages", "“{text}” names no bandwidth; a device is typed with its bandwidth and peak, as in “{example}”."
        ),
        "typed.device_peak": QT_TRANSLATE_NOOP(
            "messages", "“{text}” names no dense bf16 peak; a device is typed with both rates, as in “{example}”."
        ),
        "typed.device_twice": QT_TRANSLATE_NOOP(
            "messages", "“{text}” has two figures in {unit}; give one of each, as in “{example}”."
        ),
        "device.none_like": QT_TRANSLATE_NOOP(
            "messages", "No device is named “{text}”; list them with the hardware command."
        ),
    }
)
