"""A pill that does something: words and, in bold, what it would bring."""

import re

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFocusEvent, QFont, QPainter, QPaintEvent, QPalette, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from explorer.ui.widgets.rich_line import Run, runs_of
from explorer.ui.widgets.widget_fonts import FontPair, WidgetFonts, scaled

_DIGIT = re.compile(r"\d")
_STALE = 0.45
LEAST = 24  # logical pixels that a finger or a shaking hand needs


class Chip(QAbstractButton):
    """One lever."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._runs: tuple[Run, ...] = ()
        self._marked = ""
        self._stale = False
        self._by_keys = False
        self._faces = WidgetFonts(_plain_and_bold)
        self._hint: tuple[FontPair, QSize] | None = None
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)

    def show_text(self, marked: str) -> None:
        """Show words marked with `<b>`."""
        if marked != self._marked:
            wide = self.sizeHint().width()
            self._marked, self._runs, self._hint = marked, runs_of(marked), None
            self.setAccessibleName("".join(text for text, _ in self._runs))
            if self.sizeHint().width() != wide:
                self.updateGeometry()
            self.update()

    def set_stale(self, *, stale: bool) -> None:
        """Shade while the figure belongs to an earlier state."""
        if stale != self._stale:
            self._stale = stale
            self.update()

    @property
    def stale(self) -> bool:
        """Whether the figure belongs to an earlier state."""
        return self._stale

    def focusInEvent(self, event: QFocusEvent) -> None:
        """The ring shows where the keyboard led here, not where a window opened."""
        self._by_keys = event.reason() in {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason}
        super().focusInEvent(event)

    def sizeHint(self) -> QSize:
        faces = self._faces.of(self.font())
        if self._hint is not None and self._hint[0] is faces:
            return self._hint[1]
        height = max(LEAST, faces[0].height * 1.65)
        # as wide as with its widest digits: the chips stand still while figures change
        width = sum(faces[bold].width(_DIGIT.sub("0", text)) for text, bold in self._runs)
        self._hint = (faces, QSize(round(width + height), round(height)))
        return self._hint[1]

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        role, palette = QPalette.ColorRole, self.palette()
        box = QRectF(self.rect()).adjusted(0.75, 0.75, -0.75, -0.75)
        ringed = self.hasFocus() and self._by_keys
        edge = role.Highlight if self.underMouse() or ringed else role.Mid
        painter.setPen(QPen(palette.color(edge), 1.5 if ringed else 1.0))
        painter.setBrush(palette.color(role.AlternateBase if self.isDown() else role.Base))
        painter.drawRoundedRect(box, box.height() / 2, box.height() / 2)
        painter.setOpacity(_STALE if self._stale else 1.0)
        faces = self._faces.of(self.font())
        x = self.height() / 2
        baseline = (self.height() + faces[1].metrics.capHeight()) / 2
        for text, bold in self._runs:
            painter.setFont(faces[bold].font)
            painter.setPen(palette.color(role.WindowText if bold else role.PlaceholderText))
            painter.drawText(QPointF(x, baseline), text)
            x += faces[bold].width(text)
        painter.end()


def _plain_and_bold(font: QFont) -> tuple[QFont, QFont]:
    plain, bold = scaled(font, 0.92), scaled(font, 0.92)
    bold.setBold(True)
    return plain, bold
