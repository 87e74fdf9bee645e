"""The Memory view: what every device holds, what fits, in bars and in words."""

from collections.abc import Generator

from PySide6.QtCore import QEvent, QRectF, QSize
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QVBoxLayout, QWidget

from explorer.plot.views.memory import content_height, paint_memory
from explorer.presentation.palette import LIGHT, Theme
from explorer.presentation.views.memory import MemoryChart, memory_chart_steps
from explorer.ui.hardware.scroll_bar import SlimScrollBar
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.views.registered import register_tab
from explorer.ui.widgets.after_paint import AfterPaint

_MARGIN = 18.0


class MemoryBars(QWidget):
    """Paints the view."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._chart: MemoryChart | None = None
        self._theme = LIGHT
        self.setAccessibleName(tr("Memory held by device"))

    @property
    def chart(self) -> MemoryChart | None:
        """What is shown."""
        return self._chart

    def show_chart(self, chart: MemoryChart, theme: Theme) -> None:
        """Show what is held."""
        self._chart, self._theme = chart, theme
        self.setAccessibleDescription(" ".join((chart.title, *chart.sentences)) or chart.empty_text)
        self._fit_height()
        self.update()

    def _fit_height(self) -> None:
        if self._chart is not None and self.width() > 2 * _MARGIN:
            wanted = content_height(self._chart, self.width() - 2 * _MARGIN, self.font()) + 2 * _MARGIN
            if round(wanted) != self.minimumHeight():
                self.setMinimumHeight(round(wanted))

    def changeEvent(self, event: QEvent) -> None:
        if event.type() == QEvent.Type.FontChange:
            self._fit_height()
        super().changeEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(360, 160)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._chart is None:
            return
        painter = QPainter(self)
        box = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        paint_memory(painter, box, self._chart, self._theme, self.font())
        painter.end()


class MemoryTab(QScrollArea):
    """The bars, worked out after the paint."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self.bars = MemoryBars()
        self.later = AfterPaint(self._work_out, self)
        self.setWidgetResizable(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBar(SlimScrollBar(self))
        holder = QWidget(self)
        box = QVBoxLayout(holder)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.bars, 1)
        self.setWidget(holder)
        for surface in (self.viewport(), holder, self.bars):
            surface.setAutoFillBackground(False)
        self.setAccessibleName(tr("Memory"))

    def apply(self, old: Shown | None, new: Shown) -> None:
        """Draw a state; what is only selected changes nothing here."""
        if old is not None and _read(old) == _read(new):
            return
        self.later.ask()

    def _work_out(self) -> Generator[None, None, None]:
        shown = self._session.state
        steps = memory_chart_steps(shown.evaluation, shown.look)
        chart = next(steps)
        for grown in steps:
            chart = grown
            yield
        self.bars.show_chart(chart, shown.look.theme)


def _read(shown: Shown) -> tuple[object, ...]:
    study, active = shown.study, shown.evaluation.active
    about = None if active is None else active.entry.id
    return study.models, study.active_model, study.workload, study.hardware, about, shown.look


register_tab("memory", MemoryTab)
