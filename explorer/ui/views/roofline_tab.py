"""The roofline's tab: shows the study on the live chart, and turns gestures into edits of the view."""

from typing import TYPE_CHECKING

from msgspec.structs import replace
from PySide6.QtCore import QPoint, QTimer, Signal
from PySide6.QtGui import QGuiApplication, QShowEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.analysis.study.study import Study
from explorer.plot.live.ranges import Ranges, sane
from explorer.plot.live.still_chart import StillChart
from explorer.plot.live.trail import Trail
from explorer.presentation.answer.answer import answer, plain_text
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.figure import Figure, Mark, Strip
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.views.chart_menu import chart_menu

if TYPE_CHECKING:
    from explorer.plot.live.roofline_chart import RooflineChart

_SEEN = ("active_hardware", "selection", "per_value", "x_range", "y_range", "area_is_share", "colour_by")
_DESCRIBE_MS = 300  # a screen reader hears the answer once a drag rests
COPY_SCALE = 2.0


class RooflineTab(QWidget):
    """Draws the first frame without pyqtgraph, then puts the live chart in its place."""

    export_wanted = Signal()

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: Shown | None = None
        self._figure: Figure | None = None
        self._trail = Trail()
        self.chart: RooflineChart | None = None
        self.still: StillChart | None = StillChart(self)
        self.still.setAccessibleName(tr("Roofline chart"))
        self._live = QTimer(self)  # a child: it dies with the tab, should the window go before its turn
        self._live.setSingleShot(True)
        self._live.timeout.connect(self.go_live)
        self.still.painted.connect(self._live.start)
        self._box = QVBoxLayout(self)
        em = self.fontMetrics().height() // 2
        self._box.setContentsMargins(em, em, em // 2, em)
        self._box.addWidget(self.still)
        self._describe = QTimer(self)
        self._describe.setSingleShot(True)
        self._describe.setInterval(_DESCRIBE_MS)
        self._describe.timeout.connect(self.describe)

    # drawing what is shown

    def apply(self, old: Shown | None, new: Shown) -> None:
        """Draw `new`; compares with what it drew last, for it may have been hidden since `old`."""
        del old
        before, self._shown = self._shown, new
        if before is not None and not _differs(before, new):
            return
        if before is not None and not _only_view(before.study, new.study):
            self._trail.follow(self._figure, self._session.store.drag_key)
        self._figure = self._trail.on(build_figure(new.evaluation, look=new.look))
        self._draw(self._figure, new)

    def _draw(self, figure: Figure, new: Shown) -> None:
        if self.chart is not None:
            self.chart.take(figure, _ranges(new), new.look.theme, dragging=bool(self._session.store.drag_key))
        elif self.still is not None:
            # of the one frame that it is for, a crowd would take seconds; the live chart draws crowds as clouds
            self.still.show_figure(replace(figure, crowds=()) if figure.crowds else figure, new.look.theme)
        self._describe.start()

    def describe(self) -> None:
        """Tell the answer to screen readers, as the chart's description."""
        target = self.chart or self.still
        if self._shown is not None and target is not None:
            shown = self._shown
            messages = answer(shown.evaluation, shown.look)
            target.setAccessibleDescription(plain_text(messages, shown.look))

    def go_live(self) -> "RooflineChart":
        """Put the live chart in place of the still picture; pyqtgraph is imported here, not before."""
        if self.chart is None:
            self.chart = self._make_chart()
            if self._figure is not None and self._shown is not None:
                self._draw(self._figure, self._shown)
            self._swap(self.chart)
        return self.chart

    def _make_chart(self) -> "RooflineChart":
        from explorer.plot.live.roofline_chart import RooflineChart

        chart = RooflineChart(self)
        chart.setAccessibleName(tr("Roofline chart"))
        chart.describe_target = self._text_of
        chart.view_settled.connect(self._on_view)
        chart.selection_wanted.connect(self._on_selection)
        chart.menu_wanted.connect(self._on_menu)
        return chart

    def _swap(self, chart: "RooflineChart") -> None:
        if self.still is not None:
            self._box.removeWidget(self.still)  # first: showing the chart lays out, and they would share the room
        self._box.addWidget(chart)
        if self.still is not None:
            # at once: a layout shows and sizes a new child only later, and a frame would be blank
            chart.setGeometry(self.still.geometry())
            chart.show()
            had_focus = self.still.hasFocus()
            self.still.hide()
            self.still.deleteLater()
            self.still = None
            if had_focus:
                chart.setFocus()

    def _text_of(self, target: Mark | Strip) -> str:
        from explorer.presentation.roofline.hover import describe_mark, describe_strip  # no frame shows it

        shown = self._session.state
        if isinstance(target, Mark):
            return describe_mark(shown.evaluation, target, shown.look)
        return describe_strip(shown.evaluation, target, shown.look)

    # what the user does

    def _on_view(self, view: Ranges | None) -> None:
        x, y = (None, None) if view is None else view
        self._session.store.set_view(x_range=x, y_range=y)

    def _on_selection(self, rows: tuple[str, ...]) -> None:
        self._session.store.set_view(selection=rows)

    def _on_menu(self, at: QPoint, rows: tuple[str, ...]) -> None:
        menu = chart_menu(self, self._session.store.study.view, rows, self)
        menu.aboutToHide.connect(menu.deleteLater)
        menu.popup(at)

    def fit(self) -> None:
        """Show every roof and point."""
        self.go_live().fit()

    def box_zoom(self) -> None:
        """The next drag on the chart draws a box to zoom to."""
        self.go_live().start_box_zoom()

    def zoom_back(self) -> None:
        """Back to the zoom before; no undo step of the study."""
        self.go_live().zoom_back()

    def zoom_forward(self) -> None:
        """Forward to the zoom after."""
        self.go_live().zoom_forward()

    def can_zoom_back(self) -> bool:
        return self.chart is not None and self.chart.history.can_go_back

    def can_zoom_forward(self) -> bool:
        return self.chart is not None and self.chart.history.can_go_forward

    def copy_picture(self) -> None:
        """Put the chart on the clipboard, twice as fine as on screen."""
        QGuiApplication.clipboard().setImage(self.go_live().picture_of(COPY_SCALE))

    def export(self) -> None:
        self.export_wanted.emit()

    def switch(self, name: str) -> None:
        """Turn one of the view's switches."""
        store = self._session.store
        view = store.study.view
        if name == "area_is_share":
            store.set_view(area_is_share=not view.area_is_share)
        elif name == "colour_by":
            store.set_view(colour_by="hardware" if view.colour_by == "bound" else "bound")
        else:
            store.set_view(per_value=not view.per_value, x_range=None, y_range=None)

    def choose(self, row: str) -> None:
        """Select one member of a ring."""
        self._session.store.set_view(selection=(row,))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        if self._shown is not None:
            self.apply(None, self._session.state)


def _ranges(shown: Shown) -> Ranges | None:
    return sane(shown.view.x_range, shown.view.y_range)


def _only_view(before: Study, after: Study) -> bool:
    fields = (f for f in after.__struct_fields__ if f != "view")
    return all(getattr(before, f) is getattr(after, f) for f in fields)


def _differs(before: Shown, after: Shown) -> bool:
    """Whether the chart would look different."""
    if before.look is not after.look:
        return True
    if not _only_view(before.study, after.study):
        return True
    if before.evaluation.catalogue is not after.evaluation.catalogue:
        return True
    return any(getattr(before.view, f) != getattr(after.view, f) for f in _SEEN)
