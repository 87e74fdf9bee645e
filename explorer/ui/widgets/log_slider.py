"""A slider over whole numbers, on a log scale or an even one, with marks; painted with the palette."""

from collections.abc import Callable, Sequence

import msgspec
from PySide6.QtCore import QEvent, QPointF, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QHelpEvent,
    QHideEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QPen,
    QWheelEvent,
)
from PySide6.QtWidgets import QSlider, QWidget

from explorer.presentation.quantities.linear_scale import LinearScale
from explorer.presentation.quantities.log_scale import LogScale
from explorer.ui.widgets.plain_text import show_tip
from explorer.ui.widgets.widget_fonts import WidgetFonts, scaled

Scale = LogScale | LinearScale
_NEAR = 5.0  # logical pixels within which a mark's sentence shows


class SliderMark(msgspec.Struct, frozen=True):
    """A value of note; a `wall` greys out what lies beyond it. First marks win where names collide."""

    value: float
    text: str
    tip: str
    wall: bool = False


class LogSlider(QSlider):
    """Arrows step, Page keys double and halve, Home and End go to the ends; the wheel needs focus.

    `edited` tells every value the user chooses, `released` the end of a drag or of a key's press.
    """

    edited = Signal(int)
    released = Signal()

    def __init__(self, scale: Scale, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self._marks: tuple[SliderMark, ...] = ()
        self._faces = WidgetFonts(lambda font: (font, scaled(font, 0.82)))
        self._placed: tuple[tuple[float, int], QRectF] = ((0.0, 0), QRectF())
        self._quiet = False
        self._log: Scale = scale
        self.setRange(scale.low, scale.high)
        self.valueChanged.connect(self._on_value)

    def set_scale(self, scale: Scale) -> None:
        """Change the ends."""
        if scale != self._log:
            self._log = scale
            self._quiet = True
            self.setRange(scale.low, scale.high)
            self._quiet = False
            self.update()

    def show_value(self, value: int) -> None:
        """Show a value without telling anyone."""
        if value != self.value():
            self._quiet = True
            self.setValue(value)
            self._quiet = False

    def set_marks(self, marks: Sequence[SliderMark]) -> None:
        """Values of note, the most important first."""
        if tuple(marks) != self._marks:
            self._marks = tuple(marks)
            self.update()

    @property
    def marks(self) -> tuple[SliderMark, ...]:
        """The values of note."""
        return self._marks

    def x_of(self, value: float) -> float:
        """Where a value stands, in pixels."""
        groove = self._groove()
        return groove.left() + groove.width() * self._log.fraction(value)

    def value_at(self, x: float) -> int:
        """The stop nearest to a position."""
        groove = self._groove()
        return self._log.value((x - groove.left()) / max(1.0, groove.width()))

    def _on_value(self, value: int) -> None:
        if not self._quiet:
            self.edited.emit(value)

    # size and geometry, from the font alone

    def _radius(self) -> float:
        return self._faces.of(self.font()).first.whole_height * 0.42

    def _groove(self) -> QRectF:
        radius, width = self._radius(), self.width()
        if self._placed[0] != (radius, width):
            thick = max(3.0, radius * 0.55)
            self._placed = ((radius, width), QRectF(radius + 1, radius + 1 - thick / 2, width - 2 * radius - 2, thick))
        return self._placed[1]

    def sizeHint(self) -> QSize:
        names = self._faces.of(self.font()).second.height
        return QSize(self.fontMetrics().averageCharWidth() * 30, round(2 * self._radius() + names + 4))

    def minimumSizeHint(self) -> QSize:
        return QSize(self.fontMetrics().averageCharWidth() * 12, self.sizeHint().height())

    # painting

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._paint_groove(painter)
        self._paint_marks(painter)
        self._paint_handle(painter)
        painter.end()

    def _paint_groove(self, painter: QPainter) -> None:
        groove, palette = self._groove(), self.palette()
        radius = groove.height() / 2
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(palette.color(QPalette.ColorRole.Mid))
        painter.drawRoundedRect(groove, radius, radius)
        wall = next((m for m in self._marks if m.wall), None)
        if wall is not None and wall.value < self._log.high:
            beyond = QRectF(groove)
            beyond.setLeft(self.x_of(wall.value))
            painter.setBrush(_faint(palette.color(QPalette.ColorRole.BrightText)))
            painter.drawRoundedRect(beyond, radius, radius)
        done = QRectF(groove)
        done.setRight(self.x_of(self.value()))
        over = wall is not None and self.value() > wall.value
        painter.setBrush(palette.color(QPalette.ColorRole.BrightText if over else QPalette.ColorRole.Highlight))
        painter.drawRoundedRect(done, radius, radius)

    def _paint_marks(self, painter: QPainter) -> None:
        groove, palette = self._groove(), self.palette()
        small = self._faces.of(self.font()).second
        painter.setFont(small.font)
        top = 2 * self._radius() + 2
        taken: list[QRectF] = []
        for mark in self._marks:
            if not self._log.low <= mark.value <= self._log.high:
                continue
            x = self.x_of(mark.value)
            colour = palette.color(QPalette.ColorRole.WindowText if mark.wall else QPalette.ColorRole.PlaceholderText)
            painter.setPen(QPen(colour, 2.0 if mark.wall else 1.4))
            reach = groove.height() * 1.1
            painter.drawLine(QPointF(x, groove.top() - reach), QPointF(x, groove.bottom() + reach))
            width = small.width(mark.text)
            left = min(max(0.0, x - width / 2), self.width() - width)
            box = QRectF(left, top, width, small.height)
            if not any(box.adjusted(-3, 0, 3, 0).intersects(other) for other in taken):
                taken.append(box)
                painter.drawText(QPointF(left, top + small.ascent), mark.text)

    def _paint_handle(self, painter: QPainter) -> None:
        groove, palette, radius = self._groove(), self.palette(), self._radius()
        centre = QPointF(self.x_of(self.value()), groove.center().y())
        accent = palette.color(QPalette.ColorRole.Highlight)
        if self.hasFocus():
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(_faint(accent))
            painter.drawEllipse(centre, radius + 1, radius + 1)
        painter.setPen(QPen(accent, 2.0))
        painter.setBrush(palette.color(QPalette.ColorRole.Base))
        painter.drawEllipse(centre, radius - 1.5, radius - 1.5)

    # hand and keys

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self.setSliderDown(True)
            self.setValue(self.value_at(event.position().x()))
            event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        if self.isSliderDown() and not event.buttons() & Qt.MouseButton.LeftButton:
            self._let_go()  # the release went to another window
        elif self.isSliderDown():
            self.setValue(self.value_at(event.position().x()))
            event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() == Qt.MouseButton.LeftButton:
            self._let_go()
            event.accept()

    def hideEvent(self, event: QHideEvent) -> None:
        super().hideEvent(event)
        self._let_go()

    def _let_go(self) -> None:
        if self.isSliderDown():
            self.setSliderDown(False)
            self.released.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        value = self._by_key(Qt.Key(event.key()))
        if value is None:
            super().keyPressEvent(event)
            return
        self.setValue(value)
        event.accept()

    def _by_key(self, key: Qt.Key) -> int | None:
        """The value a key asks for; None for every other key."""
        now, log, keys = self.value(), self._log, Qt.Key
        ahead = 1 if self.layoutDirection() == Qt.LayoutDirection.LeftToRight else -1
        moves: dict[Qt.Key, Callable[[], int]] = {
            keys.Key_Right: lambda: log.stepped(now, ahead),
            keys.Key_Left: lambda: log.stepped(now, -ahead),
            keys.Key_Up: lambda: log.stepped(now, 1),
            keys.Key_Down: lambda: log.stepped(now, -1),
            keys.Key_PageUp: lambda: log.doubled(now, 1),
            keys.Key_PageDown: lambda: log.doubled(now, -1),
            keys.Key_Home: lambda: log.low,
            keys.Key_End: lambda: log.high,
        }
        move = moves.get(key)
        return None if move is None else move()

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        super().keyReleaseEvent(event)
        if not event.isAutoRepeat() and self._by_key(Qt.Key(event.key())) is not None:
            self.released.emit()

    def wheelEvent(self, event: QWheelEvent) -> None:
        turn = event.angleDelta().y()
        if not self.hasFocus() or turn == 0:
            event.ignore()  # the panel scrolls instead
            return
        self.setValue(self._log.stepped(self.value(), 1 if turn > 0 else -1))
        event.accept()

    def event(self, event: QEvent) -> bool:
        if isinstance(event, QHelpEvent) and event.type() == QEvent.Type.ToolTip:
            x = event.pos().x()
            near = [m for m in self._marks if abs(self.x_of(m.value) - x) <= _NEAR]
            if near:
                show_tip(event.globalPos(), "\n".join(m.tip for m in near), self)
                return True
        return super().event(event)


def _faint(colour: QColor) -> QColor:
    faint = QColor(colour)
    faint.setAlpha(90)
    return faint
