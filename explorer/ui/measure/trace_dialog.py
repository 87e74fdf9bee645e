"""Tracing a model: a Python file and a callable run once on no device, its operators become rows."""

from pathlib import Path

from PySide6.QtWidgets import QFileDialog, QHBoxLayout, QLineEdit, QPushButton, QWidget

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.study.edit_rows import insert_rows
from explorer.bench.jobs import Job, config_job
from explorer.bench.traced import Traced, Unknown
from explorer.files.disk.text import read_text
from explorer.presentation.tables.columns import Column, as_text, in_unit, number
from explorer.presentation.words.messages import Message, of_note, render
from explorer.ui.look.text import tr
from explorer.ui.measure.job_dialog import JobDialog
from explorer.ui.session import Session
from explorer.ui.settings import Settings
from explorer.ui.widgets.plain_text import set_tip, set_title

_LARGEST = 4 << 20
_EXAMPLE = "def model():\n    return torchvision.models.resnet50(), torch.zeros(8, 3, 224, 224)"


def unknown_columns() -> tuple[Column[Unknown], ...]:
    """What is shown of operators that no kind expresses."""
    return (
        Column("measurement", Message("column.measurement"), lambda u: u.name, as_text, right=False),
        Column("module", Message("column.module"), lambda u: u.module or None, as_text, right=False),
        Column("count", Message("column.count"), lambda u: float(u.count), number),
        Column(
            "measured_bytes", Message("column.measured_bytes"), lambda u: u.bytes_read + u.bytes_written, in_unit("B"),
            unit="B",
        ),
    )  # fmt: skip


class TraceDialog(JobDialog):
    """Asks for a file and the name of its callable; the rows are added to the study, the rest is listed."""

    def __init__(
        self, session: Session, settings: Settings, parent: QWidget | None = None, *, script: bytes | None = None
    ) -> None:
        super().__init__(session, settings, unknown_columns(), parent, script=script)
        set_title(self, tr("Trace a model"))
        self.device.hide()
        label = self.form.labelForField(self.device)
        if label is not None:
            label.hide()
        self.pause_button.hide()
        self.file = QLineEdit(self)
        self.file.setAccessibleName(tr("Python file"))
        self.file.setPlaceholderText(tr("a Python file, or a model's config.json"))
        self.name = QLineEdit("model", self)
        self.name.setAccessibleName(tr("Callable"))
        set_tip(self.name, tr("A function that returns a module and its inputs, for example:\n{code}", code=_EXAMPLE))
        browse = QPushButton(tr("Browse…"), self)
        browse.setAutoDefault(False)
        browse.clicked.connect(self._browse)
        holder = QWidget(self)
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.file, 1)
        row.addWidget(browse)
        self.form.addRow(tr("File"), holder)
        self.form.addRow(tr("Callable"), self.name)
        self.status.setText(
            tr("The file is run by the Python above, once and on no device: nothing is computed, shapes are recorded.")
        )
        self.runner.traced.connect(self._traced)
        self._rows = 0

    def job(self) -> Job:
        path = Path(self.file.text().strip())
        if not self.file.text().strip():
            raise Refused(Problem("measure.no_file"))
        text = read_text(path, _LARGEST)
        if path.suffix == ".json":
            work = self.session.store.study.workload
            return config_job(text, batch=work.batch, context=work.context)
        named = str(path.absolute()).encode("utf-8", "replace").decode()
        return Job(command="trace", source=text, path=named, callable=self.name.text().strip())

    def _traced(self, found: Traced) -> None:
        store = self.session.store
        self._rows = len(found.rows)
        if found.rows:
            taken = {r.name for r in self.session.state.evaluation.rows}
            words = tr("Trace {file}", file=Path(self.file.text()).name)
            store.replace(insert_rows(store.study, found.rows, taken), words)
        self.rows.add(list(found.unknown))
        self.table.fit_columns()

    def ended(self) -> None:
        summary = self.runner.summary
        if summary is not None and summary.traced is not None:
            left = len(summary.traced.unknown)
            text = tr("Operators added to the study: {rows}.", rows=self._rows)
            more = tr("Not expressed by any kind, listed with their bytes: {left}.", left=left) if left else ""
            notes = [render(of_note(n), self.session.look) for n in summary.traced.notes]
            self.status.setText(" ".join(filter(None, [text, more, *notes])))

    def _browse(self) -> None:
        filters = tr("Python and configs (*.py *.json);;All files (*)")
        name, _ = QFileDialog.getOpenFileName(self, tr("File to trace"), str(self.settings.folder), filters)
        if name:
            self.file.setText(name)
