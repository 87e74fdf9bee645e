"""Sentences of the answer line; `<b>` marks what is set in bold where text can be."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "answer.no_hardware": QT_TRANSLATE_NOOP("messages", "Choose a device to see what this work waits for."),
        "answer.no_bandwidth": QT_TRANSLATE_NOOP(
            "messages", "No visible device has a memory bandwidth: nothing can be placed."
        ),
        "answer.nothing": QT_TRANSLATE_NOOP("messages", "Open a model or add operators to see what they wait for."),
        "answer.refused": QT_TRANSLATE_NOOP("messages", "<b>This cannot be evaluated.</b>"),
        "answer.left_out_one": QT_TRANSLATE_NOOP("messages", "One operator has a fault and is left out."),
        "answer.left_out": QT_TRANSLATE_NOOP("messages", "{count} operators have faults and are left out."),
        "answer.list": QT_TRANSLATE_NOOP("messages", ", "),
        "answer.devices": QT_TRANSLATE_NOOP("messages", "{count} devices"),
        "answer.one": QT_TRANSLATE_NOOP("messages", "<b>Waiting for {bound}{launches}.</b>"),
        "answer.mostly": QT_TRANSLATE_NOOP(
            "messages", "<b>Waiting for {bound}</b> in {share} of the time, for {other} in most of the rest{launches}."
        ),
        "answer.mostly_alone": QT_TRANSLATE_NOOP(
            "messages", "<b>Waiting for {bound}</b> in {share} of the time{launches}."
        ),
        "answer.both": QT_TRANSLATE_NOOP("messages", "<b>Waiting for {bound}</b> on both devices{launches}."),
        "answer.three": QT_TRANSLATE_NOOP("messages", "<b>Waiting for {bound}</b> on all three{launches}."),
        "answer.all": QT_TRANSLATE_NOOP("messages", "<b>Waiting for {bound}</b> on all {count} devices{launches}."),
        "answer.one.fits": QT_TRANSLATE_NOOP(
            "messages", "<b>Waiting for {bound}</b> on {device}, the only one that fits{launches}."
        ),
        "answer.both.fits": QT_TRANSLATE_NOOP("messages", "<b>Waiting for {bound}</b> on both that fit{launches}."),
        "answer.three.fits": QT_TRANSLATE_NOOP(
            "messages", "<b>Waiting for {bound}</b> on all three that fit{launches}."
        ),
        "answer.all.fits": QT_TRANSLATE_NOOP(
            "messages", "<b>Waiting for {bound}</b> on all {count} that fit{launches}."
        ),
        "answer.both.full": QT_TRANSLATE_NOOP(
            "messages", "<b>Waiting for {bound}</b> on both devices, neither of which fits{launches}."
        ),
        "answer.three.full": QT_TRANSLATE_NOOP(
            "messages", "<b>Waiting for {bound}</b> on all three, none of which fits{launches}."
        ),
        "answer.all.full": QT_TRANSLATE_NOOP(
            "messages", "<b>Waiting for {bound}</b> on all {count} devices, none of which fits{launches}."
        ),
        "answer.mixed_2": QT_TRANSLATE_NOOP(
            "messages", "<b>Waiting for {bound1}</b> on {devices1}, <b>for {bound2}</b> on {devices2}{launches}."
        ),
        "answer.mixed_3": QT_TRANSLATE_NOOP(
            "messages",
            "<b>Waiting for {bound1}</b> on {devices1}, <b>for {bound2}</b> on {devices2}, "
            "<b>for {bound3}</b> on {devices3}{launches}.",
        ),
        "answer.mixed_4": QT_TRANSLATE_NOOP(
            "messages",
            "<b>Waiting for {bound1}</b> on {devices1}, <b>for {bound2}</b> on {devices2}, "
            "<b>for {bound3}</b> on {devices3}, <b>for {bound4}</b> on {devices4}{launches}.",
        ),
        "answer.mixed_many": QT_TRANSLATE_NOOP(
            "messages", "<b>What it waits for</b> differs from device to device{launches}."
        ),
        "answer.encode_one": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} the encoder takes at least <b>{floor}</b> for {context} tokens{versus}: "
            "at most <b>{all} tokens/s</b>.",
        ),
        "answer.one_pass_one": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} one pass takes at least <b>{floor}</b> for one input, whose size the model fixes{versus}: "
            "at most <b>{inputs} inputs/s</b>.",
        ),
        "answer.one_pass": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} one pass takes at least <b>{floor}</b> for {batch} inputs, whose size the model "
            "fixes{versus}: at most <b>{inputs} inputs/s</b> in all.",
        ),
        "answer.encode": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} the encoder takes at least <b>{floor}</b> for {batch} inputs of {context} tokens{versus}: "
            "at most <b>{all} tokens/s</b> in all.",
        ),
        "answer.routed_one": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} the encoder takes about <b>{routed}</b> for {context} tokens {routing}{versus} "
            "(<b>{all} tokens/s</b>); no less than <b>{floor}</b>, if all tokens chose alike.",
        ),
        "answer.routed": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} the encoder takes about <b>{routed}</b> for {batch} inputs of {context} tokens "
            "{routing}{versus} (<b>{all} tokens/s</b> in all); no less than <b>{floor}</b>, if all tokens chose alike.",
        ),
        "answer.operator_routed": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} {name} takes about <b>{time}</b> {routing}{versus} ({intensity} FLOP/byte); "
            "no less than <b>{floor}</b>, if all tokens chose alike.",
        ),
        "answer.operators_routed": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} the {count} operators take about <b>{time}</b> {routing}, operator by operator{versus} "
            "({bounds}).",
        ),
        "answer.operator": QT_TRANSLATE_NOOP(
            "messages", "On {device} {name} takes at least <b>{time}</b>{versus}: {intensity} FLOP/byte, ridge {ridge}."
        ),
        "answer.operator_no_ridge": QT_TRANSLATE_NOOP(
            "messages", "On {device} {name} takes at least <b>{time}</b>{versus}: {intensity} FLOP/byte."
        ),
        "answer.that_is": QT_TRANSLATE_NOOP("messages", "That holds for {share} of the time on {device}."),
        "answer.operators": QT_TRANSLATE_NOOP(
            "messages",
            "On {device} the {count} operators take at least <b>{time}</b>, operator by operator{versus} ({bounds}).",
        ),
        "answer.not_judged": QT_TRANSLATE_NOOP(
            "messages", "Compute is not judged on {device}: its peak for {format} is not known."
        ),
        "answer.launches_unknown": QT_TRANSLATE_NOOP(
            "messages", "Its times are at least, <b>launches unknown</b>: no launch overhead of {device} is known."
        ),
        "answer.rough": QT_TRANSLATE_NOOP("messages", "Rough: the model is known by its size only."),
        "answer.does_not_fit": QT_TRANSLATE_NOOP(
            "messages", "<b>It does not fit:</b> {needed} are needed, {device} holds {capacity}."
        ),
        "answer.supposed": QT_TRANSLATE_NOOP("messages", "{device} with enough memory"),
        "answer.count": QT_TRANSLATE_NOOP("messages", "{count} × {device}"),
    }
)
