"""What Qt shows of a text whose format it guesses, and what it loads for that."""

from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import Qt, QTextDocument


class Recorder(QTextDocument):
    """Notes what a text makes a document load."""

    def __init__(self) -> None:
        super().__init__()
        self.loaded: list[str] = []

    def loadResource(self, _kind: int, name: QUrl | str) -> Any:  # noqa: N802 - Qt's own name
        self.loaded.append(name.toString() if isinstance(name, QUrl) else name)
        return None


def as_qt_shows(text: str) -> tuple[str, list[str]]:
    """What Qt shows of a text whose format it guesses, and what it loads for that."""
    document = Recorder()
    (document.setHtml if Qt.mightBeRichText(text) else document.setPlainText)(text)
    document.setTextWidth(400)
    document.size()
    return document.toPlainText(), document.loaded
