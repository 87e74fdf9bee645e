"""Painters of figures by the figure's type; those of a view are registered by its module, `plot/views/NAME.py`."""

from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple, TypeVar

from PySide6.QtCore import QRectF
from PySide6.QtGui import QPainter

from explorer.presentation.palette import Theme
from explorer.presentation.views.declared import VIEWS

Drawn = TypeVar("Drawn")


class Painted(NamedTuple):
    """How figures of a type are painted, and what room they want: the height in a width, the least width.

    Without a height a figure fills whatever room it gets.
    """

    paint: Callable[[QPainter, QRectF, Any, Theme], object]
    height: Callable[[Any, float], float] | None = None
    least: Callable[[Any], float] | None = None


_PAINTERS: dict[type[Any], Painted] = {}


def register_painter(
    figure: type[Drawn],
    paint: Callable[[QPainter, QRectF, Drawn, Theme], object],
    height: Callable[[Drawn, float], float] | None = None,
    least: Callable[[Drawn], float] | None = None,
) -> None:
    """Say how figures of a type are painted within a rectangle on paper, and what room they want there."""
    _PAINTERS[figure] = Painted(paint, height, least)


def painted(name: str, figure: object) -> Painted:
    """How a figure of a view or block is painted; its module is loaded where nobody did yet."""
    if type(figure) not in _PAINTERS:
        import_module(f"explorer.plot.views.{VIEWS[name].module if name in VIEWS else name}")
    return _PAINTERS[type(figure)]
