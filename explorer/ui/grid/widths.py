"""Column widths: natural ones, stretched to the view, with those that the user set kept."""

from PySide6.QtCore import QObject, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QTableView

from explorer.ui.grid.delegate import RowDelegate
from explorer.ui.grid.rows_model import RowsModel

# how much of the spare room a column takes, and how much at most in heights of a line: figures stay near each other
_GROWTH = {"name": (2.0, 10.0), "bar": (2.0, 6.0), "mark": (0.0, 0.0), "check": (0.2, 1.0)}
_OTHERS = (1.0, 2.5)


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

    def grow(self, needed: dict[str, int]) -> None:
        """Make columns as wide as figures need that came since they were measured."""
        self._natural |= {k: max(w, self._natural.get(k, 0)) for k, w in needed.items()}
        self._chosen |= {k: max(w, needed.get(k, 0)) for k, w in self._chosen.items()}
        self.share_out()

    def share_out(self) -> None:
        """Give each column its natural width and a share of the room left, but no more than looks well."""
        columns = self._model.columns
        widths = [self._chosen.get(c.key) or self._natural.get(c.key, 80) for c in columns]
        spare = self._view.viewport().width() - sum(widths)
        growth = [(0.0, 0.0) if c.key in self._chosen else _GROWTH.get(c.style, _OTHERS) for c in columns]
        total = sum(part for part, _ in growth)
        if spare > 0 and total > 0:
            em = self._delegate.style.em
            more = [int(min(part * spare / total, most * em)) for part, most in growth]
            widths = [w + m for w, m in zip(widths, more, strict=True)]
        self._busy = True
        for i, width in enumerate(widths):
            if self._view.columnWidth(i) != width:
                self._view.setColumnWidth(i, width)
        self._busy = False

    def _resized(self, section: int, _old: int, new: int) -> None:
        """Remember what the user dragged; a column of figures stays wide enough for them."""
        columns = self._model.columns
        dragged = bool(QGuiApplication.mouseButtons() & Qt.MouseButton.LeftButton)
        if self._busy or section >= len(columns) or not dragged:
            return
        column = columns[section]
        least = self._natural.get(column.key, 0) if column.right else 0
        self._chosen[column.key] = max(new, least)
        if new < least:
            self._busy = True
            self._view.setColumnWidth(section, least)
            self._busy = False
