"""How the selected figure comes about: formula, numbers, result, unit and source, as text to copy."""

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFontMetricsF, QPalette
from PySide6.QtWidgets import QVBoxLayout, QWidget

from explorer.presentation.explain.explain import explain
from explorer.presentation.explain.layout import lay_out
from explorer.presentation.explain.lines import Explanation
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.widgets.block_text import BlockText
from explorer.ui.widgets.elided import ElidedLabel
from explorer.ui.widgets.throttle import Paced

_COMPARES = "compare"  # the tab beside which an operator on all devices comes first


class Inspector(QWidget):
    """Explains the selected operators, or the total that was asked for, on the active device."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._shown: Shown | None = None
        self._total = ""
        self._heading = ""
        self._lines: Explanation | None = None
        self.paced = Paced(self._explain, self)
        self.heading = ElidedLabel(self)
        font = self.heading.font()
        font.setBold(True)
        self.heading.setFont(font)
        self.about = ElidedLabel(self)
        self.text = BlockText(self)
        self.text.setAccessibleName(tr("How the figure comes about"))
        self.text.width_changed.connect(self._show)
        self._box = box = QVBoxLayout(self)
        box.setContentsMargins(12, 4, 10, 9)
        box.setSpacing(2)
        for widget in (self.heading, self.about):
            box.addWidget(widget)
        box.addSpacing(2)
        box.addWidget(self.text, 1)

    def apply(self, old: Shown | None, new: Shown) -> None:
        if old is not None and (
            old.view.selection != new.view.selection or old.study.active_model != new.study.active_model
        ):
            self._total = ""
        if old is None or old.look.theme is not new.look.theme:
            self._dress(new)
        unchanged = (
            old is not None
            and old.evaluation.evaluator is new.evaluation.evaluator
            and old.view.selection == new.view.selection
            and old.evaluation.active is new.evaluation.active
            and old.evaluation.baseline is new.evaluation.baseline
            and (old.view.tab == _COMPARES) == (new.view.tab == _COMPARES)
            and old.look is new.look
        )
        self._shown = new
        if not unchanged:
            self.paced.ask(dragging=bool(self._session.store.drag_key))

    def set_corner(self, choice: QWidget) -> None:
        """Stand above all else: what chooses between this and the step."""
        self._box.insertWidget(0, choice, 0, Qt.AlignmentFlag.AlignLeft)

    def show_total(self, key: str) -> None:
        """Explain a total by its key (`floor_s`, `memory_bytes`, `peak`, ...) until the selection changes."""
        self._total = key
        self._explain()

    def leave_total(self) -> bool:
        """Go back from a total to what is selected; False where no total is explained."""
        left = bool(self._total)
        if left:
            self.show_total("")
        return left

    def _dress(self, new: Shown) -> None:
        self.text.set_theme(new.look.theme)
        self.about.setForegroundRole(QPalette.ColorRole.PlaceholderText)

    def _explain(self) -> None:
        shown = self._shown
        if shown is None:
            return
        known = {row.name for row in shown.evaluation.rows}
        rows = [name for name in shown.view.selection if name in known]  # those of another model explain nothing
        compares = shown.view.tab == _COMPARES
        self._lines = explain(shown.evaluation, rows=rows, total=self._total, look=shown.look, compares=compares)
        self._show()

    def _show(self) -> None:
        found = self._lines
        if found is None:
            return
        self.heading.show_text(found.heading)
        self.about.setVisible(bool(found.about))
        self.about.show_text(found.about)
        same = found.heading == self._heading
        self._heading = found.heading
        self.text.show_blocks(lay_out(found.lines, self.text.columns()), keep_place=same)

    def sizeHint(self) -> QSize:
        width = QFontMetricsF(self.text.font()).horizontalAdvance("0" * 40)
        return QSize(round(width) + 44, 130)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 96)  # beside a whole decode panel at 1600 x 1000
