"""One line that says why something was refused, cut where there is no room for it."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import PlainLabel, set_tip


class Remark(PlainLabel):
    """Takes the room that is left and asks for none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.setAccessibleName(tr("Remark on the table"))

    def say(self, text: str) -> None:
        """Show a sentence, or nothing."""
        if text != self.text():
            self.setText(text)
            set_tip(self, text)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def paintEvent(self, _event: QPaintEvent) -> None:
        if not self.text():
            return
        with QPainter(self) as painter:
            painter.setPen(self.palette().brightText().color())
            text = self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.width())
            painter.drawText(self.rect(), int(Qt.AlignmentFlag.AlignVCenter) | int(Qt.AlignmentFlag.AlignLeft), text)
