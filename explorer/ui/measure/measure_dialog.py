"""Timing the study's operators with another Python's torch: which rows, where, and results as they come."""

from typing import NamedTuple

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QHBoxLayout,
    QLineEdit,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QWidget,
)

from explorer.analysis.measured.gap import Gap, gap
from explorer.analysis.measured.predict import Predictor
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.evaluate import Evaluation
from explorer.analysis.study.study import Measurement
from explorer.bench.jobs import Job, RowResult, measure_job, sweep_job, with_measurements
from explorer.files.typed.cells import read_number
from explorer.presentation.hardware.device_names import whole_names
from explorer.presentation.measured.gap import sweep_sentence, verdict_text
from explorer.presentation.measured.sweep import sweep_panels
from explorer.presentation.quantities.numbers import seconds
from explorer.presentation.tables.columns import Column, as_text, duration, share
from explorer.presentation.words.messages import Message, of_note, render
from explorer.ui.look.text import tr
from explorer.ui.measure.job_dialog import JobDialog
from explorer.ui.measure.sweep_plot import SweepPlot
from explorer.ui.session import Session
from explorer.ui.settings import Settings
from explorer.ui.widgets.plain_text import guard_copies, set_title

_MERGE = "measure"
_FITTED = 40  # rows that tell how wide columns need be
_LENGTHS = ((0.2, "0.2 s"), (0.5, "0.5 s"), (2.0, "2 s"))


class ResultRow(NamedTuple):
    """One row of the results: its figures, or why it has none."""

    name: str
    time_s: float | None
    spread: str | None
    bound_s: float | None
    efficiency: float | None
    verdict: str
    remark: str


def result_columns() -> tuple[Column[ResultRow], ...]:
    """What is shown of each timed operator."""

    def column(key: str, *rest: object, **more: object) -> Column[ResultRow]:
        return Column(key, Message(f"column.{key}"), *rest, **more)  # type: ignore[arg-type]

    return (
        column("measurement", lambda r: r.name, as_text, right=False),
        column("measured_s", lambda r: r.time_s, duration, unit="s"),
        column("quartiles", lambda r: r.spread, as_text),
        column("bound_s", lambda r: r.bound_s, duration, unit="s"),
        column("efficiency", lambda r: r.efficiency, share),
        column("verdict", lambda r: r.verdict or None, as_text, right=False),
        column("remark", lambda r: r.remark or "", as_text, right=False),
    )


