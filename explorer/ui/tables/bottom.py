"""The tables below the chart: operators, models and measurements."""

from functools import cached_property
from typing import TYPE_CHECKING

from PySide6.QtCore import QSignalBlocker, QSize, Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.settings import Settings
from explorer.ui.tables.operators_table import OperatorsTable
from explorer.ui.tables.panel import TablePanel
from explorer.ui.widgets.flat_tabs import FlatTabWidget

if TYPE_CHECKING:
    from explorer.ui.tables.measurements_table import MeasurementsTable
    from explorer.ui.tables.models_table import ModelsTable

_MODELS, _MEASUREMENTS = 1, 2


class _Tools(QStackedWidget):
    """As wide as the toolbar that is seen: those behind it take no room from the tabs."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.currentChanged.connect(lambda _index: self.updateGeometry())

    def sizeHint(self) -> QSize:
        current = self.currentWidget()
        return super().sizeHint() if current is None else current.sizeHint()

    def minimumSizeHint(self) -> QSize:
        current = self.currentWidget()
        return super().minimumSizeHint() if current is None else current.minimumSizeHint()


class BottomTabs(FlatTabWidget):
    """Editable tables of the study; each tab says how many rows it holds.

    Those behind the first are made when they are asked for, at the latest by `make_all` after the first frame.
    """

    config_requested = Signal()
    import_requested = Signal()
    measure_requested = Signal()
    fit_requested = Signal()
    said = Signal(str)

    def __init__(self, session: Session, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.tabBar().setAccessibleName(tr("Tables"))
        self._session, self._settings = session, settings
        self._tools = _Tools(self)
        self._panels: list[TablePanel] = []
        self._applied = False
        self.operators = OperatorsTable(session, settings)
        self._empty = {index: (QWidget(self), QWidget(self)) for index in range(_MEASUREMENTS + 1)}
        for page, tools in self._empty.values():
            self.addTab(page, "")
            self._tools.addWidget(tools)
        self._put(0, self.operators)
        self.setCornerWidget(self._tools)
        self.currentChanged.connect(self._on_current)

    @cached_property
    def models(self) -> "ModelsTable":
        """The models of the study."""
        from explorer.ui.tables.models_table import ModelsTable

        made = ModelsTable(self._session, self._settings)
        made.config_requested.connect(self.config_requested)
        self._put(_MODELS, made)
        return made

    @cached_property
    def measurements(self) -> "MeasurementsTable":
        """The measurements of the study."""
        from explorer.ui.tables.measurements_table import MeasurementsTable

        made = MeasurementsTable(self._session, self._settings)
        made.import_requested.connect(self.import_requested)
        made.measure_requested.connect(self.measure_requested)
        made.fit_requested.connect(self.fit_requested)
        self._put(_MEASUREMENTS, made)
        return made

    def make_all(self) -> tuple[TablePanel, ...]:
        """Every table, made now where it was not yet."""
        return self.operators, self.models, self.measurements

    def _on_current(self, index: int) -> None:
        self.make_all()
        self._tools.setCurrentIndex(index)

    def _put(self, index: int, panel: TablePanel) -> None:
        """In place of the empty page and the empty toolbar that kept its place."""
        empty = self._empty.pop(index)
        current, text = self.currentIndex(), self.tabText(index)
        with QSignalBlocker(self):
            self.removeTab(index)
            self.insertTab(index, panel, text)
            self._tools.removeWidget(empty[1])
            self._tools.insertWidget(index, panel.toolbar)
            self.setCurrentIndex(current)
            self._tools.setCurrentIndex(current)
        for page in empty:
            page.deleteLater()
        panel.said.connect(self.said)
        self._panels.append(panel)
        if self._applied:
            panel.apply(None, self._session.state)

    def apply(self, old: Shown | None, new: Shown) -> None:
        self._applied = True
        self._count(0, tr("Operators {count}", count=len(new.evaluation.rows)))
        self._count(_MODELS, tr("Models {count}", count=len(new.study.models)))
        self._count(_MEASUREMENTS, tr("Measurements {count}", count=len(new.study.measurements)))
        for panel in self._panels:
            panel.apply(old, new)

    def _count(self, index: int, text: str) -> None:
        if self.tabText(index) != text:
            self.setTabText(index, text)

    def focus_find(self) -> None:
        """Put the cursor into the find field of the operators."""
        self.setCurrentWidget(self.operators)
        self.operators.focus_find()
