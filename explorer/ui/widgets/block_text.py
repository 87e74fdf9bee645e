"""A monospace block that can be selected and copied; labels, results and remarks have a look of their own."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontDatabase,
    QPalette,
    QResizeEvent,
    QSyntaxHighlighter,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
)
from PySide6.QtWidgets import QFrame, QPlainTextEdit, QWidget

from explorer.presentation.explain.layout import Block, as_text
from explorer.presentation.palette import LIGHT, Theme
from explorer.ui.hardware.scroll_bar import SlimScrollBar

MONO = ("JetBrains Mono", "SF Mono", "Cascadia Mono", "Menlo", "Consolas", "DejaVu Sans Mono", "Liberation Mono")


class _Looks(QSyntaxHighlighter):
    """Formats each block as its spans say."""

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self.blocks: Sequence[Block] = ()
        self.formats: dict[str, QTextCharFormat] = {}

    def highlightBlock(self, text: str) -> None:
        number = self.currentBlock().blockNumber()
        if number >= len(self.blocks):
            return
        for start, length, role in self.blocks[number].spans:
            look = self.formats.get(role)
            if look is not None:
                self.setFormat(start, length, look)


class BlockText(QPlainTextEdit):
    """Shows laid-out blocks; keeps its place while the same thing is shown with other numbers.

    `width_changed` tells that other lines fit.
    """

    width_changed = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setReadOnly(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setLineWrapMode(QPlainTextEdit.LineWrapMode.NoWrap)
        self.setUndoRedoEnabled(False)
        self.setVerticalScrollBar(SlimScrollBar(self))
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setFont(_mono(self.font()))
        self.document().setDocumentMargin(6)
        self._looks = _Looks(self.document())
        self._shown: tuple[Block, ...] = ()

    def set_theme(self, theme: Theme = LIGHT) -> None:
        """Take on a theme's colours."""
        palette = QPalette(self.palette())
        palette.setColor(QPalette.ColorRole.Base, QColor(theme.raised))
        self.setPalette(palette)
        bold, muted, label = QTextCharFormat(), QTextCharFormat(), QTextCharFormat()
        bold.setFontWeight(QFont.Weight.Bold)
        muted.setForeground(QColor(theme.muted))
        label.setForeground(QColor(theme.text))
        self._looks.formats = {"result": bold, "muted": muted, "label": label}
        self._looks.rehighlight()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        parent = self.parentWidget()
        if event.type() == QEvent.Type.ApplicationFontChange and parent is not None:
            self.setFont(_mono(parent.font()))
            self.width_changed.emit()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():
            self.width_changed.emit()

    def columns(self) -> int:
        """Characters that fit on a line."""
        width = self.viewport().width() - 2 * self.document().documentMargin() - 2
        return int(width / max(1.0, self.fontMetrics().horizontalAdvance("0" * 10) / 10))

    def show_blocks(self, blocks: Sequence[Block], *, keep_place: bool) -> None:
        """Show blocks; where only some lines differ, only those are touched."""
        before, self._shown = self._shown, tuple(blocks)
        if self._shown == before:
            return
        self._looks.blocks = self._shown
        if keep_place and len(before) == len(self._shown):
            self._change_lines(before)
            return
        bar = self.verticalScrollBar()
        place = bar.value() if keep_place else 0
        self.setPlainText(as_text(self._shown))
        bar.setValue(place)

    def _change_lines(self, before: Sequence[Block]) -> None:
        """One edit a line: an edit over all of them would paint all of them."""
        for i, (old, new) in enumerate(zip(before, self._shown, strict=True)):
            if old != new:
                block = self.document().findBlockByNumber(i)
                cursor = QTextCursor(block)
                cursor.setPosition(block.position() + block.length() - 1, QTextCursor.MoveMode.KeepAnchor)
                cursor.insertText(new.text)


def _mono(base: QFont) -> QFont:
    present = set(QFontDatabase.families())
    font = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    chosen = next((f for f in MONO if f in present), None)
    if chosen is not None:
        font.setFamilies([chosen, "Noto Sans Mono CJK SC"])
    font.setPointSizeF(max(7.0, base.pointSizeF() * 0.87))
    return font
