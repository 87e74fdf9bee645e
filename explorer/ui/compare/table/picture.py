"""The compare table as a kept picture, and where its parts lie: the view scrolls it under a frozen column."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from PySide6.QtCore import QRect, QRectF, QSize
from PySide6.QtGui import QFont, QPainter, QPixmap

from explorer.presentation.palette import LIGHT, Theme


class TablePlaces(NamedTuple):
    """Where rows and columns lie in the picture, in logical pixels; edges run from the left and from the top.

    `columns` and `rows` are edges, one more than there are of each; the first row begins where the header ends.
    """

    columns: tuple[float, ...]
    rows: tuple[float, ...]

    @property
    def header(self) -> int:
        """Height of the header."""
        return round(self.rows[0]) if self.rows else 0

    @property
    def names(self) -> int:
        """Width of the first column."""
        return round(self.columns[1]) if len(self.columns) > 1 else 0

    def column_at(self, x: float) -> int:
        """The column at a position, -1 where there is none."""
        return _between(self.columns, x)

    def row_at(self, y: float) -> int:
        """The row at a position, -1 where there is none."""
        return _between(self.rows, y)


NOWHERE = TablePlaces((0.0,), (0.0,))
PaintTable = Callable[[QPainter, QRectF, Theme, QFont], TablePlaces]
SizeTable = Callable[[QFont], QSize]


class TablePicture:
    """Painted when it is first asked for after something changed."""

    def __init__(self) -> None:
        self.places = NOWHERE
        self.theme: Theme = LIGHT
        self._paint: PaintTable | None = None
        self._size: SizeTable | None = None
        self._natural: tuple[str, QSize] | None = None
        self._pixmap: QPixmap | None = None
        self._of: tuple[int, float, str] = (0, 1.0, "")

    def take(self, paint: PaintTable, size: SizeTable, theme: Theme) -> None:
        """Show something else."""
        self._paint, self._size, self.theme, self._pixmap = paint, size, theme, None
        self._natural = None

    def natural(self, font: QFont) -> QSize:
        """What the table wants."""
        if self._size is None:
            return QSize(0, 0)
        if self._natural is None or self._natural[0] != font.toString():
            self._natural = (font.toString(), self._size(font))
        return self._natural[1]

    def pixmap(self, width: int, ratio: float, font: QFont) -> QPixmap | None:
        """The picture, as wide as there is room, never narrower than its figures need."""
        wanted = (width, ratio, font.toString())
        if self._paint is None:
            return None
        if self._pixmap is None or self._of != wanted:
            self._of = wanted
            self._pixmap = self._painted(width, ratio, font)
        return self._pixmap

    def _painted(self, width: int, ratio: float, font: QFont) -> QPixmap:
        natural = self.natural(font)
        size = QSize(max(width, natural.width()), max(1, natural.height()))
        pixmap = QPixmap(size * ratio)
        pixmap.setDevicePixelRatio(ratio)
        pixmap.fill(self.theme.panel)
        with QPainter(pixmap) as painter:
            painter.setRenderHint(QPainter.RenderHint.Antialiasing)
            if self._paint is not None:
                self.places = self._paint(painter, QRectF(0, 0, size.width(), size.height()), self.theme, font)
        return pixmap

    def whole(self, start: int, width: int) -> tuple[int, int]:
        """Where those columns begin and end that are whole in a stretch of the picture; half a figure is another one.

        The stretch itself where none is.
        """
        inside = [round(edge) for edge in self.places.columns if start - 1 <= round(edge) <= start + width]
        return (inside[0], inside[-1]) if len(inside) > 1 else (start, start + width)

    def part(self, left: int, top: int, width: int, height: int) -> QRect:
        """A part of the picture, in its own pixels."""
        ratio = self._of[1]
        return QRect(round(left * ratio), round(top * ratio), round(width * ratio), round(height * ratio))


def _between(edges: Sequence[float], at: float) -> int:
    return next((i for i in range(len(edges) - 1) if edges[i] <= at < edges[i + 1]), -1)
