"""What the figures of a copied table hold for, in one line over it; in English, as its headers are."""

from typing import Final

from explorer.analysis.step.evaluate import Evaluation
from explorer.presentation.answer.json_result import workload_json
from explorer.presentation.hardware.device_names import whole_names
from explorer.presentation.tables.spreadsheet import cell
from explorer.presentation.words.messages import QT_TRANSLATE_NOOP, Message, register, render

MARK: Final = "# "  # before the line; a paste of our own copy passes it over

register(
    {
        "conditions.model": QT_TRANSLATE_NOOP(
            "messages",
            "{model}, {phase}, batch {batch}, context {context}, weights {weights}, activations {activations}, KV {kv}",
        ),
        "conditions.rows": QT_TRANSLATE_NOOP("messages", "{count} operators"),
        "conditions.launch": QT_TRANSLATE_NOOP("messages", "launch {launch}"),
        "conditions.active": QT_TRANSLATE_NOOP("messages", "on {device}"),
        "conditions.ratios": QT_TRANSLATE_NOOP("messages", "ratios to {device}"),
    }
)


def conditions_text(evaluation: Evaluation) -> str:
    """`Llama-3.1-8B, decode, batch 8, context 4,096, ..., launch graph, on H100 SXM5 80GB, ratios to ...`."""
    work, names = workload_json(evaluation), whole_names(evaluation.study.hardware)
    parts = [_work(evaluation), Message("conditions.launch", {"launch": work["launch"]})]
    for key, result in (("active", evaluation.active), ("ratios", evaluation.baseline)):
        if result is not None:
            parts.append(Message(f"conditions.{key}", {"device": names[result.entry.id]}))
    return cell(", ".join(render(part) for part in parts).replace("\t", " "))


def _work(evaluation: Evaluation) -> Message:
    if evaluation.model is None:
        return Message("conditions.rows", {"count": f"{len(evaluation.rows):,}"})
    work = workload_json(evaluation)
    numbers = {"context": f"{work['context']:,}", "batch": f"{work['batch']:,}", "model": evaluation.model.name}
    return Message("conditions.model", {**work, **numbers})
