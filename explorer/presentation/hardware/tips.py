"""Where a device's leading figures come from: one word beside a figure, whole lines in the tip."""

from explorer.analysis.catalogue.device import Confidence, Device, Origin
from explorer.analysis.step.machines.peaks import PeakChoice, lists
from explorer.analysis.step.machines.single import Machine
from explorer.presentation.look import Look
from explorer.presentation.quantities.numbers import capacity, scaled
from explorer.presentation.roofline.build import rate_text
from explorer.presentation.words.messages import Message, render


def said_of(device: Device, source: str, confidence: Confidence) -> str:
    """The key of the word that a figure less sure than a datasheet's carries; empty for a sure one."""
    if confidence == "low":
        return "picker.uncertain"
    found = device.sources.get(source)
    return (
        f"picker.{found.kind}"
        if found is not None and found.kind in {"derived", "recalled", "measured", "typed"}
        else ""
    )


def tip_of(machine: Machine, choice: PeakChoice, look: Look) -> str:
    """The figures in full, a line each, with their sources."""

    def say(key: str, **values: str | int) -> str:
        return render(Message(key, values), look)

    device = machine.device
    level = device.outermost
    lines = [device.name]
    if choice.entry is not None:
        entry = choice.entry
        source = source_text(device, Origin(source=entry.source, confidence=entry.confidence, note=entry.note), look)
        rate = rate_text(choice.rate, choice.format)
        lines.append(say("picker.tip_peak", rate=rate, format=choice.format, unit=entry.unit, source=source))
        if entry.measured is not None:
            measured = entry.measured
            origin = Origin(source=measured.source, confidence=measured.confidence, note=measured.note)
            rate = rate_text(machine.times(measured.rate), choice.format)
            lines.append(say("picker.tip_measured", rate=rate, source=source_text(device, origin, look)))
    if choice.stands_in_for:
        key = "picker.tip_stands_in_slower" if lists(device, choice.stands_in_for) else "picker.tip_stands_in"
        lines.append(say(key, stand_in=choice.format, format=choice.stands_in_for))
    if machine.bandwidth is not None:
        source = source_text(device, level.origin("bandwidth"), look)
        rate = scaled(machine.bandwidth, "B/s")
        lines.append(say("picker.tip_bandwidth", level=level.level, rate=rate, source=source))
    if level.measured is not None:
        reached = level.measured
        origin = Origin(source=reached.source, confidence=reached.confidence, note=reached.note)
        rate = scaled(machine.times(reached.bandwidth), "B/s")
        lines.append(say("picker.tip_measured", rate=rate, source=source_text(device, origin, look)))
    if machine.capacity is not None:
        source = source_text(device, level.origin("capacity"), look)
        size = capacity(machine.capacity, look.unit)
        lines.append(say("picker.tip_capacity", level=level.level, size=size, source=source))
    if machine.count > 1:
        lines.append(say("picker.tip_many", count=machine.count))
    if device.note:
        lines.append(device.note)
    return "\n".join(lines)


def source_text(device: Device, origin: Origin, look: Look) -> str:
    """Kind, confidence and note of one figure's source."""
    found = device.sources.get(origin.source)
    if found is None:
        return render(Message("picker.no_source"), look)
    values = {
        "kind": render(Message(f"picker.kind_{found.kind}"), look),
        "confidence": render(Message(f"picker.confidence_{origin.confidence}"), look),
        "note": origin.note,
    }
    return render(Message("picker.source_note" if origin.note else "picker.source", values), look)
