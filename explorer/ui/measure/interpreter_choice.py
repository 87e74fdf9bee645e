"""Choosing the Python that measures: found ones offered, any other by its path, one on another host over ssh."""

from pathlib import Path

from PySide6.QtCore import QObject, QThread, Signal
from PySide6.QtWidgets import QComboBox, QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from explorer.bench.interpreter import Interpreter
from explorer.bench.python_search import FoundPython, candidates, probe
from explorer.presentation.words.visible import one_line
from explorer.ui.look.text import tr
from explorer.ui.settings import Settings
from explorer.ui.widgets.plain_text import set_tip


class Search(QThread):
    """Asks the Pythons of this machine, one after the other, what they have."""

    found = Signal(object)  # FoundPython
    ended = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._stopped = False

    def stop(self) -> None:
        """Ask no further ones."""
        self._stopped = True

    def run(self) -> None:
        for each in candidates():
            if self._stopped:
                return
            self.found.emit(probe(each))
        self.ended.emit()


class InterpreterChoice(QWidget):
    """A path and a host; `changed` tells that another one is meant. Both are kept in the user's settings."""

    changed = Signal()
    none_found = Signal()

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._settings = settings
        self._search: Search | None = None
        self.python = QComboBox(self)
        self.python.setEditable(True)
        self.python.setInsertPolicy(QComboBox.InsertPolicy.NoInsert)
        self.python.setAccessibleName(tr("Python with torch"))
        self.python.setMinimumContentsLength(24)
        self.python.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        line = self.python.lineEdit()
        if line is not None:
            line.setPlaceholderText(tr("Looking for Pythons with torch…"))
            line.editingFinished.connect(self.changed)
        self.python.activated.connect(self._picked)
        self.browse = QPushButton(tr("Browse…"), self)
        self.browse.setAutoDefault(False)
        self.browse.clicked.connect(self._browse)
        self.host = QLineEdit(settings.measure_host, self)
        self.host.setPlaceholderText(tr("this machine, or user@host over ssh"))
        self.host.setAccessibleName(tr("Host that measures"))
        set_tip(self.host, tr("Another machine's Python, reached by the system's ssh without a password"))
        self.host.editingFinished.connect(self.changed)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.python, 3)
        row.addWidget(self.browse)
        row.addWidget(self.host, 2)
        self.python.setCurrentText(settings.measure_python)

    def interpreter(self) -> Interpreter:
        """What is chosen now."""
        return Interpreter(self._path(), self.host.text().strip())

    def keep(self) -> None:
        """Remember the choice for the next time."""
        chosen = self.interpreter()
        self._settings.measure_python, self._settings.measure_host = chosen.python, chosen.host

    def search(self) -> None:
        """Look for Pythons beside the window."""
        self._search = Search(self)
        self._search.found.connect(self.offer)
        self._search.ended.connect(self._ended)
        self._search.start()

    def stop(self) -> None:
        """End the search; the dialog goes away."""
        if self._search is not None:
            self._search.stop()
            self._search.wait()

    def offer(self, found: FoundPython) -> None:
        """Offer a Python that has torch; the first one is chosen where none was before."""
        if not found.torch or self.python.findData(found.path) >= 0:
            return
        text = self.python.currentText()
        words = tr("{path}  (torch {torch}, {where})", path=found.path, torch=found.torch, where=found.where)
        self.python.addItem(one_line(words), found.path)
        if text:
            self.python.setEditText(text)
        else:
            self.python.setCurrentIndex(self.python.count() - 1)
            self.changed.emit()

    def _ended(self) -> None:
        line = self.python.lineEdit()
        if line is not None:
            line.setPlaceholderText(tr("Path of a Python that has torch"))
        if not self.python.count() and not self._path():
            self.none_found.emit()

    def _path(self) -> str:
        index = self.python.findText(self.python.currentText())
        found = self.python.itemData(index) if index >= 0 else None
        return str(found or self.python.currentText()).strip()

    def _picked(self, _index: int) -> None:
        self.changed.emit()

    def _browse(self) -> None:
        folder = str(Path(self._path()).parent) if self._path() else str(self._settings.folder)
        name, _ = QFileDialog.getOpenFileName(self, tr("A Python that has torch"), folder)
        if name:
            self.python.setEditText(name)
            self.changed.emit()
