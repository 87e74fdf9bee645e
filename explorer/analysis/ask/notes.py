"""Assumptions that travel with a result: stand-in peaks, what is not judged, what is ideal."""

from typing import TYPE_CHECKING, Final

from explorer.analysis.catalogue.typed_device import is_typed
from explorer.analysis.problem import Note, Value
from explorer.analysis.step.evaluate import DeviceResult, Evaluation
from explorer.analysis.step.expand import active_entry
from explorer.analysis.step.machines.peaks import lists
from explorer.analysis.step.rows import Step
from explorer.analysis.step.totals import reads_beyond
from explorer.analysis.study.edit_models import file_size_of

if TYPE_CHECKING:
    from explorer.analysis.models import Model

_ALIKE: Final = 0.01  # of the bytes: a header, and sizes of three digits


def notes(evaluation: Evaluation) -> tuple[Note, ...]:
    """All assumptions of an evaluation, each once, the model's first."""
    return evaluation.section(_collected)


def _collected(evaluation: Evaluation) -> tuple[Note, ...]:
    model, context = evaluation.model, evaluation.study.workload.context
    found = [] if model is None else list(model_notes(model, evaluation))
    if model is not None and model.max_context is not None and context > model.max_context:
        found.append(Note("note.beyond_max_context", {"context": context, "most": model.max_context}))
    for result in evaluation.devices:
        found += _of_peaks(evaluation, result)
        found += _of_floor(result)
        found += _of_device(result, eager=evaluation.study.workload.launch == "eager")
    study = evaluation.study
    if reads_beyond(evaluation.traffic):
        skew = study.workload.skew
        found.append(Note("note.routing_skewed", {"skew": skew}) if skew else Note("note.routing_random"))
    if any(o.fused for o in study.overrides) or any(o.fused for o in study.operators):
        found.append(Note("note.fused"))
    unique: list[Note] = []
    for note in found:
        if note not in unique:
            unique.append(note)
    return tuple(unique)


def model_notes(model: "Model", evaluation: Evaluation) -> tuple[Note, ...]:
    """A model's own assumptions that hold as the study stores it; whether the size of its file has a part in it."""
    from explorer.analysis.models.checkpoint.holding import that_hold

    work, entry = evaluation.study.workload, active_entry(evaluation.study)
    own = work.weights is None or work.weights == model.weights_format
    formats = model.formats(Step(model.phases[0], (), work.weights, work.activations))
    found = that_hold(model, formats, own=own)
    size = None if entry is None else file_size_of(entry)
    as_file = own and (model.rough or any(note.code.startswith("model.file_") for note in found))
    if size is None or work.weights is None or as_file:
        return found
    held = model.weight_bytes(work.weights, evaluation.evaluator.formats)
    code = "model.file_unused" if abs(size - held) <= _ALIKE * held else "model.file_contradicts"
    values: dict[str, Value] = {"bytes": round(size), "weights": work.weights, "held": round(held)}
    return (*found, Note(code, values))


def _of_peaks(evaluation: Evaluation, result: DeviceResult) -> list[Note]:
    kinds = evaluation.evaluator.kinds
    named = {"device": result.entry.device.name, "entry": result.entry.id}  # twins share a name
    found: list[Note] = []
    for point in result.points:
        peak = point.peak
        if peak.rate is None and kinds[point.row.kind].kind.unit == "vector":
            found.append(Note("note.vector_not_judged", named))
        elif peak.rate is None:
            found.append(Note("note.compute_not_judged", {**named, "format": peak.format}))
        elif peak.stands_in_for:
            values = {**named, "format": peak.stands_in_for, "stand_in": peak.format}
            slower = lists(result.entry.device, peak.stands_in_for)
            found.append(Note("note.peak_stands_in_slower" if slower else "note.peak_stands_in", values))
    return found


def _of_floor(result: DeviceResult) -> list[Note]:
    """Measured rates above the sheet's that decide "at least": TFLOP/s and GB/s, as many digits as are shown."""
    named: dict[str, Value] = {"device": result.entry.device.name, "entry": result.entry.id}
    totals, machine = result.totals, result.machine
    least, sheet = float(totals.floor_s), machine.known_bandwidth
    found: list[Note] = []
    by_memory = float(totals.floor.get("memory", 0.0)) >= least or totals.routing_matters
    if least and by_memory and machine.floor_bandwidth > sheet:
        rates = {"measured": _shown(machine.floor_bandwidth / 1e9), "sheet": _shown(sheet / 1e9)}
        found.append(Note("note.floor_bandwidth", {**named, **rates}))
    if not least or float(totals.floor.get("compute", 0.0)) < least:
        return found
    for point in result.points:
        peak = point.peak
        if peak.rate and peak.ceiling and peak.ceiling > peak.rate and point.costs.flops:
            rates = {"measured": _shown(peak.ceiling / 1e12), "sheet": _shown(peak.rate / 1e12)}
            found.append(Note("note.floor_peak", {**named, **rates, "format": peak.format}))
    return found


def _shown(figure: float) -> float:
    return float(f"{figure:.3g}")


def _of_device(result: DeviceResult, *, eager: bool) -> list[Note]:
    named = {"device": result.entry.device.name, "entry": result.entry.id}
    found: list[Note] = []
    device = result.entry.device
    if is_typed(device):
        values: dict[str, Value] = {**named, "bytes": round(device.capacity or 0)}
        found.append(Note("note.typed_device" if device.capacity is None else "note.typed_capacity", values))
    if eager and result.machine.launch_s is None:
        found.append(Note("note.no_launch", {**named, "field": "launch_overhead: {seconds: ...}"}))
    if result.is_ideal:
        found.append(Note("note.ideal_devices", {**named, "count": result.machine.count}))
    if result.totals.capacity is None:
        found.append(Note("note.no_capacity", named))
    level = result.entry.device.outermost
    others = [size for size in level.sizes if size != level.capacity]
    if level.capacity is not None and others:
        sizes = ", ".join(f"{size / 2**30:g}" for size in others)
        found.append(Note("note.size_taken", {**named, "size": level.capacity / 2**30, "others": sizes}))
    return found
