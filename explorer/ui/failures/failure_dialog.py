"""The dialog of a failure of the program itself: one sentence, and a report to copy."""

from collections.abc import Callable

from PySide6.QtCore import QObject
from PySide6.QtGui import QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from explorer.ui.look.text import tr
from explorer.ui.widgets.buttons import answer_buttons
from explorer.ui.widgets.plain_text import PlainLabel, set_title


class FailureDialog(QDialog):
    """Says once that something went wrong; further failures are counted and join the report."""

    def __init__(self, report: str, open_folder: Callable[[], object], parent: QObject | None = None) -> None:
        super().__init__(parent if isinstance(parent, QWidget) else None)
        set_title(self, tr("Something went wrong"))
        self.sentence = PlainLabel(
            tr("Something went wrong in the program. It goes on, and unsaved edits are kept; please send the report."),
            self,
        )
        self.more = PlainLabel(self)
        for label in (self.sentence, self.more):
            label.setWordWrap(True)
        self.more.hide()
        self.report = QPlainTextEdit(report, self)
        self.report.setReadOnly(True)
        self.report.setAccessibleName(tr("Report"))
        self.report.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.report.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        buttons = answer_buttons(self, QDialogButtonBox.StandardButton.Close)
        self.copy = buttons.addButton(tr("Copy report"), QDialogButtonBox.ButtonRole.ActionRole)
        self.folder = buttons.addButton(tr("Open log folder"), QDialogButtonBox.ButtonRole.ActionRole)
        for button in (self.copy, self.folder):
            button.setAutoDefault(False)
        self.copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.report.toPlainText()))
        self.folder.clicked.connect(open_folder)
        box = QVBoxLayout(self)
        for widget in (self.sentence, self.report, self.more, buttons):
            box.addWidget(widget)
        self.resize(680, 420)

    def add(self, report: str) -> None:
        """Another failure, while the dialog is open."""
        self.report.appendPlainText("\n" + report)

    def count(self, failures: int) -> None:
        """How often it has failed by now."""
        self.more.setText(tr("It has failed {count} times.", count=failures))
        self.more.show()
