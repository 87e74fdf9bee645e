"""Faces and measures of a comparison's table: in the window after the user's font, on paper in the house layout."""

from typing import NamedTuple

from PySide6.QtGui import QFont

from explorer.plot.paint.fonts import EXPORT_SIZE, Face, sans

_SEMI = QFont.Weight.DemiBold


class TableStyle(NamedTuple):
    """Faces and lengths; `grouped`: headers stand under the names of their groups, `fills`: columns take the width."""

    value: Face
    best: Face
    relation: Face
    header: Face
    strong: Face
    name: Face
    row: float
    head: float
    unit: float
    grouped: bool
    fills: bool


def window_style(font: QFont | None = None) -> TableStyle:
    """The table of the window: rows of 37 px at the usual size."""
    base = sans() if font is None else font
    size = base.pixelSize() if base.pixelSize() > 0 else base.pointSizeF() * 96 / 72
    unit = size / EXPORT_SIZE
    return _style(base, unit, (13.0, 10.5, 10.5, 12.5), 37 * unit, 46 * unit, grouped=True)


def paper_style(scale: float = 1.0) -> TableStyle:
    """The table of a slide of 1600 x 900, or smaller where its rows are many."""
    return _style(sans(), scale * 17 / 13, (13.0, 9.9, 9.9, 13.0), 49 * scale, 30 * scale, grouped=False)


def _style(
    base: QFont, unit: float, sizes: tuple[float, float, float, float], row: float, head: float, *, grouped: bool
) -> TableStyle:
    value, relation, header, name = (size * unit for size in sizes)
    return TableStyle(
        Face(base, value),
        Face(base, value, _SEMI),
        Face(base, relation),
        Face(base, header, QFont.Weight.Medium),
        Face(base, header, QFont.Weight.Bold),
        Face(base, name, _SEMI if grouped else QFont.Weight.Medium),
        row,
        head,
        unit,
        grouped,
        fills=not grouped,
    )
