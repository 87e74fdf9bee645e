"""The picker's list: clicks on box, eye and row; keys; a sentence where nothing matches."""

from PySide6.QtCore import QElapsedTimer, QEvent, QModelIndex, QPoint, QPointF, QRectF, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFont, QKeyEvent, QMouseEvent, QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractItemView, QApplication, QFrame, QListView, QWidget

from explorer.presentation.hardware.picker_rows import HardwareRow
from explorer.ui.frame.empty_offers import EmptyOffers
from explorer.ui.hardware.count_editor import CountEditor
from explorer.ui.hardware.delegate import HardwareDelegate
from explorer.ui.hardware.rows_model import HardwareModel
from explorer.ui.hardware.scroll_bar import SlimScrollBar
from explorer.ui.widgets.plain_text import guard_copies


class HardwareList(QListView):
    """Tells what the user wants of a row; changes nothing itself."""

    toggled = Signal(object)
    chosen = Signal(object)
    removed = Signal(object)
    counted = Signal(object, int)
    folded = Signal(str)
    menu_wanted = Signal(object, QPoint)

    def __init__(self, model: HardwareModel, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rows = model
        self._pressed = QModelIndex()
        self.most = 1  # devices of one entry
        self.count_editor: CountEditor | None = None
        self._typed = ""
        self._clock = QElapsedTimer()
        self.setModel(model)
        self.empty = EmptyOffers(self.viewport())
        self.painter_of_rows = HardwareDelegate(self)
        self.setItemDelegate(self.painter_of_rows)
        self.setFrameShape(QFrame.Shape.NoFrame)
        guard_copies(self)
        self.setResizeMode(QListView.ResizeMode.Adjust)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setEditTriggers(QAbstractItemView.EditTrigger.NoEditTriggers)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setMouseTracking(True)
        self.setVerticalScrollBar(SlimScrollBar(self))
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.customContextMenuRequested.connect(self._on_menu)

    def current_row(self) -> HardwareRow | None:
        """The row that keys and buttons act on."""
        return self.rows.row_at(self.currentIndex())

    def make_current(self, key: str) -> None:
        """Move to a row and bring it into view."""
        index = self.rows.index_of(key)
        if index.isValid():
            self.setCurrentIndex(index)
            self.scrollTo(index)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self._pressed = self.indexAt(event.position().toPoint())
        self.painter_of_rows.keyed = False
        super().mousePressEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        index, pressed = self.indexAt(event.position().toPoint()), self._pressed
        self._pressed = QModelIndex()
        super().mouseReleaseEvent(event)
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and index == pressed:
            self._click(index, event.position())

    def _click(self, index: QModelIndex, point: QPointF) -> None:
        row = self.rows.row_at(index)
        if row is None:
            return
        part = self.painter_of_rows.part_at(row, QRectF(self.visualRect(index)), point)
        if row.kind == "section":
            self._fold(row)
        elif part == "count":
            self.edit_count(row)
        elif part != "row":
            self.toggled.emit(row)
        elif row.kind == "entry":
            self.chosen.emit(row)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        index = self.indexAt(event.position().toPoint())
        row = self.rows.row_at(index)
        if row is not None and row.kind == "device":
            part = self.painter_of_rows.part_at(row, QRectF(self.visualRect(index)), event.position())
            if part == "row":
                self.chosen.emit(row)
                return
        self.mousePressEvent(event)  # quick clicks on a box or section are clicks

    def edit_count(self, row: HardwareRow, typed: str = "") -> None:
        """Edit the number of an entry's devices in its row; `typed` is its first digit."""
        index = self.rows.index_of(row.key)
        if row.kind != "entry" or not index.isValid():
            return
        self.scrollTo(index)
        place = self.painter_of_rows.count_rect(row, QRectF(self.visualRect(index)))
        editor = CountEditor(row.number, self.most, row.name, place, self.viewport())
        editor.counted.connect(lambda count: self.counted.emit(row, count))
        editor.left.connect(lambda: self.setFocus(Qt.FocusReason.OtherFocusReason))
        if typed:
            editor.lineEdit().setText(f"×{typed}")
        self.count_editor = editor

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Over the number of the current entry the wheel counts, elsewhere it scrolls."""
        index, turn = self.indexAt(event.position().toPoint()), event.angleDelta().y()
        row = self.rows.row_at(index)
        used = row is not None and index == self.currentIndex() and self.hasFocus() and turn != 0
        part = self.painter_of_rows.part_at
        if row is None or not used or part(row, QRectF(self.visualRect(index)), event.position()) != "count":
            super().wheelEvent(event)
            return
        self.counted.emit(row, row.number + (1 if turn > 0 else -1))
        event.accept()

    def _fold(self, row: HardwareRow) -> None:
        if row.foldable:
            self.folded.emit(row.section)

    def focusInEvent(self, event: QFocusEvent) -> None:
        keys = {Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason, Qt.FocusReason.ShortcutFocusReason}
        self.painter_of_rows.keyed = self.painter_of_rows.keyed or event.reason() in keys
        if not self.currentIndex().isValid():  # Qt would take the first section
            rows = self.rows.rows
            first = next((r for r in rows if r.active), next((r for r in rows if r.kind != "section"), None))
            self.setCurrentIndex(self.rows.index_of(first.key) if first else QModelIndex())
        super().focusInEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        self.painter_of_rows.keyed = True
        row, key = self.current_row(), event.key()
        if row is not None and self._counts(row, event):
            return
        if row is None or not self._key(row, Qt.Key(key)):
            super().keyPressEvent(event)

    def _key(self, row: HardwareRow, key: Qt.Key) -> bool:
        """Do what a key asks of a row; False for keys that mean nothing here."""
        if row.kind == "section":
            wanted = {Qt.Key.Key_Left: row.visible, Qt.Key.Key_Right: not row.visible}
            if wanted.get(key, key in {Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter}):
                self._fold(row)
            return key in {*wanted, Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter}
        if key == Qt.Key.Key_Space:
            self.toggled.emit(row)
        elif key in {Qt.Key.Key_Return, Qt.Key.Key_Enter}:
            self.chosen.emit(row)
        elif key in {Qt.Key.Key_Delete, Qt.Key.Key_Backspace}:
            self.removed.emit(row)
        else:
            return False
        return True

    def _counts(self, row: HardwareRow, event: QKeyEvent) -> bool:
        """Whether a key is about the number of an entry's devices: a digit, F2, + or -."""
        text, plain = event.text(), not event.modifiers() & Qt.KeyboardModifier.ControlModifier
        searching = self._clock.isValid() and self._clock.elapsed() < QApplication.keyboardInputInterval()
        if row.kind != "entry" or not plain or searching:
            return False
        if event.key() == Qt.Key.Key_F2 or (text and text in "123456789"):
            self.edit_count(row, text if text.isdigit() else "")
        elif text and text in "+-":
            self.counted.emit(row, row.number + (1 if text == "+" else -1))
        else:
            return False
        return True

    def keyboardSearch(self, search: str) -> None:
        """Go to the next device of which a word begins with what is typed."""
        if self._clock.isValid() and self._clock.elapsed() < QApplication.keyboardInputInterval():
            self._typed += search.casefold()
        else:
            self._typed = search.casefold()
        self._clock.start()
        rows, start = self.rows.rows, max(0, self.currentIndex().row())
        start = min(start + (len(self._typed) == 1), len(rows))
        for i in (*range(start, len(rows)), *range(start)):
            row = rows[i]
            if row.kind != "section" and f" {self._typed}" in f" {row.name} {row.short}".casefold():
                self.setCurrentIndex(self.rows.index(i))
                return

    def _on_menu(self, point: QPoint) -> None:
        index = self.indexAt(point)
        if not index.isValid():  # from the keyboard, away from the row
            index = self.currentIndex()
        row = self.rows.row_at(index)
        if row is not None and row.kind != "section":
            self.setCurrentIndex(index)
            self.menu_wanted.emit(row, self.viewport().mapToGlobal(point))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if event.size().width() != event.oldSize().width():  # other breaks of the figures, other heights
            self.scheduleDelayedItemsLayout()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.painter_of_rows.take_font(QFont(self.font()))
            self.scheduleDelayedItemsLayout()
