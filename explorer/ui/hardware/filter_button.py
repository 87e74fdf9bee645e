"""The picker's filter: a button beside the search, whose menu chooses vendors, classes, years and laptop parts."""

from collections.abc import Callable, Iterable

from PySide6.QtCore import QEvent, QSize, Signal
from PySide6.QtGui import QAction, QActionGroup, QPalette
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from explorer.presentation.hardware.filters import CLASSES, YEARS, HardwareFilter
from explorer.presentation.look import Look
from explorer.presentation.words.messages import Message, render
from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import add_action, set_tip

_AIR = 8  # logical pixels beside the words


class FilterButton(QToolButton):
    """Holds the filter that is chosen, and tells of another."""

    changed = Signal()

    def __init__(self, look: Callable[[], Look], vendors: Callable[[], Iterable[str]], parent: QWidget) -> None:
        super().__init__(parent)
        self._look, self._vendors = look, vendors
        self._chosen = HardwareFilter()
        self.setText(tr("Filter"))
        self.setCheckable(True)
        self.setAccessibleName(tr("Filter the devices"))
        menu = QMenu(self)
        menu.aboutToShow.connect(lambda: self.fill(menu))
        self.setMenu(menu)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.choose(HardwareFilter(), tell=False)

    def sizeHint(self) -> QSize:
        return super().sizeHint() + QSize(_AIR, 0)

    @property
    def chosen(self) -> HardwareFilter:
        """The filter."""
        return self._chosen

    def choose(self, chosen: HardwareFilter, *, tell: bool = True) -> None:
        """Take another filter; the button looks pressed while it leaves devices out."""
        self._chosen = chosen
        self.setChecked(not chosen.is_open)
        parts = len(chosen.vendors) + len(chosen.classes) + bool(chosen.since) + (not chosen.laptops)
        self.setText(tr("Filter: {count}", count=parts) if parts else tr("Filter"))
        self._dress()
        set_tip(self, tr("Vendor, class, year, laptop parts") if chosen.is_open else tr("Devices are left out"))
        if tell:
            self.changed.emit()

    def _dress(self) -> None:
        """In the accent's colours while devices are left out."""
        role, palette = QPalette.ColorRole, QPalette()
        if not self._chosen.is_open:
            for target, of in ((role.AlternateBase, role.Highlight), (role.Button, role.Highlight)):
                palette.setColor(target, palette.color(of))
            for target in (role.ButtonText, role.PlaceholderText):
                palette.setColor(target, palette.color(role.HighlightedText))
        self.setPalette(palette)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.ApplicationPaletteChange:
            self._dress()

    def fill(self, menu: QMenu) -> None:
        """Make the menu anew from the filter."""
        menu.clear()
        chosen = self._chosen
        self.setChecked(not chosen.is_open)
        vendors = menu.addMenu(tr("&Vendor"))
        for vendor in self._vendors():
            other = chosen.toggled("vendors", vendor)
            self._check(add_action(vendors, vendor), other, on=vendor in chosen.vendors)
        classes = menu.addMenu(tr("&Class"))
        for name in CLASSES:
            text = render(Message(f"class.{name}"), self._look())
            self._check(classes.addAction(text), chosen.toggled("classes", name), on=name in chosen.classes)
        years = menu.addMenu(tr("&Year"))
        group = QActionGroup(years)
        for year in (0, *YEARS):
            text = tr("From {year} on", year=year) if year else tr("Any")
            other = HardwareFilter(chosen.vendors, chosen.classes, year, chosen.laptops)
            group.addAction(self._check(years.addAction(text), other, on=chosen.since == year))
        without = HardwareFilter(chosen.vendors, chosen.classes, chosen.since, not chosen.laptops)
        self._check(menu.addAction(tr("&Laptop parts")), without, on=chosen.laptops)
        menu.addSeparator()
        menu.addAction(tr("&All devices"), lambda: self.choose(HardwareFilter())).setEnabled(not chosen.is_open)

    def _check(self, action: QAction, then: HardwareFilter, *, on: bool) -> QAction:
        action.setCheckable(True)
        action.setChecked(on)
        action.triggered.connect(lambda: self.choose(then))
        return action
