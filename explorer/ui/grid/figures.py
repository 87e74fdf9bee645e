"""Figures in cells: the unit that a cell shows, which a bare number typed there keeps."""

from typing import Any, Final, NamedTuple

from explorer.presentation.look import Look
from explorer.presentation.quantities.bare import completed, ending_of, in_ending, stored_text
from explorer.presentation.quantities.quantity import Unit
from explorer.presentation.tables.columns import Column

_TYPED: Final[dict[str, Unit]] = {"s": "s", "B": "B"}  # of columns whose cells are typed with a unit


class ShownFigure(NamedTuple):
    """The figure that a cell shows: its unit, what stands behind its number, its value."""

    unit: Unit
    ending: str
    value: float | None
    look: Look

    def completed(self, typed: str) -> str:
        """What was typed, a bare number with the cell's unit."""
        return completed(typed, self.ending)

    def stored(self, typed: str) -> str:
        """What will be stored, where the text itself does not say it."""
        return stored_text(typed, self.unit, self.ending, self.value, self.look)

    def in_full(self, value: float | None) -> str:
        """A value as the editor of the cell begins with it."""
        return in_ending(value, self.unit, self.ending)


def shown_figure(row: Any, column: Column[Any], look: Look) -> ShownFigure | None:
    """The figure of a cell that is typed with its unit; None for every other cell."""
    unit = _TYPED.get(column.unit) if column.edit == "text" else None
    if unit is None:
        return None
    value = column.value(row)
    usual = look.unit if unit == "B" else "ms"
    ending = ending_of(column.text(row, look), unit) or usual
    return ShownFigure(unit, ending, value if isinstance(value, int | float) else None, look)
