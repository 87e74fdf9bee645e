"""The picker's rows: sections, entries of the study and devices to choose from, as finished texts."""

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Literal

import msgspec
from msgspec.structs import replace

import explorer.presentation.hardware.texts  # noqa: F401 - registers its sentences
from explorer.analysis.ask.main_work import main_demand, ridge_of
from explorer.analysis.catalogue.device import Device
from explorer.analysis.catalogue.sizes import sizes_of
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.step.machines.peaks import PeakChoice, WantedPeak
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.study.edit_hardware import is_changed, is_older
from explorer.analysis.study.study import HardwareEntry
from explorer.presentation.hardware.device_names import DeviceName, device_names
from explorer.presentation.hardware.entries import colour_index, plain_name
from explorer.presentation.hardware.filters import USES, Facets, HardwareFilter, facets_of, use_of
from explorer.presentation.hardware.tips import said_of, tip_of
from explorer.presentation.look import Look
from explorer.presentation.quantities.numbers import capacity, scaled, significant
from explorer.presentation.roofline.build import rate_text
from explorer.presentation.words.messages import Message, render

_MANY = 24  # devices of one vendor; more stand in several sections
RowKind = Literal["section", "entry", "device"]


class HardwareRow(msgspec.Struct, frozen=True):
    """One line of the picker; `key` is the section's, the entry's or the device's id, led by its kind.

    `short` stands in where the name finds no room. `visible` tells of an entry whether the chart shows it,
    of a section whether it is open.
    """

    kind: RowKind
    key: str
    name: str
    id: str = ""
    short: str = ""
    section: str = ""
    details: tuple[str, ...] = ()
    history: str = ""
    count: str = ""
    number: int = 1
    foldable: bool = False
    colour: int | None = None
    active: bool = False
    visible: bool = True
    own: bool = False
    tip: str = ""
    spoken: str = ""
    searched: str = ""
    facets: Facets | None = None

    @property
    def chosen(self) -> bool:
        """Whether the study has it."""
        return self.colour is not None


class Listing(msgspec.Struct, frozen=True):
    """Everything the rows are made from."""

    evaluation: Evaluation
    own: Collection[str]
    look: Look
    whole: Mapping[str, DeviceName]
    short: Mapping[str, DeviceName]

    def say(self, key: str, **values: str | int) -> str:
        """A sentence in the reader's language."""
        return render(Message(key, values), self.look)


def hardware_rows(evaluation: Evaluation, own: Collection[str], look: Look) -> tuple[HardwareRow, ...]:
    """Compared entries, what-ifs, the user's own devices, then the database by vendor.

    `own` are the ids of the user's devices within the catalogue. Until the catalogue has devices, every
    entry counts as compared.
    """
    entries = evaluation.study.hardware
    whole, short = (device_names(entries, whole=w, look=look) for w in (True, False))
    listing = Listing(evaluation, own, look, whole, short)
    wanted = main_demand(evaluation)
    known = evaluation.catalogue.device_by_id
    study = evaluation.study
    changed = {e.id for e in study.hardware if known and is_changed(e.device, known.get(e.device.id))}
    colours = {e.device.id: colour_index(study, e.id) for e in reversed(study.hardware) if e.id not in changed}
    compared = [_entry(listing, e, wanted, "compared") for e in study.hardware if e.id not in changed]
    what_ifs = [_entry(listing, e, wanted, "what_if") for e in study.hardware if e.id in changed]
    rows: list[HardwareRow] = []
    rows += _section("compared", listing.say("picker.compared"), compared)
    rows += _section("what_if", listing.say("picker.what_if"), what_ifs)
    mine = [_device(listing, d, wanted, "own", colours) for d in evaluation.catalogue.devices if d.id in own]
    rows += _section("own", listing.say("picker.own"), mine)
    for vendor, use, devices in _by_vendor(evaluation.catalogue.devices, own):
        group = f"vendor:{vendor}:{use}" if use else f"vendor:{vendor}"
        title = listing.say("use.of_vendor", vendor=vendor, use=listing.say(f"use.{use}")) if use else vendor
        rows += _section(group, title, [_device(listing, d, wanted, group, colours) for d in devices])
    return tuple(rows)


def filtered(
    rows: Sequence[HardwareRow],
    text: str,
    collapsed: Collection[str] = (),
    chosen: HardwareFilter = HardwareFilter(),  # noqa: B008 - frozen
) -> tuple[HardwareRow, ...]:
    """The rows that hold every word of the text, under their sections; a search looks into closed sections too.

    The filter narrows the database; what the study compares and the user's own devices stay.
    """
    words = text.casefold().split()
    if words or not chosen.is_open:
        kept = [r for r in rows if r.kind == "section" or (_passes(r, chosen) and all(w in r.searched for w in words))]
        found = Counter(r.section for r in kept if r.kind != "section")
        listed = tuple(_recounted(r, found) if r.kind == "section" else r for r in kept if found[r.section])
        if words:
            return listed
        rows = [replace(r, foldable=bool(r.count)) if r.kind == "section" else r for r in listed]
    open_rows = (r for r in rows if r.kind == "section" or r.section not in collapsed)
    return tuple(replace(r, visible=False) if r.kind == "section" and r.section in collapsed else r for r in open_rows)


def _passes(row: HardwareRow, chosen: HardwareFilter) -> bool:
    return row.facets is None or chosen.admits(row.facets)


def _recounted(section: HardwareRow, found: Mapping[str, int]) -> HardwareRow:
    count = str(found[section.section]) if section.count else ""
    return replace(section, count=count, foldable=False)


