"""What the picker, the chart and the panels share about a study's hardware: colours, names, the format judged."""

from operator import itemgetter

from explorer.analysis.catalogue.device import Device, Unit
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.roofs import wanted_peak
from explorer.analysis.study.study import Study

Wanted = tuple[Unit, str, str | None]


def colour_index(study: Study, entry_id: str) -> int:
    """Which of the palette's colours and dashes an entry has: its own choice, else its place in the study."""
    place, entry = next((i, e) for i, e in enumerate(study.hardware) if e.id == entry_id)
    return int(entry.colour) if entry.colour.isdecimal() else place


def plain_name(device: Device, called: str = "") -> str:
    """The device's name, or what it is called among others, without its vendor's: lists stand under the vendor."""
    lead, name = f"{device.vendor} ", called or device.name
    return name[len(lead) :] if name.startswith(lead) and len(name) > len(lead) else name


def judged(evaluation: Evaluation) -> Wanted:
    """What the study's main work asks of any device: unit, operand format, accumulator (for `Roof.peak`).

    The tensor row that computes most decides, as it does for the roof in the chart.
    """
    evaluator = evaluation.evaluator
    if not evaluation.rows:
        return "tensor", evaluation.study.workload.activations or "bf16", None
    pairs = zip(evaluation.model_rows, evaluation.model_costs, strict=True)
    tensor = [(r, r.count * c.flops) for r, c in pairs if evaluator.kinds[r.kind].kind.unit == "tensor"]
    own = evaluation.own
    if own.heaviest is not None:
        tensor.append((own.rows[own.heaviest], float(own.all_flops[own.heaviest])))
    row = max(tensor, key=itemgetter(1))[0] if tensor else evaluation.rows[0]
    kind = evaluator.kinds[row.kind]
    return wanted_peak(row, kind.kind.unit, kind.partner, evaluator.formats)
