"""A quick model from six numbers, with what they come to."""

from collections.abc import Callable, Iterable

from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QFormLayout, QWidget

from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.expand import built_model
from explorer.analysis.study.check import quick_problems
from explorer.analysis.study.study import ModelEntry, QuickModel
from explorer.files.typed.cells import read_name, read_number
from explorer.presentation.quantities.dims import number_text
from explorer.presentation.quantities.numbers import capacity
from explorer.presentation.quantities.typed_figure import is_bare
from explorer.presentation.tables.model_columns import parameters
from explorer.presentation.words.messages import refusal
from explorer.ui.forms.form_field import FormField
from explorer.ui.frame.room import with_room
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.widgets.buttons import answer_buttons
from explorer.ui.widgets.plain_text import PlainLabel, set_title

_COUNTED = 1e5  # parameters: fewer are meant in billions
_USUAL = QuickModel(params=7e9, layers=32, kv_heads=8, head_dim=128)


class QuickForm(QDialog):
    """Asks for a quick model; `done_with` gets the entry when it is accepted."""

    def __init__(
        self, session: Session, done_with: Callable[[ModelEntry], None], entry: ModelEntry | None = None,
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session = session
        self._done_with = done_with
        self._old = entry
        set_title(self, tr("Quick model"))
        quick = (entry.quick if entry is not None else None) or _USUAL
        self.form = QFormLayout(self)
        self.form.setVerticalSpacing(3)  # fields bring a line for what is said of them
        self.fields: dict[str, FormField] = {}
        taken = {m.name for m in session.store.study.models} - ({entry.name} if entry is not None else set())
        self._field("name", tr("Name"), entry.name if entry is not None else "7B", lambda t: read_name(t, taken))
        self._field("params", tr("Parameters"), _short(quick.params), lambda t: _parameters(t, _short(quick.params)))
        self.weights = self._formats(tr("Weight format"), quick.weights, session.catalogue.weights_formats)
        self._field("layers", tr("Layers"), str(quick.layers), lambda t: _whole(t, "layers"))
        self._field("kv_heads", tr("KV heads"), str(quick.kv_heads), lambda t: _whole(t, "kv_heads"))
        self._field("head_dim", tr("Head size"), str(quick.head_dim), lambda t: _whole(t, "head_dim"))
        self.kv = self._formats(tr("KV format"), quick.kv, session.catalogue.format_by_id)
        self.summary = PlainLabel(self)
        self.summary.setWordWrap(True)
        self.summary.setAccessibleName(tr("What the numbers come to"))
        self.form.addRow(with_room(self.summary, 3))
        self.buttons = answer_buttons(self, QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.form.addRow(self.buttons)
        self.setMinimumWidth(26 * self.fontMetrics().height())
        self._refresh()

    def entry(self) -> ModelEntry | None:
        """The model as typed, None while a number is refused."""
        values = {key: field.value for key, field in self.fields.items()}
        if any(v is None for v in values.values()):
            return None
        name = values.pop("name")
        old = self._old.quick if self._old is not None else None
        quick = QuickModel(
            **values, weights=self.weights.currentText(), kv=self.kv.currentText(),
            file_bytes=old.file_bytes if old is not None else None,
        )  # fmt: skip
        return ModelEntry(id="", name=name, source=tr("typed"), quick=quick)

    def accept(self) -> None:
        entry = self.entry()
        if entry is not None and not self._faults(entry):
            super().accept()
            self._done_with(entry)

    def _field(self, key: str, label: str, text: str, read: Callable[[str], object]) -> None:
        field = FormField(text, label, read, self._sentence, self._refresh, self)
        self.fields[key] = field
        self.form.addRow(label, field)

    def _formats(self, label: str, current: str, known: Iterable[str]) -> QComboBox:
        box = QComboBox(self)
        box.addItems([*known, *([] if current in known else [current])])
        box.setCurrentText(current)
        box.setAccessibleName(label)
        box.currentIndexChanged.connect(lambda _i: self._refresh())
        self.form.addRow(label, box)
        return box

    def _sentence(self, refused: Refused) -> str:
        return refusal(refused, self._session.look)

    def _faults(self, entry: ModelEntry) -> str:
        problems = list(quick_problems(entry.quick)) if entry.quick is not None else []
        return self._sentence(Refused(*problems)) if problems else ""

    def _refresh(self) -> None:
        if not hasattr(self, "buttons"):
            return
        entry = self.entry()
        fault = self._faults(entry) if entry is not None else ""
        ok = entry is not None and not fault
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(ok)
        self.summary.setText(fault if not ok else self._summary(entry) if entry is not None else "")

    def _summary(self, entry: ModelEntry) -> str:
        model = built_model(entry)
        formats = self._session.catalogue.format_by_id
        unit = self._session.look.unit
        return tr(
            "{count} parameters: weights {weights}, KV cache {kv} per token. Rough: one row for all weights, one for "
            "the KV cache.",
            count=parameters(float(model.parameters)),
            weights=capacity(float(model.weight_bytes(None, formats)), unit),
            kv=capacity(float(model.kv_bytes_per_token(formats[self.kv.currentText()].bytes)), unit),
        )


def _whole(text: str, path: str) -> int:
    value = read_number(text, path)
    if value != int(value):
        raise Refused(Problem("field.integer", path, {"got": text.strip()[:40]}))
    return int(value)


def _parameters(text: str, shown: str) -> float:
    """A number of parameters; a small bare one is in billions where the field showed billions."""
    value = read_number(text, "params", billions=True)
    billions = shown.endswith("B") and is_bare(text) and value < _COUNTED
    return value * 1e9 if billions else value


def _short(value: float) -> str:
    billions = value / 1e9
    return f"{number_text(billions)}B" if value >= 1e9 and billions * 1e9 == value else number_text(value)
