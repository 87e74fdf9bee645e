"""What the tab asks of a chart below the table: how it is made and painted, and what it is called."""

from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainter

from explorer.plot.views.compared.marks import ComparedMark
from explorer.presentation.palette import Theme
from explorer.ui.session import Shown

Make = Callable[[Shown], Generator[Any, None, None]]
Paint = Callable[[QPainter, QRectF, Any, Theme, QFont], Sequence[ComparedMark]]


class ChartKind(NamedTuple):
    """One chart: its view's name, its words on the switch, and its parts.

    `make` yields until the figure is whole, which it yields last, so that it can be made in slices.
    """

    name: str
    title: str
    make: Make
    paint: Paint
    says: Callable[[Any], str]


def acts(mark: ComparedMark) -> bool:
    """Whether a click on a mark does something."""
    return bool(mark.rows) or mark.batch is not None or mark.context is not None
