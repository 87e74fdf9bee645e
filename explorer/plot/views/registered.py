"""Painters of figures by the figure's type; those of a view are registered by its module, `plot/views/NAME.py`."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, TypeVar

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.plot.views.heading import page_scale, paint_heading
from explorer.plot.views.page import EDGE
from explorer.presentation.palette import Theme
from explorer.presentation.views.declared import Titled

Drawn = TypeVar("Drawn")

_PAINTERS: dict[type[Any], Callable[[QPainter, QRectF, Any, Theme], object]] = {}


def register_painter(figure: type[Drawn], paint: Callable[[QPainter, QRectF, Drawn, Theme], object]) -> None:
    """Say how figures of a type are painted on paper."""
    _PAINTERS[figure] = paint


def paint_view(name: str, painter: QPainter, rect: QRectF, figure: object, theme: Theme) -> None:
    """Paint the figure of a view on paper."""
    if isinstance(figure, Titled):
        rect, figure = _under_title(painter, rect, figure, theme), figure.figure
    if type(figure) not in _PAINTERS:
        import_module(f"explorer.plot.views.{name}")
    _PAINTERS[type(figure)](painter, rect, figure, theme)


def _under_title(painter: QPainter, rect: QRectF, titled: Titled, theme: Theme) -> QRectF:
    """Paint the title; returns the room below it."""
    scale = page_scale(rect)
    painter.fillRect(rect, theme.panel)
    painter.save()
    painter.translate(rect.topLeft())
    painter.scale(scale, scale)
    page = QRectF(0, 0, rect.width() / scale, rect.height() / scale)
    taken = scale * paint_heading(painter, page, titled.title, titled.subtitle, theme, EDGE / scale)
    painter.restore()
    return rect.adjusted(0, taken, 0, 0)
