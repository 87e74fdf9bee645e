"""A bar that says one sentence and can be closed; problems never open a dialog."""

from collections.abc import Callable

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QWidget

from explorer.presentation.visible import one_line
from explorer.ui.text import tr
from explorer.ui.widgets.card import RADIUS
from explorer.ui.widgets.plain import PlainLabel


class Notice(QWidget):
    """One sentence above the panels, hidden while there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = PlainLabel(self)
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.label.setAccessibleName(tr("Message"))
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.action = QPushButton(tr("Do it"), self)
        self.action.hide()
        self.action.clicked.connect(self._on_action)
        self._act: Callable[[], None] | None = None
        close = QPushButton(tr("Close"), self)
        close.clicked.connect(self.hide)
        row = QHBoxLayout(self)
        row.setContentsMargins(14, 7, 8, 5)
        row.addWidget(self.label, 1)
        row.addWidget(self.action)
        row.addWidget(close)
        self.hide()

    def say(self, text: str) -> None:
        """Show a sentence until it is closed or another one comes."""
        self.action.hide()
        self.label.setText(one_line(text))
        self.show()

    def offer(self, text: str, button: str, act: Callable[[], None]) -> None:
        """Show a sentence with one thing to do about it."""
        self.say(text)
        self._act = act
        self.action.setText(button)
        self.action.show()

    def _on_action(self) -> None:
        act, self._act = self._act, None
        self.hide()
        if act is not None:
            act()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()).adjusted(0.5, 2.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.fillPath(shape, self.palette().base())
        painter.setClipPath(shape)
        painter.fillRect(0, 0, 4, self.height(), self.palette().highlight())
        painter.setClipping(False)
        painter.strokePath(shape, QPen(self.palette().mid().color(), 1.0))
        painter.end()
