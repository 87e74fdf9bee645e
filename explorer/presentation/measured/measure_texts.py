"""Sentences of timing with the user's own torch."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        # why a job did not run, or ended early
        "measure.no_python": QT_TRANSLATE_NOOP("messages", "Choose a Python that has torch."),
        "measure.no_python_found": QT_TRANSLATE_NOOP(
            "messages", "No Python with torch was found; name one, for example --python ~/venv/bin/python."
        ),
        "measure.host": QT_TRANSLATE_NOOP("messages", "“{host}” cannot be the name of a host."),
        "measure.no_row": QT_TRANSLATE_NOOP("messages", "There is no operator “{name}”; there are: {known}."),
        "measure.no_rows": QT_TRANSLATE_NOOP("messages", "There is no operator to time: add a model or operators."),
        "measure.no_dim": QT_TRANSLATE_NOOP("messages", "“{name}” has no dimension “{dim}”; it has: {known}."),
        "measure.sweep": QT_TRANSLATE_NOOP("messages", "--sweep is NAME.DIM=V1,V2,…, for example q_proj.m=1,16,256."),
        "measure.start": QT_TRANSLATE_NOOP("messages", "{python} could not be started: {text}"),
        "measure.no_torch": QT_TRANSLATE_NOOP("messages", "{python} has no torch; install it there or choose another."),
        "measure.torch_broken": QT_TRANSLATE_NOOP("messages", "The torch of {python} cannot be imported: {text}"),
        "measure.torch_old": QT_TRANSLATE_NOOP(
            "messages", "The torch of {python} is {version}; timing needs 2.0 or newer."
        ),
        "measure.python_old": QT_TRANSLATE_NOOP("messages", "{python} is Python {version}; timing needs 3.9 or newer."),
        "measure.device": QT_TRANSLATE_NOOP("messages", "The torch of {python} has no “{device}”; it has: {known}."),
        "measure.protocol": QT_TRANSLATE_NOOP("messages", "The worker in {python} did not understand its job: {text}"),
        "measure.raised": QT_TRANSLATE_NOOP("messages", "The worker in {python} failed: {text}"),
        "measure.no_transformers": QT_TRANSLATE_NOOP(
            "messages", "Tracing a config needs the transformers package in {python}: {text}"
        ),
        "measure.no_callable": QT_TRANSLATE_NOOP("messages", "The file has no callable “{name}”; it has: {known}."),
        "measure.unknown": QT_TRANSLATE_NOOP(
            "messages", "The worker in {python} gave up for a reason that this program does not know: “{code}”."
        ),
        "measure.version": QT_TRANSLATE_NOOP(
            "messages",
            "The worker in {python} speaks version {theirs} of the protocol and this program version {ours}; "
            "choose another Python.",
        ),
        "measure.long_line": QT_TRANSLATE_NOOP(
            "messages", "{python} sent a line of more than {limit} MB and was stopped."
        ),
        "measure.flood": QT_TRANSLATE_NOOP(
            "messages", "{python} sent more messages than any measurement has and was stopped."
        ),
        "measure.offline": QT_TRANSLATE_NOOP(
            "messages",
            "The model asks the network for something ({what}), and a trace never goes online. "
            "Make it without downloaded code or weights.",
        ),
        "measure.config": QT_TRANSLATE_NOOP(
            "messages",
            "{python} makes no model of this config without what it names elsewhere ({fields}), "
            "which a trace never loads: {text}",
        ),
        "measure.dropped": QT_TRANSLATE_NOOP(
            "messages",
            "Left out of the config, because they name code, weights or a network elsewhere: {fields}. "
            "The library's defaults stand in.",
        ),
        "measure.garbage": QT_TRANSLATE_NOOP("messages", "{python} answered with “{text}” instead of measurements."),
        "measure.no_answer": QT_TRANSLATE_NOOP("messages", "{python} said nothing for {seconds} s and was stopped."),
        "measure.silent": QT_TRANSLATE_NOOP(
            "messages", "The worker hung for {seconds} s at “{row}” and was stopped; what was measured before is kept."
        ),
        "measure.ended": QT_TRANSLATE_NOOP("messages", "{python} ended with code {exit} before it measured: {text}"),
        "measure.ended_at": QT_TRANSLATE_NOOP(
            "messages", "The worker ended with code {exit} at “{row}” ({text}); what was measured before is kept."
        ),
        "measure.killed": QT_TRANSLATE_NOOP(
            "messages",
            "The worker was killed at “{row}”, perhaps because memory ran out; what was measured before is kept.",
        ),
        "measure.killed_early": QT_TRANSLATE_NOOP("messages", "The worker in {python} was killed before it measured."),
        "measure.crashed": QT_TRANSLATE_NOOP(
            "messages", "The worker crashed at “{row}” ({signal}); what was measured before is kept."
        ),
        "measure.crashed_early": QT_TRANSLATE_NOOP(
            "messages", "The worker in {python} crashed before it measured ({signal})."
        ),
        "measure.ssh": QT_TRANSLATE_NOOP(
            "messages", "The connection to {host} failed or was lost ({text}); what was measured before is kept."
        ),
        # why a row was not timed
        "measure.skip.fused": QT_TRANSLATE_NOOP("messages", "It runs inside another operator's kernel."),
        "measure.skip.kind": QT_TRANSLATE_NOOP("messages", "torch has no operator of this kind."),
        "measure.skip.format": QT_TRANSLATE_NOOP("messages", "torch has no kernels for {format} on this device."),
        "measure.skip.mixed": QT_TRANSLATE_NOOP(
            "messages", "torch has no kernel whose operands are of different formats ({formats})."
        ),
        "measure.skip.memory": QT_TRANSLATE_NOOP(
            "messages",
            "It needs {need_gb:.4g} GB, more than 70 % of the {free_gb:.4g} GB that are free on this device.",
        ),
        "measure.skip.out_of_memory": QT_TRANSLATE_NOOP("messages", "The device's memory ran out."),
        "measure.skip.slow": QT_TRANSLATE_NOOP("messages", "One run would take {seconds:.0f} s or more here."),
        "measure.skip.torch_old": QT_TRANSLATE_NOOP("messages", "It needs torch {needs} or newer."),
        "measure.skip.unsupported": QT_TRANSLATE_NOOP("messages", "torch does not support it on this device: {text}"),
        "measure.skip.raised": QT_TRANSLATE_NOOP("messages", "torch refused it: {text}"),
        "measure.skip.unanswered": QT_TRANSLATE_NOOP("messages", "The worker brought no figures of it that can be."),
        "measure.skip.unknown": QT_TRANSLATE_NOOP(
            "messages", "The worker gave a reason that this program does not know: “{code}”."
        ),
        "measure.skip.dims": QT_TRANSLATE_NOOP("messages", "Its dimension {name} is not known."),
        # remarks on a measured row
        "measure.note.composed": QT_TRANSLATE_NOOP(
            "messages", "Timed as several torch calls: torch has no single one."
        ),
        "measure.note.allocates": QT_TRANSLATE_NOOP(
            "messages", "torch allocates the output of each call, which large ones pay for."
        ),
        "measure.note.masked": QT_TRANSLATE_NOOP(
            "messages", "Timed with a mask, whose pairs torch computes and then discards."
        ),
        "measure.note.int32_output": QT_TRANSLATE_NOOP("messages", "torch writes the products as int32."),
        "measure.note.unknown": QT_TRANSLATE_NOOP("messages", "The worker's remark is not known here: “{code}”."),
        "measure.note.cached": QT_TRANSLATE_NOOP(
            "messages", "Cache-resident: its operands stay in the last cache, so memory does not bound it."
        ),
        "measure.note.unsteady": QT_TRANSLATE_NOOP(
            "messages", "Unsteady: the middle half of the runs spreads over more than 10 % of the median."
        ),
        "measure.busy": QT_TRANSLATE_NOOP(
            "messages", "The machine is busy (load {load:.1f}): times may be longer than they need be."
        ),
        "measure.guessed": QT_TRANSLATE_NOOP(
            "messages",
            "The model looked into its data {count} times, which a trace does not have: it was told yes, or 0.",
        ),
        "measure.no_input": QT_TRANSLATE_NOOP(
            "messages", "A model whose first input is “{name}” needs a Python file that calls it."
        ),
        "measure.no_memory": QT_TRANSLATE_NOOP(
            "messages",
            "The model takes more memory than {python} may have, before anything runs; "
            "check how many layers and experts it asks for.",
        ),
        "measure.order": QT_TRANSLATE_NOOP(
            "messages", "Impossible order: “{slow}” came out slower than “{fast}”; it is left out."
        ),
        # the command line
        "measure.machine": QT_TRANSLATE_NOOP(
            "messages", "{device} on {host}, torch {torch}, Python {python}, {threads} threads."
        ),
        "measure.step": QT_TRANSLATE_NOOP("messages", "{done} of {total}, {remaining} s left: {name}"),
        "measure.cancelled": QT_TRANSLATE_NOOP("messages", "Cancelled; what was measured before is kept."),
    }
)
