"""The Time view: every operator's share of the time beside its share of the FLOPs."""

from PySide6.QtCore import QRectF, QSignalBlocker, QSize, Qt
from PySide6.QtGui import QKeyEvent, QMouseEvent, QPainter, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from explorer.plot.views.time import content_height, paint_time
from explorer.presentation.palette import LIGHT, Theme
from explorer.presentation.views.time import Order, TimeView, time_view
from explorer.ui.hardware.scroll_bar import SlimScrollBar
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.views.registered import register_tab
from explorer.ui.widgets.plain_text import PlainLabel

_MARGIN = 16.0


class TimeBars(QWidget):
    """Paints the view; a click selects an operator, Ctrl adds, arrows move."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._view: TimeView | None = None
        self._theme = LIGHT
        self._rows: list[tuple[QRectF, str]] = []
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setAccessibleName(tr("Share of time beside share of FLOPs, by operator"))

    def show_view(self, view: TimeView, theme: Theme = LIGHT) -> None:
        """Show operators and their shares."""
        self._view = view
        self._theme = theme
        self.setAccessibleDescription(view.title)
        self.setMinimumHeight(self.sizeHint().height())
        self.update()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.setMinimumHeight(self.sizeHint().height())  # in a narrow window the head has more lines

    @property
    def view(self) -> TimeView | None:
        """What is shown."""
        return self._view

    def sizeHint(self) -> QSize:
        height = (
            200.0
            if self._view is None
            else content_height(self._view, self.width() - 2 * _MARGIN, self.font()) + 2 * _MARGIN
        )
        return QSize(600, round(height))

    def minimumSizeHint(self) -> QSize:
        return QSize(360, 160)

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._view is None:
            return
        painter = QPainter(self)
        box = QRectF(self.rect()).adjusted(_MARGIN, _MARGIN, -_MARGIN, -_MARGIN)
        self._rows = paint_time(painter, box, self._view, self._theme, self.font())
        painter.end()

    def row_at(self, x: float, y: float) -> str | None:
        """The operator at a position."""
        return next((name for box, name in self._rows if box.contains(x, y)), None)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() != Qt.MouseButton.LeftButton:
            return
        name = self.row_at(event.position().x(), event.position().y())
        chosen = self._session.store.study.view.selection
        if name is None:
            self._select(())
        elif event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self._select(tuple(n for n in chosen if n != name) if name in chosen else (*chosen, name))
        else:
            self._select((name,))

    def _select(self, names: tuple[str, ...]) -> None:
        self._session.store.set_view(selection=names)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1}.get(Qt.Key(event.key()))
        if event.key() == Qt.Key.Key_Escape:
            self._select(())
        elif step is not None and self._view is not None and self._view.bars:
            names = [b.name for b in self._view.bars]
            chosen = self._session.store.study.view.selection
            at = names.index(chosen[-1]) + step if chosen and chosen[-1] in names else 0
            self._select((names[min(max(at, 0), len(names) - 1)],))
        else:
            super().keyPressEvent(event)


class TimeTab(QWidget):
    """The bars, and in which order they stand."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._shown: Shown | None = None
        self.order = QComboBox(self)
        self.order.setAccessibleName(tr("Order of the operators"))
        self.order.addItem(tr("by time"), "time")
        self.order.addItem(tr("in execution order"), "execution")
        self.order.currentIndexChanged.connect(lambda _i: self._show())
        self.bars = TimeBars(session, self)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setVerticalScrollBar(SlimScrollBar(area))
        area.setWidget(self.bars)
        for surface in (area.viewport(), self.bars):
            surface.setAutoFillBackground(False)
        label = PlainLabel(tr("Order"), self)
        label.setBuddy(self.order)
        row = QHBoxLayout()
        row.setContentsMargins(16, 8, 16, 0)
        row.addWidget(label)
        row.addWidget(self.order)
        row.addStretch(1)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addLayout(row)
        box.addWidget(area, 1)

    def apply(self, old: Shown | None, new: Shown) -> None:
        self._shown = new
        self._show()

    def set_order(self, order: Order) -> None:
        """Order the bars by time or as executed."""
        with QSignalBlocker(self.order):
            self.order.setCurrentIndex(self.order.findData(order))
        self._show()

    def _show(self) -> None:
        shown = self._shown
        if shown is None:
            return
        order: Order = "execution" if self.order.currentData() == "execution" else "time"
        self.bars.show_view(time_view(shown.evaluation, order=order, look=shown.look, paged=False), shown.look.theme)


register_tab("time", TimeTab)
