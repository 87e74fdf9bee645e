"""The table leaves the window: on the clipboard for a spreadsheet, or as a file."""

from collections.abc import Callable

from PySide6.QtCore import QMimeData
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QWidget

from explorer.analysis.problem import Refused
from explorer.files.disk.atomic import write_atomically
from explorer.presentation.words.messages import render_problem
from explorer.report.compared_table import compared_text
from explorer.ui.documents.save_place import ask_place, file_name
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.settings import Settings

TABLES = (".csv", ".tsv", ".md")
_TSV = "text/tab-separated-values"


def copy_table(session: Session) -> str:
    """Put the table on the clipboard, as plain text and as a table, never as HTML; what was done, in words."""
    shown = session.state
    text = compared_text(shown.evaluation, "tsv", shown.look)
    data = QMimeData()
    data.setText(text)
    data.setData(_TSV, text.encode())
    QGuiApplication.clipboard().setMimeData(data)
    return tr("Copied {count} rows for a spreadsheet.", count=text.count("\n") - 1)


def save_table(parent: QWidget, session: Session, say: Callable[[str], None]) -> None:
    """Ask where the table goes, and write it."""
    settings, shown = Settings(), session.state
    suggestion = settings.folder / (file_name(shown.study.name, "comparison") + TABLES[0])
    path = ask_place(parent, tr("Save table"), suggestion, "CSV (*.csv);;TSV (*.tsv);;Markdown (*.md)", TABLES)
    if path is None:
        return
    try:
        write_atomically(path, compared_text(shown.evaluation, path.suffix.lower().lstrip("."), shown.look))
    except Refused as refused:
        say(render_problem(refused.problems[0], shown.look))
        return
    settings.folder = path.parent
    say(tr("Saved {name}.", name=path.name))
