"""What is done with the rows and columns of a comparison: each gesture is an edit of the view or of the study."""

from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtCore import QObject, QPoint, QRectF, Qt

from explorer.analysis.ask.comparison.subjects import subjects
from explorer.analysis.study.apply import applied
from explorer.analysis.study.edit_hardware import LARGEST_COUNT
from explorer.analysis.study.edits import change_hardware
from explorer.analysis.study.study import HardwareEntry
from explorer.plot.views.compared.marks import ComparedMark
from explorer.presentation.hardware.entries import plain_name
from explorer.ui.compare.chosen import set_baseline
from explorer.ui.compare.table.menus import row_menu
from explorer.ui.compare.table.sorting import next_sort
from explorer.ui.compare.table.view import CompareGrid
from explorer.ui.hardware.count_editor import CountEditor
from explorer.ui.look.text import tr
from explorer.ui.session import Session

Offer = tuple[str, Callable[[], object]]
_AMONG = frozenset({"machines", "models"})  # of which one can be the baseline


class CompareGestures(QObject):
    """Listens to a table; `copy` is what else its menu offers."""

    def __init__(self, session: Session, grid: CompareGrid, copy: Callable[[], object], parent: QObject) -> None:
        super().__init__(parent)
        self._session, self._grid, self._copy = session, grid, copy
        grid.row_wanted.connect(self.use)
        grid.baseline_wanted.connect(self.compare_with)
        grid.sort_wanted.connect(self.sort)
        grid.count_wanted.connect(self.count)
        grid.menu_wanted.connect(self.offer)

    @property
    def _vary(self) -> str:
        return self._session.store.study.view.vary

    def use(self, key: str) -> None:
        """Make a machine the active device."""
        if self._vary == "machines":
            self._session.store.set_view(active_hardware=key)

    def compare_with(self, key: str) -> None:
        """Make a row the baseline."""
        if self._vary in _AMONG:
            set_baseline(self._session, key)

    def sort(self, figure: str) -> None:
        """Order by a figure: best first, the other way round, not."""
        view = self._session.store.study.view
        self._session.store.set_view(compare_sort=next_sort(figure, view.compare_sort, view.vary))

    def count(self, key: str, typed: str) -> None:
        """Change how many of a machine there are: one more, one fewer, or in a field in its row."""
        entry = self._entry(key)
        if entry is None:
            return
        number, grid = entry.count, self._grid
        if typed in {"+", "-"}:
            self._set_count(key, number + (1 if typed == "+" else -1))
            return
        place = QRectF(grid.visualRect(grid.words.index(grid.words.position(key), 0)))
        place.setLeft(place.right() - 4 * grid.fontMetrics().height())
        editor = CountEditor(number, LARGEST_COUNT, plain_name(entry.device), place, grid.viewport())
        editor.counted.connect(lambda count: self._set_count(key, count))
        editor.left.connect(lambda: grid.setFocus(Qt.FocusReason.OtherFocusReason))
        if typed:
            editor.lineEdit().setText(f"×{typed}")

    def _entry(self, key: str) -> HardwareEntry | None:
        found = self._session.store.study.hardware if self._vary == "machines" else ()
        return next((e for e in found if e.id == key), None)

    def _set_count(self, key: str, count: int) -> None:
        entry, study = self._entry(key), self._session.store.study
        fitting = min(max(1, count), LARGEST_COUNT)
        if entry is not None and fitting != entry.count:
            text = tr("Number of {name}", name=plain_name(entry.device))
            self._session.store.replace(change_hardware(study, key, count=fitting), text)

    def apply_variant(self, key: str) -> None:
        """Make the study what a row shows: its model, its formats, its what-if."""
        found = next((s for s in subjects(self._session.state.evaluation) if s.key == key), None)
        if found is not None and found.edit is not None:
            self._session.store.replace(applied(self._session.store.study, found.edit), tr("Use what is compared"))

    def offer(self, at: QPoint, row: int, column: int) -> None:
        """A menu of what can be done with a row and a column."""
        grid = self._grid
        key = grid.key_at(row)
        offers = self._of_row(key) if key or row >= 0 else []
        if 0 < column < len(grid.words.columns):
            figure = grid.words.columns[column]
            offers.append((tr("Sort by {figure} (S)", figure=figure.title), lambda: self.sort(figure.key)))
        offers.append((tr("Copy table"), self._copy))
        row_menu(grid, offers).popup(at)

    def _of_row(self, key: str) -> list[Offer]:
        if self._vary not in _AMONG:
            found = subjects(self._session.state.evaluation)
            usable = any(s.key == key and s.edit is not None and s.evaluation is not None for s in found)
            return [(tr("Use it in the study"), lambda: self.apply_variant(key))] if usable else []
        offers: list[Offer] = [(tr("Make it the baseline (B)"), lambda: self.compare_with(key))]
        if self._vary == "machines":
            offers.append((tr("Make it the active device (Enter)"), lambda: self.use(key)))
            offers.append((tr("Number of devices… (F2)"), lambda: self.count(key, "")))
        else:
            offers.append((tr("Use this model"), lambda: self.apply_variant(key)))
        words = tr("Draw its speed-up over the baseline")
        return [*offers, (words, lambda: self._session.store.set_view(compare_with=key))]

    def choose(self, mark: ComparedMark) -> None:
        """What a click on a chart chooses: batch and context as one edit, or operators."""
        store = self._session.store
        fields = {"batch": mark.batch, "context": mark.context}
        chosen = {name: value for name, value in fields.items() if value is not None}
        if chosen:
            words = tr("Batch and context") if len(chosen) > 1 else tr("Batch")
            store.edit(words, workload=replace(store.study.workload, **chosen))
        elif mark.rows:
            store.set_view(selection=mark.rows)
