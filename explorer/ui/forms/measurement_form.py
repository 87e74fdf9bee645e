"""A measurement typed by hand: of an operator or of a whole step, as a time or as tokens per second."""

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QWidget

from explorer.analysis.measured.gap import Gap, gap
from explorer.analysis.measured.predict import Predictor
from explorer.analysis.problem import Refused
from explorer.analysis.study.study import Measurement
from explorer.presentation.hardware.device_names import device_names
from explorer.presentation.measured.gap import gap_sentences
from explorer.presentation.quantities.bare import ending_of, figure_in
from explorer.presentation.words.messages import refusal
from explorer.ui.forms.form_field import FormField
from explorer.ui.frame.room import with_room
from explorer.ui.grid.figures import ShownFigure
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.tables.measurement_edits import FIELDS, WITH_UNITS, choices, reader, typed_text
from explorer.ui.widgets.buttons import answer_buttons
from explorer.ui.widgets.plain_text import PlainLabel, set_title

_STEP_ONLY = ("measured_rate", "file_size")


class MeasurementForm(QDialog):
    """Asks for one measurement; `done_with` gets it, and what it says stands below before it is taken."""

    def __init__(
        self, session: Session, done_with: Callable[[Measurement], None], start: Measurement,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session = session
        self._done_with = done_with
        self._start = start
        self._predictor = Predictor(session.state.evaluation)
        set_title(self, tr("Measurement"))
        self.form = QFormLayout(self)
        self.form.setVerticalSpacing(3)  # fields bring a line for what is said of them
        self.fields: dict[str, FormField] = {}
        self.boxes: dict[str, QComboBox] = {}
        self._field("measurement", tr("Name"))
        self._choice("of", tr("What was timed"))
        self._choice("on", tr("Hardware"))
        self._choice("of_model", tr("Model"))
        self._choice("phase", tr("Phase"))
        self._field("batch", tr("Batch"), tr("as the study"))
        self._field("context", tr("Context"), tr("as the study"))
        self._field("measured_s", tr("Time"), tr("of one call, or of one step: 5.79 ms"))
        self._field("measured_rate", tr("Tokens per second"), tr("of all requests: 115.5"))
        self._field(
            "file_size", tr("File of weights"), tr("as the study, or its size: 4.58 {unit}", unit=session.look.unit)
        )
        self._field("measured_by", tr("Source"), tr("who measured it, with what"))
        self.told = PlainLabel(self)
        self.told.setWordWrap(True)
        self.told.setAccessibleName(tr("What the measurement says"))
        self.form.addRow(with_room(self.told, 5))
        self.buttons = answer_buttons(self, QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.form.addRow(self.buttons)
        self.setMinimumWidth(36 * self.fontMetrics().height())
        self._refresh()

    def measurement(self) -> Measurement | None:
        """The measurement as typed, None while something is refused or no figure is given."""
        values: dict[str, Any] = {FIELDS[key]: field.value for key, field in self.fields.items()}
        values |= {FIELDS[key]: box.currentData() for key, box in self.boxes.items()}
        if any(field.fault for field in self.fields.values()) or values["name"] is None:
            return None
        if values["row"] is not None:
            values |= {"tokens_per_s": None, "size_bytes": None, "model": ""}
        if not values["time_s"] and not values["tokens_per_s"]:
            return None
        return Measurement(id=self._start.id, **values)

    def accept(self) -> None:
        found = self.measurement()
        if found is not None:
            super().accept()
            self._done_with(found)

    def _field(self, key: str, label: str, placeholder: str = "") -> None:
        text = typed_text(self._start, key)
        field = FormField(text, label, reader(key), self._sentence, self._refresh, self, figure=self._figure(key, text))
        field.line.setPlaceholderText(placeholder)
        self.fields[key] = field
        words = PlainLabel(label, self)
        words.setBuddy(field.line)
        self.form.addRow(words, field)

    def _figure(self, key: str, text: str) -> ShownFigure | None:
        unit, look = WITH_UNITS.get(key), self._session.look
        if unit is None:
            return None
        usual = look.unit if unit == "B" else "ms"
        return ShownFigure(unit, ending_of(text, unit) or usual, figure_in(text, unit), look)

    def _choice(self, key: str, label: str) -> None:
        box = QComboBox(self)
        box.setAccessibleName(label)
        offered = choices(key, self._session.state.evaluation)
        now = getattr(self._start, FIELDS[key])
        for text, value in offered:
            box.addItem(text, value)
        box.setCurrentIndex(max(0, next((i for i, (_, v) in enumerate(offered) if v == now), 0)))
        box.currentIndexChanged.connect(self._refresh)
        self.boxes[key] = box
        self.form.addRow(label, box)

    def _sentences(self, found: Gap) -> list[str]:
        names = device_names(self._session.store.study.hardware, look=self._session.look)
        on = "" if found.entry is None else names[found.entry.id].plain
        return gap_sentences(found, self._session.look, on)

    def _sentence(self, refused: Refused) -> str:
        return refusal(refused, self._session.look)

    def _refresh(self, *_changed: object) -> None:
        if not hasattr(self, "buttons"):
            return
        step = self.boxes["of"].currentData() is None
        for widget in (*(self.fields[k] for k in _STEP_ONLY), self.boxes["of_model"]):
            widget.setEnabled(step)
        found = self.measurement()
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(found is not None)
        lines = [] if found is None else self._sentences(gap(self._predictor, found))
        self.told.setText("\n".join(lines) or tr("A time or tokens per second is needed."))
