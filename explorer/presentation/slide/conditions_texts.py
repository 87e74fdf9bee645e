"""Words of the conditions in the footer of a slide."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "condition.model": QT_TRANSLATE_NOOP("messages", "{model} {phase}, batch {batch}, context {context}"),
        "condition.pass": QT_TRANSLATE_NOOP("messages", "{model}, one pass, batch {batch}, {context} tokens"),
        "condition.inputs": QT_TRANSLATE_NOOP("messages", "{model}, one pass, batch {batch}"),
        "condition.rows": QT_TRANSLATE_NOOP("messages", "{count} operators, one after the other"),
        "condition.row_one": QT_TRANSLATE_NOOP("messages", "one operator"),
        "condition.own": QT_TRANSLATE_NOOP("messages", "with {count} operators of its own"),
        "condition.own_one": QT_TRANSLATE_NOOP("messages", "with one operator of its own"),
        "condition.operands": QT_TRANSLATE_NOOP("messages", "operands {formats}"),
        "condition.of.weights": QT_TRANSLATE_NOOP("messages", "weights {format}"),
        "condition.of.activations": QT_TRANSLATE_NOOP("messages", "activations {format}"),
        "condition.of.kv": QT_TRANSLATE_NOOP("messages", "KV {format}"),
        "condition.of.weights_activations": QT_TRANSLATE_NOOP("messages", "weights and activations {format}"),
        "condition.of.weights_kv": QT_TRANSLATE_NOOP("messages", "weights and KV {format}"),
        "condition.of.activations_kv": QT_TRANSLATE_NOOP("messages", "activations and KV {format}"),
        "condition.of.weights_activations_kv": QT_TRANSLATE_NOOP("messages", "weights, activations and KV {format}"),
        "condition.changed": QT_TRANSLATE_NOOP("messages", "{count} rows in formats of their own"),
        "condition.changed_one": QT_TRANSLATE_NOOP("messages", "one row in formats of its own"),
        "condition.causal": QT_TRANSLATE_NOOP("messages", "causal attention"),
        "condition.full": QT_TRANSLATE_NOOP("messages", "full attention"),
        "condition.last": QT_TRANSLATE_NOOP("messages", "last-token logits"),
        "condition.all": QT_TRANSLATE_NOOP("messages", "all logits"),
        "condition.graph": QT_TRANSLATE_NOOP("messages", "launch: graph"),
        "condition.eager": QT_TRANSLATE_NOOP("messages", "launch: every kernel by itself"),
        "condition.routing": QT_TRANSLATE_NOOP("messages", "experts {routing}"),
        "condition.on": QT_TRANSLATE_NOOP("messages", "on {devices}"),
        "condition.devices": QT_TRANSLATE_NOOP("messages", "{count} devices"),
        "condition.reserve": QT_TRANSLATE_NOOP("messages", "{bytes} kept free"),
        "condition.rough": QT_TRANSLATE_NOOP("messages", "rough model, known by its size"),
        "condition.no_room": QT_TRANSLATE_NOOP("messages", "no room on {devices}"),
        "condition.holds": QT_TRANSLATE_NOOP("messages", "{device} ({held}, {needed} needed)"),
    }
)