class MeasureDialog(JobDialog):
    """Times chosen rows, or one row over a range of a dimension; each result goes into the study as it comes."""

    def __init__(
        self, session: Session, settings: Settings, parent: QWidget | None = None, *, script: bytes | None = None
    ) -> None:
        super().__init__(session, settings, result_columns(), parent, script=script)
        set_title(self, tr("Measure operators"))
        self.entry = QComboBox(self)
        self.entry.setAccessibleName(tr("Hardware that the results stand beside"))
        self.length = QComboBox(self)
        self.length.setAccessibleName(tr("Time for each operator"))
        for value, text in _LENGTHS:
            self.length.addItem(tr("at least {time} of runs each", time=text), value)
        self.length.setCurrentIndex(1)
        self.list = QListWidget(self)
        guard_copies(self.list)
        self.list.setAccessibleName(tr("Operators to time"))
        self.list.setSpacing(1)
        self.list.setMinimumHeight(8 * self.fontMetrics().height())
        self.sweep = QCheckBox(tr("Sweep one operator"), self)
        self.sweep_row, self.sweep_dim = QComboBox(self), QComboBox(self)
        self.sweep_row.setAccessibleName(tr("Operator to sweep"))
        self.sweep_dim.setAccessibleName(tr("Dimension to sweep"))
        self.sweep_values = QLineEdit("1 16 64 256 1024 4096", self)
        self.sweep_values.setAccessibleName(tr("Values of the dimension"))
        self._predictor = Predictor(session.state.evaluation)
        self._fill()
        self.form.addRow(tr("Compare with"), self.entry)
        self.form.addRow(tr("Thoroughness"), self.length)
        self.form.addRow(self.sweep, self._sweep_row())
        self.middle.addLayout(self._picking())
        self.middle.addWidget(self.list, 1)
        self.plot = SweepPlot(session.look.theme, self)
        self.middle.addWidget(self.plot)
        self.runner.row.connect(self._timed)
        self.runner.skipped.connect(self._left_out)
        self._refresh()

    def _sweep_row(self) -> QWidget:
        holder = QWidget(self)
        row = QHBoxLayout(holder)
        row.setContentsMargins(0, 0, 0, 0)
        for widget, stretch in ((self.sweep_row, 2), (self.sweep_dim, 1), (self.sweep_values, 3)):
            row.addWidget(widget, stretch)
        self.sweep.toggled.connect(self._refresh)
        self.sweep_row.currentIndexChanged.connect(self._fill_dims)
        return holder

    def _picking(self) -> QHBoxLayout:
        row = QHBoxLayout()
        self._all_or_none: list[QPushButton] = []
        for text, checked in ((tr("All"), True), (tr("None"), False)):
            button = QPushButton(text, self)
            button.setAutoDefault(False)
            button.setAccessibleName(tr("All operators") if checked else tr("No operator"))
            button.clicked.connect(lambda _=False, on=checked: self.check_all(on=on))
            row.addWidget(button)
            self._all_or_none.append(button)
        row.addStretch(1)
        return row

    @property
    def _evaluation(self) -> Evaluation:
        return self.session.state.evaluation

    def _fill(self) -> None:
        evaluation = self._evaluation
        for ident, name in whole_names(evaluation.study.hardware, self.session.look).items():
            self.entry.addItem(name, ident)
        active = evaluation.active
        if active is not None:
            self.entry.setCurrentIndex(max(0, self.entry.findData(active.entry.id)))
        chosen = set(evaluation.study.view.selection)
        for name in dict.fromkeys(r.name for r in evaluation.rows):
            item = QListWidgetItem(name, self.list)
            on = not chosen or name in chosen
            item.setCheckState(Qt.CheckState.Checked if on else Qt.CheckState.Unchecked)
            self.sweep_row.addItem(name)
        self._fill_dims()

    def _fill_dims(self) -> None:
        row = next((r for r in self._evaluation.rows if r.name == self.sweep_row.currentText()), None)
        self.sweep_dim.clear()
        if row is not None:
            self.sweep_dim.addItems([name for name, _ in self._evaluation.evaluator.kinds[row.kind].defaults])

    def _refresh(self) -> None:
        sweeps = self.sweep.isChecked()
        for widget in (self.sweep_row, self.sweep_dim, self.sweep_values):
            widget.setEnabled(sweeps)
        self.list.setVisible(not sweeps)
        for button in self._all_or_none:
            button.setVisible(not sweeps)
        if not sweeps:
            self.plot.hide()

    def check_all(self, *, on: bool) -> None:
        """Tick every operator, or none."""
        state = Qt.CheckState.Checked if on else Qt.CheckState.Unchecked
        for i in range(self.list.count()):
            self.list.item(i).setCheckState(state)

    def checked(self) -> list[str]:
        """Names of the ticked operators."""
        items = (self.list.item(i) for i in range(self.list.count()))
        return [item.text() for item in items if item.checkState() == Qt.CheckState.Checked]

    def job(self) -> Job:
        length = float(self.length.currentData())
        settings = {"device": self.device.currentText().strip(), "least_s": length, "most_s": 6 * length}
        if self.sweep.isChecked():
            values = [read_number(v) for v in self.sweep_values.text().replace(";", " ").split()]
            name, dim = self.sweep_row.currentText(), self.sweep_dim.currentText()
            return sweep_job(self._evaluation, name, dim, values, **settings)
        names = self.checked()
        if not names:
            raise Refused(Problem("measure.no_rows"))
        return measure_job(self._evaluation, names, **settings)

    def began(self) -> None:
        self._predictor = Predictor(self._evaluation)
        self.session.store.end_drag()  # each run is an undo step of its own

    def _timed(self, result: RowResult) -> None:
        store = self.session.store
        study = with_measurements(store.study, [result], self.entry.currentData() or "")
        found = study.measurements[-1]
        store.replace(study, tr("Measure operators"), merge=_MERGE)
        self._show(self._row(result, found))
        if result.row.swept:
            self._draw()

    def _row(self, result: RowResult, measurement: Measurement) -> ResultRow:
        found: Gap = gap(self._predictor, measurement)
        look = self.session.look
        low, high = result.point.quartiles_s or (result.said.low_s, result.said.high_s)
        return ResultRow(
            measurement.name,
            result.point.time_s,
            f"{seconds(low)} – {seconds(high)}",
            found.bound_s,
            found.efficiency,
            verdict_text(found, look),
            " ".join(render(of_note(n), look) for n in result.point.notes),
        )

    def _left_out(self, name: str, why: Message) -> None:
        self._show(ResultRow(name, None, None, None, None, "", render(why, self.session.look)))

    def _show(self, row: ResultRow) -> None:
        self.rows.add([row])
        if len(self.rows.rows) <= _FITTED:
            self.table.fit_columns()
        self.table.scrollToBottom()

    def _draw(self) -> str:
        """The sweep so far, and what its times follow."""
        summary = self.runner.summary
        points = [(p.time_s, p.flops, p.bytes) for p in summary.imported.points] if summary is not None else []
        sentence = sweep_sentence(points, self.session.look)
        self.plot.show_panels(sweep_panels(points, self.session.look), sentence)
        return sentence

    def ended(self) -> None:
        self.session.store.end_drag()
        summary = self.runner.summary
        if summary is None:
            return
        for left in summary.job.left_out:
            self._left_out(left.where, of_note(left.why))
        sentence = self._draw() if any(r.swept for r in summary.job.rows) else ""
        done = tr("{count} timed, {left} left out.", count=len(summary.results), left=len(summary.skipped))
        self.status.setText(f"{done} {sentence}".strip())
