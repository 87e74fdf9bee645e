"""The tables below the chart: operators, models and measurements."""

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QWidget

from explorer.ui.session import Session, Shown
from explorer.ui.settings import Settings
from explorer.ui.tables.measurements_table import MeasurementsTable
from explorer.ui.tables.models_table import ModelsTable
from explorer.ui.tables.operators_table import OperatorsTable
from explorer.ui.text import tr
from explorer.ui.widgets.flat_tabs import FlatTabWidget


class BottomTabs(FlatTabWidget):
    """Editable tables of the study; each tab says how many rows it holds."""

    config_requested = Signal()
    said = Signal(str)

    def __init__(self, session: Session, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.operators = OperatorsTable(session, settings)
        self.models = ModelsTable(session, settings)
        self.addTab(self.operators, "")
        self.measurements = MeasurementsTable(session, settings)
        self.addTab(self.models, "")
        self.addTab(self.measurements, "")
        self._tools = QStackedWidget(self)
        for panel in (self.operators, self.models, self.measurements):
            self._tools.addWidget(panel.toolbar)
            panel.said.connect(self.said)
        self.setCornerWidget(self._tools)
        self.currentChanged.connect(self._tools.setCurrentIndex)
        self.models.config_requested.connect(self.config_requested)

    def apply(self, old: Shown | None, new: Shown) -> None:
        self._count(0, tr("Operators {count}", count=len(new.evaluation.rows)))
        self._count(1, tr("Models {count}", count=len(new.study.models)))
        self._count(2, tr("Measurements {count}", count=len(new.study.measurements)))
        self.operators.apply(old, new)
        self.models.apply(old, new)
        self.measurements.apply(old, new)

    def _count(self, index: int, text: str) -> None:
        if self.tabText(index) != text:
            self.setTabText(index, text)

    def focus_find(self) -> None:
        """Put the cursor into the find field of the operators."""
        self.setCurrentWidget(self.operators)
        self.operators.focus_find()
