"""A place for sentences in a dialog that is as high for none as for many: what does not fit in scrolls."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QScrollArea

from explorer.ui.hardware.scroll_bar import SlimScrollBar
from explorer.ui.widgets.plain_text import PlainLabel


def with_room(label: PlainLabel, lines: int) -> QScrollArea:
    """The label in a place of so many lines."""
    area = QScrollArea(label.parentWidget())
    area.setFrameShape(QFrame.Shape.NoFrame)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setVerticalScrollBar(SlimScrollBar(area))
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.setFixedHeight(lines * label.fontMetrics().lineSpacing() + 4)
    label.setAlignment(Qt.AlignmentFlag.AlignTop)
    area.setWidget(label)
    label.setAutoFillBackground(False)
    area.viewport().setAutoFillBackground(False)
    return area
