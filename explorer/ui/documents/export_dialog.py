"""Figures and tables leave the window: size, scale, theme and texts of an exported figure."""

from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QDoubleSpinBox,
    QFormLayout,
    QLineEdit,
    QSpinBox,
    QWidget,
)

from explorer.analysis.problem import Refused
from explorer.files.disk.atomic import write_atomically
from explorer.presentation.palette import THEMES
from explorer.presentation.words.messages import render_problem
from explorer.report.figure_export import FORMATS, Paper, export_day, export_figure
from explorer.report.tables import table_text
from explorer.ui.documents.save_place import ask_place, file_name
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.settings import Settings
from explorer.ui.widgets.plain_text import PlainLabel, set_title

TABLES = (".csv", ".tsv", ".md")
SIZES = ((1600, 900), (1920, 1080), (1200, 900), (1000, 700))


class ExportDialog(QDialog):
    """Asks what the figure should look like, then where it goes."""

    def __init__(self, session: Session, settings: Settings, view: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        set_title(self, tr("Export figure"))
        self._session = session
        self._settings = settings
        self._view = view
        self.width_box = self._pixels(SIZES[0][0], tr("Width"))
        self.height_box = self._pixels(SIZES[0][1], tr("Height"))
        self.scale = QDoubleSpinBox(self)
        self.scale.setRange(0.5, 4.0)
        self.scale.setSingleStep(0.5)
        self.scale.setDecimals(1)
        self.scale.setSuffix("×")
        self.scale.setValue(2.0)
        self.scale.setAccessibleName(tr("Scale of a PNG"))
        self.theme = QComboBox(self)
        self.theme.addItem(tr("Light"), "light")
        self.theme.addItem(tr("Dark"), "dark")
        self.theme.setAccessibleName(tr("Theme"))
        self.title = QLineEdit(self)
        self.title.setPlaceholderText(tr("As proposed from the study"))
        self.title.setAccessibleName(tr("Title"))
        self.subtitle = QLineEdit(self)
        self.subtitle.setPlaceholderText(tr("As proposed from the study"))
        self.subtitle.setAccessibleName(tr("Subtitle"))
        self.slide = QCheckBox(tr("With title, table and notes"), self)
        self.slide.setChecked(True)
        self.problem = PlainLabel(self)
        self.problem.setWordWrap(True)
        self._lay_out()

    def _pixels(self, value: int, name: str) -> QSpinBox:
        box = QSpinBox(self)
        box.setRange(320, 8000)
        box.setSuffix(tr(" px"))
        box.setValue(value)
        box.setAccessibleName(name)
        return box

    def _lay_out(self) -> None:
        form = QFormLayout(self)
        form.addRow(tr("Width"), self.width_box)
        form.addRow(tr("Height"), self.height_box)
        form.addRow(tr("Scale of a PNG"), self.scale)
        form.addRow(tr("Theme"), self.theme)
        form.addRow("", self.slide)
        form.addRow(tr("Title"), self.title)
        form.addRow(tr("Subtitle"), self.subtitle)
        form.addRow(self.problem)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Save | QDialogButtonBox.StandardButton.Cancel, self)
        buttons.accepted.connect(self._save)
        buttons.rejected.connect(self.reject)
        form.addRow(buttons)
        self.resize(440, self.sizeHint().height())

    def _save(self) -> None:
        suggestion = self._settings.folder / (file_name(self._session.store.study.name, "figure") + FORMATS[0])
        filters = "PNG (*.png);;SVG (*.svg);;PDF (*.pdf)"
        path = ask_place(self, tr("Export figure"), suggestion, filters, FORMATS)
        if path is not None and self.export(path):
            self.accept()

    def export(self, path: Path) -> bool:
        """Write the figure; a failure is one sentence in the dialog."""
        texts = {"title": self.title.text().strip(), "subtitle": self.subtitle.text().strip()}
        try:
            paper = Paper(
                size=(self.width_box.value(), self.height_box.value()),
                scale=self.scale.value(),
                look=replace(self._session.look, theme=THEMES[self.theme.currentData()]),
                texts={k: v for k, v in texts.items() if v},
                bare=not self.slide.isChecked(),
                day=export_day(),
            )
            export_figure(self._session.state.evaluation, path, paper, self._view)
        except Refused as refused:
            self.problem.setText(render_problem(refused.problems[0], self._session.look))
            return False
        self._settings.folder = path.parent
        return True


def export_table(parent: QWidget, session: Session, settings: Settings, say: Callable[[str], None]) -> None:
    """Ask where the operators' table goes, and write it."""
    suggestion = settings.folder / (file_name(session.store.study.name, "operators") + TABLES[0])
    path = ask_place(parent, tr("Export table"), suggestion, "CSV (*.csv);;TSV (*.tsv);;Markdown (*.md)", TABLES)
    if path is None:
        return
    try:
        write_atomically(path, table_text(session.state.evaluation, path.suffix.lower().lstrip("."), session.look))
    except Refused as refused:
        say(render_problem(refused.problems[0], session.look))
