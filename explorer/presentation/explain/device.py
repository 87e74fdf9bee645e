"""Where a device's figures come from: peak, bandwidth, capacity, ridge, launch overhead."""

from collections.abc import Iterable

from explorer.analysis.ask.main_work import ridge_of
from explorer.analysis.catalogue.device import MeasuredBandwidth, MeasuredRate
from explorer.analysis.step.machines.peaks import PeakChoice, lists
from explorer.analysis.step.machines.single import Machine
from explorer.presentation.explain.lines import Line, Teller, bare
from explorer.presentation.quantities.numbers import NOTHING, scaled, seconds, significant


def _source(teller: Teller, key: str) -> str:
    """The kind of a source in a word; its title is cited once, at the end."""
    source = teller.device.entry.device.sources.get(key)
    if source is None:
        return key or teller.say("source.none")
    return teller.say(f"source.{source.kind}")


def _noted(teller: Teller, source: str, note: str) -> str:
    return teller.say("noted", source=source, note=note) if note else source


def cited(teller: Teller, lines: Iterable[Line]) -> tuple[Line, ...]:
    """The lines, then each source they name, once and in full."""
    kept = tuple(lines)
    sources = teller.device.entry.device.sources
    keys = dict.fromkeys(line.origin for line in kept if line.origin in sources)
    found = [sources[k] for k in keys]
    return kept + tuple(
        teller.remark("cited", kind=teller.say(f"source.{s.kind}").capitalize(), title=s.title or s.note)
        for s in found
        if s.title or s.note
    )


def peak_lines(teller: Teller, choice: PeakChoice) -> list[Line]:
    """Which peak entry judges, its source, and what it stands in for."""
    entry = choice.entry
    if entry is None or choice.rate is None:
        why = teller.say("not_judged", device=teller.device_name, format=choice.format)
        return [Line(teller.say("peak"), result=NOTHING, source=why)]
    source = teller.say(
        "peak_source",
        format=entry.format,
        accumulate=entry.accumulate,
        unit=entry.unit,
        source=_source(teller, entry.source),
        confidence=teller.say(f"confidence.{entry.confidence}"),
    )
    times = _times(teller.device.machine, entry.rate, "peak")
    rate = scaled(choice.rate, "FLOP/s")
    noted = _noted(teller, source, entry.note)
    lines = [teller.line("peak", *times, rate, noted, choice.rate, entry.source)]
    if entry.measured is not None:
        measured, times = entry.measured, _times(teller.device.machine, entry.measured.rate, "measured")
        reached = teller.device.machine.times(measured.rate)
        said = _measured_source(teller, measured, above=measured.rate > entry.rate)
        lines.append(teller.line("measured_peak", *times, scaled(reached, "FLOP/s"), said, reached, measured.source))
    if choice.stands_in_for:
        lacking = choice.stands_in_for
        slower = lists(teller.device.machine.device, lacking)
        key = "peak_stands_in_slower" if slower else "peak_stands_in"
        lines.append(teller.remark(key, stand_in=choice.format, device=teller.device_name, format=lacking))
    return lines


def _measured_source(teller: Teller, measured: MeasuredRate | MeasuredBandwidth, *, above: bool) -> str:
    """Where a measured figure comes from, and whether the floor takes it."""
    kind, confidence = _source(teller, measured.source), teller.say(f"confidence.{measured.confidence}")
    key = "measured_above" if above else "measured_below"
    return _noted(teller, teller.say(key, source=kind, confidence=confidence), measured.note)


def _times(machine: Machine, each: float, name: str) -> tuple[str, str]:
    """Formula and numbers where several devices add up."""
    return ("", "") if machine.count == 1 else (f"n·{name}", f"{machine.count}·{bare(each)}")


def bandwidth_lines(teller: Teller) -> list[Line]:
    """Bandwidth of the outermost memory, and what was measured of it."""
    machine = teller.device.machine
    measured, sheet = machine.device.outermost.measured, machine.device.outermost.bandwidth or 0.0
    if measured is None:
        return [bandwidth_line(teller)]
    times = _times(machine, measured.bandwidth, "measured")
    reached = machine.times(measured.bandwidth)
    said = _measured_source(teller, measured, above=measured.bandwidth > sheet)
    line = teller.line("measured_bandwidth", *times, scaled(reached, "B/s"), said, reached, measured.source)
    return [bandwidth_line(teller), line]


def bandwidth_line(teller: Teller) -> Line:
    """Bandwidth of the outermost memory."""
    machine = teller.device.machine
    level = machine.device.outermost
    times = _times(machine, level.bandwidth or 0.0, "bandwidth")
    rate = scaled(machine.bandwidth, "B/s")
    return teller.line("bandwidth", *times, rate, _level_source(teller), machine.bandwidth, level.source)


def capacity_lines(teller: Teller) -> list[Line]:
    """Capacity of the outermost memory, or that it is not known."""
    machine = teller.device.machine
    if machine.capacity is None:
        return [
            Line(teller.say("capacity"), result=NOTHING, source=teller.say("no_capacity", device=teller.device_name))
        ]
    times = _times(machine, machine.device.capacity or 0.0, "capacity")
    held, origin = teller.held(machine.capacity), machine.device.outermost.source
    return [teller.line("capacity", *times, held, _level_source(teller), machine.capacity, origin)]


def _level_source(teller: Teller) -> str:
    level = teller.device.entry.device.outermost
    source = teller.say(
        "level_source",
        level=level.level,
        source=_source(teller, level.source),
        confidence=teller.say(f"confidence.{level.confidence}"),
    )
    return _noted(teller, source, level.note)


def ridge_line(teller: Teller, choice: PeakChoice) -> Line:
    """The intensity where peak and bandwidth meet."""
    machine = teller.device.machine
    ridge = ridge_of(choice, machine)
    if ridge is None:
        return Line(teller.say("ridge"), "peak/bandwidth", result=NOTHING)
    numbers = f"{bare(choice.rate or 0.0)} / {bare(machine.bandwidth or 0.0)}"
    return Line(teller.say("ridge"), "peak/bandwidth", numbers, significant(ridge), "FLOP/byte", value=ridge)


def launch_line(teller: Teller, kernels: float, launch_s: float) -> Line:
    """Launch time of a row in eager mode."""
    overhead = teller.device.entry.device.launch_overhead
    if overhead is None:
        return teller.remark("no_launch", device=teller.device_name)
    source = teller.say(
        "launch_source",
        source=_source(teller, overhead.source),
        confidence=teller.say(f"confidence.{overhead.confidence}"),
    )
    numbers = f"{bare(kernels)}·{seconds(overhead.seconds)}"
    noted = _noted(teller, source, overhead.note)
    return teller.line("launch_time", "kernels·overhead", numbers, seconds(launch_s), noted, launch_s, overhead.source)


def device_lines(teller: Teller) -> list[Line]:
    """The device's figures that judge the step."""
    main = teller.device.main_peak
    lines = [*peak_lines(teller, main), *bandwidth_lines(teller), ridge_line(teller, main), *capacity_lines(teller)]
    if teller.device.is_ideal:
        lines.append(teller.remark("ideal", count=teller.device.machine.count))
    return lines
