"""Sentences on results: the assumptions they rest on."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "note.compute_not_judged": QT_TRANSLATE_NOOP(
            "messages", "{device}: no peak for {format} is known, nor one to stand in; compute is not judged."
        ),
        "note.vector_not_judged": QT_TRANSLATE_NOOP(
            "messages",
            "{device}: no peak of its vector units is known; "
            "for norms, activations and the like compute is not judged.",
        ),
        "note.peak_stands_in": QT_TRANSLATE_NOOP(
            "messages", "{device}: the peak of {stand_in} stands in for {format}, which the device does not list."
        ),
        "note.peak_stands_in_slower": QT_TRANSLATE_NOOP(
            "messages",
            "{device}: the peak of {stand_in} stands in for {format}, which it runs slower, so that libraries convert.",
        ),
        "note.no_launch": QT_TRANSLATE_NOOP(
            "messages",
            "{device}: no launch overhead is known: times are at least, launches unknown. "
            "A hardware file gives one as {field}.",
        ),
        "note.typed_device": QT_TRANSLATE_NOOP(
            "messages", "{device} is known by the figures typed alone; all others of it are unknown."
        ),
        "note.typed_capacity": QT_TRANSLATE_NOOP(
            "messages",
            "{device} is known by the figures typed alone; its capacity counts as {bytes:,} bytes (GB are 1e9, GiB "
            "2^30: a GPU sold with 80 GB usually has 80 GiB).",
        ),
        "note.ideal_devices": QT_TRANSLATE_NOOP(
            "messages",
            "{device}: {count} devices are ideal, with {count} times the rates and the capacity of one; "
            "links are not counted.",
        ),
        "note.no_capacity": QT_TRANSLATE_NOOP(
            "messages", "{device}: no memory capacity is known; whether the work fits is not judged."
        ),
        "note.size_taken": QT_TRANSLATE_NOOP(
            "messages", "{device} is taken with {size:g} GiB of memory; it is also sold with {others} GiB."
        ),
        "note.beyond_max_context": QT_TRANSLATE_NOOP(
            "messages",
            "The context of {context:,} tokens is beyond the {most:,} that the model is made for; "
            "the figures are computed all the same.",
        ),
        "note.fused": QT_TRANSLATE_NOOP(
            "messages", "Rows marked as fused move only their weights and KV cache and launch no kernel."
        ),
        "note.routing_random": QT_TRANSLATE_NOOP(
            "messages",
            "Experts: times, tokens per second and knees read those that random routing reaches; "
            "“at least” reads the fewest, as if all tokens chose alike.",
        ),
        "note.routing_skewed": QT_TRANSLATE_NOOP(
            "messages",
            "Experts: times, tokens per second and knees read those of routing at skew {skew} "
            "(0 random, 1 all alike); “at least” reads the fewest.",
        ),
        "note.floor_peak": QT_TRANSLATE_NOOP(
            "messages",
            "{device}: “at least” divides by the measured {measured:,g} TFLOP/s ({format}), "
            "above the sheet's {sheet:,g}.",
        ),
        "note.floor_bandwidth": QT_TRANSLATE_NOOP(
            "messages",
            "{device}: “at least” divides by the measured {measured:,g} GB/s of its memory, "
            "above the sheet's {sheet:,g}.",
        ),
    }
)
