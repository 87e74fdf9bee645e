"""The Compare view: everything that stands side by side as a table, verdicts that flip, and charts below."""

from collections.abc import Callable, Generator

from PySide6.QtCore import QByteArray, QPoint, Qt, QTimer
from PySide6.QtGui import QAction, QCursor, QResizeEvent
from PySide6.QtWidgets import QSplitter, QToolButton, QVBoxLayout, QWidget

from explorer.ui.compare.chart_kinds import chart_kinds, usual_charts
from explorer.ui.compare.chart_pane import ChartPane
from explorer.ui.compare.controls import CompareControls
from explorer.ui.compare.gestures import CompareGestures
from explorer.ui.compare.table.menus import figure_menu
from explorer.ui.compare.table_panel import ComparePanel
from explorer.ui.compare.taking_out import copy_table, save_table
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.views.registered import TellingTab, register_tab
from explorer.ui.widgets.after_paint import AfterPaint
from explorer.ui.widgets.throttle import Paced

_LEAST_CHARTS = 16  # heights of a line that the charts keep while the table takes what it wants
_REST_MS = 150  # a drag that pauses so long has its charts drawn


class CompareTab(TellingTab):
    """The table follows every change after the paint, the charts when there is time for them."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._drawn: tuple[object, ...] = ()
        self._parted = False  # by hand
        self._at_table = False  # being worked out: it takes on a later state itself
        self.controls = CompareControls(session, self)
        self.panel = ComparePanel(self)
        self.gestures = CompareGestures(session, self.panel.grid, self._copy, self)
        self.charts = ChartPane(chart_kinds(), self)
        self.later = AfterPaint(self._work_out, self)
        self.paced = Paced(self.later.ask, self)  # nobody reads a hundred tables a second
        self.charts_later = AfterPaint(self._make_charts, self)
        self.rest = QTimer(self)  # charts wait for the end of a drag
        self.rest.setSingleShot(True)
        self.rest.timeout.connect(self.charts_later.ask)
        self.split = QSplitter(Qt.Orientation.Vertical, self)
        self.split.addWidget(self.panel)
        self.split.addWidget(self.charts)
        self.split.setChildrenCollapsible(False)
        self.split.setHandleWidth(6)
        self.split.setStretchFactor(1, 1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.setSpacing(0)
        box.addWidget(self.controls)
        box.addWidget(self.split, 1)
        self.setAccessibleName(tr("Compare"))
        self._connect()

    def _connect(self) -> None:
        store, grid = self._session.store, self.panel.grid
        grid.copy_wanted.connect(self._copy)
        self.split.splitterMoved.connect(self._part_by_hand)
        self.panel.verdicts.chosen.connect(lambda rows: store.set_view(selection=rows))
        self.charts.chosen.connect(lambda names: store.set_view(compare_charts=names))
        self.charts.wanted.connect(self.gestures.choose)
        self.charts.beside_wanted.connect(lambda key: store.set_view(compare_with=key))
        self.charts.asked = self.rest.start
        self._action(tr("Slide…"), self.export_wanted.emit)
        self._action(tr("Copy table"), self._copy)
        self._action(tr("Save table…"), lambda: save_table(self, self._session, self.said.emit))
        self.columns = self._action(tr("Columns"), self._choose_columns)

    def _action(self, words: str, does: Callable[[], object]) -> QAction:
        action = QAction(words, self)
        action.setIconText(words)  # or Qt would take the dots away
        action.triggered.connect(lambda _checked=False: does())
        self.addAction(action)
        return action

    # drawing what is shown

    def apply(self, old: Shown | None, new: Shown) -> None:
        """Draw a state; what is only selected or zoomed changes nothing here."""
        del old
        self.controls.apply(None, new)
        read = _read(new)
        changed = read != self._drawn
        self._drawn = read
        dragging = bool(self._session.store.drag_key)
        if changed:
            self.charts.set_stale()
            self.rest.start(_REST_MS if dragging else 0)
        self.charts.setVisible(new.view.vary != "measurements")  # which are compared in the table alone
        self.charts.show_charts(new.view.compare_charts, usual_charts(new))
        if changed and not self._at_table:
            self.paced.ask(dragging=dragging)

    def _work_out(self) -> Generator[None, None, None]:
        drawn: tuple[object, ...] = ()
        while drawn != (drawn := _read(self._session.state)):  # a drag goes on while the table is worked out
            yield from self._table_of(self._session.state)

    def _make_charts(self) -> Generator[None, None, None]:
        if self.later.waiting:  # the table comes first
            self.rest.start(0)
            return
        yield from self.charts.make(self._session.state)

    def finish(self) -> None:
        """Do all waiting work now."""
        self.paced.finish()
        self.later.finish()
        self.rest.stop()
        self.charts_later.ask()
        self.charts_later.finish()

    def _table_of(self, shown: Shown) -> Generator[None, None, None]:
        self._at_table = True
        try:
            yield from self.panel.make(shown)
        finally:
            self._at_table = False
        self._part()
        self._offer_beside(shown)
        yield

    def _offer_beside(self, shown: Shown) -> None:
        """Whose speed-up over the baseline is drawn: any other row's, the fastest unasked."""
        lines = () if self.panel.table is None else self.panel.table.lines
        others = [(line.key, line.names[0]) for line in lines if not line.baseline]
        self.charts.offer_beside(others if len(others) > 1 else [], shown.view.compare_with)

    def _part(self) -> None:
        """The table as high as its rows, as long as charts can be read below; until parted by hand."""
        whole = self.split.height() - self.split.handleWidth()
        if not self._parted and whole > 0 and not self.charts.isHidden():
            least = min(_LEAST_CHARTS * self.fontMetrics().height(), round(0.45 * whole))
            table = min(self.panel.wanted_height(), whole - least)
            self.split.setSizes([table, whole - table])

    def _part_by_hand(self) -> None:
        self._parted = True

    def split_state(self) -> QByteArray | None:
        """How table and charts were parted by hand, None until they are."""
        return self.split.saveState() if self._parted else None

    def restore_split(self, state: QByteArray) -> None:
        """Part table and charts as they were when the window was closed."""
        self._parted = self.split.restoreState(state)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._part()

    # what the user does

    def _copy(self) -> None:
        self.said.emit(copy_table(self._session))

    def _choose_columns(self) -> None:
        whole, table = self.panel.whole, self.panel.table
        if whole is not None and table is not None:
            store = self._session.store
            shown = [c.figure for c in table.columns]
            menu = figure_menu(self, whole, shown, lambda names: store.set_view(compare_columns=names))
            menu.popup(self._beside(self.columns))

    def _beside(self, action: QAction) -> QPoint:
        """Below the button of an action, where there is one in sight."""
        buttons = (b for b in action.associatedObjects() if isinstance(b, QToolButton) and b.isVisible())
        button = next(buttons, None)
        return QCursor.pos() if button is None else button.mapToGlobal(button.rect().bottomLeft())


def _read(shown: Shown) -> tuple[object, ...]:
    """What the view draws of a state."""
    study, view = shown.study, shown.view
    work = (study.hardware, study.models, study.active_model, study.workload, study.overrides, study.operators)
    more = (study.kinds, study.measurements, study.what_ifs)
    against = (view.active_hardware, view.baseline, view.baseline_model, view.compare_with)
    return (
        *work,
        *more,
        *against,
        view.vary,
        view.compare_as,
        view.compare_sort,
        view.compare_columns,
        id(shown.evaluation.catalogue),
        shown.look,
    )


register_tab("compare", CompareTab)
