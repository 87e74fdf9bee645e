"""Column widths: natural ones, stretched to the view, with those that the user set kept."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QTableView

from explorer.ui.grid.delegate import RowDelegate
from explorer.ui.grid.rows_model import RowsModel

# how much of the spare room a column takes
_GROWTH = {"name": 2.0, "bar": 2.0, "mark": 0.0, "check": 0.2}


class Widths(QObject):
    """Keeps the columns of a view as wide as they need to be."""

    def __init__(self, view: QTableView, model: RowsModel, delegate: RowDelegate) -> None:
        super().__init__(view)
        self._view = view
        self._model = model
        self._delegate = delegate
        self._natural: dict[str, int] = {}
        self._chosen: dict[str, int] = {}
        self._busy = False
        view.horizontalHeader().sectionResized.connect(self._resized)

    def renew(self) -> None:
        """Measure the columns again: words, font or rows changed."""
        self._natural = {c.key: self._delegate.natural_width(c) for c in self._model.columns}
        self.share_out()

    def share_out(self) -> None:
        """Give each column its natural width and a share of the room left."""
        columns = self._model.columns
        widths = [self._chosen.get(c.key) or self._natural.get(c.key, 80) for c in columns]
        spare = self._view.viewport().width() - sum(widths)
        growth = [0.0 if c.key in self._chosen else _GROWTH.get(c.style, 1.0) for c in columns]
        if spare > 0 and sum(growth) > 0:
            unit = spare / sum(growth)
            widths = [w + int(g * unit) for w, g in zip(widths, growth, strict=True)]
        self._busy = True
        for i, width in enumerate(widths):
            if self._view.columnWidth(i) != width:
                self._view.setColumnWidth(i, width)
        self._busy = False

    def _resized(self, section: int, _old: int, new: int) -> None:
        """Remember what the user dragged."""
        columns = self._model.columns
        dragged = bool(QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton)
        if not self._busy and section < len(columns) and dragged:
            self._chosen[columns[section].key] = new
