"""Sentences of importing other tools' files."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        # refused
        "import.empty": QT_TRANSLATE_NOOP("messages", "“{file}” is empty."),
        "import.unknown": QT_TRANSLATE_NOOP(
            "messages",
            "“{file}” is no measurement of a known tool (llama-bench, Nsight Compute, torch profiler traces and "
            "tables, rocprof-compute, ERT, mixbench, BabelStream, CARM, nvbandwidth).",
        ),
        "import.nothing": QT_TRANSLATE_NOOP("messages", "“{file}” of {tool} holds no measurement."),
        "import.unusable": QT_TRANSLATE_NOOP("messages", "Not one row of “{file}” of {tool} can be used."),
        "import.packed": QT_TRANSLATE_NOOP("messages", "“{file}” is packed, and broken: it cannot be unpacked whole."),
        "import.many": QT_TRANSLATE_NOOP(
            "messages",
            "The file holds more than {limit:,} measurements; measure less at a time, or import a part of it.",
        ),
        "import.many_events": QT_TRANSLATE_NOOP(
            "messages", "The trace holds more than {limit:,} events; record fewer steps."
        ),
        "import.long_event": QT_TRANSLATE_NOOP(
            "messages", "An event of the trace is longer than {limit:,} bytes; this cannot be the right file."
        ),
        "import.long_line": QT_TRANSLATE_NOOP(
            "messages", "A line is longer than {limit:,} bytes; this cannot be the right file."
        ),
        "import.lines": QT_TRANSLATE_NOOP("messages", "The file has more than {limit:,} lines; import a part of it."),
        "import.too_deep": QT_TRANSLATE_NOOP("messages", "What “{file}” holds is nested too deep to be read."),
        "import.no_events": QT_TRANSLATE_NOOP("messages", "The trace holds no list of events."),
        "import.no_memory": QT_TRANSLATE_NOOP(
            "messages", "{tool} measured no memory's bandwidth here, so its ceilings make no device."
        ),
        # rows left out
        "import.columns": QT_TRANSLATE_NOOP("messages", "{given} values stand under {wanted} columns."),
        "import.cells": QT_TRANSLATE_NOOP("messages", "The row has {given} cells under {wanted} columns: “{text}”."),
        "import.no_header": QT_TRANSLATE_NOOP("messages", "Rows of a table stand without their header."),
        "import.repeated": QT_TRANSLATE_NOOP("messages", "The row repeats an earlier one."),
        "import.header": QT_TRANSLATE_NOOP("messages", "The columns are not understood: “{text}”."),
        "import.row": QT_TRANSLATE_NOOP("messages", "The row has no figure that can be used (“{text}”)."),
        "import.rate": QT_TRANSLATE_NOOP("messages", "The rate is no figure over zero (“{text}”)."),
        "import.unit": QT_TRANSLATE_NOOP("messages", "The unit “{unit}” of {text} is not one of its kind."),
        "import.precision": QT_TRANSLATE_NOOP("messages", "The number format of “{text}” is not known."),
        "import.broken_json": QT_TRANSLATE_NOOP("messages", "The JSON is broken."),
        "import.not_measured": QT_TRANSLATE_NOOP("messages", "The figures are of a sheet, not measured."),
        "import.not_a_rate": QT_TRANSLATE_NOOP("messages", "“{text}” is no rate of a memory level or of compute."),
        "import.no_time": QT_TRANSLATE_NOOP("messages", "No time is recorded for “{text}”."),
        "import.llama_test": QT_TRANSLATE_NOOP("messages", "It is not said which test was run: “{text}”."),
        "import.llama_rate": QT_TRANSLATE_NOOP("messages", "No tokens per second over zero: “{text}”."),
        "import.decimals": QT_TRANSLATE_NOOP(
            "messages", "A comma may part thousands or decimals here, and no other figure tells which: “{text}”."
        ),
        "import.cut_row": QT_TRANSLATE_NOOP(
            "messages", "The row is cut short: a figure at its end may lack digits, so it is not taken."
        ),
        "import.memory_side": QT_TRANSLATE_NOOP(
            "messages",
            "No peak: the bandwidth had not yet fallen where the sweep ended, so its FLOP/s are memory's; sweep on.",
        ),
        "import.compute_side": QT_TRANSLATE_NOOP(
            "messages", "No bandwidth: the sweep was compute-bound from its first row on; begin with fewer operations."
        ),
        "import.in_cache": QT_TRANSLATE_NOOP(
            "messages",
            "No bandwidth: arrays of {size:,} bytes in all fit in a cache ({cache:,} bytes); take larger ones.",
        ),
        "import.small_arrays": QT_TRANSLATE_NOOP(
            "messages",
            "Arrays of {size:,} bytes in all may lie in a cache: no roof is made of them unless you choose it.",
        ),
        "import.profiled": QT_TRANSLATE_NOOP(
            "messages", "It ran under a profiler, which repeats and slows its kernels: these rates are no ceilings."
        ),
        "import.link_copy": QT_TRANSLATE_NOOP(
            "messages", "Copies between host and device run over a link, not in the device's memory."
        ),
        "import.both_directions": QT_TRANSLATE_NOOP(
            "messages", "The figures of {text} add up both directions; each direction stands by itself."
        ),
        "import.collective": QT_TRANSLATE_NOOP(
            "messages", "Exchanges between devices run over links and have no point here."
        ),
        "import.host_call": QT_TRANSLATE_NOOP("messages", "Launches, waits and other calls of the host are no work."),
        "import.no_kernel": QT_TRANSLATE_NOOP("messages", "The operator ran no kernel of its own."),
        "import.in_operator": QT_TRANSLATE_NOOP("messages", "The kernel's time is counted in its operator."),
        "import.does_nothing": QT_TRANSLATE_NOOP("messages", "Views, allocations and ranges do no work."),
        "import.wrapper": QT_TRANSLATE_NOOP("messages", "The operator spends its time in others, which have rows."),
        # remarks on points
        "import.llama_mixed": QT_TRANSLATE_NOOP(
            "messages", "Prompt and generation were timed together, so the point belongs to neither phase."
        ),
        "import.llama_no_layers": QT_TRANSLATE_NOOP(
            "messages", "No layer lay on the GPU; the CPU and its memory did the work of decoding."
        ),
        "import.mixbench_rounded": QT_TRANSLATE_NOOP(
            "messages", "Times under a millisecond are rounded to two digits; rates are exact."
        ),
        "import.no_flop_counters": QT_TRANSLATE_NOOP("messages", "FLOPs were not counted."),
        "import.no_byte_counters": QT_TRANSLATE_NOOP("messages", "Bytes of the device's memory were not counted."),
        "import.half_of_bytes": QT_TRANSLATE_NOOP(
            "messages", "Only reads or only writes were counted, so the bytes are not known."
        ),
        "import.part_of_flops": QT_TRANSLATE_NOOP("messages", "At least so many FLOPs: {missing} were not counted."),
        "import.tensor_missed": QT_TRANSLATE_NOOP(
            "messages",
            "The kernel runs on tensor cores, whose FLOPs these counters miss; collect sm__ops_path_tensor_* to have "
            "them.",
        ),
        "import.busy_with_hits": QT_TRANSLATE_NOOP("messages", "The tool's memory throughput may include cache hits."),
        "import.no_shapes": QT_TRANSLATE_NOOP(
            "messages", "No shapes were recorded (record_shapes=True), so FLOPs and bytes are not known."
        ),
        "import.no_types": QT_TRANSLATE_NOOP("messages", "Number formats were not recorded, so bytes are not known."),
        "import.no_formula": QT_TRANSLATE_NOOP("messages", "No formula is known for the operator with these shapes."),
        "import.mask_unknown": QT_TRANSLATE_NOOP(
            "messages", "Whether attention was causal was not recorded, so its FLOPs are not known."
        ),
        "import.stride_unknown": QT_TRANSLATE_NOOP(
            "messages", "Stride and padding were not recorded, so the convolution's FLOPs are not known."
        ),
        "import.tools_flops": QT_TRANSLATE_NOOP("messages", "The FLOPs are the tool's own count."),
        "import.backward_bytes": QT_TRANSLATE_NOOP(
            "messages", "Backward attention counts 2.5 times the forward FLOPs; its bytes are not known."
        ),
        # remarks on the file
        "import.cut_short": QT_TRANSLATE_NOOP("messages", "The file ends in the middle; what stands before was read."),
        "import.no_work": QT_TRANSLATE_NOOP("messages", "{count} calls only view, allocate or hold other operators."),
        "import.kernels_alone": QT_TRANSLATE_NOOP(
            "messages", "Some kernels could not be joined to an operator and stand under their own names."
        ),
        "import.local_copy": QT_TRANSLATE_NOOP(
            "messages", "A copy inside the device reads and writes each byte; the roof of its memory counts both."
        ),
        "import.impossible": QT_TRANSLATE_NOOP(
            "messages", "{inner} was measured slower than {outer}, which lies outside it: one of them is wrong."
        ),
        # headings
        "import.heading": QT_TRANSLATE_NOOP("messages", "{tool}. Measurements: {count}."),
        "import.heading_ceilings": QT_TRANSLATE_NOOP("messages", "{tool}. Ceilings: {count}."),
        "import.device": QT_TRANSLATE_NOOP("messages", "Device: {device}."),
        "import.left_out": QT_TRANSLATE_NOOP("messages", "Left out, {where}: {why}"),
        "import.left_out_many": QT_TRANSLATE_NOOP("messages", "Left out, {count} from {where} on: {why}"),
        "import.about": QT_TRANSLATE_NOOP("messages", "{text} (points: {count})"),
        "import.more_points": QT_TRANSLATE_NOOP("messages", "{count} more points; --json lists all."),
        # columns
        "column.import_name": QT_TRANSLATE_NOOP("messages", "Name"),
        "column.import_calls": QT_TRANSLATE_NOOP("messages", "Calls"),
        "column.import_time": QT_TRANSLATE_NOOP("messages", "Time"),
        "column.import_flops": QT_TRANSLATE_NOOP("messages", "FLOPs"),
        "column.import_bytes": QT_TRANSLATE_NOOP("messages", "Bytes"),
        "column.import_intensity": QT_TRANSLATE_NOOP("messages", "Intensity"),
        "column.import_tokens": QT_TRANSLATE_NOOP("messages", "Tokens per second"),
        "column.import_memory_busy": QT_TRANSLATE_NOOP("messages", "Memory busy"),
        "column.import_compute_busy": QT_TRANSLATE_NOOP("messages", "Compute busy"),
        "column.import_device": QT_TRANSLATE_NOOP("messages", "Device"),
        "column.import_of": QT_TRANSLATE_NOOP("messages", "Ceiling"),
        "column.import_bandwidth": QT_TRANSLATE_NOOP("messages", "Bandwidth"),
        "column.import_compute": QT_TRANSLATE_NOOP("messages", "Peak"),
        "column.import_measured": QT_TRANSLATE_NOOP("messages", "Measured as"),
    }
)
