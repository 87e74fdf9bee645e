"""A row of exclusive choices drawn as one control."""

from collections.abc import Sequence

from PySide6.QtCore import QRectF, QSize, Qt, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPainterPath, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QButtonGroup, QHBoxLayout, QWidget

from explorer.ui.widgets.chip import LEAST
from explorer.ui.widgets.plain_text import set_tip

RADIUS = 5.0


class Segment(QAbstractButton):
    """One choice; the chosen one is filled with the accent."""

    def __init__(self, text: str, *, first: bool, last: bool, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._first, self._last = first, last
        self.setText(text)
        self.setCheckable(True)
        self.setAccessibleName(text)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)

    def sizeHint(self) -> QSize:
        metrics = QFontMetrics(self.font())
        return QSize(metrics.horizontalAdvance(self.text()) + 24, max(LEAST, metrics.height() + 9))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        palette, role = self.palette(), QPalette.ColorRole
        painter.setClipRect(self.rect())
        # the outline runs on behind the neighbours, so that only the ends of the row are round
        wide = QRectF(self.rect()).adjusted(
            0.5 if self._first else -2 * RADIUS, 0.5, -0.5 if self._last else 2 * RADIUS, -0.5
        )
        path = QPainterPath()
        path.addRoundedRect(wide, RADIUS, RADIUS)
        painter.fillPath(path, palette.brush(role.Highlight if self.isChecked() else role.Base))
        painter.setPen(QPen(palette.color(role.Highlight if self.hasFocus() else role.Mid), 1.0))
        painter.drawPath(path)
        group = QPalette.ColorGroup.Active if self.isEnabled() else QPalette.ColorGroup.Disabled
        painter.setPen(palette.color(group, role.HighlightedText if self.isChecked() else role.Text))
        painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignCenter), self.text())
        painter.end()


class Segmented(QWidget):
    """Exclusive choices; `chosen` tells the key of the one the user picked."""

    chosen = Signal(str)

    def __init__(self, choices: Sequence[tuple[str, str]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.buttons: dict[str, Segment] = {}
        group = QButtonGroup(self)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for i, (key, text) in enumerate(choices):
            button = Segment(text, first=i == 0, last=i == len(choices) - 1, parent=self)
            button.clicked.connect(lambda _checked=False, k=key: self.chosen.emit(k))
            group.addButton(button)
            row.addWidget(button)
            self.buttons[key] = button

    def allow(self, key: str, *, allowed: bool, why: str = "") -> None:
        """Whether a choice may be picked; where not, its tooltip says why."""
        self.buttons[key].setEnabled(allowed)
        set_tip(self.buttons[key], "" if allowed else why)

    def rename(self, key: str, text: str) -> None:
        """Call a choice otherwise."""
        if self.buttons[key].text() != text:
            self.buttons[key].setText(text)
            self.buttons[key].setAccessibleName(text)
            self.buttons[key].updateGeometry()

    def choose(self, key: str) -> None:
        """Show a choice without telling anyone."""
        self.buttons[key].setChecked(True)
