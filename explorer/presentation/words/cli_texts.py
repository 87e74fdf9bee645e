"""Sentences of the command line."""

from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, register

register(
    {
        "asked.model": QT_TRANSLATE_NOOP(
            "messages",
            "No model or file is named “{text}”; give a {hint}, a GGUF or safetensors file, a preset, or --quick.",
        ),
        "asked.model_near": QT_TRANSLATE_NOOP("messages", "No model or file is named “{text}”; did you mean “{hint}”?"),
        "asked.model_several": QT_TRANSLATE_NOOP(
            "messages", "“{text}” fits several models: {names}; give more of the name."
        ),
        "quick.missing": QT_TRANSLATE_NOOP(
            "messages", "--quick needs also {names}; for example params=13e9,layers=32,kv_heads=32,head_dim=128."
        ),
        "quick.twice": QT_TRANSLATE_NOOP("messages", "--quick names {name} twice; give it once."),
        "quick.unknown": QT_TRANSLATE_NOOP("messages", "--quick: “{text}” is not name=value with a name of: {known}."),
        "quick.figure": QT_TRANSLATE_NOOP("messages", "--quick: {name} cannot be “{text}”; give a number like 13e9."),
        "quick.size": QT_TRANSLATE_NOOP(
            "messages", "--quick: {name} cannot be “{text}”; give a size with its unit, like 4.92GB."
        ),
        "cli.usage": QT_TRANSLATE_NOOP("messages", "{text}"),
        "cli.option": QT_TRANSLATE_NOOP("messages", "There is no option {text}; did you mean {near}?"),
        "cli.command": QT_TRANSLATE_NOOP(
            "messages", "“{text}” is neither a study's file nor a command; the commands are: {known}."
        ),
        "cli.command_near": QT_TRANSLATE_NOOP(
            "messages", "“{text}” is neither a study's file nor a command; did you mean {near}?"
        ),
        "cli.no_hardware": QT_TRANSLATE_NOOP(
            "messages", 'Name a device, for example --hardware "H100 SXM5"; the hardware command lists them.'
        ),
        "cli.no_work": QT_TRANSLATE_NOOP(
            "messages", "Name a model with --model or --quick, or a study that has a model or operators."
        ),
        "cli.train": QT_TRANSLATE_NOOP("messages", "--phase train is not built yet; prefill and decode are."),
        "cli.two_models": QT_TRANSLATE_NOOP("messages", "Give --model or --quick, not both."),
        "cli.no_screen": QT_TRANSLATE_NOOP(
            "messages", "There is no screen here; draw into a file with: roofline-explorer render -o figure.png"
        ),
        "cli.size": QT_TRANSLATE_NOOP(
            "messages", "--size is WIDTHxHEIGHT in pixels, for example 1600x900, or 16:9, 4:3, A4, A4-portrait."
        ),
        "cli.range": QT_TRANSLATE_NOOP(
            "messages", "a range is two figures, the smaller one first, for example 0.1,1000."
        ),
        "cli.whole": QT_TRANSLATE_NOOP("messages", "{option} takes a whole number, as in {option} 8; “{got}” is none."),
        "cli.number": QT_TRANSLATE_NOOP("messages", "{option} takes a number, as in {option} 0.5; “{got}” is none."),
        "hardware.no_source": QT_TRANSLATE_NOOP(
            "messages", "{part} names no source: list one under sources and name its key there."
        ),
        "hardware.short_long": QT_TRANSLATE_NOOP(
            "messages", "short has {length} characters; the labels of the chart have room for {most}."
        ),
        "cli.day": QT_TRANSLATE_NOOP("messages", "--date is a day as in 2026-12-01."),
        "cli.deck_alone": QT_TRANSLATE_NOOP(
            "messages", "--view, --title, --subtitle and --bare are of one view; leave them out with --all."
        ),
        "cli.folder": QT_TRANSLATE_NOOP(
            "messages", "{got} is a folder: name a file in it, or draw all views into it with --all."
        ),
        "cli.format_ending": QT_TRANSLATE_NOOP(
            "messages",
            "--format {format} and “{got}” contradict each other: the file's ending decides; leave one out.",
        ),
        "cli.no_axes": QT_TRANSLATE_NOOP(
            "messages", "{flag} does nothing to the view {view}; leave it out, or draw one of: {known}."
        ),
        "cli.no_blocks": QT_TRANSLATE_NOOP("messages", "--blocks does nothing with {by}; leave one of them out."),
        "cli.empty": QT_TRANSLATE_NOOP("messages", "{option} is empty: give it a value, or leave it out."),
        "cli.blocks_alone": QT_TRANSLATE_NOOP(
            "messages", "“none” leaves every block out and stands alone; the blocks are: {known}."
        ),
        "cli.blocks_empty": QT_TRANSLATE_NOOP("messages", "no block is named; give none, or some of: {known}."),
        "cli.range_limits": QT_TRANSLATE_NOOP("messages", "a range may reach from {low} to {high}."),
        "cli.failed": QT_TRANSLATE_NOOP(
            "messages", "The program itself has failed ({kind}: {text}); the report is in {file}."
        ),
        "cli.more": QT_TRANSLATE_NOOP("messages", "{text} ({count} more faults)"),
        "cli.more_one": QT_TRANSLATE_NOOP("messages", "{text} (one more fault)"),
        "console.work": QT_TRANSLATE_NOOP(
            "messages",
            "{model}, {phase}, batch {batch}, context {context}, weights {weights}, activations {activations}, KV {kv}",
        ),
        "console.operators": QT_TRANSLATE_NOOP("messages", "Operators on {device}, per call:"),
        "console.levers": QT_TRANSLATE_NOOP("messages", "What would help on {device}: {levers}."),
        "console.measured": QT_TRANSLATE_NOOP("messages", "Measured:"),
        "console.assumptions": QT_TRANSLATE_NOOP("messages", "Assumptions:"),
        "console.model": QT_TRANSLATE_NOOP(
            "messages", "{name}: {parameters} parameters, {active} active per token ({type})."
        ),
        "console.sizes": QT_TRANSLATE_NOOP(
            "messages",
            "Weights {weights} as {format}. KV cache {growth} as {kv}, {held} at {context} tokens.",
        ),
        "console.cross": QT_TRANSLATE_NOOP(
            "messages",
            "KV per token is the decoder's self-attention alone; cross-attention holds {cross} for each token of the "
            "encoder beside it.",
        ),
        "console.file": QT_TRANSLATE_NOOP(
            "messages", "Bytes are those of the file: {resident} in all, of which one token reads {active}."
        ),
        "console.layers": QT_TRANSLATE_NOOP("messages", "{count} layers: attention {attention}, feed-forward {mlp}."),
        "console.layer": QT_TRANSLATE_NOOP("messages", "1 layer: attention {attention}, feed-forward {mlp}."),
    }
)
