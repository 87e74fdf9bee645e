"""Levers side by side; those for which there is no room stand in a menu, never cut."""

from collections.abc import Iterable

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QMenu, QSizePolicy, QWidget

from explorer.ui.look.text import tr
from explorer.ui.widgets.chip import Chip
from explorer.ui.widgets.plain_text import add_action, set_tip

GAP = 8


class ChipRow(QWidget):
    """Takes the width of what it offers, up to a limit."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._offered: list[Chip] = []
        self._limit = 10_000
        self._wanted = QSize()
        self.more = Chip(self)
        set_tip(self.more, tr("What else would help"))
        self.more.clicked.connect(self._open)
        self.more.hide()
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def set_limit(self, width: int) -> None:
        """The most that it may take of its bar."""
        if width != self._limit:
            self._limit = width
            self.arrange()

    def offer(self, chips: Iterable[Chip]) -> None:
        """Show these, in this order, and no others."""
        chips = list(chips)
        for chip in self._offered:
            if chip not in chips:
                chip.hide()
        self._offered = chips
        self.arrange()
        bar = self.parentWidget()
        if bar is not None and (layout := bar.layout()) is not None:
            layout.activate()  # at once: no frame shows them cut

    @property
    def offered(self) -> tuple[Chip, ...]:
        """What is offered, in the row or in its menu."""
        return tuple(self._offered)

    @property
    def in_menu(self) -> tuple[Chip, ...]:
        """Those that stand in the menu."""
        return tuple(self._offered[self._fitting() :])

    def sizeHint(self) -> QSize:
        chips = self._offered[: self._fitting()]
        wide = [c.sizeHint().width() for c in chips] + ([self.more.sizeHint().width()] if self.in_menu else [])
        return QSize(sum(wide) + GAP * max(0, len(wide) - 1), self.more.sizeHint().height())

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def _fitting(self) -> int:
        """How many stand in the row; beside fewer than all there is the menu's own chip."""
        wide = [c.sizeHint().width() for c in self._offered]
        if sum(wide) + GAP * max(0, len(wide) - 1) <= self._limit:
            return len(wide)
        room, count = self._limit - self.more.sizeHint().width(), 0
        for width in wide:
            room -= width + GAP
            if room < 0:
                break
            count += 1
        return count

    def arrange(self) -> None:
        """Place what fits from the left, the menu's chip behind it."""
        self.more.show_text(tr("more") if self._limit < 160 else tr("more levers"))
        count, x = self._fitting(), 0
        shown = [*self._offered[:count], *([self.more] if count < len(self._offered) else [])]
        for chip in (*self._offered, self.more):
            if chip in shown:
                chip.setGeometry(x, 0, chip.sizeHint().width(), chip.sizeHint().height())
                x += chip.width() + GAP
            chip.setVisible(chip in shown)
        wanted = self.sizeHint()
        if wanted != self._wanted:
            self._wanted = wanted
            self.updateGeometry()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.arrange()

    def fill(self, menu: QMenu) -> None:
        """List those that do not stand in the row."""
        for chip in self.in_menu:
            action = add_action(menu, chip.accessibleName())
            set_tip(action, chip.toolTip())
            action.triggered.connect(chip.click)

    def _open(self) -> None:
        menu = QMenu(self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.setToolTipsVisible(True)
        self.fill(menu)
        menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft()))
