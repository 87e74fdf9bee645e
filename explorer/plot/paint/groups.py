"""Parts of a picture that an SVG names: marks in the drawing, which nothing else shows."""

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QPointF
from PySide6.QtGui import QPaintEngine, QPainter

# private characters, which no text of a study shows: what is invisible there is spelled out
START = "\ue0f1"
END = "\ue0f2"


@contextmanager
def group(painter: QPainter, name: str) -> Iterator[None]:
    """What is painted within is a group of that name in an SVG."""
    named = _is_svg(painter)
    if named:
        painter.drawText(QPointF(0, 0), f"{START}{name}")
    try:
        yield
    finally:
        if named:
            painter.drawText(QPointF(0, 0), f"{END}{name}")


def _is_svg(painter: QPainter) -> bool:
    engine = painter.paintEngine() if isinstance(painter, QPainter) else None
    return engine is not None and engine.type() == QPaintEngine.Type.SVG
