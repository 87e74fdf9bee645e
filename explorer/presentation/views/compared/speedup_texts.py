"""Words of the map of speed-ups over batch and context."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "speedup.title": QT_TRANSLATE_NOOP("messages", "{over} over {under}"),
        "speedup.title_none": QT_TRANSLATE_NOOP("messages", "Speed-up over batch and context"),
        "speedup.says": QT_TRANSLATE_NOOP("messages", "speed-up of the step, op by op"),
        "speedup.batch": QT_TRANSLATE_NOOP("messages", "batch"),
        "speedup.context": QT_TRANSLATE_NOOP("messages", "context"),
        "speedup.finding": QT_TRANSLATE_NOOP(
            "messages",
            "At batch {batch} and context {context}, {over} is {ratio} as fast as {under}, operator by operator.",
        ),
        "speedup.finding_batch": QT_TRANSLATE_NOOP(
            "messages", "At batch {batch}, {over} is {ratio} as fast as {under}, operator by operator."
        ),
        "speedup.no_room": QT_TRANSLATE_NOOP("messages", "At batch {batch} and context {context}, no room: {names}."),
        "speedup.launches": QT_TRANSLATE_NOOP(
            "messages", "{over} has no ratio to {under}: nobody published what a launch takes on {names}."
        ),
        "speedup.launches_label": QT_TRANSLATE_NOOP("messages", "launches unknown"),
        "speedup.tip.launches": QT_TRANSLATE_NOOP("messages", "no ratio of {over} to {under}: launches unknown"),
        "speedup.at": QT_TRANSLATE_NOOP("messages", "batch {batch}, context {context}"),
        "speedup.at_batch": QT_TRANSLATE_NOOP("messages", "batch {batch}"),
        "speedup.tip.both": QT_TRANSLATE_NOOP("messages", "{over} is {ratio} as fast as {under}, operator by operator"),
        "speedup.tip.over": QT_TRANSLATE_NOOP("messages", "no room on {under}"),
        "speedup.tip.under": QT_TRANSLATE_NOOP("messages", "no room on {over}"),
        "speedup.tip.none": QT_TRANSLATE_NOOP("messages", "no room on either"),
        "speedup.only.over": QT_TRANSLATE_NOOP("messages", "room on {name} alone"),
        "speedup.only.under": QT_TRANSLATE_NOOP("messages", "room on {name} alone"),
        "speedup.only.none": QT_TRANSLATE_NOOP("messages", "no room on either"),
        "speedup.bandwidth": QT_TRANSLATE_NOOP("messages", "bandwidth ratio"),
        "speedup.peaks": QT_TRANSLATE_NOOP("messages", "ratio of peaks"),
        "speedup.at_most": QT_TRANSLATE_NOOP(
            "messages", "at most {peaks}, the ratio of peaks; bandwidth ratio {bandwidth}"
        ),
        "speedup.at_least": QT_TRANSLATE_NOOP(
            "messages", "at least {peaks}, the ratio of peaks; bandwidth ratio {bandwidth}"
        ),
        "speedup.limits": QT_TRANSLATE_NOOP("messages", "ratio of peaks {peaks}; bandwidth ratio {bandwidth}"),
        "speedup.box": QT_TRANSLATE_NOOP("messages", "box: now"),
        "speedup.box_near": QT_TRANSLATE_NOOP("messages", "box: nearest to now"),
        "speedup.dot_list": QT_TRANSLATE_NOOP("messages", " · "),
        "speedup.own": QT_TRANSLATE_NOOP(
            "messages", "Own operators have neither batch nor context: choose a model to see its map."
        ),
        "speedup.no_map": QT_TRANSLATE_NOOP(
            "messages", "What-ifs of batch or context have no map over them; see the table."
        ),
    }
)
