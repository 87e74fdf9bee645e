"""Words of the chart of throughput against the speed of one request."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "frontier.title": QT_TRANSLATE_NOOP("messages", "Throughput against speed of one request"),
        "frontier.x.tokens": QT_TRANSLATE_NOOP("messages", "tok/s of one request, at most"),
        "frontier.y.tokens": QT_TRANSLATE_NOOP("messages", "tok/s in all, at most"),
        "frontier.x.prompts": QT_TRANSLATE_NOOP("messages", "prompt tok/s of one request, at most"),
        "frontier.y.prompts": QT_TRANSLATE_NOOP("messages", "prompt tok/s in all, at most"),
        "frontier.x.inputs": QT_TRANSLATE_NOOP("messages", "passes/s, at most"),
        "frontier.y.inputs": QT_TRANSLATE_NOOP("messages", "inputs/s in all, at most"),
        "frontier.marks": QT_TRANSLATE_NOOP("messages", "marks: batch 1, 8, 64, full"),
        "frontier.marks_now": QT_TRANSLATE_NOOP("messages", "marks: batch 1, 8, 64, full; large: {batch}"),
        "frontier.legend": QT_TRANSLATE_NOOP("messages", "batch {batch}"),
        "frontier.full": QT_TRANSLATE_NOOP("messages", "full"),
        "frontier.up_to": QT_TRANSLATE_NOOP("messages", "up to {batch}"),
        "frontier.finding.tokens": QT_TRANSLATE_NOOP(
            "messages", "At batch {batch}, {name} yields {ratio} the tokens/s of {baseline}."
        ),
        "frontier.finding.prompts": QT_TRANSLATE_NOOP(
            "messages", "At batch {batch}, {name} reads {ratio} the prompt tokens/s of {baseline}."
        ),
        "frontier.finding.inputs": QT_TRANSLATE_NOOP(
            "messages", "At batch {batch}, {name} runs {ratio} the inputs/s of {baseline}."
        ),
        "frontier.tip.batch": QT_TRANSLATE_NOOP("messages", "{name}, batch {batch}"),
        "frontier.tip.all.tokens": QT_TRANSLATE_NOOP("messages", "{all} tok/s in all, at most"),
        "frontier.tip.each.tokens": QT_TRANSLATE_NOOP("messages", "{each} tok/s of one request, at most"),
        "frontier.tip.all.prompts": QT_TRANSLATE_NOOP("messages", "{all} prompt tok/s in all, at most"),
        "frontier.tip.each.prompts": QT_TRANSLATE_NOOP("messages", "{each} prompt tok/s of one request, at most"),
        "frontier.tip.all.inputs": QT_TRANSLATE_NOOP("messages", "{all} inputs/s in all, at most"),
        "frontier.tip.each.inputs": QT_TRANSLATE_NOOP("messages", "{each} passes/s, at most"),
        "frontier.x.tokens_routed": QT_TRANSLATE_NOOP("messages", "tok/s of one request, about"),
        "frontier.y.tokens_routed": QT_TRANSLATE_NOOP("messages", "tok/s in all, about"),
        "frontier.x.prompts_routed": QT_TRANSLATE_NOOP("messages", "prompt tok/s of one request, about"),
        "frontier.y.prompts_routed": QT_TRANSLATE_NOOP("messages", "prompt tok/s in all, about"),
        "frontier.tip.all.tokens_routed": QT_TRANSLATE_NOOP("messages", "{all} tok/s in all, about"),
        "frontier.tip.each.tokens_routed": QT_TRANSLATE_NOOP("messages", "{each} tok/s of one request, about"),
        "frontier.tip.all.prompts_routed": QT_TRANSLATE_NOOP("messages", "{all} prompt tok/s in all, about"),
        "frontier.tip.each.prompts_routed": QT_TRANSLATE_NOOP("messages", "{each} prompt tok/s of one request, about"),
        "frontier.tip.step": QT_TRANSLATE_NOOP("messages", "a step in {step}, at least"),
        "frontier.tip.step_routed": QT_TRANSLATE_NOOP("messages", "a step in about {step}"),
        "frontier.tip.memory": QT_TRANSLATE_NOOP("messages", "{held} of {capacity} held"),
        "frontier.tip.memory_unknown": QT_TRANSLATE_NOOP("messages", "{held} held, capacity not known"),
        "frontier.counts_else": QT_TRANSLATE_NOOP("messages", "Counts something else: {names}."),
        "frontier.routing": QT_TRANSLATE_NOOP("messages", "Experts are chosen {routing}."),
        "frontier.empty": QT_TRANSLATE_NOOP("messages", "Choose a model and a device to see its batches."),
        "frontier.own": QT_TRANSLATE_NOOP("messages", "Own operators have no batch: choose a model to see its curve."),
        "frontier.no_room": QT_TRANSLATE_NOOP("messages", "Not even one request fits: {names}."),
    }
)
