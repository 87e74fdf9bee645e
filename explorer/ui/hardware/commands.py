"""What can be done with hardware: each a single undo step under a clear text."""

import math
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from explorer.analysis.catalogue.device import Device
from explorer.analysis.catalogue.sizes import size_asked, with_size
from explorer.analysis.catalogue.typed_device import typed_device
from explorer.analysis.problem import Refused
from explorer.analysis.study.choices import Figure
from explorer.analysis.study.edit_hardware import (
    LARGEST_COUNT,
    choose_size,
    is_older,
    move_hardware,
    remove_device,
    update_figures,
    user_source,
)
from explorer.analysis.study.edits import add_hardware, change_hardware, remove_hardware, unique_id
from explorer.analysis.study.study import HardwareEntry, Study
from explorer.analysis.study.variant import ScaleDevice
from explorer.analysis.study.what_if import Called, add_what_if, scaled_copy
from explorer.files.disk.places import is_folder
from explorer.files.hardware.devices import write_device
from explorer.presentation.hardware.entries import plain_name
from explorer.presentation.hardware.picker_rows import HardwareRow
from explorer.presentation.quantities.quantity import quantity_text
from explorer.presentation.words.messages import render_problem
from explorer.ui.documents.save_place import ask_place
from explorer.ui.hardware.user_folder import UserHardware
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.settings import Settings
from explorer.ui.widgets.modal import ask

LONGEST_NAME = 100


