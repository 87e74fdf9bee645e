"""The charts below the table: those that the user chose, side by side where there is room, else one at a time."""

from collections.abc import Callable, Generator, Sequence
from typing import Final

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from explorer.plot.live.hover_card import HoverCard
from explorer.presentation.words.visible import one_line
from explorer.ui.compare.chart_card import ChartCard
from explorer.ui.compare.chart_kind import ChartKind
from explorer.ui.compare.flow import FlowLayout
from explorer.ui.look.text import tr
from explorer.ui.session import Shown
from explorer.ui.widgets.plain_text import set_tip

MOST: Final = 3  # side by side
_NARROWEST: Final = 15  # heights of a line that a chart wants for its width
_LOW: Final = 15  # heights of a line
_CHOICE: Final = 14  # heights of a line that the choice of a machine takes at most
_MAP: Final = "speedup"  # the one chart of two machines alone


def arranged(chosen: Sequence[str], known: Sequence[str], usual: Sequence[str]) -> tuple[str, ...]:
    """The charts in the order wanted: the chosen ones that there are, else the usual ones."""
    return tuple(dict.fromkeys(n for n in chosen if n in known)) or tuple(n for n in usual if n in known)


def toggled(name: str, wanted: Sequence[str], room: int) -> tuple[str, ...]:
    """What is wanted after a click on a chart's word: one in sight goes if others stay, one out of sight comes."""
    seen, behind = list(wanted[:room]), [n for n in wanted[room:] if n != name]
    if name in seen:
        kept = [n for n in seen if n != name]
        return tuple(kept) if kept else tuple(wanted)
    if len(seen) >= room:
        behind = [*seen[room - 1 :], *behind]
        seen = seen[: room - 1]
    return (*seen, name, *behind)[:MOST]


class ChartPane(QWidget):
    """A switch of all charts above those in sight; `chosen(names)` tells another choice."""

    chosen = Signal(tuple)
    wanted = Signal(object)
    beside_wanted = Signal(str)

    def __init__(self, kinds: Sequence[ChartKind], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._kinds = {kind.name: kind for kind in kinds}
        self._wanted: tuple[str, ...] = ()
        self._card: HoverCard | None = None
        self.cards: dict[str, ChartCard] = {}
        self.switch = {kind.name: self._button(kind) for kind in kinds}
        self.asked: Callable[[], object] = lambda: None  # called when a chart that is not made comes into sight
        em = self.fontMetrics().height()
        words = QWidget(self)
        self.beside = QComboBox(words)
        self.beside.setAccessibleName(tr("Whose speed-up over the baseline is drawn"))
        set_tip(self.beside, tr("Whose speed-up over the baseline is drawn"))
        self.beside.setMaximumWidth(_CHOICE * em)
        self.beside.activated.connect(lambda i: self.beside_wanted.emit(self.beside.itemData(i)))
        self.beside.hide()
        flow = FlowLayout(words, gap=2, last_right=True)
        flow.setContentsMargins(em // 2, em // 4, em // 2, 0)
        for button in self.switch.values():
            flow.addWidget(button)
        flow.addWidget(self.beside)
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        words.setSizePolicy(policy)
        self._row = QHBoxLayout()
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(0)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(words)
        box.addLayout(self._row, 1)

    def _button(self, kind: ChartKind) -> QToolButton:
        button = QToolButton(self)
        button.setText(kind.title)
        button.setCheckable(True)
        button.setAutoRaise(True)
        button.setAccessibleName(kind.title)
        button.clicked.connect(lambda: self._toggle(kind.name))
        return button

    def _toggle(self, name: str) -> None:
        self.chosen.emit(toggled(name, self._wanted, self.room))
        self._mark()  # a button that the click released stays down where its chart stays

    def offer_beside(self, others: Sequence[tuple[str, str]], chosen: str) -> None:
        """Offer these, by key and name, for the map of speed-ups; none where there is no choice."""
        choices = [("", tr("fastest")), *others] if others else []
        words = [one_line(tr("Speed-up: {name}", name=name)) for _, name in choices]
        with QSignalBlocker(self.beside):
            if words != [self.beside.itemText(i) for i in range(self.beside.count())]:
                self.beside.clear()
                for (key, _), text in zip(choices, words, strict=True):
                    self.beside.addItem(text, key)
            self.beside.setCurrentIndex(max(0, self.beside.findData(chosen)))
        self._show_beside()

    def _show_beside(self) -> None:
        parts = [*self.switch.values(), self.beside]
        line = sum(part.sizeHint().width() + 2 for part in parts) + self.fontMetrics().height()
        fits = line <= self.width()  # the table's own menu offers the same
        self.beside.setVisible(self.beside.count() > 0 and _MAP in self.in_sight and fits)

    @property
    def room(self) -> int:
        """How many charts stand side by side: one alone where they would be low."""
        em = self.fontMetrics().height()
        return 1 if self.height() < _LOW * em else min(MOST, max(1, self.width() // (_NARROWEST * em)))

    @property
    def in_sight(self) -> tuple[str, ...]:
        """The names of the charts shown now."""
        return self._wanted[: self.room]

    def show_charts(self, names: Sequence[str], usual: Sequence[str]) -> None:
        """Show charts by name, the first where there is room for one alone; the usual ones where none is named."""
        self._wanted = arranged(names, list(self._kinds), usual)
        self._arrange()
        self._ask()

    def _arrange(self) -> None:
        names = self.in_sight
        missing = [n for n in names if n not in self.cards]
        for name in missing:
            self.cards[name] = self._made(name)
        for i, name in enumerate(names):
            if self._row.indexOf(self.cards[name]) != i:
                self._row.removeWidget(self.cards[name])
                self._row.insertWidget(i, self.cards[name], 1)
        for name, card in self.cards.items():
            card.setVisible(name in names)
        self._mark()
        self._show_beside()

    def _ask(self) -> None:
        if any(self.cards[n].stale for n in self.in_sight):
            self.asked()

    def _made(self, name: str) -> ChartCard:
        if self._card is None:
            self._card = HoverCard(self.window())
        card = ChartCard(self._kinds[name], self._card, self)
        card.wanted.connect(self.wanted)
        return card

    def _mark(self) -> None:
        for name, button in self.switch.items():
            button.setChecked(name in self.in_sight)
            set_tip(button, self._kinds[name].title)

    def set_stale(self) -> None:
        """Shade every chart until it is made anew."""
        for card in self.cards.values():
            card.set_stale()

    def make(self, shown: Shown) -> Generator[None, None, None]:
        """Make the charts in sight anew, a slice at a time."""
        self._arrange()
        for name in self.in_sight:
            if self.cards[name].stale:
                yield from self.cards[name].make(shown)
                yield

    def hide_card(self) -> None:
        """Take the hover card away."""
        if self._card is not None:
            self._card.hide()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._show_beside()
        if set(self.in_sight) != {name for name, card in self.cards.items() if not card.isHidden()}:
            self._arrange()
            self._ask()

    def sizeHint(self) -> QSize:
        return QSize(960, 300)
