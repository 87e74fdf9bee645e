"""The lines of a pasted table that were left out, and why."""

from collections.abc import Sequence

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QListWidget, QVBoxLayout, QWidget

from explorer.analysis.problem import Problem
from explorer.presentation.look import Look
from explorer.presentation.words.messages import render_problem
from explorer.ui.look.text import tr
from explorer.ui.widgets.buttons import answer_buttons
from explorer.ui.widgets.plain_text import PlainLabel, guard_copies, set_title


class ProblemList(QDialog):
    """Says what was pasted and lists the rest."""

    def __init__(self, problems: Sequence[Problem], pasted: int, look: Look, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_title(self, tr("Pasted rows"))
        said = tr("Rows pasted: {pasted}. Left out, with the reason:", pasted=pasted)
        label = PlainLabel(said if pasted else tr("Nothing was pasted:"), self)
        self.list = QListWidget(self)
        guard_copies(self.list)
        self.list.setAccessibleName(tr("Problems of the pasted lines"))
        self.list.setWordWrap(True)
        self.list.addItems([render_problem(p, look) for p in problems])
        buttons = answer_buttons(self, QDialogButtonBox.StandardButton.Close)
        box = QVBoxLayout(self)
        for widget in (label, self.list, buttons):
            box.addWidget(widget)
        em = self.fontMetrics().height()
        self.resize(40 * em, 16 * em)
