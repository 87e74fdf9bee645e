"""The answer in words, and what would help as chips that do it."""

from typing import Final

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from explorer.analysis.ask.levers import Gain, declared, levers
from explorer.analysis.catalogue.device import Device
from explorer.analysis.study.apply import applied
from explorer.analysis.study.variant import ScaleDevice
from explorer.analysis.study.what_if import Called, beside, scaled_copy
from explorer.presentation.answer.answer import answer, rich_text, with_marks
from explorer.presentation.answer.lever_texts import change_text, lever_message, useless_text
from explorer.presentation.look import Look
from explorer.presentation.words.messages import Message, render
from explorer.ui.frame.chip_row import ChipRow
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.widgets.after_paint import AfterPaint
from explorer.ui.widgets.chip import Chip
from explorer.ui.widgets.plain_text import set_tip
from explorer.ui.widgets.rich_line import RichLine
from explorer.ui.widgets.throttle import Paced

_CHIPS: Final = 0.44  # of the bar's width, at most
_AT_ONCE = 100  # operators that are evaluated within a fraction of a frame


class AnswerBar(QWidget):
    """Two lines, always; the levers follow after the paint and are shaded until then."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: Shown | None = None
        self._told: tuple[str, Look] | None = None
        self.setAutoFillBackground(True)  # the window's own colour; nothing behind is painted when words change
        self.line = RichLine(self)
        self.line.more = self._more
        self.row = ChipRow(self)
        self.chips = {lever.code: self._chip(lever.code) for lever in declared()}
        self.later = AfterPaint(self._show_levers, self)
        self.paced = Paced(self._show_levers, self)
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 6, 4, 6)
        row.setSpacing(8)
        row.addWidget(self.line, 1)
        row.addSpacing(8)
        row.addWidget(self.row)

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.row.set_limit(round(event.size().width() * _CHIPS))
        super().resizeEvent(event)

    def _chip(self, code: str) -> Chip:
        chip = Chip(self.row)
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

    def _more(self) -> str:
        """What flips, and where nothing is offered, what was tried."""
        useless = "" if self._told is None or self.row.offered else self._told[0]
        return "\n".join(filter(None, (self._flips(), useless)))

    def _flips(self) -> str:
        """The operators that wait for something else elsewhere, worked out when asked for."""
        from explorer.presentation.answer.flipped import flips_text  # the words of a comparison: not for the start

        return "" if self._shown is None else flips_text(self._shown.evaluation, self._shown.look)

    def _show_levers(self) -> None:
        shown = self._shown
        if shown is None:
            return
        active = shown.evaluation.active
        found = {} if active is None else {g.code: g for g in levers(shown.evaluation, active.entry.id)}
        self.row.offer([c for code, c in self.chips.items() if self._show_lever(c, found.get(code), shown)])
        self._show_tips(useless_text(found.values(), shown.look), shown)

    def _show_lever(self, chip: Chip, found: Gain | None, shown: Shown) -> bool:
        """Give a chip its words; whether it is offered: what brings nothing is told by the others' tips."""
        chip.set_stale(stale=False)
        if found is None or not found.useful:
            return False
        told = lever_message(found, shown.evaluation.active, shown.look, short=True)
        chip.show_text(with_marks(told, shown.look))
        return True

    def _show_tips(self, useless: str, shown: Shown) -> None:
        told = (useless, shown.look)
        if told == self._told:
            return
        self._told = told
        for code, chip in self.chips.items():
            set_tip(chip, "\n".join(filter(None, (render(Message(f"{code}.tip"), shown.look), useless))))

    def pull(self, code: str) -> None:
        """Make the edit whose gain a chip shows, as one undo step; a faster device stands beside the active one."""
        evaluation, store = self._session.state.evaluation, self._session.store
        active = evaluation.active
        if active is None:
            return
        lever = next(lever for lever in declared() if lever.code == code)
        for variant in lever.variants(evaluation, active):
            change = change_text(variant, self._session.look)
            if isinstance(variant.edit, ScaleDevice):
                copy = scaled_copy(
                    active.entry.device, variant.edit, _called(active.entry.device, variant.edit, change)
                )
                store.replace(beside(store.study, active.entry.id, copy), tr("What-if device"))
            else:
                store.replace(applied(store.study, variant.edit), change)


def _called(device: Device, edit: ScaleDevice, change: str) -> Called:
    """The name of a faster copy."""
    return Called(
        id=f"{device.id[:80]}-{edit.factor:g}x-{edit.figure}",
        name=tr("{device}, {change}", device=device.name, change=change),
        short=tr("{device}, {change}", device=device.short or device.name, change=change),
        title=tr("twice the figure of {device}", device=device.name),
    )


def _same(old: Shown, new: Shown) -> bool:
    """Whether words and levers stay as they are: the same work, devices and look."""
    one, other = old.evaluation, new.evaluation
    same = one.evaluator is other.evaluator and one.active is other.active and one.baseline is other.baseline
    return same and old.look is new.look
