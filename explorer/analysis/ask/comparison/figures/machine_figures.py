"""What decides on a machine: rates, room, ridge, launches, links, power and price, as its sheet has them."""

from typing import Final

from explorer.analysis.ask.comparison.figures.figure import ComparedFigure, FoundFigure, known, missing
from explorer.analysis.ask.comparison.subjects import Subject
from explorer.analysis.problem import Note
from explorer.analysis.step.machines.peaks import PeakChoice
from explorer.analysis.step.machines.single import Machine


def machine_of(subject: Subject) -> Machine:
    """The machine of a subject, whether or not a step can be placed on it."""
    return Machine.of(subject.entry) if subject.result is None else subject.result.machine


def _peak_of(subject: Subject) -> PeakChoice | None:
    """The peak of the formats in use: the one that judges most of the step's work."""
    if subject.result is not None:
        return subject.result.main_peak
    return None if subject.evaluation is None else machine_of(subject).asked(subject.evaluation.main)


def _bandwidth(subject: Subject) -> FoundFigure:
    return known(machine_of(subject).bandwidth)


def _capacity(subject: Subject) -> FoundFigure:
    return known(machine_of(subject).capacity)


def _peak(subject: Subject) -> FoundFigure:
    found = _peak_of(subject)
    if found is None:
        return missing("not_evaluated")
    if found.rate is None:
        return missing("no_peak", format=found.format)
    stand_in = Note("compare.note.stands_in", {"format": found.stands_in_for, "other": found.format})
    return FoundFigure(found.rate, stand_in if found.stands_in_for else None)


def _ridge(subject: Subject) -> FoundFigure:
    """Peak / bandwidth, FLOP/byte."""
    peak, bandwidth = _peak(subject), machine_of(subject).bandwidth
    if peak.value is None:
        return peak
    return FoundFigure(peak.value / bandwidth) if bandwidth else missing("no_bandwidth")


def _launch(subject: Subject) -> FoundFigure:
    return known(machine_of(subject).launch_s)


def _link(subject: Subject) -> FoundFigure:
    """The fastest link between devices, B/s of one device in one direction."""
    return known(max((found.rate for found in machine_of(subject).links if found.rate), default=None))


def _power(subject: Subject) -> FoundFigure:
    """The sheet's power of all devices, W."""
    machine = machine_of(subject)
    return known(None if machine.device.tdp_w is None else machine.times(machine.device.tdp_w))


def _price(subject: Subject) -> FoundFigure:
    """The price per hour that the user gave, for all devices."""
    machine = machine_of(subject)
    price = machine.device.price_per_hour
    return known(None if price is None else machine.times(price), "no_price")


def _year(subject: Subject) -> FoundFigure:
    return known(subject.entry.device.year)


MACHINE_FIGURES: Final = (
    ComparedFigure("bandwidth", "machine", "bandwidth", "larger", _bandwidth),
    ComparedFigure("capacity", "machine", "capacity", "larger", _capacity),
    ComparedFigure("peak", "machine", "flops", "larger", _peak),
    ComparedFigure("ridge", "machine", "intensity", "", _ridge),
    ComparedFigure("launch", "machine", "time", "smaller", _launch),
    ComparedFigure("link", "machine", "bandwidth", "larger", _link),
    ComparedFigure("power", "machine", "power", "", _power),
    ComparedFigure("price", "machine", "price", "smaller", _price, optional=True),
    ComparedFigure("year", "machine", "year", "", _year, "difference"),
)