class HardwareCommands(QObject):
    """Edits the study's hardware and the user's own files on behalf of the picker."""

    said = Signal(str)
    made = Signal(str)
    count_wanted = Signal(object)  # a row whose number of devices is to be edited

    def __init__(self, session: Session, settings: Settings, user: UserHardware, window: QWidget) -> None:
        super().__init__(window)
        self._session = session
        self._settings = settings
        self._user = user
        self._window = window

    # looking up

    @property
    def study(self) -> Study:
        """The study as it stands."""
        return self._session.store.study

    def entry(self, row: HardwareRow) -> HardwareEntry | None:
        """The study's entry of a row; of a device's row the one that shows it."""
        if row.kind == "entry":
            return next((e for e in self.study.hardware if e.id == row.id), None)
        if row.kind == "device" and row.chosen:
            return next((e for e in self.study.hardware if e.device.id == row.id), None)
        return None

    def device(self, row: HardwareRow) -> Device | None:
        """The device of a row."""
        if row.kind == "entry":
            entry = self.entry(row)
            return None if entry is None else entry.device
        return self._session.catalogue.device_by_id.get(row.id)

    def newer(self, row: HardwareRow) -> Device | None:
        """The database's device of the same id, where it differs from the entry's."""
        device = self.device(row) if row.kind == "entry" else None
        known = None if device is None else self._session.catalogue.device_by_id.get(device.id)
        return known if device is not None and is_older(device, known) else None

    # choosing

    def toggle(self, row: HardwareRow, searched: str = "") -> None:
        """Take a device into the study or out of it; show or hide an entry."""
        if row.kind == "entry":
            self.set_visible(row, visible=not row.visible)
        elif row.chosen:
            self.remove(row)
        else:
            self.add(row, searched)

    def choose_size(self, row: HardwareRow, capacity: float) -> None:
        """Take another of the memory sizes that a device is sold with."""
        entry = self.entry(row)
        if entry is not None:
            text = tr("Memory of {name}", name=plain_name(entry.device))
            self._edit(choose_size(self.study, entry.id, capacity), text)

    def add(self, row: HardwareRow, searched: str = "") -> None:
        """Add a device of the catalogue, in the memory size that was searched for where it is sold with that."""
        device = self.device(row)
        if device is not None:
            size = size_asked(searched)
            if size is not None and size[0] in device.outermost.sizes:
                device = with_size(device, size[0])
            self._edit(add_hardware(self.study, device), tr("Add {name}", name=plain_name(device)))

    def add_device(self, device: Device) -> None:
        """Add a device that is in no catalogue, such as one typed by its figures."""
        before = {e.id for e in self.study.hardware}
        self._edit(add_hardware(self.study, device), tr("Add {name}", name=plain_name(device)))
        for entry in self.study.hardware:
            if entry.id not in before:
                self.made.emit(f"entry:{entry.id}")

    def remove(self, row: HardwareRow) -> None:
        """Take an entry, or the entries that show a device, out of the study."""
        device = self.device(row)
        if device is None or not (row.kind == "entry" or row.chosen):
            return
        without = (
            remove_hardware(self.study, row.id) if row.kind == "entry" else remove_device(self.study, row.id, device)
        )
        self._edit(without, tr("Remove {name}", name=plain_name(device)))

    def make_active(self, row: HardwareRow, searched: str = "") -> None:
        """Let the answer speak of a device, adding or showing it first where needed."""
        if row.kind == "device" and not row.chosen:
            self.add(row, searched)
        entry = self.entry(row) or self._last_of(row)
        if entry is None:
            return
        if not entry.visible:
            shown = change_hardware(self.study, entry.id, visible=True)
            self._edit(shown, tr("Show {name}", name=plain_name(entry.device)))
        self._session.store.set_view(active_hardware=entry.id)

    def _last_of(self, row: HardwareRow) -> HardwareEntry | None:
        return next((e for e in reversed(self.study.hardware) if e.device.id == row.id), None)

    # an entry's own

    def set_visible(self, row: HardwareRow, *, visible: bool) -> None:
        """Show or hide an entry."""
        entry = self.entry(row)
        if entry is not None:
            name = plain_name(entry.device)
            text = tr("Show {name}", name=name) if visible else tr("Hide {name}", name=name)
            self._edit(change_hardware(self.study, entry.id, visible=visible), text)

    def set_count(self, row: HardwareRow, count: int) -> None:
        """Set the number of devices of an entry."""
        entry = self.entry(row)
        if entry is not None:
            fitting = min(max(1, count), LARGEST_COUNT)
            if fitting == entry.count:
                return
            text = tr("Number of {name}", name=plain_name(entry.device))
            self._edit(change_hardware(self.study, entry.id, count=fitting), text)

    def set_colour(self, row: HardwareRow, index: int | None) -> None:
        """Choose a colour of the palette, or leave it to the entry's place."""
        entry = self.entry(row)
        if entry is not None:
            text = tr("Colour of {name}", name=plain_name(entry.device))
            colour = "" if index is None else str(index)
            self._edit(change_hardware(self.study, entry.id, colour=colour), text)

    def move(self, row: HardwareRow, by: int) -> None:
        """Move an entry up (negative) or down."""
        entry = self.entry(row)
        if entry is not None:
            name = plain_name(entry.device)
            text = tr("Move {name} up", name=name) if by < 0 else tr("Move {name} down", name=name)
            self._edit(move_hardware(self.study, entry.id, by), text)

    # figures

    def new(self) -> None:
        """Ask for the figures of a device that nobody listed: bandwidth, bf16 peak, capacity, what else is known."""
        taken = {*self._session.catalogue.device_by_id, *(e.device.id for e in self.study.hardware)}
        blank = replace(typed_device("", None, math.nan, None), id=unique_id("new-device", taken), vendor="")
        device = self._edited(blank, tr("New device"), fixed_id=True)
        if device is not None:
            entries = {e.id for e in self.study.hardware}
            self._edit(add_hardware(self.study, device), tr("Add {name}", name=plain_name(device)))
            self.made.emit("entry:" + next(e.id for e in self.study.hardware if e.id not in entries))

    def edit(self, row: HardwareRow) -> None:
        """Edit an entry's figures, or the user's own file; a device of the database is copied first."""
        entry = self.entry(row) if row.kind == "entry" else None
        if entry is not None:
            title = tr("Edit {name}", name=plain_name(entry.device))
            device = self._edited(entry.device, title, fixed_id=True)
            if device is not None:
                self._edit(change_hardware(self.study, entry.id, device=device), title)
        elif row.own:
            self._edit_file(row)
        else:
            self.what_if(row)

    def what_if(self, row: HardwareRow, figure: Figure | None = None) -> None:
        """Add a changed copy: one figure doubled, or figures of the user's choice."""
        device = self.device(row)
        if device is None:
            return
        copy = self._doubled(device, figure) if figure else self._own_copy(device)
        if copy is not None:
            taken = {e.id for e in self.study.hardware}
            text = tr("What-if copy of {name}", name=plain_name(device))
            self._edit(add_what_if(self.study, row.id if row.kind == "entry" else "", copy), text)
            self.made.emit("entry:" + next(e.id for e in self.study.hardware if e.id not in taken))

    def _doubled(self, device: Device, figure: Figure) -> Device:
        templates = {
            "bandwidth": tr("{name}, 2× bandwidth", name="{name}"),
            "compute": tr("{name}, 2× compute", name="{name}"),
            "capacity": tr("{name}, 2× memory", name="{name}"),
        }
        text = templates[figure]
        name = text.format(name=device.name)[:LONGEST_NAME]
        short = text.format(name=device.short or plain_name(device))[:LONGEST_NAME]
        first = device.outermost
        was = {
            "bandwidth": quantity_text(first.bandwidth, "B/s"),
            "compute": "",
            "capacity": quantity_text(first.capacity, "B"),
        }[figure]
        note = f"2 × {was}" if was else tr("twice every peak")
        title = tr("Entered by the user")
        source, sourced = user_source(device, "derived", title)
        edit = ScaleDevice(device=device.id, figure=figure, factor=2.0)
        return scaled_copy(sourced, edit, Called(name, short, title, note, "medium"), source)

    def _own_copy(self, device: Device) -> Device | None:
        name = tr("{name}, what-if", name=device.name)[:LONGEST_NAME]
        short = tr("{name}, what-if", name=device.short or plain_name(device))[:LONGEST_NAME]
        title = tr("What-if copy of {name}", name=plain_name(device))
        return self._edited(replace(device, name=name, short=short), title, fixed_id=True)

    def update(self, row: HardwareRow) -> None:
        """Show what the database says differently, and take it over as one step."""
        from explorer.ui.hardware.update_dialog import UpdateDialog

        entry, newer = self.entry(row), self.newer(row)
        if entry is None or newer is None:
            return
        if ask(UpdateDialog(entry.device, newer, self._window)):
            text = tr("Update the figures of {name}", name=plain_name(newer))
            self._edit(update_figures(self.study, entry.id, newer), text)

    # files

    def save_as_own(self, row: HardwareRow) -> None:
        """Keep a device as a file in the user's folder."""
        device = self.device(row)
        if device is None:
            return
        taken = self._session.catalogue.device_by_id
        named = replace(device, id=unique_id(device.id, taken))
        if any(d.name == device.name for d in self._session.catalogue.devices):
            named = replace(named, name=tr("{name} (mine)", name=device.name)[:LONGEST_NAME])
        title = tr("Save {name} as my hardware", name=plain_name(device))
        kept = self._edited(named, title, taken=frozenset(taken))
        if kept is not None:
            self._write(kept, None)

    def _edit_file(self, row: HardwareRow) -> None:
        device, path = self.device(row), self._user.path_of(row.id)
        if device is None or path is None:
            return
        taken = frozenset(self._session.catalogue.device_by_id) - {device.id}
        kept = self._edited(device, tr("Edit {name}", name=plain_name(device)), taken=taken)
        if kept is not None:
            self._write(kept, path)

    def _write(self, device: Device, path: Path | None) -> None:
        try:
            self._user.save(device, path)
        except Refused as refused:
            self.said.emit(render_problem(refused.problems[0], self._session.look))
        else:
            self.made.emit(f"device:{device.id}")

    def export(self, row: HardwareRow) -> None:
        """Write a device's file somewhere, to be shared."""
        device = self.device(row)
        if device is None:
            return
        title, filters = tr("Export {name}", name=plain_name(device)), tr("Hardware files (*.yaml)")
        path = ask_place(self._window, title, self._settings.folder / f"{device.id}.yaml", filters, (".yaml", ".yml"))
        if path is None:
            return
        try:
            write_device(device, path)
        except Refused as refused:
            self.said.emit(render_problem(refused.problems[0], self._session.look))
        else:
            self.said.emit(tr("{name} was written to {file}.", name=plain_name(device), file=path.name))

    def open_folder(self) -> None:
        """Show the folder of own hardware files in the desktop's file manager."""
        from explorer.bench.programs import show_folder  # the start needs no other programs

        if is_folder(self._user.folder):
            show_folder(self._user.folder)
        else:
            self.said.emit(tr("The folder of your own hardware is made when you save the first device."))

    def _edited(
        self, device: Device, title: str, taken: frozenset[str] = frozenset(), *, fixed_id: bool = False
    ) -> Device | None:
        from explorer.ui.hardware.editor import DeviceEditor

        editor = DeviceEditor(device, title, self._session.look, taken=taken, fixed_id=fixed_id, parent=self._window)
        return editor.device if ask(editor) else None

    def _edit(self, study: Study, text: str) -> None:
        self._session.store.replace(study, text)
