"""Words of the decode panel's charts, memory bar and batch marks."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "decode.all": QT_TRANSLATE_NOOP("messages", "All tokens/s against batch"),
        "decode.each": QT_TRANSLATE_NOOP("messages", "Tokens/s of one request against batch"),
        "decode.step": QT_TRANSLATE_NOOP("messages", "Step time against batch, at least"),
        "decode.all.compact": QT_TRANSLATE_NOOP("messages", "All tokens/s by batch"),
        "decode.each.compact": QT_TRANSLATE_NOOP("messages", "One request by batch"),
        "decode.step.compact": QT_TRANSLATE_NOOP("messages", "Step time by batch"),
        "decode.all.routed": QT_TRANSLATE_NOOP("messages", "All tokens/s against batch, {routing}"),
        "decode.each.routed": QT_TRANSLATE_NOOP("messages", "Tokens/s of one request against batch, {routing}"),
        "decode.step.routed": QT_TRANSLATE_NOOP("messages", "Step time against batch, {routing}"),
        "decode.all.compact.routed": QT_TRANSLATE_NOOP("messages", "All tokens/s, {routing}"),
        "decode.each.compact.routed": QT_TRANSLATE_NOOP("messages", "One request, {routing}"),
        "decode.step.compact.routed": QT_TRANSLATE_NOOP("messages", "Step time, {routing}"),
        "decode.all.inputs": QT_TRANSLATE_NOOP("messages", "Inputs/s against batch"),
        "decode.each.inputs": QT_TRANSLATE_NOOP("messages", "Passes/s against batch"),
        "decode.all.inputs.compact": QT_TRANSLATE_NOOP("messages", "Inputs/s by batch"),
        "decode.each.inputs.compact": QT_TRANSLATE_NOOP("messages", "Passes/s by batch"),
        "decode.batch": QT_TRANSLATE_NOOP("messages", "batch"),
        "decode.mark.kv_half": QT_TRANSLATE_NOOP("messages", "KV half"),
        "decode.mark.ridge": QT_TRANSLATE_NOOP("messages", "ridge"),
        "decode.mark.knee": QT_TRANSLATE_NOOP("messages", "knee"),
        "decode.mark.fit": QT_TRANSLATE_NOOP("messages", "full"),
        "decode.full_on": QT_TRANSLATE_NOOP("messages", "{device} full"),
        "decode.tip.kv_half": QT_TRANSLATE_NOOP("messages", "Batch {batch}: half of the traffic is KV cache."),
        "decode.tip.ridge": QT_TRANSLATE_NOOP("messages", "Batch {batch}: decode turns compute-bound."),
        "decode.tip.knee": QT_TRANSLATE_NOOP(
            "messages", "Batch {batch}: past it, doubling the batch gains less than {factor}."
        ),
        "decode.tip.fit": QT_TRANSLATE_NOOP("messages", "Batch {batch}: the memory of {device} is full."),
        "decode.tip.fit_context": QT_TRANSLATE_NOOP(
            "messages", "{context} tokens: the memory of {device} is full at this batch."
        ),
        "decode.empty": QT_TRANSLATE_NOOP("messages", "Choose a model and a device to see its batches."),
        "decode.read_out": QT_TRANSLATE_NOOP("messages", "Batch {batch}"),
        "decode.per_second": QT_TRANSLATE_NOOP("messages", "{count} tok/s"),
        "decode.passes_per_second": QT_TRANSLATE_NOOP("messages", "{count} passes/s"),
        "decode.inputs_per_second": QT_TRANSLATE_NOOP("messages", "{count} inputs/s"),
        "memory.title": QT_TRANSLATE_NOOP("messages", "Memory {held} of {capacity}"),
        "memory.title_unknown": QT_TRANSLATE_NOOP("messages", "Memory {held}, capacity not known"),
        "memory.fits_batch": QT_TRANSLATE_NOOP("messages", "fits up to batch {batch}"),
        "memory.fits_none": QT_TRANSLATE_NOOP("messages", "the weights alone do not fit"),
        "memory.fits": QT_TRANSLATE_NOOP("messages", "fits"),
        "memory.over": QT_TRANSLATE_NOOP("messages", "{missing} too much"),
        "memory.over_batch": QT_TRANSLATE_NOOP("messages", "fits only up to batch {batch}"),
    }
)
