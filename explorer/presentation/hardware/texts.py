"""Sentences of the hardware picker, its dialogs and the user's own hardware files."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "picker.compared": QT_TRANSLATE_NOOP("messages", "Compared"),
        "picker.what_if": QT_TRANSLATE_NOOP("messages", "What-if"),
        "picker.own": QT_TRANSLATE_NOOP("messages", "My hardware"),
        "picker.peak": QT_TRANSLATE_NOOP("messages", "{rate} {format}"),
        "picker.peak_said": QT_TRANSLATE_NOOP("messages", "{rate} {format}, {said}"),
        "picker.no_peak": QT_TRANSLATE_NOOP("messages", "no {format} peak known"),
        "picker.bandwidth_said": QT_TRANSLATE_NOOP("messages", "{rate}, {said}"),
        "picker.no_bandwidth": QT_TRANSLATE_NOOP("messages", "no bandwidth known"),
        "picker.ridge": QT_TRANSLATE_NOOP("messages", "ridge {ridge}"),
        "picker.derived": QT_TRANSLATE_NOOP("messages", "derived"),
        "picker.recalled": QT_TRANSLATE_NOOP("messages", "recalled"),
        "picker.typed": QT_TRANSLATE_NOOP("messages", "typed"),
        "picker.measured": QT_TRANSLATE_NOOP("messages", "measured"),
        "picker.uncertain": QT_TRANSLATE_NOOP("messages", "uncertain"),
        "picker.copy_of": QT_TRANSLATE_NOOP("messages", "copy of {name}"),
        "picker.edited": QT_TRANSLATE_NOOP("messages", "edited"),
        "picker.newer": QT_TRANSLATE_NOOP("messages", "database has newer figures"),
        "picker.count": QT_TRANSLATE_NOOP("messages", "×{count}"),
        "picker.none_found": QT_TRANSLATE_NOOP("messages", "No device matches “{text}”."),
        "picker.none_filtered": QT_TRANSLATE_NOOP("messages", "No device matches “{text}” and the filter."),
        "picker.nothing_filtered": QT_TRANSLATE_NOOP("messages", "The filter leaves no device."),
        "picker.tip_peak": QT_TRANSLATE_NOOP("messages", "Peak: {rate} {format}, {unit} units ({source})"),
        "picker.tip_measured": QT_TRANSLATE_NOOP("messages", "Measured: {rate} ({source})"),
        "picker.tip_stands_in": QT_TRANSLATE_NOOP("messages", "{stand_in} stands in for {format}, which is not listed"),
        "picker.tip_stands_in_slower": QT_TRANSLATE_NOOP(
            "messages", "{stand_in} stands in for {format}, which is slower"
        ),
        "picker.tip_bandwidth": QT_TRANSLATE_NOOP("messages", "{level} bandwidth: {rate} ({source})"),
        "picker.tip_capacity": QT_TRANSLATE_NOOP("messages", "{level} capacity: {size} ({source})"),
        "picker.tip_many": QT_TRANSLATE_NOOP("messages", "{count} devices, ideal: rates and capacity times {count}"),
        "picker.source": QT_TRANSLATE_NOOP("messages", "{kind}, {confidence} confidence"),
        "picker.source_note": QT_TRANSLATE_NOOP("messages", "{kind}, {confidence} confidence: {note}"),
        "picker.no_source": QT_TRANSLATE_NOOP("messages", "no source given"),
        "picker.kind_datasheet": QT_TRANSLATE_NOOP("messages", "datasheet"),
        "picker.kind_derived": QT_TRANSLATE_NOOP("messages", "derived"),
        "picker.kind_paper": QT_TRANSLATE_NOOP("messages", "paper"),
        "picker.kind_measured": QT_TRANSLATE_NOOP("messages", "measured"),
        "picker.kind_recalled": QT_TRANSLATE_NOOP("messages", "recalled"),
        "picker.kind_typed": QT_TRANSLATE_NOOP("messages", "typed"),
        "picker.confidence_high": QT_TRANSLATE_NOOP("messages", "high"),
        "picker.confidence_medium": QT_TRANSLATE_NOOP("messages", "medium"),
        "picker.confidence_low": QT_TRANSLATE_NOOP("messages", "low"),
        "picker.spoken": QT_TRANSLATE_NOOP("messages", "{name}; {detail}"),
        "picker.spoken_state": QT_TRANSLATE_NOOP("messages", "{name}, {state}; {detail}"),
        "picker.state_active": QT_TRANSLATE_NOOP("messages", "the answer speaks of it"),
        "picker.state_compared": QT_TRANSLATE_NOOP("messages", "compared"),
        "picker.state_hidden": QT_TRANSLATE_NOOP("messages", "hidden"),
        "hardware.id_taken": QT_TRANSLATE_NOOP(
            "messages", "The database has a device with the id “{id}” already; give this device its own id."
        ),
        "hardware.source_named": QT_TRANSLATE_NOOP("messages", "A source needs a key; write one short word."),
        "hardware.source_twice": QT_TRANSLATE_NOOP("messages", "The source key “{key}” stands twice; keep one."),
        "hardware.whole": QT_TRANSLATE_NOOP("messages", "A whole number is expected, not “{got}”."),
    }
)
