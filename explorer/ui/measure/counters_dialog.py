"""What a profiler's counters say: typed in percent, or taken from an imported measurement."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QWidget

from explorer.analysis.measured.diagnosis import Counters, diagnose
from explorer.analysis.problem import Refused
from explorer.analysis.study.study import Measurement
from explorer.files.typed.cells import read_number
from explorer.presentation.hardware.device_names import device_names, whole_names
from explorer.presentation.measured.gap import diagnosis_sentences
from explorer.presentation.quantities.dims import number_text
from explorer.presentation.words.messages import refusal
from explorer.ui.forms.form_field import FormField
from explorer.ui.frame.room import with_room
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.widgets.buttons import answer_buttons
from explorer.ui.widgets.plain_text import PlainLabel, set_title

_LISTED = 200


class CountersDialog(QDialog):
    """Diagnoses while figures are typed; changes nothing."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        set_title(self, tr("Diagnose from counters"))
        self.form = QFormLayout(self)
        self.form.setVerticalSpacing(3)  # fields bring a line for what is said of them
        self.of = QComboBox(self)
        self.of.setAccessibleName(tr("Measurement with counters"))
        self._fill_measurements()
        self.device = QComboBox(self)
        self.device.setAccessibleName(tr("Hardware"))
        for ident, name in whole_names(session.store.study.hardware, session.look).items():
            self.device.addItem(name, ident)
        active = session.state.evaluation.active
        if active is not None:
            self.device.setCurrentIndex(self.device.findData(active.entry.id))
        self.form.addRow(tr("Take from"), self.of)
        self.form.addRow(tr("Hardware"), self.device)
        self.memory = self._field(tr("Memory throughput, % of peak"), "35")
        self.compute = self._field(tr("Compute activity, % of peak"), "10")
        self.share = self._field(tr("Share of the time, %"), "")
        self.rank = self._field(tr("Place by time (1 the longest)"), "")
        self.words = PlainLabel(self)
        self.words.setWordWrap(True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.words.setAccessibleName(tr("Diagnosis"))
        self.form.addRow(with_room(self.words, 6))
        buttons = answer_buttons(self, QDialogButtonBox.StandardButton.Close)
        self.form.addRow(buttons)
        self.setMinimumWidth(36 * self.fontMetrics().height())
        self.of.currentIndexChanged.connect(self._take)
        self.device.currentIndexChanged.connect(self._refresh)
        self._take()

    def _fill_measurements(self) -> None:
        self.of.addItem(tr("typed below"), None)
        counted = [m for m in self._session.store.study.measurements if m.memory_busy is not None]
        counted.sort(key=lambda m: -_seconds(m))
        for measurement in counted[:_LISTED]:
            self.of.addItem(measurement.name, measurement)
        self._ranked = counted
        self.of.setEnabled(bool(counted))
        if counted:
            self.of.setCurrentIndex(1)

    def _field(self, label: str, text: str) -> FormField:
        field = FormField(text, label, _optional, self._sentence, self._refresh, self)
        words = PlainLabel(label, self)
        words.setBuddy(field.line)
        self.form.addRow(words, field)
        return field

    def _take(self) -> None:
        """Fill the fields from an imported measurement."""
        measurement = self.of.currentData()
        if isinstance(measurement, Measurement):
            whole = sum(map(_seconds, self._ranked)) or 1.0
            self.memory.line.setText(_percent(measurement.memory_busy))
            self.compute.line.setText(_percent(measurement.compute_busy))
            self.share.line.setText(_percent(_seconds(measurement) / whole))
            self.rank.line.setText(str(1 + self._ranked.index(measurement)))
        self._refresh()

    def _refresh(self, *_changed: object) -> None:
        if hasattr(self, "words"):
            self.words.setText("\n".join(self._summary()))

    def _summary(self) -> list[str]:
        memory, compute = self.memory.value, self.compute.value
        if memory is None or compute is None:
            return [tr("Type the memory throughput and the compute activity that the profiler shows.")]
        share = None if self.share.value is None else self.share.value / 100
        rank = None if self.rank.value is None else int(self.rank.value)
        hardware = self._session.store.study.hardware
        entry = next((e for e in hardware if e.id == self.device.currentData()), None)
        try:
            found = diagnose(
                Counters(memory / 100, compute / 100, share, rank), None if entry is None else entry.device
            )
        except Refused as refused:
            return [self._sentence(refused)]
        name = "" if entry is None else device_names(hardware, look=self._session.look)[entry.id].plain
        return diagnosis_sentences(found, name, self._session.look)

    def _sentence(self, refused: Refused) -> str:
        return refusal(refused, self._session.look)


def _optional(text: str) -> float | None:
    bare = text.strip().removesuffix("%").strip()
    return read_number(bare) if bare else None


def _percent(share: float | None) -> str:
    return "" if share is None else number_text(round(100 * share, 1))


def _seconds(measurement: Measurement) -> float:
    return measurement.total_s or (measurement.time_s or 0.0) * (measurement.calls or 1.0)
