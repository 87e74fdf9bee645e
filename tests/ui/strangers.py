"""Names that a stranger's file may hold, and what a user must see of them."""

from typing import Any

from PySide6.QtCore import QUrl
from PySide6.QtGui import Qt, QTextDocument

IMAGE = '<img src="file:///nowhere/mark.png">'
NAMES = (
    IMAGE,
    '<img src="/dev/stdin">',
    '<a href="file:///nowhere">click</a>',
    "<b>&amp;&lt;",
    "<table><tr><td>x",
    "<!doctype html><img src=x.png>",
    "<?xml ?><h1>big",
    "R&D",
    "a[*]b",
    "{x} {0} {name}",
    "%1 %n %s",
    "</text><script>alert(1)</script>",
)
ODD_NAMES = (  # no study holds these as a name, but files of measuring tools and notes do
    "esc\x1b[31mred\x07",
    "nul\x00end",
    "tab\tend",
    "two\nlines",
    "right\u202eleft\u2066",
    "zero\u200bwidth\ufeff",
    "half\ud800pair",
    "line\u2028end",
    f"{IMAGE}\n{IMAGE}\x1b",
    f"long {IMAGE} " + "x" * 100_000,
)


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
