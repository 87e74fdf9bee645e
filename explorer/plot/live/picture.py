"""A figure as pixels: what rests is painted once into a pixmap, what moves is painted over it."""

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QFont, QImage, QPainter, QPixmap

from explorer.plot.paint.figure import paint_points, paint_static
from explorer.plot.paint.layout import ChartLayout, StaticLayout, layout
from explorer.presentation.palette import Theme
from explorer.presentation.roofline.figure import Figure


class Picture:
    """Keeps the layout and the pixmap of its resting part while both hold."""

    def __init__(self) -> None:
        self.layout: ChartLayout | None = None
        self.redraws = 0  # of the resting part
        self._pixmap: QPixmap | None = None
        self._painted: StaticLayout | None = None

    def lay_out(self, figure: Figure, rect: QRectF, theme: Theme, font: QFont, *, hold: bool = False) -> ChartLayout:
        """Place everything; the resting part stays where it can, with `hold` even under points."""
        self.layout = layout(figure, rect, theme, font, self.layout, hold=hold)
        return self.layout

    def paint_under(self, painter: QPainter, ratio: float) -> None:
        """Grid, zones and roofs, from the pixmap; `ratio` is device pixels per logical pixel."""
        if self.layout is None:
            return
        pixmap = self._pixmap
        if pixmap is None or self._painted is not self.layout.static or pixmap.devicePixelRatio() != ratio:
            pixmap = self._draw(self.layout, ratio)
        painter.drawPixmap(self.layout.static.rect.topLeft(), pixmap)

    def _draw(self, shown: ChartLayout, ratio: float) -> QPixmap:
        wanted = (shown.static.rect.size() * ratio).toSize().expandedTo(QSize(1, 1))
        pixmap = self._pixmap
        if pixmap is None or pixmap.size() != wanted:  # fresh pages cost more than the painting
            pixmap = QPixmap(wanted)
        pixmap.setDevicePixelRatio(ratio)
        painter = QPainter(pixmap)
        painter.translate(-shown.static.rect.topLeft())
        paint_static(painter, shown)
        painter.end()
        self._pixmap, self._painted = pixmap, shown.static
        self.redraws += 1
        return pixmap

    def paint_over(self, painter: QPainter) -> None:
        """Points, labels and trail."""
        if self.layout is not None:
            paint_points(painter, self.layout)

    def snapshot(self, scale: float) -> QImage:
        """The whole picture at a scale of its own, for the clipboard."""
        if self.layout is None:
            return QImage()
        rect = self.layout.static.rect
        image = QImage((rect.size() * scale).toSize(), QImage.Format.Format_RGB32)
        image.fill(QColor(self.layout.static.theme.panel))
        painter = QPainter(image)
        painter.setRenderHints(QPainter.RenderHint.Antialiasing | QPainter.RenderHint.TextAntialiasing)
        painter.scale(scale, scale)
        painter.translate(-rect.topLeft())
        paint_static(painter, self.layout)
        paint_points(painter, self.layout)
        painter.end()
        return image
