"""A painter that notes what it is told, in device coordinates, and fonts that measure the same on every machine."""

import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple
from unittest.mock import patch

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QBrush, QColor, QFont, QPainter, QPen, QTransform
from PySide6.QtWidgets import QWidget

Place = tuple[float, ...]


class Drawn(NamedTuple):
    """One thing drawn: a rect (x, y, width, height), an ellipse (middle, radii), a text (baseline) or corners."""

    kind: str
    at: Place
    text: str = ""
    pen: str = ""
    brush: str = ""
    font: str = ""
    angle: float = 0.0

    @property
    def rect(self) -> QRectF:
        """What it takes of the paper; of a text, the line from its beginning to its end."""
        if self.kind == "text":
            width = Measures.of(self.font, self.text)
            return QRectF(self.at[0], self.at[1], width if not self.angle else 0.0, 0.0)
        if self.kind == "ellipse":
            x, y, across, down = self.at
            return QRectF(x - across, y - down, 2 * across, 2 * down)
        if self.kind in {"line", "polyline", "polygon"}:
            xs, ys = self.at[::2], self.at[1::2]
            return QRectF(min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))
        return QRectF(*self.at[:4])

    @property
    def right(self) -> float:
        """The right end."""
        return self.rect.right()


class Measures:
    """Stands in for the metrics of a font: every letter is as wide, ideographs are square."""

    def __init__(self, font: QFont) -> None:
        self.size = font.pixelSize() if font.pixelSize() > 0 else font.pointSizeF() * 96 / 72
        self.bold = font.weight() >= QFont.Weight.DemiBold

    @staticmethod
    def of(font: str, text: str) -> float:
        """The width of a text that was drawn."""
        size, weight = font.split("/")
        made = QFont()
        made.setPixelSize(int(size))
        made.setWeight(QFont.Weight(int(weight)))
        return Measures(made).horizontalAdvance(text)

    def horizontalAdvance(self, text: str) -> float:  # noqa: N802 - as Qt has it
        letters = sum(1.0 if ord(letter) > 0x2E80 else 0.54 for letter in text)
        return letters * self.size * (1.06 if self.bold else 1.0)

    def capHeight(self) -> float:  # noqa: N802
        return 0.7 * self.size

    def ascent(self) -> float:
        return 0.95 * self.size

    def descent(self) -> float:
        return 0.25 * self.size

    def height(self) -> float:
        return 1.2 * self.size

    def elidedText(self, text: str, _mode: Qt.TextElideMode, width: float) -> str:  # noqa: N802
        while text and self.horizontalAdvance(text + "…") > width:
            text = text[:-1]
        return text + "…"


@contextmanager
def fixed_fonts() -> Iterator[None]:
    """Within it every font has the fixed measures; what is remembered of others is forgotten before and after."""
    with ExitStack() as stack:
        for module in _modules():
            if hasattr(module, "QFontMetricsF"):
                stack.enter_context(patch.object(module, "QFontMetricsF", Measures))
        _forget()
        yield
    _forget()


def _modules() -> list[Any]:
    return [module for name, module in sorted(sys.modules.items()) if name.startswith("explorer.plot")]


def _forget() -> None:
    for module in _modules():
        for value in list(vars(module).values()):
            if hasattr(value, "cache_clear") and not isinstance(value, type):
                value.cache_clear()


