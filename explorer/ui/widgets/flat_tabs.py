"""Tabs as plain words with an accent line under the current one."""

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QPainter, QPaintEvent, QPalette
from PySide6.QtWidgets import QTabBar, QTabWidget, QWidget

LINE = 2


class FlatTabBar(QTabBar):
    """Paints words and one line; keeps Qt's keys, mouse and accessibility."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setUsesScrollButtons(False)
        self.setMouseTracking(True)

    def tabSizeHint(self, index: int) -> QSize:
        metrics = QFontMetrics(self._font(current=True))
        text = self.tabText(index).replace("&", "")
        return QSize(metrics.horizontalAdvance(text) + 2 * metrics.averageCharWidth() + 8, metrics.height() + 14)

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def _font(self, *, current: bool) -> QFont:
        font = QFont(self.font())
        font.setWeight(QFont.Weight.DemiBold if current else QFont.Weight.Normal)
        return font

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        palette = self.palette()
        for index in range(self.count()):
            self._paint_tab(painter, palette, index)
        painter.end()

    def _paint_tab(self, painter: QPainter, palette: QPalette, index: int) -> None:
        current = index == self.currentIndex()
        rect = self.tabRect(index)
        under_mouse = rect.contains(self.mapFromGlobal(self.cursor().pos())) and self.underMouse()
        painter.setFont(self._font(current=current))
        lively = current or under_mouse
        painter.setPen(palette.color(QPalette.ColorRole.Text if lively else QPalette.ColorRole.PlaceholderText))
        painter.drawText(rect, int(Qt.AlignmentFlag.AlignCenter), self.tabText(index).replace("&", ""))
        if current:
            line = QRect(rect.left() + 4, rect.bottom() - LINE, rect.width() - 8, LINE)
            painter.fillRect(line, palette.color(QPalette.ColorRole.Highlight))
        if current and self.hasFocus():
            painter.setPen(palette.color(QPalette.ColorRole.Highlight))
            painter.drawRoundedRect(rect.adjusted(2, 3, -3, -6), 4, 4)


class FlatTabWidget(QTabWidget):
    """A tab widget with the flat bar and no frame."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setTabBar(FlatTabBar(self))
        self.setDocumentMode(True)
