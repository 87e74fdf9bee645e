"""The list of operator kinds behind “Add”: searched while one types, grouped by subject, chosen with the keyboard."""

from collections.abc import Callable

from PySide6.QtCore import QEvent, QObject, QSize, Qt, Signal
from PySide6.QtGui import QFont, QKeyEvent
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from explorer.presentation.tables.kind_groups import KindGroup
from explorer.presentation.words.visible import one_line, shortened
from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import MOST_OF_A_LINE, guard_copies

_ID = Qt.ItemDataRole.UserRole
_MOVES = {Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown}
_LEAST_TARGET = 24  # pixels
_ENTERS = {Qt.Key.Key_Return, Qt.Key.Key_Enter}


class KindList(QWidget):
    """`found` gives the groups for a needle; `chosen` tells the kind's id."""

    chosen = Signal(str)

    def __init__(self, found: Callable[[str], tuple[KindGroup, ...]], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._found = found
        self.search = QLineEdit(self)
        self.search.setPlaceholderText(tr("Search operator kinds"))
        self.search.setAccessibleName(tr("Search operator kinds"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(lambda _text: self.fill())
        self.search.installEventFilter(self)
        self.list = QListWidget(self)
        self.list.setAccessibleName(tr("Operator kinds"))
        self.list.setFrameShape(QFrame.Shape.NoFrame)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setTextElideMode(Qt.TextElideMode.ElideRight)
        guard_copies(self.list)
        self.list.itemClicked.connect(self._take)
        self.list.itemActivated.connect(self._take)
        box = QVBoxLayout(self)
        box.setContentsMargins(8, 8, 8, 4)
        box.setSpacing(6)
        box.addWidget(self.search)
        box.addWidget(self.list, 1)
        self.setFocusProxy(self.search)

    def sizeHint(self) -> QSize:
        em = self.fontMetrics().height()
        return QSize(min(28 * em, 420), min(26 * em, 430))

    def open(self) -> None:
        """Begin anew: everything is shown, and the next key is searched for."""
        self.search.clear()
        self.fill()
        self.search.setFocus(Qt.FocusReason.PopupFocusReason)

    def fill(self) -> None:
        """Show what is found, the first kind at hand."""
        self.list.clear()
        for group in self._found(self.search.text()):
            self._head(group.title)
            for kind in group.kinds:
                meaning = kind.en or kind.id
                text = tr("{name} ({id})", name=meaning, id=kind.id) if kind.en else kind.id
                item = QListWidgetItem(f"  {one_line(shortened(text, MOST_OF_A_LINE))}", self.list)
                item.setData(_ID, kind.id)
                item.setSizeHint(QSize(0, max(_LEAST_TARGET, round(self.fontMetrics().height() * 1.5))))
                item.setData(Qt.ItemDataRole.AccessibleTextRole, f"{text}, {group.title}")
        if not self.list.count():
            self._head(tr("No kind holds “{needle}”.", needle=self.search.text()))
        self._go(0, 1)

    def _head(self, title: str) -> None:
        item = QListWidgetItem(title, self.list)
        item.setFlags(Qt.ItemFlag.NoItemFlags)
        font = QFont(self.list.font())
        font.setWeight(QFont.Weight.DemiBold)
        item.setFont(font)

    def _take(self, item: QListWidgetItem | None) -> None:
        if item is not None and item.data(_ID):
            self.chosen.emit(item.data(_ID))

    def _go(self, line: int, step: int) -> None:
        """Make the next kind from a line on the current one; lines of subjects are passed over."""
        while 0 <= line < self.list.count():
            if self.list.item(line).data(_ID):
                self.list.setCurrentRow(line)
                if line <= 1:
                    self.list.scrollToTop()
                return
            line += step

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """In the field, arrows move in the list and Enter takes."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            if event.key() in _MOVES:
                down = event.key() in {Qt.Key.Key_Down, Qt.Key.Key_PageDown}
                far = 8 if event.key() in {Qt.Key.Key_PageUp, Qt.Key.Key_PageDown} else 1
                target = self.list.currentRow() + (far if down else -far)
                target = min(max(target, 0), self.list.count() - 1)
                self._go(target, 1 if down else -1)
                return True
            if event.key() in _ENTERS:
                self._take(self.list.currentItem())
                return True
        return super().eventFilter(watched, event)
