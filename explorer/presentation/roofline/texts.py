"""Sentences of the roofline chart."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "chart.x_byte": QT_TRANSLATE_NOOP("messages", "Arithmetic intensity (FLOP/byte, {memory} traffic)"),
        "chart.x_value": QT_TRANSLATE_NOOP(
            "messages", "Arithmetic intensity (FLOP per {format} value, {memory} traffic)"
        ),
        "chart.x_byte_short": QT_TRANSLATE_NOOP("messages", "FLOP/byte"),
        "chart.x_value_short": QT_TRANSLATE_NOOP("messages", "FLOP per {format} value"),
        "chart.y_short": QT_TRANSLATE_NOOP("messages", "FLOP/s"),
        "chart.memory": QT_TRANSLATE_NOOP("messages", "memory"),
        "chart.y": QT_TRANSLATE_NOOP("messages", "Performance (FLOP/s)"),
        "chart.waits_memory": QT_TRANSLATE_NOOP("messages", "waits for memory"),
        "chart.waits_compute": QT_TRANSLATE_NOOP("messages", "waits for compute"),
        "chart.ridge": QT_TRANSLATE_NOOP("messages", "ridge {ridge}"),
        "chart.peak": QT_TRANSLATE_NOOP("messages", "{peak}, {format} on {unit} units"),
        "chart.peak_measured": QT_TRANSLATE_NOOP("messages", "{peak}, measured {measured}"),
        "chart.unit_tensor": QT_TRANSLATE_NOOP("messages", "tensor"),
        "chart.unit_vector": QT_TRANSLATE_NOOP("messages", "vector"),
        "chart.first": QT_TRANSLATE_NOOP("messages", "{names} · {share} of time"),
        "chart.first_more": QT_TRANSLATE_NOOP("messages", "{names} + {count} more · {share} of time"),
        "chart.share": QT_TRANSLATE_NOOP("messages", "{names} · {share}"),
        "chart.share_more": QT_TRANSLATE_NOOP("messages", "{names} + {count} more · {share}"),
        "chart.list": QT_TRANSLATE_NOOP("messages", ", "),
        "chart.measured": QT_TRANSLATE_NOOP("messages", "measured {name}, {share} of bound"),
        "chart.measured_step": QT_TRANSLATE_NOOP("messages", "measured, {share} of bound"),
        "chart.over": QT_TRANSLATE_NOOP("messages", "measured {name}, {share} of bound: assumption broken"),
        "chart.over_step": QT_TRANSLATE_NOOP("messages", "measured, {share} of bound: assumption broken"),
        "chart.gain": QT_TRANSLATE_NOOP("messages", "up to {gain}"),
        "chart.strip_one": QT_TRANSLATE_NOOP("messages", "{count} operator without FLOPs"),
        "chart.strip": QT_TRANSLATE_NOOP("messages", "{count} operators without FLOPs"),
        "chart.empty": QT_TRANSLATE_NOOP("messages", "Choose hardware to see its roof"),
        "hover.on": QT_TRANSLATE_NOOP("messages", "{name} on {device}"),
        "hover.intensity": QT_TRANSLATE_NOOP("messages", "intensity"),
        "hover.attainable": QT_TRANSLATE_NOOP("messages", "attainable"),
        "hover.reached": QT_TRANSLATE_NOOP("messages", "reached"),
        "hover.of_roof": QT_TRANSLATE_NOOP("messages", "{share} of the roof"),
        "hover.of_bound": QT_TRANSLATE_NOOP("messages", "{share} of the bound"),
        "hover.reached_value": QT_TRANSLATE_NOOP("messages", "{rate}, {share} of the roof"),
        "hover.waits": QT_TRANSLATE_NOOP("messages", "waits for"),
        "hover.time": QT_TRANSLATE_NOOP("messages", "time"),
        "hover.time_value": QT_TRANSLATE_NOOP("messages", "{time} a step, {share} of it"),
        "hover.calls_value": QT_TRANSLATE_NOOP("messages", "{count} calls of {time}, {share} of the step"),
        "hover.together": QT_TRANSLATE_NOOP("messages", "together"),
        "hover.no_flops": QT_TRANSLATE_NOOP("messages", "no FLOPs: it only moves bytes"),
    }
)
