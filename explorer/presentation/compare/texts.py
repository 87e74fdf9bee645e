"""Words of the comparison: headers, reasons, findings."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "compare.machines": QT_TRANSLATE_NOOP("messages", "Machine"),
        "compare.models": QT_TRANSLATE_NOOP("messages", "Model"),
        "compare.formats": QT_TRANSLATE_NOOP("messages", "Formats"),
        "compare.what_ifs": QT_TRANSLATE_NOOP("messages", "What-if"),
        "compare.measurements": QT_TRANSLATE_NOOP("messages", "Measurement"),
        "compare.empty.machines": QT_TRANSLATE_NOOP("messages", "Choose devices to put them side by side."),
        "compare.empty.models": QT_TRANSLATE_NOOP("messages", "Add models to the study to put them side by side."),
        "compare.empty.formats": QT_TRANSLATE_NOOP(
            "messages", "Choose a device and a model to put its number formats side by side."
        ),
        "compare.empty.what_ifs": QT_TRANSLATE_NOOP(
            "messages", "The study has no what-ifs; choose a device and add some to put them side by side."
        ),
        "compare.empty.measurements": QT_TRANSLATE_NOOP(
            "messages", "The study has no measurements of whole steps on its devices."
        ),
        # groups of columns
        "compare.group.machine": QT_TRANSLATE_NOOP("messages", "machine"),
        "compare.group.step": QT_TRANSLATE_NOOP("messages", "step"),
        "compare.group.rate": QT_TRANSLATE_NOOP("messages", "tok/s, at most"),
        "compare.group.rate_inputs": QT_TRANSLATE_NOOP("messages", "inputs/s, at most"),
        "compare.group.rate_routed": QT_TRANSLATE_NOOP("messages", "tok/s, {routing}"),
        "compare.group.at_most_routed": QT_TRANSLATE_NOOP("messages", "{routing}"),
        "compare.group.at_batch": QT_TRANSLATE_NOOP("messages", "tok/s at batch"),
        "compare.group.at_batch_inputs": QT_TRANSLATE_NOOP("messages", "inputs/s at batch"),
        "compare.group.at_batch_routed": QT_TRANSLATE_NOOP("messages", "tok/s, {routing}, at batch"),
        "compare.group.at_context": QT_TRANSLATE_NOOP("messages", "tok/s at prompts of"),
        "compare.group.at_context_routed": QT_TRANSLATE_NOOP("messages", "tok/s, {routing}, at prompts of"),
        "compare.group.prompt": QT_TRANSLATE_NOOP("messages", "one prompt"),
        "compare.group.memory": QT_TRANSLATE_NOOP("messages", "memory"),
        "compare.group.share": QT_TRANSLATE_NOOP("messages", "time waits for"),
        "compare.group.at_most": QT_TRANSLATE_NOOP("messages", "at most"),
        "compare.group.at_power_routed": QT_TRANSLATE_NOOP("messages", "{routing}, sheet's power"),
        "compare.group.at_power": QT_TRANSLATE_NOOP("messages", "at sheet's power"),
        "compare.group.measured": QT_TRANSLATE_NOOP("messages", "step"),
        "compare.group.gain": QT_TRANSLATE_NOOP("messages", "times the baseline"),
        # columns, under their group
        "compare.bandwidth": QT_TRANSLATE_NOOP("messages", "bandwidth"),
        "compare.capacity": QT_TRANSLATE_NOOP("messages", "capacity"),
        "compare.peak": QT_TRANSLATE_NOOP("messages", "{format} TFLOP/s"),
        "compare.peak_int": QT_TRANSLATE_NOOP("messages", "{format} TOP/s"),
        "compare.ridge": QT_TRANSLATE_NOOP("messages", "ridge"),
        "compare.launch": QT_TRANSLATE_NOOP("messages", "launch"),
        "compare.link": QT_TRANSLATE_NOOP("messages", "link"),
        "compare.power": QT_TRANSLATE_NOOP("messages", "power"),
        "compare.price": QT_TRANSLATE_NOOP("messages", "price/h"),
        "compare.year": QT_TRANSLATE_NOOP("messages", "year"),
        "compare.at_least": QT_TRANSLATE_NOOP("messages", "at least"),
        "compare.routed": QT_TRANSLATE_NOOP("messages", "{routing}"),
        "compare.by_operator": QT_TRANSLATE_NOOP("messages", "op by op"),
        "compare.expected": QT_TRANSLATE_NOOP("messages", "expected"),
        "compare.per_request": QT_TRANSLATE_NOOP("messages", "request"),
        "compare.in_all": QT_TRANSLATE_NOOP("messages", "in all"),
        "compare.first_token": QT_TRANSLATE_NOOP("messages", "first token"),
        "compare.held": QT_TRANSLATE_NOOP("messages", "held"),
        "compare.fits": QT_TRANSLATE_NOOP("messages", "fits"),
        "compare.largest_batch": QT_TRANSLATE_NOOP("messages", "max batch"),
        "compare.knee": QT_TRANSLATE_NOOP("messages", "knee"),
        "compare.memory_share": QT_TRANSLATE_NOOP("messages", "memory"),
        "compare.compute_share": QT_TRANSLATE_NOOP("messages", "compute"),
        "compare.overhead_share": QT_TRANSLATE_NOOP("messages", "launches"),
        "compare.per_joule": QT_TRANSLATE_NOOP("messages", "tok/J"),
        "compare.per_joule_inputs": QT_TRANSLATE_NOOP("messages", "inputs/J"),
        "compare.per_price": QT_TRANSLATE_NOOP("messages", "tok/price"),
        "compare.per_price_inputs": QT_TRANSLATE_NOOP("messages", "inputs/price"),
        "compare.bytes_moved": QT_TRANSLATE_NOOP("messages", "bytes moved"),
        "compare.bound": QT_TRANSLATE_NOOP("messages", "bound"),
        "compare.measured": QT_TRANSLATE_NOOP("messages", "measured"),
        "compare.efficiency": QT_TRANSLATE_NOOP("messages", "efficiency"),
        "compare.tokens_bound": QT_TRANSLATE_NOOP("messages", "tok/s at most"),
        "compare.tokens": QT_TRANSLATE_NOOP("messages", "tok/s"),
        "compare.bytes_gain": QT_TRANSLATE_NOOP("messages", "fewer bytes"),
        "compare.bound_gain": QT_TRANSLATE_NOOP("messages", "by its bound"),
        "compare.measured_gain": QT_TRANSLATE_NOOP("messages", "as measured"),
        "compare.at_batch_1": QT_TRANSLATE_NOOP("messages", "1"),
        "compare.at_batch_8": QT_TRANSLATE_NOOP("messages", "8"),
        "compare.at_batch_32": QT_TRANSLATE_NOOP("messages", "32"),
        "compare.at_batch_own": QT_TRANSLATE_NOOP("messages", "{batch}"),
        "compare.at_context_512": QT_TRANSLATE_NOOP("messages", "512"),
        "compare.at_context_2048": QT_TRANSLATE_NOOP("messages", "2,048"),
        "compare.at_context_8192": QT_TRANSLATE_NOOP("messages", "8,192"),
        "compare.at_context_own": QT_TRANSLATE_NOOP("messages", "{context}"),
        "compare.swept_alone": QT_TRANSLATE_NOOP("messages", "{group} {at}"),
        # columns, by themselves: for slides and files
        "compare.alone.at_least": QT_TRANSLATE_NOOP("messages", "step at least"),
        "compare.alone.routed": QT_TRANSLATE_NOOP("messages", "step, {routing}"),
        "compare.alone.by_operator": QT_TRANSLATE_NOOP("messages", "step op by op"),
        "compare.alone.expected": QT_TRANSLATE_NOOP("messages", "step expected"),
        "compare.alone.per_request": QT_TRANSLATE_NOOP("messages", "tok/s, request"),
        "compare.alone.in_all": QT_TRANSLATE_NOOP("messages", "tok/s, all"),
        "compare.alone.per_request_inputs": QT_TRANSLATE_NOOP("messages", "inputs/s, each"),
        "compare.alone.in_all_inputs": QT_TRANSLATE_NOOP("messages", "inputs/s, all"),
        "compare.alone.first_token": QT_TRANSLATE_NOOP("messages", "first token, one prompt"),
        "compare.alone.first_token_routed": QT_TRANSLATE_NOOP("messages", "first token, one prompt, {prompt_routing}"),
        "compare.on_device": QT_TRANSLATE_NOOP("messages", "{subject}, on {device}"),
        "compare.alone.held": QT_TRANSLATE_NOOP("messages", "memory held"),
        "compare.alone.largest_batch": QT_TRANSLATE_NOOP("messages", "largest batch"),
        "compare.alone.knee": QT_TRANSLATE_NOOP("messages", "knee batch"),
        "compare.alone.memory_share": QT_TRANSLATE_NOOP("messages", "waits for memory"),
        "compare.alone.compute_share": QT_TRANSLATE_NOOP("messages", "waits for compute"),
        "compare.alone.overhead_share": QT_TRANSLATE_NOOP("messages", "waits for launches"),
        "compare.alone.per_joule": QT_TRANSLATE_NOOP("messages", "tok/J at the sheet's power"),
        "compare.alone.per_price_routed": QT_TRANSLATE_NOOP("messages", "tok/price"),
        "compare.alone.per_joule_inputs": QT_TRANSLATE_NOOP("messages", "inputs/J at the sheet's power"),
        "compare.alone.per_price": QT_TRANSLATE_NOOP("messages", "tok/price, at most"),
        "compare.alone.per_price_inputs": QT_TRANSLATE_NOOP("messages", "inputs/price, at most"),
        # what a header's tip says
        "compare.tip.bandwidth": QT_TRANSLATE_NOOP("messages", "Bandwidth of the outermost memory, by the sheet"),
        "compare.tip.capacity": QT_TRANSLATE_NOOP("messages", "Capacity of the outermost memory"),
        "compare.tip.peak": QT_TRANSLATE_NOOP(
            "messages", "Dense peak of the formats that most of the step is computed in, by the sheet"
        ),
        "compare.tip.ridge": QT_TRANSLATE_NOOP("messages", "Peak / bandwidth, FLOP/byte: below it memory decides"),
        "compare.tip.launch": QT_TRANSLATE_NOOP("messages", "From one kernel's launch to the next"),
        "compare.tip.link": QT_TRANSLATE_NOOP("messages", "The fastest link of one device, in one direction"),
        "compare.tip.power": QT_TRANSLATE_NOOP("messages", "Power by the sheet, of all devices"),
        "compare.tip.price": QT_TRANSLATE_NOOP("messages", "The price per hour that you gave, for all devices"),
        "compare.tip.year": QT_TRANSLATE_NOOP("messages", "The year it came out"),
        "compare.tip.at_least": QT_TRANSLATE_NOOP("messages", "No step can be shorter; of experts the fewest are read"),
        "compare.tip.routed": QT_TRANSLATE_NOOP("messages", "The step at least, with the experts that routing reads"),
        "compare.tip.by_operator": QT_TRANSLATE_NOOP("messages", "The operators one after the other, each at its roof"),
        "compare.tip.expected": QT_TRANSLATE_NOOP("messages", "The operators at the efficiencies that are usual"),
        "compare.tip.per_request": QT_TRANSLATE_NOOP("messages", "Of one request, at most"),
        "compare.tip.in_all": QT_TRANSLATE_NOOP("messages", "Of all requests together, at most"),
        **dict.fromkeys(
            ("compare.tip.at_batch_1", "compare.tip.at_batch_8", "compare.tip.at_batch_32"),
            QT_TRANSLATE_NOOP("messages", "Of all requests together at this batch, at most"),
        ),
        "compare.tip.at_batch_own": QT_TRANSLATE_NOOP(
            "messages", "Of all requests together at the study's own batch, at most"
        ),
        **dict.fromkeys(
            ("compare.tip.at_context_512", "compare.tip.at_context_2048", "compare.tip.at_context_8192"),
            QT_TRANSLATE_NOOP("messages", "Of all prompts together where each has this many tokens, at most"),
        ),
        "compare.tip.at_context_own": QT_TRANSLATE_NOOP(
            "messages", "Of all prompts together, each as long as the study's own, at most"
        ),
        "compare.tip.first_token": QT_TRANSLATE_NOOP(
            "messages", "One prompt as long as the context, read alone: at least; experts as routing reads them"
        ),
        "compare.tip.held": QT_TRANSLATE_NOOP("messages", "Weights, KV cache, state and what is kept free"),
        "compare.tip.fits": QT_TRANSLATE_NOOP("messages", "Whether what is held fits"),
        "compare.tip.largest_batch": QT_TRANSLATE_NOOP("messages", "The largest batch that fits at this context"),
        "compare.tip.knee": QT_TRANSLATE_NOOP("messages", "The batch past which doubling it gains little"),
        "compare.tip.memory_share": QT_TRANSLATE_NOOP("messages", "Share of the operators' time"),
        "compare.tip.compute_share": QT_TRANSLATE_NOOP("messages", "Share of the operators' time"),
        "compare.tip.overhead_share": QT_TRANSLATE_NOOP("messages", "Share of the operators' time"),
        "compare.tip.per_joule": QT_TRANSLATE_NOOP(
            "messages", "Of all requests, at the sheet's power, which is no bound of what it draws"
        ),
        "compare.tip.per_price": QT_TRANSLATE_NOOP("messages", "Of all requests, for one unit of the price you gave"),
        "compare.tip.bytes_moved": QT_TRANSLATE_NOOP("messages", "Bytes that the step moves at least"),
        "compare.tip.bound": QT_TRANSLATE_NOOP("messages", "No step of these conditions can be shorter"),
        "compare.tip.measured": QT_TRANSLATE_NOOP("messages", "Time of a step as measured"),
        "compare.tip.efficiency": QT_TRANSLATE_NOOP("messages", "Bound / measured"),
        "compare.tip.tokens_bound": QT_TRANSLATE_NOOP("messages", "What the bound allows"),
        "compare.tip.tokens": QT_TRANSLATE_NOOP("messages", "As measured, of all requests"),
        "compare.tip.bytes_gain": QT_TRANSLATE_NOOP("messages", "How many times fewer bytes than the baseline"),
        "compare.tip.bound_gain": QT_TRANSLATE_NOOP("messages", "How many times as fast its bound allows"),
        "compare.tip.measured_gain": QT_TRANSLATE_NOOP("messages", "How many times as fast it was measured"),
        # why a figure is missing
        "compare.why.unpublished": QT_TRANSLATE_NOOP("messages", "Nobody published this figure."),
        "compare.why.no_bandwidth": QT_TRANSLATE_NOOP(
            "messages", "Its bandwidth is not known: no step can be worked out."
        ),
        "compare.why.not_evaluated": QT_TRANSLATE_NOOP("messages", "It cannot be evaluated."),
        "compare.why.other_phase": QT_TRANSLATE_NOOP("messages", "It runs no such step."),
        "compare.why.no_peak": QT_TRANSLATE_NOOP("messages", "It has no peak of {format} or a wider format."),
        "compare.why.no_price": QT_TRANSLATE_NOOP("messages", "Nobody gave its price."),
        "compare.why.no_power": QT_TRANSLATE_NOOP("messages", "Nobody published its power."),
        "compare.why.no_rows": QT_TRANSLATE_NOOP("messages", "There is nothing to run."),
        "compare.why.no_room": QT_TRANSLATE_NOOP("messages", "No room: the step does not fit."),
        "compare.why.no_room_at_batch": QT_TRANSLATE_NOOP("messages", "No room: at batch {at} the step does not fit."),
        "compare.why.no_room_at_context": QT_TRANSLATE_NOOP("messages", "No room: prompts of {at} tokens do not fit."),
        "compare.why.no_routing": QT_TRANSLATE_NOOP("messages", "Routing changes nothing in this step."),
        "compare.why.no_model": QT_TRANSLATE_NOOP("messages", "Without a model there is no such figure."),
        "compare.why.no_prompt": QT_TRANSLATE_NOOP("messages", "The model generates no tokens."),
        "compare.why.no_capacity": QT_TRANSLATE_NOOP("messages", "Nobody published its capacity."),
        "compare.why.any_batch": QT_TRANSLATE_NOOP("messages", "Any batch that the program takes fits."),
        "compare.why.no_decode": QT_TRANSLATE_NOOP("messages", "Only decode steps have a knee."),
        "compare.why.no_knee": QT_TRANSLATE_NOOP("messages", "Doubling the batch goes on to pay at any batch."),
        "compare.why.no_time": QT_TRANSLATE_NOOP("messages", "No time was measured."),
        "compare.why.no_tokens": QT_TRANSLATE_NOOP("messages", "It is not known how many tokens the step yields."),
        "compare.why.no_baseline": QT_TRANSLATE_NOOP("messages", "The baseline lacks this figure: there is no ratio."),
        "compare.why.other_unit": QT_TRANSLATE_NOOP(
            "messages", "The baseline counts something else here: there is no ratio."
        ),
        "compare.why.launches": QT_TRANSLATE_NOOP(
            "messages", "A time without its launches is at least so long: there is no ratio."
        ),
        "compare.why.launch_shares": QT_TRANSLATE_NOOP(
            "messages", "Nobody published what a launch takes: how the time is shared is unknown."
        ),
        "compare.note.stands_in": QT_TRANSLATE_NOOP(
            "messages", "It has no peak of {format}: the one of {other} judges."
        ),
        "compare.note.launches_unknown": QT_TRANSLATE_NOOP(
            "messages", "At least: nobody published what a launch takes."
        ),
        # short, under a missing figure
        "compare.short.no_room": QT_TRANSLATE_NOOP("messages", "no room"),
        "compare.short.no_room_at_batch": QT_TRANSLATE_NOOP("messages", "no room"),
        "compare.short.no_room_at_context": QT_TRANSLATE_NOOP("messages", "no room"),
        "compare.short.no_bandwidth": QT_TRANSLATE_NOOP("messages", "no bandwidth"),
        "compare.short.not_evaluated": QT_TRANSLATE_NOOP("messages", "cannot run"),
        "compare.short.other_phase": QT_TRANSLATE_NOOP("messages", "other phase"),
        "compare.short.any_batch": QT_TRANSLATE_NOOP("messages", "any"),
        # cells
        "compare.baseline": QT_TRANSLATE_NOOP("messages", "baseline"),
        "compare.of": QT_TRANSLATE_NOOP("messages", "of {capacity}"),
        "compare.least": QT_TRANSLATE_NOOP("messages", "≥ {value}"),
        "compare.range": QT_TRANSLATE_NOOP("messages", "{low} – {high}"),
        "compare.watt": QT_TRANSLATE_NOOP("messages", "{count} W"),
        "compare.yes": QT_TRANSLATE_NOOP("messages", "yes"),
        "compare.no": QT_TRANSLATE_NOOP("messages", "no"),
        "compare.inputs": QT_TRANSLATE_NOOP("messages", "{count} inputs"),
        "compare.points": QT_TRANSLATE_NOOP("messages", "{count} pts"),
        "compare.in_format": QT_TRANSLATE_NOOP("messages", "{format} · {ratio}"),
        # rows
        "compare.row.ideal": QT_TRANSLATE_NOOP("messages", "ideal, no link"),
        "compare.row.up_to": QT_TRANSLATE_NOOP("messages", "up to batch {batch}"),
        "compare.row.no_room": QT_TRANSLATE_NOOP("messages", "no room"),
        "compare.row.ridge": QT_TRANSLATE_NOOP("messages", "ridge {ridge}"),
        "compare.row.baseline": QT_TRANSLATE_NOOP("messages", "baseline"),
        "compare.row.as_it_is": QT_TRANSLATE_NOOP("messages", "as it is"),
        "compare.row.weights": QT_TRANSLATE_NOOP("messages", "weights {format}"),
        "compare.row.kv": QT_TRANSLATE_NOOP("messages", "KV {format}"),
        "compare.row.both": QT_TRANSLATE_NOOP("messages", "weights {weights} + KV {kv}"),
        "compare.literal": QT_TRANSLATE_NOOP("messages", "{text}"),
        # files
        "compare.file.ratio": QT_TRANSLATE_NOOP("messages", "{figure}, ratio to the baseline"),
        "compare.file.best": QT_TRANSLATE_NOOP("messages", "best in"),
        "compare.file.least": QT_TRANSLATE_NOOP("messages", "bounds from below"),
        "compare.file.remarks": QT_TRANSLATE_NOOP("messages", "remarks"),
        "compare.file.baseline": QT_TRANSLATE_NOOP("messages", "baseline"),
        # what was typed
        "compare.vary": QT_TRANSLATE_NOOP("messages", "{got} cannot be compared; known are {known}."),
        "compare.no_such_baseline": QT_TRANSLATE_NOOP(
            "messages", "{got} is not one of the devices compared; they are {known}."
        ),
        "compare.several_baselines": QT_TRANSLATE_NOOP(
            "messages", "{got} is ambiguous, it fits {known}; give more of the name."
        ),
        "compare.empty_baseline": QT_TRANSLATE_NOOP(
            "messages", "no device is named; leave it out, or name one of those compared: {known}."
        ),
        # below
        "compare.dropped_one": QT_TRANSLATE_NOOP("messages", "1 more column: widen or scroll"),
        "compare.dropped": QT_TRANSLATE_NOOP("messages", "{count} more columns: widen or scroll"),
        "compare.flips": QT_TRANSLATE_NOOP("messages", "Verdicts that flip, {count} of {of}"),
        "compare.flips_without": QT_TRANSLATE_NOOP(
            "messages", "Verdicts that flip, {count} of {of} (left out, launches unknown: {names})"
        ),
        "compare.no_flips_without": QT_TRANSLATE_NOOP(
            "messages",
            "No verdict flips: each of the {of} operators waits for the same; left out, launches unknown: {names}",
        ),
        "compare.flips_unknown": QT_TRANSLATE_NOOP("messages", "No verdicts to compare: launches unknown on {names}"),
        "compare.no_flips": QT_TRANSLATE_NOOP(
            "messages", "No verdict flips: each of the {of} operators waits for the same everywhere."
        ),
        "compare.flip": QT_TRANSLATE_NOOP("messages", "{names}: {sides}"),
        "compare.flip_side": QT_TRANSLATE_NOOP("messages", "{bound} on {where}"),
        "compare.flip_short": QT_TRANSLATE_NOOP("messages", "{count} of {of}"),
        "compare.flip_same": QT_TRANSLATE_NOOP("messages", "{count} × {name}"),
        "compare.the_others": QT_TRANSLATE_NOOP("messages", "the other {count}"),
        "compare.legend.ratio": QT_TRANSLATE_NOOP("messages", "small: value / baseline"),
        "compare.legend.difference": QT_TRANSLATE_NOOP("messages", "small: value − baseline"),
        "compare.dot": QT_TRANSLATE_NOOP("messages", "● best"),
        "compare.best": QT_TRANSLATE_NOOP("messages", "best"),
        # titles
        "compare.title.served": QT_TRANSLATE_NOOP("messages", "{best} serves {ratio} the tokens of {baseline}"),
        "compare.title.read": QT_TRANSLATE_NOOP("messages", "{best} reads {ratio} the tokens of {baseline}"),
        "compare.title.inputs": QT_TRANSLATE_NOOP("messages", "{best} takes {ratio} the inputs of {baseline}"),
        "compare.title.change": QT_TRANSLATE_NOOP("messages", "{best}: {ratio} the tokens"),
        "compare.title.time": QT_TRANSLATE_NOOP("messages", "{best} needs {ratio} the time of {baseline}"),
        "compare.title.operators_time": QT_TRANSLATE_NOOP(
            "messages", "Operator by operator, {best} needs {ratio} the time of {baseline}"
        ),
        "compare.title.lead.operators_time": QT_TRANSLATE_NOOP(
            "messages", "Operator by operator, none is faster than {baseline}"
        ),
        "compare.title.also.operators_time": QT_TRANSLATE_NOOP("messages", "{title}; {worst} needs {ratio} the time"),
        "compare.title.lead.served": QT_TRANSLATE_NOOP("messages", "None serves more tokens than {baseline}"),
        "compare.title.lead.read": QT_TRANSLATE_NOOP("messages", "None reads more tokens than {baseline}"),
        "compare.title.lead.inputs": QT_TRANSLATE_NOOP("messages", "None takes more inputs than {baseline}"),
        "compare.title.lead.change": QT_TRANSLATE_NOOP("messages", "No change brings more tokens"),
        "compare.title.lead.time": QT_TRANSLATE_NOOP("messages", "None is faster than {baseline}"),
        "compare.title.of_two.served": QT_TRANSLATE_NOOP("messages", "{baseline} serves more tokens"),
        "compare.title.of_two.read": QT_TRANSLATE_NOOP("messages", "{baseline} reads more tokens"),
        "compare.title.of_two.inputs": QT_TRANSLATE_NOOP("messages", "{baseline} takes more inputs"),
        "compare.title.of_two.time": QT_TRANSLATE_NOOP("messages", "{baseline} is the faster"),
        "compare.title.of_two.operators_time": QT_TRANSLATE_NOOP(
            "messages", "Operator by operator, {baseline} is the faster"
        ),
        "compare.title.also.served": QT_TRANSLATE_NOOP("messages", "{title}; {worst} serves {ratio}"),
        "compare.title.also.read": QT_TRANSLATE_NOOP("messages", "{title}; {worst} reads {ratio}"),
        "compare.title.also.inputs": QT_TRANSLATE_NOOP("messages", "{title}; {worst} takes {ratio}"),
        "compare.title.also.change": QT_TRANSLATE_NOOP("messages", "{title}; {worst}: {ratio}"),
        "compare.title.also.time": QT_TRANSLATE_NOOP("messages", "{title}; {worst} needs {ratio} the time"),
        "compare.title.operators": QT_TRANSLATE_NOOP(
            "messages", "{title}; {worst} takes {products} as long on matmuls, {attention} on attention"
        ),
        "compare.title.long": QT_TRANSLATE_NOOP("messages", "{title}; {worst} takes {ratio} as long"),
        "compare.title.long_on_both": QT_TRANSLATE_NOOP(
            "messages", "{title}; {worst} takes {ratio} as long on matmuls and attention"
        ),
        "compare.ratios": QT_TRANSLATE_NOOP("messages", "{low}–{high}"),
        "compare.title.measured": QT_TRANSLATE_NOOP(
            "messages", "{best}: {measured} as fast as {baseline}, by its bound {bound}"
        ),
        "compare.title.alone": QT_TRANSLATE_NOOP("messages", "{baseline} by itself"),
        "compare.title.on": QT_TRANSLATE_NOOP("messages", "{name} on {device}"),
        "compare.title.and": QT_TRANSLATE_NOOP("messages", "{first} and {last}"),
        "compare.title.no_room": QT_TRANSLATE_NOOP(
            "messages", "{model} does not fit on {devices}: {held} of {capacity}"
        ),
        "compare.title.enough": QT_TRANSLATE_NOOP("messages", "{title}; {count} devices have room"),
        "compare.title.no_baseline": QT_TRANSLATE_NOOP("messages", "{baseline} has no figure to compare with"),
        "compare.under": QT_TRANSLATE_NOOP("messages", "under a value: its ratio to {baseline}"),
        "compare.under_difference": QT_TRANSLATE_NOOP("messages", "under a value: its difference from {baseline}"),
        "compare.bounds": QT_TRANSLATE_NOOP("messages", "times are at least, rates at most"),
        "compare.bounds_routed": QT_TRANSLATE_NOOP(
            "messages", "times are at least; with experts as read {routing}, times and rates are about"
        ),
        "compare.bounds_expected": QT_TRANSLATE_NOOP("messages", "expected: as is usual"),
        "compare.work": QT_TRANSLATE_NOOP(
            "messages", "{subject} · batch {batch}, context {context} · {formats} · launch: {launch}"
        ),
        "compare.work_inputs": QT_TRANSLATE_NOOP(
            "messages", "{subject} · batch {batch} · {formats} · launch: {launch}"
        ),
        "compare.formats_same": QT_TRANSLATE_NOOP("messages", "weights and KV {weights}"),
        "compare.formats_two": QT_TRANSLATE_NOOP("messages", "weights {weights}, KV {kv}"),
        "compare.formats_weights": QT_TRANSLATE_NOOP("messages", "weights {weights}"),
    }
)
