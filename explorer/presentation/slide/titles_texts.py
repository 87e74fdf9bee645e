"""Sentences of the slides of single views."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "title.time": QT_TRANSLATE_NOOP("messages", "{subject}: {share} of the time on {device} in {names}"),
        "title.decode": QT_TRANSLATE_NOOP(
            "messages", "{subject} at batch {batch}: at most {rate} tokens/s, on {device}"
        ),
        "title.decode_one": QT_TRANSLATE_NOOP(
            "messages", "{subject} at batch {batch}: at most {rate} tokens/s on {device}"
        ),
        "title.routed": QT_TRANSLATE_NOOP(
            "messages", "{subject} at batch {batch}: about {rate} tokens/s, the most of all, on {device}"
        ),
        "title.routed_one": QT_TRANSLATE_NOOP(
            "messages", "{subject} at batch {batch}: about {rate} tokens/s on {device}"
        ),
        "title.inputs": QT_TRANSLATE_NOOP(
            "messages", "{subject} at batch {batch}: at most {rate} inputs/s, on {device}"
        ),
        "title.inputs_one": QT_TRANSLATE_NOOP(
            "messages", "{subject} at batch {batch}: at most {rate} inputs/s on {device}"
        ),
        "title.needs": QT_TRANSLATE_NOOP(
            "messages", "{model} needs {bytes} at batch {batch}, context {context}: {verdict}"
        ),
        "title.needs_inputs": QT_TRANSLATE_NOOP("messages", "{model} needs {bytes} at batch {batch}: {verdict}"),
        "title.fits.one": QT_TRANSLATE_NOOP("messages", "it fits on {fits}"),
        "title.fits.both": QT_TRANSLATE_NOOP("messages", "it fits on both devices"),
        "title.fits.three": QT_TRANSLATE_NOOP("messages", "it fits on all three devices"),
        "title.fits.all": QT_TRANSLATE_NOOP("messages", "it fits on all {count} devices"),
        "title.fits_some": QT_TRANSLATE_NOOP("messages", "it fits on {fits}, not on {full}"),
        "title.full.one": QT_TRANSLATE_NOOP("messages", "{full} has no room for it"),
        "title.full.both": QT_TRANSLATE_NOOP("messages", "neither device has room for it"),
        "title.full.three": QT_TRANSLATE_NOOP("messages", "none of the three devices has room for it"),
        "title.full.all": QT_TRANSLATE_NOOP("messages", "none of the {count} devices has room for it"),
        "read.time": QT_TRANSLATE_NOOP(
            "messages", "Of each operator the upper bar is its share of the time, the lower one its share of the FLOPs."
        ),
        "read.decode": QT_TRANSLATE_NOOP(
            "messages", "Dots stand at the study's batch, {batch}. Curves are pale beyond the batch that memory holds."
        ),
        "read.memory": QT_TRANSLATE_NOOP(
            "messages",
            "Bars are what the step holds, thin ones what it would hold at the model's longest context. The upright "
            "line is the capacity; what lies beyond it is hatched.",
        ),
    }
)
