"""Sentences of the exported slide."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "slide.subject_rows": QT_TRANSLATE_NOOP("messages", "The work of “{study}”"),
        "slide.subject_pass": QT_TRANSLATE_NOOP("messages", "One pass of {model}"),
        "slide.unnamed": QT_TRANSLATE_NOOP("messages", "This work"),
        "slide.waits.one": QT_TRANSLATE_NOOP("messages", "{subject} waits for {bound} on {device}"),
        "slide.waits.both": QT_TRANSLATE_NOOP("messages", "{subject} waits for {bound} on both devices"),
        "slide.waits.three": QT_TRANSLATE_NOOP("messages", "{subject} waits for {bound} on all three devices"),
        "slide.waits.all": QT_TRANSLATE_NOOP("messages", "{subject} waits for {bound} on all {count} devices"),
        "slide.waits.one.fits": QT_TRANSLATE_NOOP(
            "messages", "{subject} waits for {bound} on {device}, the only one that fits"
        ),
        "slide.waits.both.fits": QT_TRANSLATE_NOOP("messages", "{subject} waits for {bound} on both devices that fit"),
        "slide.waits.three.fits": QT_TRANSLATE_NOOP(
            "messages", "{subject} waits for {bound} on all three devices that fit"
        ),
        "slide.waits.all.fits": QT_TRANSLATE_NOOP(
            "messages", "{subject} waits for {bound} on all {count} devices that fit"
        ),
        "slide.waits.one.full": QT_TRANSLATE_NOOP(
            "messages", "{subject} waits for {bound} on {device}, which does not fit"
        ),
        "slide.waits.both.full": QT_TRANSLATE_NOOP(
            "messages", "{subject} waits for {bound} on both devices, neither of which fits"
        ),
        "slide.waits.three.full": QT_TRANSLATE_NOOP(
            "messages", "{subject} waits for {bound} on all three devices, none of which fits"
        ),
        "slide.waits.all.full": QT_TRANSLATE_NOOP(
            "messages", "{subject} waits for {bound} on all {count} devices, none of which fits"
        ),
        "slide.mixed_2": QT_TRANSLATE_NOOP(
            "messages", "{subject} waits for {bound1} on {devices1}, for {bound2} on {devices2}"
        ),
        "slide.mixed_many": QT_TRANSLATE_NOOP("messages", "{subject} waits for something else from device to device"),
        "slide.no_hardware": QT_TRANSLATE_NOOP("messages", "{subject}: choose a device"),
        "slide.decode": QT_TRANSLATE_NOOP(
            "messages", "Batch {batch}, context {context}, {weights} weights, {kv} KV: {why}"
        ),
        "slide.decode_same": QT_TRANSLATE_NOOP(
            "messages", "Batch {batch}, context {context}, {weights} weights and KV: {why}"
        ),
        "slide.prefill": QT_TRANSLATE_NOOP(
            "messages", "Batch {batch}, prompts of {context} tokens, {weights} weights: {why}"
        ),
        "slide.prefill_one": QT_TRANSLATE_NOOP("messages", "A prompt of {context} tokens, {weights} weights: {why}"),
        "slide.pass": QT_TRANSLATE_NOOP(
            "messages", "Batch {batch}, texts of {context} tokens, {weights} weights: {why}"
        ),
        "slide.pass_one": QT_TRANSLATE_NOOP("messages", "A text of {context} tokens, {weights} weights: {why}"),
        "slide.inputs": QT_TRANSLATE_NOOP("messages", "Batch {batch}, {weights} weights: {why}"),
        "slide.rows": QT_TRANSLATE_NOOP("messages", "{count} operators, one after the other: {why}"),
        "slide.rows_one": QT_TRANSLATE_NOOP("messages", "One operator: {why}"),
        "why.launches_unknown": QT_TRANSLATE_NOOP(
            "messages", "launches unknown and left out, {share} of the time waits for {bound} on {device}"
        ),
        "why.nothing": QT_TRANSLATE_NOOP("messages", "choose a device to see what it waits for"),
        "table.device": QT_TRANSLATE_NOOP("messages", "Device"),
        "table.bandwidth": QT_TRANSLATE_NOOP("messages", "bandwidth"),
        "table.rate": QT_TRANSLATE_NOOP("messages", "TFLOP/s"),
        "table.ridge": QT_TRANSLATE_NOOP("messages", "ridge"),
        "table.tokens": QT_TRANSLATE_NOOP("messages", "tokens/s at batch"),
        "table.tokens.routed": QT_TRANSLATE_NOOP("messages", "tokens/s, {routing}, at batch"),
        "table.tokens_prompt.routed": QT_TRANSLATE_NOOP("messages", "tokens/s, {routing}, at prompts of"),
        "table.inputs": QT_TRANSLATE_NOOP("messages", "inputs/s at batch"),
        "table.tokens_prompt": QT_TRANSLATE_NOOP("messages", "tokens/s at prompts of"),
        "table.no_room": QT_TRANSLATE_NOOP("messages", "no room"),
        "table.time": QT_TRANSLATE_NOOP("messages", "operator by operator"),
        "table.of_peak": QT_TRANSLATE_NOOP("messages", "of peak"),
        "slide.help": QT_TRANSLATE_NOOP("messages", "What would help on {device}"),
        "slide.assumptions": QT_TRANSLATE_NOOP("messages", "Assumptions"),
        "slide.day.1": QT_TRANSLATE_NOOP("messages", "{day} January {year}"),
        "slide.day.2": QT_TRANSLATE_NOOP("messages", "{day} February {year}"),
        "slide.day.3": QT_TRANSLATE_NOOP("messages", "{day} March {year}"),
        "slide.day.4": QT_TRANSLATE_NOOP("messages", "{day} April {year}"),
        "slide.day.5": QT_TRANSLATE_NOOP("messages", "{day} May {year}"),
        "slide.day.6": QT_TRANSLATE_NOOP("messages", "{day} June {year}"),
        "slide.day.7": QT_TRANSLATE_NOOP("messages", "{day} July {year}"),
        "slide.day.8": QT_TRANSLATE_NOOP("messages", "{day} August {year}"),
        "slide.day.9": QT_TRANSLATE_NOOP("messages", "{day} September {year}"),
        "slide.day.10": QT_TRANSLATE_NOOP("messages", "{day} October {year}"),
        "slide.day.11": QT_TRANSLATE_NOOP("messages", "{day} November {year}"),
        "slide.day.12": QT_TRANSLATE_NOOP("messages", "{day} December {year}"),
        "slide.read": QT_TRANSLATE_NOOP("messages", "Read it so"),
        "read.floor": QT_TRANSLATE_NOOP(
            "messages", "{device}: about {routed} {routing}, no less than {floor} if all chose alike."
        ),
        "read.area": QT_TRANSLATE_NOOP("messages", "Point area is the share of step time."),
        "read.ring": QT_TRANSLATE_NOOP("messages", "A ring holds several operators."),
        "read.others": QT_TRANSLATE_NOOP("messages", "Pale points: the same operators on the other devices."),
        "read.trail": QT_TRANSLATE_NOOP("messages", "The band is the trail from batch 1 to {batch}."),
        "read.measured": QT_TRANSLATE_NOOP("messages", "The diamond is measured: {share} of its bound."),
        "read.measured_many": QT_TRANSLATE_NOOP("messages", "Diamonds are measured."),
        "read.ratios": QT_TRANSLATE_NOOP("messages", "Small, under a rate: its ratio to {device}."),
        "read.slope": QT_TRANSLATE_NOOP("messages", "On a slope bandwidth limits, on a flat roof compute does."),
        "foot.program": QT_TRANSLATE_NOOP("messages", "Roofline Explorer {version}"),
        "foot.rows": QT_TRANSLATE_NOOP("messages", "bounds: each operand once through {memory}"),
        "foot.peaks": QT_TRANSLATE_NOOP("messages", "dense peaks: {sources}"),
        "foot.source.datasheet": QT_TRANSLATE_NOOP("messages", "{devices} from data sheets"),
        "foot.source.derived": QT_TRANSLATE_NOOP("messages", "{devices} derived"),
        "foot.source.paper": QT_TRANSLATE_NOOP("messages", "{devices} from papers"),
        "foot.source.measured": QT_TRANSLATE_NOOP("messages", "{devices} measured"),
        "foot.source.recalled": QT_TRANSLATE_NOOP("messages", "{devices} recalled"),
        "foot.source.typed": QT_TRANSLATE_NOOP("messages", "{devices} typed"),
        "foot.source.unknown": QT_TRANSLATE_NOOP("messages", "{devices} without a source"),
        "foot.launches_unknown": QT_TRANSLATE_NOOP("messages", "times at least, launches unknown: {devices}"),
        "foot.measured": QT_TRANSLATE_NOOP("messages", "measured: {sources}"),
    }
)
