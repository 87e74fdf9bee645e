"""Sentences on the gap between measured and bound, on counters, and on fits."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        # one measurement beside its bound
        "gap.row": QT_TRANSLATE_NOOP("messages", "{name} took {measured} on {device}; its bound is {bound}."),
        "gap.step": QT_TRANSLATE_NOOP("messages", "A step took {measured} on {device}; its floor is {bound}."),
        "gap.room": QT_TRANSLATE_NOOP(
            "messages", "{share} of the bound: much room. {waits} sets the bound, yet most of the time goes elsewhere."
        ),
        "gap.between": QT_TRANSLATE_NOOP(
            "messages", "{share} of the bound: some room, up to {gain} where {waits} sets the bound."
        ),
        "gap.limit": QT_TRANSLATE_NOOP(
            "messages", "{share} of the bound: the engineering limit. Only less work or other hardware makes it faster."
        ),
        "gap.at": QT_TRANSLATE_NOOP(
            "messages", "At its bound, within measuring error. Only less work or other hardware makes it faster."
        ),
        "gap.over": QT_TRANSLATE_NOOP(
            "messages", "{share} of the bound: an assumption is broken. The likely causes, the likeliest first:"
        ),
        "gap.alike": QT_TRANSLATE_NOOP(
            "messages",
            "Between random routing ({uniform}) and its bound: no fault, the tokens chose experts alike and fewer "
            "were read.",
        ),
        "gap.routed": QT_TRANSLATE_NOOP(
            "messages",
            "{share} of the bound, which reads the fewest experts; {random} of what random routing allows ({uniform}).",
        ),
        "gap.spread": QT_TRANSLATE_NOOP("messages", "The middle half of {runs} runs: {low} to {high}."),
        "gap.spread_plain": QT_TRANSLATE_NOOP("messages", "The middle half of the runs: {low} to {high}."),
        "gap.file_as": QT_TRANSLATE_NOOP("messages", "Weights are the {size} of its file, stored as {mix}."),
        "gap.file": QT_TRANSLATE_NOOP(
            "messages", "Weights are the {size} of its file, as if every value took the same bytes."
        ),
        "verdict.room": QT_TRANSLATE_NOOP("messages", "much room"),
        "verdict.between": QT_TRANSLATE_NOOP("messages", "some room"),
        "verdict.limit": QT_TRANSLATE_NOOP("messages", "engineering limit"),
        "verdict.at": QT_TRANSLATE_NOOP("messages", "at its bound"),
        "verdict.alike": QT_TRANSLATE_NOOP("messages", "beats random routing"),
        "verdict.over": QT_TRANSLATE_NOOP("messages", "over the bound"),
        # no prediction
        "gap.no_device": QT_TRANSLATE_NOOP("messages", "Its device is none of the study's: choose one."),
        "gap.no_bandwidth": QT_TRANSLATE_NOOP("messages", "{device} has no memory bandwidth to compare with."),
        "gap.no_model": QT_TRANSLATE_NOOP("messages", "There is no model or operator to compare a step with."),
        "gap.model_gone": QT_TRANSLATE_NOOP("messages", "Its model is none of the study's: choose one."),
        "gap.row_gone": QT_TRANSLATE_NOOP("messages", "The study has no operator “{row}” at these conditions."),
        "gap.no_time": QT_TRANSLATE_NOOP("messages", "Neither a time nor tokens per second are given."),
        "gap.no_phase": QT_TRANSLATE_NOOP("messages", "It timed prompt and generation together: no one step."),
        "gap.nothing_counted": QT_TRANSLATE_NOOP("messages", "Neither FLOPs nor bytes are known, so it has no bound."),
        # pasted and typed
        "pasted.no_figure": QT_TRANSLATE_NOOP("messages", "A time or tokens per second over zero is needed."),
        "pasted.not_known": QT_TRANSLATE_NOOP("messages", "“{got}” is not known here; known are: {known}."),
        "measure.no_file": QT_TRANSLATE_NOOP("messages", "Choose a Python file, or a model's config.json."),
        "import.memory": QT_TRANSLATE_NOOP("messages", "“{file}” is too large for this machine's memory."),
        "fit_roof.no_device": QT_TRANSLATE_NOOP("messages", "Add hardware and measurements of it first."),
        # causes
        "cause.out_of_memory": QT_TRANSLATE_NOOP(
            "messages", "The run failed and printed a figure all the same: it needs {needed} of {capacity}."
        ),
        "cause.failed_run": QT_TRANSLATE_NOOP(
            "messages", "The run failed: no real one is {over} times as fast as memory allows."
        ),
        "cause.cached_said": QT_TRANSLATE_NOOP(
            "messages", "Its operands ({bytes}) stayed in a cache, as the timing itself says."
        ),
        "cause.cached": QT_TRANSLATE_NOOP(
            "messages", "Cache-resident: its {bytes} fit the {level} ({capacity}), and repeated runs find them there."
        ),
        "cause.cached_partly": QT_TRANSLATE_NOOP(
            "messages", "Partly cache-resident: of its {bytes} the {level} ({capacity}) may keep enough."
        ),
        "cause.cached_perhaps": QT_TRANSLATE_NOOP(
            "messages", "Cache-resident: {bytes} may stay in a cache, whose size this device does not name."
        ),
        "cause.speculative_said": QT_TRANSLATE_NOOP(
            "messages", "Speculative decoding: its name says that a step yields more than one token."
        ),
        "cause.speculative": QT_TRANSLATE_NOOP(
            "messages", "Speculative decoding: a step that yields {over} tokens would explain it."
        ),
        "cause.experts_rough": QT_TRANSLATE_NOOP(
            "messages", "A mixture of experts counted whole: the rough model reads all {parameters} parameters."
        ),
        "cause.window_full": QT_TRANSLATE_NOOP(
            "messages", "Attention is counted in full, masks and windows ignored; the kernel skips those pairs."
        ),
        "cause.window_rough": QT_TRANSLATE_NOOP(
            "messages", "A window ignored: the rough model reads all {context} tokens in every layer."
        ),
        "cause.head_skipped": QT_TRANSLATE_NOOP(
            "messages", "lm_head skipped: logits of the last token only, and the head is {share} of the FLOPs."
        ),
        "cause.head_skipped_bytes": QT_TRANSLATE_NOOP(
            "messages", "lm_head skipped: its weights, {share} of those read, are read once a prompt at most."
        ),
        "cause.accumulate": QT_TRANSLATE_NOOP(
            "messages", "{format} with {accumulate} accumulation runs up to {rate} on this device."
        ),
        "cause.fp16_accumulate": QT_TRANSLATE_NOOP(
            "messages", "fp16 accumulation: consumer parts run it at twice the rate of fp32 accumulation."
        ),
        "cause.wrong_peak": QT_TRANSLATE_NOOP(
            "messages", "Another format's peak: judged by {counted}, while {format} runs up to {rate}."
        ),
        "cause.sparse": QT_TRANSLATE_NOOP(
            "messages", "Structured sparsity: sparse {format} peaks are twice the dense ones counted here."
        ),
        "cause.roof_measured": QT_TRANSLATE_NOOP(
            "messages", "The roof was measured too, and lies {over} low: other runs, another load of the machine."
        ),
        "cause.clock": QT_TRANSLATE_NOOP("messages", "A clock above the sheet: boost or overclocking gives {over}."),
        "cause.memory_clock": QT_TRANSLATE_NOOP("messages", "Memory clocked above the sheet, by {over}."),
        "cause.fewer_bits": QT_TRANSLATE_NOOP(
            "messages", "Weights of fewer bits than the {format} that the study counts."
        ),
        "cause.unknown": QT_TRANSLATE_NOOP(
            "messages", "Fewer bytes or FLOPs were needed than counted, or it is not the work that was named."
        ),
        # counters
        "diagnosis.memory": QT_TRANSLATE_NOOP(
            "messages", "Memory-bound: memory runs at {memory} of its peak. Cut bytes or reuse them more."
        ),
        "diagnosis.compute": QT_TRANSLATE_NOOP(
            "messages",
            "Compute-bound: the compute units are busy {compute} of the time. A narrower format or another algorithm.",
        ),
        "diagnosis.both": QT_TRANSLATE_NOOP(
            "messages", "Both are used well (memory {memory}, compute {compute}): it stands at the ridge."
        ),
        "diagnosis.latency": QT_TRANSLATE_NOOP(
            "messages",
            "Latency or concurrency: memory at {memory} and compute at {compute} both wait. More work in flight: "
            "larger batch, finer parallelism, coalesced access.",
        ),
        "diagnosis.overhead": QT_TRANSLATE_NOOP(
            "messages",
            "Hardly anything runs (memory {memory}, compute {compute}): look at launches, copies to the host and "
            "synchronisation, then at concurrency.",
        ),
        "diagnosis.mostly_memory": QT_TRANSLATE_NOOP(
            "messages", "Memory ({memory}) more than compute ({compute}), yet below its peak: access pattern first."
        ),
        "diagnosis.mostly_compute": QT_TRANSLATE_NOOP(
            "messages", "Compute ({compute}) more than memory ({memory}), yet below its peak: occupancy, tiles, tails."
        ),
        "diagnosis.between": QT_TRANSLATE_NOOP(
            "messages", "Neither is near its peak (memory {memory}, compute {compute}): they take turns; overlap them."
        ),
        "diagnosis.in_flight": QT_TRANSLATE_NOOP(
            "messages",
            "{device} needs {needed} in flight ({bandwidth} × {latency}, Little's law); at this throughput there "
            "are {achieved}.",
        ),
        "diagnosis.cache_hits": QT_TRANSLATE_NOOP(
            "messages", "A tool's “memory throughput” may include cache hits: check it against bytes of DRAM."
        ),
        "diagnosis.over_peak": QT_TRANSLATE_NOOP(
            "messages", "More than the peak ({share}): the tool counts cache hits, or another peak."
        ),
        "diagnosis.no_latency": QT_TRANSLATE_NOOP(
            "messages", "The device names no memory latency, so bytes in flight cannot be told."
        ),
        "diagnosis.small": QT_TRANSLATE_NOOP(
            "messages", "It takes {share} of the time: whatever is done to it, the whole gains {gain} at most."
        ),
        "diagnosis.gain": QT_TRANSLATE_NOOP(
            "messages", "It takes {share} of the time: with it gone, the whole would be {gain} as fast."
        ),
        "diagnosis.rank": QT_TRANSLATE_NOOP(
            "messages", "It is number {rank} by time: start with the longest, never with the most FLOPs."
        ),
        "diagnosis.share": QT_TRANSLATE_NOOP("messages", "{got} is no share: type a percentage from 0 to 200."),
        # fits
        "fit_roof.few": QT_TRANSLATE_NOOP("messages", "A fit needs {needed} measurements or more; there are {rows}."),
        "fit_roof.nothing": QT_TRANSLATE_NOOP(
            "messages", "The {rows} measurements follow neither bytes nor FLOPs: they tell no roof."
        ),
        "fit_roof.bandwidth": QT_TRANSLATE_NOOP("messages", "effective bandwidth"),
        "fit_roof.peak": QT_TRANSLATE_NOOP("messages", "effective peak, {format}"),
        "fit_roof.fixed": QT_TRANSLATE_NOOP("messages", "fixed time per kernel"),
        "fit_roof.range": QT_TRANSLATE_NOOP("messages", "{value} ({low} to {high})"),
        "fit_roof.range_of": QT_TRANSLATE_NOOP("messages", "{value} ({low} to {high}), {share} of the sheet"),
        "fit_roof.spread": QT_TRANSLATE_NOOP("messages", "Measured times differ from the fitted by {sigma}."),
        "fit_roof.outliers": QT_TRANSLATE_NOOP("messages", "Hardly counted, for they stand apart: {names}."),
        "fit_roof.no_peak": QT_TRANSLATE_NOOP("messages", "No peak: all of them wait for memory."),
        "fit_roof.no_bandwidth": QT_TRANSLATE_NOOP("messages", "No bandwidth: all of them wait for compute."),
        "fit_roof.no_fixed": QT_TRANSLATE_NOOP(
            "messages", "No fixed time: their work per kernel is too alike; add short and long ones."
        ),
        "fit_roof.wide_peak": QT_TRANSLATE_NOOP("messages", "The peak is uncertain by a factor {factor}: left out."),
        "fit_roof.wide_bandwidth": QT_TRANSLATE_NOOP(
            "messages", "The bandwidth is uncertain by a factor {factor}: left out."
        ),
        "fit_roof.name": QT_TRANSLATE_NOOP("messages", "{device}, fitted"),
        "fit_roof.source": QT_TRANSLATE_NOOP("messages", "Fitted to {rows} measurements of {device}"),
        # a sweep
        "sweep.bytes": QT_TRANSLATE_NOOP(
            "messages", "Time follows bytes, not FLOPs: memory-bound, {rate} effective, {fixed} fixed."
        ),
        "sweep.flops": QT_TRANSLATE_NOOP(
            "messages", "Time follows FLOPs, not bytes: compute-bound, {rate} effective, {fixed} fixed."
        ),
        "sweep.fixed": QT_TRANSLATE_NOOP("messages", "Time does not follow the size: {fixed} fixed, overhead-bound."),
        "sweep.either": QT_TRANSLATE_NOOP(
            "messages", "Bytes and FLOPs grow alike here, so the sweep cannot tell them apart: {rate} by bytes."
        ),
        "sweep.against_bytes": QT_TRANSLATE_NOOP("messages", "Time against bytes"),
        "sweep.against_flops": QT_TRANSLATE_NOOP("messages", "Time against FLOPs"),
        # the chart
        "chart.measured_named": QT_TRANSLATE_NOOP("messages", "{name}: {share} of bound"),
        "chart.over_named": QT_TRANSLATE_NOOP("messages", "{name}: {share} of bound: assumption broken"),
        # the table
        "column.measurement": QT_TRANSLATE_NOOP("messages", "Measurement"),
        "column.remark": QT_TRANSLATE_NOOP("messages", "Remark"),
        "column.module": QT_TRANSLATE_NOOP("messages", "Module"),
        "column.of": QT_TRANSLATE_NOOP("messages", "Of"),
        "column.on": QT_TRANSLATE_NOOP("messages", "On"),
        "column.bound_s": QT_TRANSLATE_NOOP("messages", "Bound"),
        "column.waits": QT_TRANSLATE_NOOP("messages", "Waits for"),
        "column.measured_s": QT_TRANSLATE_NOOP("messages", "Measured"),
        "column.measured_rate": QT_TRANSLATE_NOOP("messages", "Tokens/s"),
        "column.efficiency": QT_TRANSLATE_NOOP("messages", "Efficiency"),
        "column.verdict": QT_TRANSLATE_NOOP("messages", "Verdict"),
        "column.quartiles": QT_TRANSLATE_NOOP("messages", "Middle half"),
        "column.runs": QT_TRANSLATE_NOOP("messages", "Runs"),
        "column.measured_flops": QT_TRANSLATE_NOOP("messages", "FLOPs"),
        "column.measured_bytes": QT_TRANSLATE_NOOP("messages", "Bytes"),
        "column.phase": QT_TRANSLATE_NOOP("messages", "Phase"),
        "column.batch": QT_TRANSLATE_NOOP("messages", "Batch"),
        "column.context": QT_TRANSLATE_NOOP("messages", "Context"),
        "column.file_size": QT_TRANSLATE_NOOP("messages", "File"),
        "column.of_model": QT_TRANSLATE_NOOP("messages", "Model"),
        "column.measured_by": QT_TRANSLATE_NOOP("messages", "Source"),
        "measured.tip": QT_TRANSLATE_NOOP("messages", "{text}"),
    }
)
