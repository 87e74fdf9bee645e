"""How many of a device there are, edited where it stands in the picker's row."""

from PySide6.QtCore import QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QKeyEvent
from PySide6.QtWidgets import QSpinBox, QWidget

from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import set_tip


class CountEditor(QSpinBox):
    """Enter or leaving it takes the number, Escape gives up; arrows and wheel step."""

    counted = Signal(int)
    left = Signal()

    def __init__(self, value: int, most: int, name: str, place: QRectF, parent: QWidget) -> None:
        super().__init__(parent)
        self._over = False
        self.setRange(1, most)
        self.setValue(value)
        self.setPrefix("×")
        self.setAccessibleName(tr("Number of {name}", name=name))
        set_tip(self, tr("Rates and capacity count that many times, links are not counted"))
        size = self.sizeHint()
        x = min(place.left() - 4, parent.width() - size.width())
        self.setGeometry(round(x), round(place.center().y() - size.height() / 2), size.width(), size.height())
        self.show()
        self.setFocus(Qt.FocusReason.OtherFocusReason)
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._end(take=False)
        elif event.key() in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self._end(take=True)
        else:
            super().keyPressEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        if event.reason() != Qt.FocusReason.PopupFocusReason:
            self._end(take=True)

    def _end(self, *, take: bool) -> None:
        if self._over:
            return
        self._over = True
        if take:
            self.interpretText()
            self.counted.emit(self.value())
        self.hide()
        self.left.emit()
        self.deleteLater()
