"""A label that cuts its text with an ellipsis instead of widening its panel."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from explorer.presentation.words.visible import one_line, shortened
from explorer.ui.widgets.plain_text import MOST_OF_A_TIP, PlainLabel, set_tip


class ElidedLabel(PlainLabel):
    """One line; the whole text stands in the tooltip where it is cut."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._whole = ""
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def show_text(self, text: str) -> None:
        """Show a text."""
        text = one_line(shortened(text, MOST_OF_A_TIP))
        if text != self._whole:
            self._whole = text
            self._fit()

    def _fit(self) -> None:
        cut = self.fontMetrics().elidedText(self._whole, Qt.TextElideMode.ElideRight, self.width())
        if cut != self.text():
            self.setText(cut)
        set_tip(self, self._whole if cut != self._whole else "")

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def minimumSizeHint(self) -> QSize:
        return QSize(40, self.fontMetrics().height())
