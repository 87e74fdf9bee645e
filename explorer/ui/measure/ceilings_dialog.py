"""Measuring a machine's ceilings: bandwidth and matmul peaks, kept as a hardware file and added to the study."""

from datetime import date

from PySide6.QtWidgets import QCheckBox, QWidget

from explorer.analysis.problem import Refused
from explorer.analysis.study.edits import add_hardware
from explorer.bench.ceilings import measured_device
from explorer.bench.jobs import Job
from explorer.bench.protocol import CeilingFound
from explorer.presentation.measured.imported import skipped_texts
from explorer.presentation.tables.columns import Column, as_text, in_unit
from explorer.presentation.words.messages import Message, render_problem
from explorer.ui.hardware.user_folder import UserHardware
from explorer.ui.look.text import tr
from explorer.ui.measure.job_dialog import JobDialog
from explorer.ui.session import Session
from explorer.ui.settings import Settings
from explorer.ui.widgets.plain_text import set_title

_FITTED = 40  # rows that tell how wide columns need be


def ceiling_columns() -> tuple[Column[CeilingFound], ...]:
    """What is shown of each ceiling."""
    return (
        Column("measurement", Message("column.measurement"), lambda c: c.name, as_text, right=False),
        Column(
            "bandwidth", Message("column.bandwidth"), lambda c: None if c.format else c.rate, in_unit("B/s"), unit="B/s"
        ),
        Column(
            "peak", Message("column.import_compute"), lambda c: c.rate if c.format else None, in_unit("FLOP/s"),
            unit="FLOP/s",
        ),
    )  # fmt: skip


class CeilingsDialog(JobDialog):
    """Runs the ceilings; what came of them becomes hardware even where the job ended early."""

    def __init__(
        self, session: Session, settings: Settings, user: UserHardware, parent: QWidget | None = None,
        *, script: bytes | None = None,
    ) -> None:  # fmt: skip
        super().__init__(session, settings, ceiling_columns(), parent, script=script)
        self._user = user
        set_title(self, tr("Measure this machine's ceilings"))
        self.keep = QCheckBox(tr("Keep as a file of my hardware"), self)
        self.keep.setChecked(True)
        self.form.addRow("", self.keep)
        self.runner.ceiling.connect(self._found)

    def job(self) -> Job:
        return Job(command="ceilings", device=self.device.currentText().strip(), least_s=0.5, most_s=3.0)

    def _found(self, ceiling: CeilingFound) -> None:
        self.rows.add([ceiling])
        if len(self.rows.rows) <= _FITTED:
            self.table.fit_columns()
        self.table.scrollToBottom()

    def ended(self) -> None:
        summary = self.runner.summary
        hello = None if summary is None else summary.hello
        if summary is None or hello is None or not summary.ceilings:
            return
        threads = (summary.done.threads if summary.done else None) or hello.threads
        day = date.today().isoformat()  # noqa: DTZ011 - the day where the user is
        device = measured_device(summary.ceilings, hello, summary.job.device, day, threads)
        if device is None:
            self.status.setText(tr("No memory bandwidth was measured, so there is no roof."))
            return
        store = self.session.store
        unsaved = []
        try:
            if self.keep.isChecked():
                self._user.save(device)
        except Refused as refused:  # what was measured joins the study all the same
            unsaved = [render_problem(refused.problems[0], self.session.look)]
        store.replace(add_hardware(store.study, device), tr("Add {name}", name=device.name))
        flagged = skipped_texts(summary.skipped, self.session.look)
        self.status.setText(" ".join([tr("{name} was added to the study.", name=device.name), *unsaved, *flagged]))