def _section(key: str, title: str, rows: Sequence[HardwareRow]) -> Iterator[HardwareRow]:
    if rows:
        foldable = key not in {"compared", "what_if"}
        count = str(len(rows)) if foldable else ""
        yield HardwareRow("section", f"section:{key}", title, section=key, count=count, foldable=foldable, spoken=title)
        yield from rows


def _by_vendor(devices: Sequence[Device], own: Collection[str]) -> list[tuple[str, str, list[Device]]]:
    """Vendors with most devices first; a vendor's newest devices first, the fastest memory leading its year.

    Vendors with many devices are parted by what these are made for.
    """
    groups: dict[str, list[Device]] = {}
    for device in devices:
        if device.id not in own:
            groups.setdefault(device.vendor, []).append(device)
    found: list[tuple[str, str, list[Device]]] = []
    for vendor, listed in sorted(groups.items(), key=lambda g: (-len(g[1]), g[0].casefold())):
        newest = sorted(listed, key=lambda d: (-(d.year or 0), -(d.bandwidth or 0.0)))
        uses = [(use, alike) for use in USES if (alike := [d for d in newest if use_of(d) == use])]
        if len(listed) <= _MANY or len(uses) == 1:
            found.append((vendor, "", newest))
        else:
            found += [(vendor, use, alike) for use, alike in uses]
    return found


def _entry(listing: Listing, entry: HardwareEntry, wanted: WantedPeak, section: str) -> HardwareRow:
    evaluation, device = listing.evaluation, entry.device
    machine = Machine.of(entry)
    choice = machine.peak(*wanted)
    active = evaluation.active is not None and evaluation.active.entry.id == entry.id
    details = _figures(listing, machine, choice)
    if len(device.outermost.sizes) > 1 and device.capacity is not None:
        details = (*details, capacity(device.capacity, listing.look.unit))
    history = _history(listing, entry, changed=section == "what_if")
    spoken = ", ".join((*details, history) if history else details)
    state = listing.say(
        "picker.state_active" if active else "picker.state_compared" if entry.visible else "picker.state_hidden"
    )
    name = plain_name(device, listing.whole[entry.id].bare)
    return HardwareRow(
        kind="entry",
        key=f"entry:{entry.id}",
        id=entry.id,
        name=name,
        short=listing.short[entry.id].bare if device.short else "",
        section=section,
        details=details,
        history=history,
        count=listing.say("picker.count", count=machine.count) if machine.count > 1 else "",
        number=machine.count,
        colour=colour_index(evaluation.study, entry.id),
        active=active,
        visible=entry.visible,
        tip=tip_of(machine, choice, listing.look),
        spoken=listing.say("picker.spoken_state", name=name, state=state, detail=spoken),
        searched=searched_text(device),
    )


def _device(listing: Listing, device: Device, wanted: WantedPeak, section: str, colours: dict[str, int]) -> HardwareRow:
    machine = Machine(device)
    choice = machine.peak(*wanted)
    details = _figures(listing, machine, choice)
    name = plain_name(device)
    colour = colours.get(device.id)
    joined = ", ".join(details)
    if colour is None:
        spoken = listing.say("picker.spoken", name=name, detail=joined)
    else:
        state = listing.say("picker.state_compared")
        spoken = listing.say("picker.spoken_state", name=name, state=state, detail=joined)
    return HardwareRow(
        kind="device",
        key=f"device:{device.id}",
        id=device.id,
        name=name,
        short=device.short,
        section=section,
        details=details,
        colour=colour,
        own=section == "own",
        tip=tip_of(machine, choice, listing.look),
        spoken=spoken,
        searched=searched_text(device),
        facets=None if section == "own" else facets_of(device),
    )


def _figures(listing: Listing, machine: Machine, choice: PeakChoice) -> tuple[str, ...]:
    peak = _peak(listing, machine.device, choice)
    if machine.bandwidth is None:
        return peak, listing.say("picker.no_bandwidth")
    bandwidth = scaled(machine.bandwidth, "B/s")
    level = machine.device.outermost
    said = said_of(machine.device, level.origin("bandwidth").source, level.origin("bandwidth").confidence)
    if said:
        bandwidth = listing.say("picker.bandwidth_said", rate=bandwidth, said=listing.say(said))
    ridge = ridge_of(choice, machine)
    return (
        (peak, bandwidth) if ridge is None else (peak, bandwidth, listing.say("picker.ridge", ridge=significant(ridge)))
    )


def _peak(listing: Listing, device: Device, choice: PeakChoice) -> str:
    if choice.rate is None or choice.entry is None:
        return listing.say("picker.no_peak", format=choice.format)
    rate = rate_text(choice.rate, choice.format)
    said = said_of(device, choice.entry.source, choice.entry.confidence)
    if not said:
        return listing.say("picker.peak", rate=rate, format=choice.format)
    return listing.say("picker.peak_said", rate=rate, format=choice.format, said=listing.say(said))


def _history(listing: Listing, entry: HardwareEntry, *, changed: bool) -> str:
    """Whose copy an entry is, or that the database has moved on."""
    known = listing.evaluation.catalogue.device_by_id.get(entry.device.id)
    if known is None or not is_older(entry.device, known):
        return ""
    if not changed:
        return listing.say("picker.newer")
    if entry.device.name == known.name:
        return listing.say("picker.edited")
    return listing.say("picker.copy_of", name=known.short or plain_name(known))


def searched_text(device: Device) -> str:
    """What a search looks through: name, vendor, short name, class, form, year, memory types."""
    words = (device.name, device.vendor, device.short, device.class_, device.form, str(device.year or ""))
    sizes = (f"{size / 2**30:g}gb" for size in sizes_of(device) if size % 2**30 == 0)
    return " ".join((*words, *sizes, *(m.level for m in device.memory))).casefold()
