"""Small dialogs: preferences, study notes, shortcuts, conventions, about."""

import platform
import sys
from importlib import metadata
from pathlib import Path

from PySide6.QtCore import QLibraryInfo, QLocale, QSysInfo, Qt, qVersion
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
    QTableWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer import __version__
from explorer.analysis.study.check import text_problems
from explorer.presentation.words.messages import render_problem
from explorer.ui.actions import shortcut_rows
from explorer.ui.documents.name_fault import refuse
from explorer.ui.help_text import conventions
from explorer.ui.look.language import available_languages
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.settings import TEXT_SIZES, Settings, may_be_folder
from explorer.ui.widgets.buttons import answer_buttons
from explorer.ui.widgets.plain_text import PlainLabel, SafeBrowser, set_tip, set_title


class Preferences(QDialog):
    """Theme, size of text, units of capacity, language, the folder of own hardware."""

    def __init__(self, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_title(self, tr("Preferences"))
        self._settings = settings
        self.theme = self._choice(
            tr("Theme"), settings.theme, (("system", tr("As the system")), ("light", tr("Light")), ("dark", tr("Dark")))
        )
        sizes = tuple((str(size), f"{size} %") for size in TEXT_SIZES)
        self.text_size = self._choice(tr("Text size"), str(settings.text_size), sizes)
        set_tip(self.text_size, tr("Of all words, as far as the screen has room for every panel"))
        self.unit = self._choice(
            tr("Memory sizes"),
            settings.capacity_unit,
            (("GB", tr("GB (decimal, 1e9 bytes)")), ("GiB", tr("GiB (binary, 2^30 bytes)"))),
        )
        self.language = self._choice(tr("Language"), settings.language, (("", tr("As the system")), *languages()))
        self.folder = QLineEdit(str(settings.hardware_folder), self)
        self.folder.setMinimumWidth(26 * self.fontMetrics().height())
        self.folder.setAccessibleName(tr("Folder of own hardware files"))
        choose = QPushButton(tr("Choose…"), self)
        choose.clicked.connect(self._choose_folder)
        folder_row = QHBoxLayout()
        folder_row.addWidget(self.folder, 1)
        folder_row.addWidget(choose)
        form = QFormLayout(self)
        form.addRow(tr("Theme"), self.theme)
        form.addRow(tr("Text size"), self.text_size)
        form.addRow(tr("Memory sizes"), self.unit)
        form.addRow(tr("Language"), self.language)
        form.addRow(tr("Own hardware"), folder_row)
        form.addRow(answer_buttons(self, QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel))

    def _choice(self, name: str, current: str, options: tuple[tuple[str, str], ...]) -> QComboBox:
        box = QComboBox(self)
        box.setAccessibleName(name)
        for value, text in options:
            box.addItem(text, value)
        box.setCurrentIndex(max(0, box.findData(current)))
        return box

    def _choose_folder(self) -> None:
        name = QFileDialog.getExistingDirectory(self, tr("Folder of own hardware files"), self.folder.text())
        if name:
            self.folder.setText(name)

    def accept(self) -> None:
        folder = self.folder.text().strip()
        if folder and not may_be_folder(str(Path(folder).absolute())):
            refuse(self, tr("{folder} is no folder and cannot become one; choose another.", folder=folder))
            return
        self._settings.theme = self.theme.currentData()
        self._settings.text_size = int(self.text_size.currentData())
        self._settings.capacity_unit = self.unit.currentData()
        self._settings.language = self.language.currentData()
        if folder:
            self._settings.hardware_folder = Path(folder)
        super().accept()


class StudyNotes(QDialog):
    """Name and notes of the study."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_title(self, tr("Study notes"))
        self._session = session
        self.name = QLineEdit(session.store.study.name, self)
        self.name.setAccessibleName(tr("Name of the study"))
        self.notes = QPlainTextEdit(session.store.study.notes, self)
        self.notes.setAccessibleName(tr("Notes"))
        form = QFormLayout(self)
        form.addRow(tr("Name"), self.name)
        form.addRow(tr("Notes"), self.notes)
        self.problem = PlainLabel(self)
        self.problem.setWordWrap(True)
        self.problem.setAccessibleName(tr("What is wrong"))
        form.addRow(self.problem)
        form.addRow(answer_buttons(self, QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel))
        self.resize(520, 360)

    def accept(self) -> None:
        name, notes = self.name.text().strip(), self.notes.toPlainText()
        problems = text_problems(name, notes)
        if not problems:
            self._session.store.edit(tr("Study notes"), name=name, notes=notes)
            super().accept()
        else:
            self.problem.setText(render_problem(problems[0], self._session.look))


class Shortcuts(QDialog):
    """Every key of the program, made from the table of actions."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_title(self, tr("Keyboard shortcuts"))
        rows = shortcut_rows()
        table = QTableWidget(len(rows), 2, self)
        table.setAccessibleName(tr("Keyboard shortcuts"))
        table.setHorizontalHeaderLabels([tr("Keys"), tr("What they do")])
        table.verticalHeader().hide()
        table.setShowGrid(False)
        table.setSelectionMode(QTableWidget.SelectionMode.NoSelection)
        table.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        table.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        table.verticalHeader().setDefaultSectionSize(round(table.fontMetrics().height() * 1.6))
        table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        for i, (keys, text) in enumerate(rows):
            table.setItem(i, 0, QTableWidgetItem(keys))
            table.setItem(i, 1, QTableWidgetItem(text))
        table.resizeColumnsToContents()
        table.setColumnWidth(0, table.columnWidth(0) + 2 * table.fontMetrics().height())
        table.horizontalHeader().setStretchLastSection(True)
        box = QVBoxLayout(self)
        box.addWidget(table)
        box.addWidget(answer_buttons(self, QDialogButtonBox.StandardButton.Close))
        self.resize(460, 520)


class Conventions(QDialog):
    """What every number means, short enough to read."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_title(self, tr("What the numbers mean"))
        text = SafeBrowser(self)
        text.setAccessibleName(tr("What the numbers mean"))
        text.show_paragraphs(conventions())
        box = QVBoxLayout(self)
        box.addWidget(text)
        box.addWidget(answer_buttons(self, QDialogButtonBox.StandardButton.Close))
        self.resize(640, 560)


class About(QDialog):
    """Version and diagnostics that can be copied into a bug report."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_title(self, tr("About Roofline Explorer"))
        title = PlainLabel(f"Roofline Explorer {__version__}", self)
        font = title.font()
        font.setBold(True)
        title.setFont(font)
        what = PlainLabel(tr("Is this work waiting for compute, for memory, or for the launch of kernels?"), self)
        what.setWordWrap(True)
        self.details = QPlainTextEdit(diagnostics(), self)
        self.details.setReadOnly(True)
        self.details.setAccessibleName(tr("Diagnostics"))
        buttons = answer_buttons(self, QDialogButtonBox.StandardButton.Close)
        copy = buttons.addButton(tr("Copy"), QDialogButtonBox.ButtonRole.ActionRole)
        copy.setAutoDefault(False)
        copy.clicked.connect(lambda: QGuiApplication.clipboard().setText(self.details.toPlainText()))
        box = QVBoxLayout(self)
        for widget in (title, what, self.details, buttons):
            box.addWidget(widget)
        self.resize(520, 260)


def diagnostics() -> str:
    """What a bug report needs; no paths, no names."""
    screen = QApplication.primaryScreen()
    lines = [
        f"Roofline Explorer {__version__}" + (" (frozen)" if getattr(sys, "frozen", False) else ""),
        f"Python {platform.python_version()}, Qt {qVersion()}, {_version('pyqtgraph')}, {_version('numpy')}",
        f"{QSysInfo.prettyProductName()}, {platform.machine()}, {QGuiApplication.platformName()}",
        f"Debug build of Qt: {QLibraryInfo.isDebugBuild()}",
    ]
    if screen is not None:
        size = screen.size()
        lines.append(f"Screen {size.width()} x {size.height()} at {screen.devicePixelRatio():g}x")
    return "\n".join(lines)


def languages() -> tuple[tuple[str, str], ...]:
    """Each language by the name its speakers use."""
    return tuple((code, QLocale(code).nativeLanguageName() or code) for code in available_languages())


def _version(package: str) -> str:
    try:
        return f"{package} {metadata.version(package)}"
    except metadata.PackageNotFoundError:
        return package
