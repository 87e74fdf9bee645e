"""What the database says differently from a study's own copy of a device."""

from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.analysis.catalogue.device import Device
from explorer.presentation.hardware.device_differences import difference_lines
from explorer.presentation.hardware.entries import plain_name
from explorer.presentation.words.visible import one_line, shortened
from explorer.ui.look.text import tr
from explorer.ui.widgets.buttons import answer_buttons
from explorer.ui.widgets.plain_text import MOST_OF_A_TIP, PlainLabel, guard_copies, set_tip, set_title


class UpdateDialog(QDialog):
    """Lists every field that differs; accepting means taking the database's figures."""

    def __init__(self, old: Device, new: Device, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_title(self, tr("Update figures"))
        lines = difference_lines(old, new)
        what = PlainLabel(
            tr("The database says something else about {name} than this study:", name=plain_name(new)), self
        )
        what.setWordWrap(True)
        self.table = QTableWidget(len(lines), 3, self)
        guard_copies(self.table)
        self.table.setAccessibleName(tr("Differences"))
        self.table.setHorizontalHeaderLabels([tr("Field"), tr("In this study"), tr("In the database")])
        self.table.verticalHeader().hide()
        self.table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.table.setSelectionBehavior(QTableWidget.SelectionBehavior.SelectRows)
        for i, texts in enumerate(lines):
            for j, text in enumerate(texts):
                item = QTableWidgetItem(one_line(shortened(text, MOST_OF_A_TIP)))
                set_tip(item, text)
                self.table.setItem(i, j, item)
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(0, QHeaderView.ResizeMode.ResizeToContents)
        for column in (1, 2):
            header.setSectionResizeMode(column, QHeaderView.ResizeMode.Stretch)
        buttons = answer_buttons(self, QDialogButtonBox.StandardButton.Cancel)
        self.take = buttons.addButton(tr("Take the database's figures"), QDialogButtonBox.ButtonRole.AcceptRole)
        box = QVBoxLayout(self)
        box.addWidget(what)
        box.addWidget(self.table, 1)
        box.addWidget(buttons)
        em = self.fontMetrics().horizontalAdvance("M")
        self.resize(em * 54, em * 28)
