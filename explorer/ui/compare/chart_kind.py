"""What the tab asks of a chart below the table: how it is made, painted, and what its marks say and do."""

from collections.abc import Callable, Generator, Sequence
from typing import Any, NamedTuple

from PySide6.QtCore import QRectF
from PySide6.QtGui import QFont, QPainter

from explorer.presentation.palette import Theme
from explorer.ui.session import Shown


class ChartSpot(NamedTuple):
    """A mark that can be pointed at: where it is, what it says, and what a click does: rows, batch or context."""

    area: QRectF
    text: str
    rows: tuple[str, ...] = ()
    batch: int | None = None
    context: int | None = None

    @property
    def acts(self) -> bool:
        """Whether a click does something."""
        return bool(self.rows) or self.batch is not None or self.context is not None


Make = Callable[[Shown], Generator[Any, None, None]]
Paint = Callable[[QPainter, QRectF, Any, Theme, QFont], Sequence[ChartSpot]]


class ChartKind(NamedTuple):
    """One chart: its view's name, its words on the switch, and its parts.

    `make` yields the figure so far, the whole one last, so that it can be made in slices.
    """

    name: str
    title: str
    make: Make
    paint: Paint
    says: Callable[[Any], str]
