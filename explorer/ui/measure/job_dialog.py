"""What the measuring dialogs share: interpreter and device, a running job with its progress, results as they come."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtGui import QCloseEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QProgressBar,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.analysis.problem import Refused
from explorer.bench.interpreter import Interpreter
from explorer.bench.jobs import Job
from explorer.bench.protocol import Hello
from explorer.bench.runner import Runner
from explorer.presentation.tables.columns import Column
from explorer.presentation.words.messages import Message, of_problem, render
from explorer.ui.look.text import tr
from explorer.ui.measure.interpreter_choice import InterpreterChoice
from explorer.ui.measure.plain_rows import PlainRows, PlainTable
from explorer.ui.session import Session
from explorer.ui.settings import Settings
from explorer.ui.widgets.plain_text import PlainLabel

_DEVICES = ("cpu", "cuda", "mps", "xpu")


class JobDialog(QDialog):
    """Runs one job after another; stays open beside the window, and closing it ends what runs.

    Subclasses say what the job is, what its rows look like, and what becomes of the outcome.
    """

    def __init__(
        self, session: Session, settings: Settings, columns: Sequence[Column[Any]], parent: QWidget | None = None,
        *, script: bytes | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self.session = session
        self.settings = settings
        self.setModal(False)
        self.choice = InterpreterChoice(settings, self)
        self.device = QComboBox(self)
        self.device.setEditable(True)
        self.device.addItems(_DEVICES)
        self.device.setAccessibleName(tr("Device of torch"))
        self.machine = self._line(tr("What measures"))
        self.status = self._line(tr("State of the measurement"))
        self.bar = QProgressBar(self)
        self.bar.setAccessibleName(tr("Progress"))
        self.bar.setTextVisible(False)
        self.bar.setValue(0)
        self.bar.hide()
        self.rows = PlainRows(columns, session.look, self)
        self.table = PlainTable(self.rows, tr("Results"), self)
        self.start_button = QPushButton(tr("Start"), self)
        self.pause_button = QPushButton(tr("Pause"), self)
        self.stop_button = QPushButton(tr("Stop"), self)
        self.runner = Runner(self, script=script)
        self._asking = False
        self._asked: Interpreter | None = None
        self._closed = False  # a field that loses the focus to a closing dialog asks nobody
        self.form = QFormLayout()
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        self.form.addRow(tr("Python"), self.choice)
        self.form.addRow(tr("Device"), self.device)
        self._build()
        self._connect()

    # for subclasses

    def job(self) -> Job:
        """What to run; raise Refused where nothing can be."""
        raise NotImplementedError

    def began(self) -> None:
        """A job starts."""

    def ended(self) -> None:
        """A job is over, in whatever way; `runner.summary` holds what it brought."""

    # how it looks

    def _line(self, name: str) -> PlainLabel:
        label = PlainLabel(self)
        label.setWordWrap(True)
        label.setAccessibleName(name)
        return label

    def _build(self) -> None:
        buttons = QHBoxLayout()
        buttons.addWidget(self.bar, 1)
        buttons.addStretch(0)
        for button in (self.start_button, self.pause_button, self.stop_button):
            button.setAutoDefault(False)
            buttons.addWidget(button)
        self.start_button.setDefault(True)
        self.middle = QVBoxLayout()
        box = QVBoxLayout(self)
        box.addLayout(self.form)
        box.addWidget(self.machine)
        box.addLayout(self.middle, 3)
        box.addLayout(buttons)
        box.addWidget(self.status)
        box.addWidget(self.table, 4)
        em = self.fontMetrics().height()
        self.resize(46 * em, 40 * em)
        self._show_state()

    def _connect(self) -> None:
        self.start_button.clicked.connect(self.start)
        self.pause_button.clicked.connect(self.pause)
        self.stop_button.clicked.connect(self.runner.cancel)
        self.choice.changed.connect(self.ask)
        self.choice.none_found.connect(self._none_found)
        runner = self.runner
        runner.hello.connect(self._greeted)
        runner.progress.connect(self._progressed)
        runner.finished.connect(self._finished)
        runner.failed.connect(self._failed)

    def _show_state(self) -> None:
        running = self.runner.running and not self._asking
        self.bar.setVisible(running)
        self.start_button.setEnabled(not running)
        self.pause_button.setEnabled(running)
        self.stop_button.setEnabled(running)
        self.pause_button.setText(tr("Go on") if self.runner.paused else tr("Pause"))

    # what runs

    def open_and_search(self) -> None:
        """Show the dialog and look for Pythons beside it."""
        self.show()
        self.choice.search()
        if self.choice.interpreter().python:
            self.ask()

    def ask(self) -> None:
        """Ask the chosen Python for its torch and devices, once; what runs is left alone."""
        meant = self.choice.interpreter()
        busy = self.runner.running and not self._asking
        if self._closed or busy or not meant.python or meant == self._asked:
            return
        self._asking, self._asked = True, meant
        self.machine.setText(tr("Asking {python}…", python=meant.name))
        self.runner.start(meant, Job(command="hello"))

    def _none_found(self) -> None:
        self.machine.setText(
            tr("No Python with torch was found on this machine. Browse for one, or name a host that has one.")
        )

    def start(self) -> None:
        """Run the job."""
        try:
            job = self.job()
        except Refused as refused:
            self.say(of_problem(refused.problems[0]))
            return
        self._asking = False
        self.choice.keep()
        self.began()
        self.bar.setRange(0, 0)  # busy until the first row
        self.status.setText(tr("Starting {python}…", python=self.choice.interpreter().name))
        self.runner.start(self.choice.interpreter(), job)
        self._show_state()

    def pause(self) -> None:
        """Wait before the next row, or go on."""
        if self.runner.paused:
            self.runner.resume()
        else:
            self.runner.pause()
            self.status.setText(tr("Paused after the row that runs now."))
        self._show_state()

    def say(self, message: Message) -> None:
        """One sentence below the progress."""
        self.status.setText(render(message, self.session.look))

    def _greeted(self, hello: Hello) -> None:
        device = next((d.name or d.id for d in hello.devices if d.id == self.device.currentText()), "")
        values: dict[str, str | int | float] = {
            "device": device or self.device.currentText(), "host": hello.host, "torch": hello.torch,
            "python": hello.python, "threads": hello.threads,
        }  # fmt: skip
        self.machine.setText(render(Message("measure.machine", values), self.session.look))
        now = self.device.currentText()
        self.device.clear()
        self.device.addItems([d.id for d in hello.devices] or list(_DEVICES))
        self.device.setEditText(now if now in {d.id for d in hello.devices} else self.device.itemText(0))

    def _progressed(self, done: int, total: int, remaining_s: float) -> None:
        self.bar.setRange(0, max(1, total))
        self.bar.setValue(done)
        if not self.runner.paused:
            self.status.setText(
                tr("{done} of {total}, {remaining} s left", done=done, total=total, remaining=f"{remaining_s:.0f}")
            )

    def _finished(self, _summary: object) -> None:
        if self._asking:
            self._asking = False
        else:
            self.bar.setRange(0, 1)
            self.bar.setValue(1)
            self.status.setText(tr("Done."))
            self.ended()
        self._show_state()

    def _failed(self, message: Message) -> None:
        asked, self._asking = self._asking, False
        text = render(message, self.session.look)
        if asked:
            self.machine.setText(text)
        else:
            self.bar.setRange(0, 1)
            self.bar.setValue(0)
            self.ended()
            self.status.setText(text)
        self._show_state()

    def closeEvent(self, event: QCloseEvent) -> None:
        self.done(0)
        event.accept()

    def done(self, result: int) -> None:
        """End what runs; what was measured is kept."""
        self._closed = True
        self.choice.stop()
        self.runner.cancel()
        super().done(result)
