"""What the panels share: the store, the catalogue, the current evaluation, the look."""

import weakref
from typing import Protocol

import msgspec
from msgspec.structs import replace
from PySide6.QtCore import QObject, Signal

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.catalogue.device import Device
from explorer.analysis.step.evaluate import Evaluation, evaluate
from explorer.analysis.study.check import edit_problems
from explorer.analysis.study.study import Study, View
from explorer.document.store import StudyStore
from explorer.presentation.look import ENGLISH, Look


class Shown(msgspec.Struct, frozen=True, eq=False):
    """One state of the window: panels draw it and nothing else."""

    study: Study
    evaluation: Evaluation
    look: Look = ENGLISH

    @property
    def view(self) -> View:
        """How the study is looked at now (selection, tab, active device)."""
        return self.study.view


class Panel(Protocol):
    """A view: draws what it is shown, edits through the store only."""

    def apply(self, old: Shown | None, new: Shown) -> None:
        """Draw `new`; touch only what differs from `old`."""


class Session(QObject):
    """Turns every change of the study into an evaluation, and tells the panels."""

    shown = Signal(object, object)
    database_changed = Signal()

    def __init__(self, store: StudyStore, catalogue: Catalogue, look: Look = ENGLISH) -> None:
        super().__init__()
        self.store = store
        self.database = catalogue  # as it was read
        self.own_devices: tuple[Device, ...] = ()
        self.own_ids: frozenset[str] = frozenset()  # of those that are in the catalogue
        self.catalogue = catalogue  # both together
        self.look = look
        self.good = store.study  # the last one that could be evaluated
        self.state = self._show(store.study, None)
        me = weakref.proxy(self)  # a strong reference would make a cycle, which Qt's order of deletion does not survive
        store.guard = lambda old, new: edit_problems(old, new, me.catalogue)
        store.changed.connect(self._on_changed)

    def attach(self, panel: Panel) -> None:
        """Show the current state to a panel, and every later one."""
        panel.apply(None, self.state)
        self.shown.connect(panel.apply)

    def set_catalogue(self, catalogue: Catalogue) -> None:
        """Devices, kinds or presets of the database were read or changed; the user's own devices stay beside them."""
        own = {d.id: d for d in self.own_devices}
        others = tuple(d for d in catalogue.devices if own.get(d.id) != d)
        self.database = catalogue if len(others) == len(catalogue.devices) else replace(catalogue, devices=others)
        self._join()
        self.database_changed.emit()

    def set_own_devices(self, devices: tuple[Device, ...]) -> None:
        """The user's own devices were read or changed."""
        if devices != self.own_devices:
            self.own_devices = devices
            self._join()

    def _join(self) -> None:
        """Hold one catalogue of database and own devices; an id of the database is the database's."""
        known = self.database.device_by_id
        own = tuple(d for d in self.own_devices if d.id not in known)
        self.own_ids = frozenset(d.id for d in own)
        self.catalogue = replace(self.database, devices=(*self.database.devices, *own)) if own else self.database
        self.refresh(reuse=False)

    def set_look(self, look: Look) -> None:
        """Show everything in another theme, unit or language."""
        self.look = look
        self.refresh(reuse=True)

    def refresh(self, *, reuse: bool) -> None:
        """Show the study again, reusing the evaluation where only the look changed."""
        old = self.state
        self.state = self._show(self.store.study, old.evaluation if reuse else None)
        self.shown.emit(old, self.state)

    def _on_changed(self, before: Study, after: Study) -> None:
        only_view = replace(before, view=after.view) == after
        old = self.state
        self.state = self._show(after, old.evaluation if only_view else None, old.evaluation)
        self.shown.emit(old, self.state)

    def _show(self, study: Study, known: Evaluation | None, previous: Evaluation | None = None) -> Shown:
        if known is None:
            evaluation = evaluate(study, self.catalogue, previous)
        else:
            evaluation = known if known.study.view is study.view else known.viewed(study)
        self.good = study
        work = evaluation.study.workload  # of an encoder the phase it has
        if study.workload != work:
            study = replace(study, workload=work)
        return Shown(study, evaluation, self.look)
