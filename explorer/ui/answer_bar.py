"""The answer in words, and what would help as chips that do it."""

from msgspec.structs import replace
from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.analysis.ask.levers import EIGHT_BIT_KV, EIGHT_BIT_WEIGHTS, Lever
from explorer.analysis.study.study import HardwareEntry
from explorer.analysis.study.what_if import faster_device
from explorer.presentation.answer.answer import answer, rich_text
from explorer.presentation.quantities.numbers import factor
from explorer.presentation.words.messages import Message, render
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.widgets.after_paint import AfterPaint
from explorer.ui.widgets.chip import Chip
from explorer.ui.widgets.plain_text import set_tip
from explorer.ui.widgets.rich_line import RichLine
from explorer.ui.widgets.throttle import Paced

_AT_ONCE = 100  # operators that are evaluated within a fraction of a frame
LEVERS = ("lever.weights8", "lever.kv8", "lever.bandwidth2", "lever.compute2")


class AnswerBar(QWidget):
    """One or two lines; the levers follow after the paint and are shaded until then."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: Shown | None = None
        self.setAutoFillBackground(True)  # the window's own colour; nothing behind is painted when words change
        self.line = RichLine(self)
        self.chips = {code: self._chip(code) for code in LEVERS}
        self.later = AfterPaint(self._show_levers, self)
        self.paced = Paced(self._show_levers, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 4, 6)
        row.setSpacing(8)
        row.addWidget(self.line, 1)
        row.addSpacing(8)
        for chip in self.chips.values():
            row.addWidget(chip)

    def _chip(self, code: str) -> Chip:
        chip = Chip(self)
        set_tip(chip, _tip(code))
        chip.clicked.connect(lambda: self.pull(code))
        chip.hide()
        return chip

    def apply(self, old: Shown | None, new: Shown) -> None:
        self._shown = new
        if old is not None and _same(old, new):
            return
        sentences = answer(new.evaluation, new.look)
        self.line.show_text(rich_text(sentences, new.look))
        if self._session.store.drag_key and len(new.evaluation.rows) <= _AT_ONCE:
            self.paced.ask(dragging=True)  # shading them at every step of a drag would only flicker
            return
        for chip in self.chips.values():
            chip.set_stale(stale=True)
        self.later.ask()

    def _show_levers(self) -> None:
        shown = self._shown
        if shown is None:
            return
        active = shown.evaluation.active
        found = {} if active is None else {g.code: g for g in shown.evaluation.levers(active.entry.id)}
        for code, chip in self.chips.items():
            self._show_lever(chip, found.get(code), shown)

    def _show_lever(self, chip: Chip, lever: Lever | None, shown: Shown) -> None:
        gain = None if lever is None else lever.gain
        chip.set_stale(stale=False)
        if lever is not None and gain is not None:  # words first: showing it lays out the bar at once
            chip.show_text(render(Message(lever.code, {"gain": factor(gain)}), shown.look))
        chip.setVisible(gain is not None)

    def pull(self, code: str) -> None:
        """Do what a lever says, as one undo step."""
        store = self._session.store
        if code == "lever.weights8":
            store.edit_workload(tr("8-bit weights"), weights=EIGHT_BIT_WEIGHTS)
        elif code == "lever.kv8":
            store.edit_workload(tr("8-bit KV cache"), kv=EIGHT_BIT_KV)
        elif code == "lever.bandwidth2":
            self._add_faster(tr("2× bandwidth"), "2x-bandwidth", bandwidth=2.0)
        elif code == "lever.compute2":
            self._add_faster(tr("2× compute"), "2x-compute", compute=2.0)

    def _add_faster(self, what: str, suffix: str, *, bandwidth: float = 1.0, compute: float = 1.0) -> None:
        """Put a what-if copy of the active device beside it; one that is there already is only shown."""
        study, active = self._session.store.study, self._session.state.evaluation.active
        if active is None:
            return
        device = active.entry.device
        copied = faster_device(
            device,
            id_=f"{device.id[:80]}-{suffix}",
            name=tr("{device}, {change}", device=device.name, change=what),
            short=tr("{device}, {change}", device=device.short or device.name, change=what),
            title=tr("twice the figure of {device}", device=device.name),
            bandwidth=bandwidth,
            compute=compute,
        )
        entry = HardwareEntry(id=_free_id(copied.id, study.hardware), device=copied, count=active.entry.count)
        self._session.store.edit(tr("What-if device"), hardware=_with(study.hardware, entry))


def _with(entries: tuple[HardwareEntry, ...], entry: HardwareEntry) -> tuple[HardwareEntry, ...]:
    """The entries and a new one; its twin, where there is one, is only made visible."""
    if any(e.device == entry.device for e in entries):
        return tuple(replace(e, visible=True) if e.device == entry.device else e for e in entries)
    return (*entries, entry)


def _free_id(wanted: str, entries: tuple[HardwareEntry, ...]) -> str:
    taken = {e.id for e in entries}
    return next(name for name in (wanted, *(f"{wanted}-{n}" for n in range(2, len(taken) + 3))) if name not in taken)


def _same(old: Shown, new: Shown) -> bool:
    """Whether words and levers stay as they are: the same work on the same active device, in the same look."""
    one, other = old.evaluation, new.evaluation
    return old.look is new.look and one.evaluator is other.evaluator and one.active is other.active


def _tip(code: str) -> str:
    return {
        "lever.weights8": tr("How much faster the operators of the step get with 8-bit weights; click to use them"),
        "lever.kv8": tr("How much faster the operators of the step get with an 8-bit KV cache; click to use it"),
        "lever.bandwidth2": tr("What twice the bandwidth would bring; click to put such a device beside this one"),
        "lever.compute2": tr("What twice the compute would bring; click to put such a device beside this one"),
    }[code]