class Recorder:
    """Takes the calls that the program makes to a QPainter."""

    RenderHint = QPainter.RenderHint

    def __init__(self) -> None:
        self.drawn: list[Drawn] = []
        self._transform = QTransform()
        self._pen, self._brush, self._font = QPen(), QBrush(Qt.BrushStyle.NoBrush), QFont()
        self._saved: list[tuple[QTransform, QPen, QBrush, QFont]] = []

    def __call__(self, device: QWidget) -> "Recorder":
        """Stands in for the class, too."""
        self._font = device.font()
        return self

    # state

    def save(self) -> None:
        self._saved.append((QTransform(self._transform), self._pen, self._brush, self._font))

    def restore(self) -> None:
        self._transform, self._pen, self._brush, self._font = self._saved.pop()

    def end(self) -> None:
        assert not self._saved, "every save is restored"

    def setRenderHint(self, *_hint: object) -> None: ...  # noqa: N802
    def setRenderHints(self, *_hint: object) -> None: ...  # noqa: N802
    def setClipRect(self, *_rect: object) -> None: ...  # noqa: N802 - what is cut off is told too

    def setPen(self, pen: Any) -> None:  # noqa: N802
        self._pen = QPen(pen)

    def setBrush(self, brush: Any) -> None:  # noqa: N802
        self._brush = QBrush(brush)

    def setFont(self, font: QFont) -> None:  # noqa: N802
        self._font = QFont(font)

    def translate(self, *by: Any) -> None:
        x, y = by if len(by) == 2 else (by[0].x(), by[0].y())
        self._transform.translate(x, y)

    def scale(self, across: float, down: float) -> None:
        self._transform.scale(across, down)

    def rotate(self, degrees: float) -> None:
        self._transform.rotate(degrees)

    # drawing

    def fillRect(self, rect: QRectF, brush: Any) -> None:  # noqa: N802
        filled = QBrush(QColor(brush) if isinstance(brush, str) else brush)
        self.drawn.append(Drawn("fill", self._box(QRectF(rect)), brush=_brush(filled)))

    def drawRect(self, rect: QRectF) -> None:  # noqa: N802
        self._shape("rect", self._box(QRectF(rect)))

    def drawRects(self, rects: list[QRectF]) -> None:  # noqa: N802
        for rect in rects:
            self.drawRect(rect)

    def drawRoundedRect(self, rect: QRectF, across: float, down: float) -> None:  # noqa: N802
        size = self._size()
        self._shape("rounded", (*self._box(QRectF(rect)), across * size, down * size))

    def drawEllipse(self, middle: QPointF, across: float, down: float) -> None:  # noqa: N802
        size = self._size()
        self._shape("ellipse", (*self._places(middle), across * size, down * size))

    def drawLine(self, *line: Any) -> None:  # noqa: N802
        ends = line if len(line) == 2 else (line[0].p1(), line[0].p2())
        self._shape("line", self._places(*ends))

    def drawLines(self, lines: list[Any]) -> None:  # noqa: N802
        for line in lines:
            self.drawLine(line)

    def drawPolyline(self, corners: Any) -> None:  # noqa: N802
        self._shape("polyline", self._places(*corners))

    def drawPolygon(self, corners: Any) -> None:  # noqa: N802
        self._shape("polygon", self._places(*corners))

    def drawText(self, at: Any, *what: Any) -> None:  # noqa: N802
        place = self._places(at) if isinstance(at, QPointF) else self._box(QRectF(at))
        flags = "" if len(what) == 1 else f" {int(what[0]):#x}"
        angle = round(QTransform(self._transform).map(QPointF(1, 0)).y() - self._transform.map(QPointF(0, 0)).y(), 4)
        font = f"{round(self._font.pixelSize() * self._size())}/{int(self._font.weight())}"
        kind = "text" if isinstance(at, QPointF) else f"text in{flags}"
        self.drawn.append(Drawn(kind, place, what[-1], _colour(self._pen.color()), "", font, angle))

    # in device coordinates

    def _shape(self, kind: str, at: Place) -> None:
        brush = "" if kind in {"line", "polyline"} else _brush(self._brush)
        self.drawn.append(Drawn(kind, at, "", _pen(self._pen, self._size()), brush))

    def _places(self, *points: QPointF) -> Place:
        mapped = [self._transform.map(QPointF(p)) for p in points]
        return tuple(v for p in mapped for v in (p.x(), p.y()))

    def _box(self, rect: QRectF) -> Place:
        return self._transform.mapRect(rect).getRect()

    def _size(self) -> float:
        return abs(self._transform.determinant()) ** 0.5


def _colour(colour: QColor) -> str:
    return colour.name() if colour.alpha() == 255 else colour.name(QColor.NameFormat.HexArgb)


def _pen(pen: QPen, size: float) -> str:
    if pen.style() == Qt.PenStyle.NoPen:
        return "-"
    dashes = "" if pen.style() == Qt.PenStyle.SolidLine else f"/{','.join(f'{d:g}' for d in pen.dashPattern())}"
    return f"{_colour(pen.color())}/{round(pen.widthF() * size, 2):g}{dashes}"


def _brush(brush: QBrush) -> str:
    if brush.style() == Qt.BrushStyle.NoBrush:
        return "-"
    hatch = "" if brush.style() == Qt.BrushStyle.SolidPattern else f"/{brush.style().name}"
    return _colour(brush.color()) + hatch
