"""Words of the inspector: labels, remarks and sources of explained figures."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "explain.flops": QT_TRANSLATE_NOOP("messages", "FLOPs"),
        "explain.read": QT_TRANSLATE_NOOP("messages", "bytes read"),
        "explain.written": QT_TRANSLATE_NOOP("messages", "bytes written"),
        "explain.bytes": QT_TRANSLATE_NOOP("messages", "bytes"),
        "explain.kernels": QT_TRANSLATE_NOOP("messages", "kernels"),
        "explain.intensity": QT_TRANSLATE_NOOP("messages", "intensity"),
        "explain.intensity_at": QT_TRANSLATE_NOOP("messages", "intensity at {name}"),
        "explain.detail": QT_TRANSLATE_NOOP("messages", "as launched; no part of the time above"),
        "explain.ridge": QT_TRANSLATE_NOOP("messages", "ridge"),
        "explain.peak": QT_TRANSLATE_NOOP("messages", "peak"),
        "explain.bandwidth": QT_TRANSLATE_NOOP("messages", "bandwidth"),
        "explain.capacity": QT_TRANSLATE_NOOP("messages", "capacity"),
        "explain.compute_time": QT_TRANSLATE_NOOP("messages", "compute"),
        "explain.memory_time": QT_TRANSLATE_NOOP("messages", "memory"),
        "explain.launch_time": QT_TRANSLATE_NOOP("messages", "launch"),
        "explain.time": QT_TRANSLATE_NOOP("messages", "time"),
        "explain.all_calls": QT_TRANSLATE_NOOP("messages", "all calls"),
        "explain.share": QT_TRANSLATE_NOOP("messages", "time share"),
        "explain.flop_share": QT_TRANSLATE_NOOP("messages", "FLOP share"),
        "explain.softmax": QT_TRANSLATE_NOOP("messages", "softmax inside"),
        "explain.softmax_note": QT_TRANSLATE_NOOP(
            "messages", "5 FLOPs per score (max, subtract, exponential, sum, divide); shown, not counted in the FLOPs."
        ),
        "explain.dequantise": QT_TRANSLATE_NOOP("messages", "dequantisation"),
        "explain.dequantise_note": QT_TRANSLATE_NOOP(
            "messages", "2 OP per weight on the vector units, overlapping the reads; shown, not added."
        ),
        "explain.bytes_per": QT_TRANSLATE_NOOP("messages", "Bytes per value: {list}."),
        "explain.per.a": QT_TRANSLATE_NOOP("messages", "a = {bytes} activation ({format})"),
        "explain.per.w": QT_TRANSLATE_NOOP("messages", "w = {bytes} weight ({format})"),
        "explain.per.o": QT_TRANSLATE_NOOP("messages", "o = {bytes} output ({format})"),
        "explain.per.kv": QT_TRANSLATE_NOOP("messages", "kv = {bytes} KV cache ({format})"),
        "explain.dims": QT_TRANSLATE_NOOP("messages", "Dimensions: {list}."),
        "explain.dim": QT_TRANSLATE_NOOP("messages", "{name}: {meaning}"),
        "explain.measured_peak": QT_TRANSLATE_NOOP("messages", "measured peak"),
        "explain.measured_bandwidth": QT_TRANSLATE_NOOP("messages", "measured bandwidth"),
        "explain.measured_above": QT_TRANSLATE_NOOP(
            "messages", "{source}, {confidence}; above the sheet, so the floor takes it"
        ),
        "explain.measured_below": QT_TRANSLATE_NOOP("messages", "{source}, {confidence}; no figure here takes it"),
        "explain.peak_source": QT_TRANSLATE_NOOP(
            "messages", "{format}, {accumulate} accumulator, {unit} units, dense; {source}, {confidence} confidence"
        ),
        "explain.peak_stands_in": QT_TRANSLATE_NOOP(
            "messages", "{stand_in} stands in: {device} lists no {format} peak."
        ),
        "explain.peak_stands_in_slower": QT_TRANSLATE_NOOP(
            "messages", "{stand_in} stands in: {device} runs {format} slower, so libraries convert."
        ),
        "explain.not_judged": QT_TRANSLATE_NOOP(
            "messages", "{device} lists no peak for {format} or anything wider: compute is not judged."
        ),
        "explain.level_source": QT_TRANSLATE_NOOP("messages", "{level}; {source}, {confidence} confidence"),
        "explain.launch_source": QT_TRANSLATE_NOOP("messages", "eager launches; {source}, {confidence} confidence"),
        "explain.no_launch": QT_TRANSLATE_NOOP(
            "messages", "Eager: {device} lists no launch overhead; give one with Edit device."
        ),
        "explain.time_least": QT_TRANSLATE_NOOP("messages", "At least: launches are unknown."),
        "explain.source.datasheet": QT_TRANSLATE_NOOP("messages", "datasheet"),
        "explain.source.derived": QT_TRANSLATE_NOOP("messages", "derived"),
        "explain.source.paper": QT_TRANSLATE_NOOP("messages", "paper"),
        "explain.source.measured": QT_TRANSLATE_NOOP("messages", "measured"),
        "explain.source.recalled": QT_TRANSLATE_NOOP("messages", "recalled"),
        "explain.source.typed": QT_TRANSLATE_NOOP("messages", "typed"),
        "explain.source.none": QT_TRANSLATE_NOOP("messages", "no source given"),
        "explain.confidence.high": QT_TRANSLATE_NOOP("messages", "high"),
        "explain.confidence.medium": QT_TRANSLATE_NOOP("messages", "medium"),
        "explain.confidence.low": QT_TRANSLATE_NOOP("messages", "low"),
        "explain.ideal": QT_TRANSLATE_NOOP("messages", "{count} devices, ideal: links are not counted."),
        "explain.fused": QT_TRANSLATE_NOOP("messages", "Fused: only weights and KV cache move, no kernel of its own."),
        "explain.own_kind": QT_TRANSLATE_NOOP("messages", "FLOPs and bytes by your own operator kind “{kind}”."),
        "explain.kind": QT_TRANSLATE_NOOP(
            "messages", "FLOPs and bytes by the operator kind “{kind}”; each operand is touched once."
        ),
        "explain.below_ridge": QT_TRANSLATE_NOOP("messages", "below the ridge of {ridge}"),
        "explain.above_ridge": QT_TRANSLATE_NOOP("messages", "at or above the ridge of {ridge}"),
        "explain.cited": QT_TRANSLATE_NOOP("messages", "{kind}: {title}."),
        "explain.noted": QT_TRANSLATE_NOOP("messages", "{source}; {note}"),
        "explain.times_count": QT_TRANSLATE_NOOP("messages", "calls·each, {count} operators"),
        "explain.floor_note": QT_TRANSLATE_NOOP(
            "messages", "No honest measurement of the same work beats it: intermediates free, launches 0."
        ),
        "explain.routed": QT_TRANSLATE_NOOP("messages", "step, {routing}"),
        "explain.fewest_experts": QT_TRANSLATE_NOOP(
            "messages", "It reads the fewest experts that the step can do with, as if all tokens chose alike."
        ),
        "explain.compulsory": QT_TRANSLATE_NOOP("messages", "compulsory bytes"),
        "explain.compulsory_formula": QT_TRANSLATE_NOOP(
            "messages", "weights streamed + KV read + KV written and outputs"
        ),
        "explain.flops_over_peak": QT_TRANSLATE_NOOP("messages", "sum of FLOPs/peak over {count} operators"),
        "explain.bytes_over_bandwidth": QT_TRANSLATE_NOOP("messages", "compulsory bytes/bandwidth"),
        "explain.expected": QT_TRANSLATE_NOOP("messages", "expected"),
        "explain.expected_formula": QT_TRANSLATE_NOOP("messages", "operator by operator/efficiency"),
        "explain.expected_note": QT_TRANSLATE_NOOP(
            "messages", "The band of {low} to {high} of the roof is yours to edit; it is no bound."
        ),
        "explain.fitted_note": QT_TRANSLATE_NOOP(
            "messages", "Fitted to {rows} measurements ({source}), ± {spread}; it is no bound."
        ),
        "explain.fitted_formula": QT_TRANSLATE_NOOP("messages", "longer of compute and bytes, + time per kernel"),
        "explain.fitted_bandwidth": QT_TRANSLATE_NOOP("messages", "fitted bandwidth"),
        "explain.fitted_peak": QT_TRANSLATE_NOOP("messages", "fitted peak, {format}"),
        "explain.fitted_kernel": QT_TRANSLATE_NOOP("messages", "fitted time per kernel"),
        "explain.step_time": QT_TRANSLATE_NOOP("messages", "operator by operator"),
        "explain.step_time_note": QT_TRANSLATE_NOOP(
            "messages", "Kernels run one after the other; nothing fused that the rows do not fuse."
        ),
        "explain.per_second": QT_TRANSLATE_NOOP("messages", "{count} tokens/s"),
        "explain.tokens": QT_TRANSLATE_NOOP("messages", "all requests"),
        "explain.tokens_each": QT_TRANSLATE_NOOP("messages", "per request"),
        "explain.no_tokens": QT_TRANSLATE_NOOP("messages", "Operators without a model yield no tokens."),
        "explain.streamed": QT_TRANSLATE_NOOP("messages", "simple: streamed"),
        "explain.whole_file": QT_TRANSLATE_NOOP("messages", "simple: whole file"),
        "explain.streamed_note": QT_TRANSLATE_NOOP(
            "messages", "W: weight bytes read in the step; K: KV bytes per sequence; B: batch."
        ),
        "explain.whole_file_note": QT_TRANSLATE_NOOP("messages", "All weight bytes, the embedding table included."),
        "explain.memory": QT_TRANSLATE_NOOP("messages", "memory held"),
        "explain.kv": QT_TRANSLATE_NOOP("messages", "KV cache"),
        "explain.kv_each": QT_TRANSLATE_NOOP("messages", "KV per sequence"),
        "explain.kv_each_note": QT_TRANSLATE_NOOP(
            "messages", "Summed over the layers at {context} tokens; windowed layers hold their window."
        ),
        "explain.kv_token": QT_TRANSLATE_NOOP("messages", "KV per token"),
        "explain.kv_token_note": QT_TRANSLATE_NOOP(
            "messages", "KV heads · (key + value size) · bytes, over the layers"
        ),
        "explain.kv_cross": QT_TRANSLATE_NOOP("messages", "KV per encoder token"),
        "explain.kv_cross_note": QT_TRANSLATE_NOOP(
            "messages", "cross-attention, beside KV per token, which is self-attention alone"
        ),
        "explain.kv_token_window": QT_TRANSLATE_NOOP(
            "messages", "{note}; up to {window} tokens, where a window is full"
        ),
        "explain.kv_token_at": QT_TRANSLATE_NOOP("messages", "KV per token at {context}"),
        "explain.reserve_note": QT_TRANSLATE_NOOP("messages", "Set by you."),
        "explain.free": QT_TRANSLATE_NOOP("messages", "left over"),
        "explain.kv_half": QT_TRANSLATE_NOOP("messages", "KV-half batch"),
        "explain.kv_half_note": QT_TRANSLATE_NOOP(
            "messages", "Half of the traffic is KV: throughput stands at half of its asymptote, bandwidth/K."
        ),
        "explain.ridge_batch": QT_TRANSLATE_NOOP("messages", "ridge batch"),
        "explain.ridge_batch_never": QT_TRANSLATE_NOOP(
            "messages", "Decode never turns compute-bound at this context: KV traffic grows faster than the FLOPs."
        ),
        "explain.ridge_batch_note": QT_TRANSLATE_NOOP(
            "messages", "C: compute of one sequence, each operator by its own peak."
        ),
        "explain.fit_batch": QT_TRANSLATE_NOOP("messages", "fits up to batch"),
        "explain.knee": QT_TRANSLATE_NOOP("messages", "knee batch"),
        "explain.knee_note": QT_TRANSLATE_NOOP(
            "messages", "Past it, doubling the batch gains less than {factor} in tokens per second."
        ),
        "explain.knee_formula": QT_TRANSLATE_NOOP("messages", "largest B with 2·step(B)/step(2B) ≥ {factor}"),
        "explain.moe_note": QT_TRANSLATE_NOOP(
            "messages", "W grows with the batch (more experts are read), so the equation is solved numerically."
        ),
        "explain.never": QT_TRANSLATE_NOOP("messages", "never"),
        "explain.no_decode": QT_TRANSLATE_NOOP("messages", "Only a decode step of a model has such a batch."),
        "explain.unknown": QT_TRANSLATE_NOOP("messages", "not known"),
        "explain.no_capacity": QT_TRANSLATE_NOOP("messages", "{device} lists no capacity."),
        "explain.heading.sum": QT_TRANSLATE_NOOP("messages", "{count} operators"),
        "explain.heading.totals": QT_TRANSLATE_NOOP("messages", "The step on {device}"),
        "explain.sub.row": QT_TRANSLATE_NOOP("messages", "{kind}, {count} calls, on {device}"),
        "explain.sub.on": QT_TRANSLATE_NOOP("messages", "on {device}"),
        "explain.nothing": QT_TRANSLATE_NOOP("messages", "Choose a device to see how its figures come about."),
        "explain.no_row": QT_TRANSLATE_NOOP("messages", "The selected operators are not part of this step."),
    }
)
