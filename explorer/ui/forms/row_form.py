"""All of one operator row in a form: dims, calls, formats; of a model's row what can be overridden."""

from collections.abc import Callable
from typing import Any

from msgspec.structs import replace
from PySide6.QtWidgets import QCheckBox, QComboBox, QDialog, QDialogButtonBox, QFormLayout, QWidget

from explorer.analysis.catalogue.kinds import Dim
from explorer.analysis.problem import Refused
from explorer.analysis.step.costs import Costs, checked_costs
from explorer.analysis.step.expand import as_row
from explorer.analysis.study.edit_rows import change_row, override_row, with_kind
from explorer.analysis.study.study import OwnRow
from explorer.files.typed.cells import read_calls, read_dim, read_name
from explorer.presentation.quantities.dims import UNLIMITED, number_text
from explorer.presentation.quantities.numbers import scaled, significant
from explorer.presentation.tables.operator_columns import FORMAT_FIELDS
from explorer.presentation.tables.operator_rows import OperatorRow
from explorer.presentation.words.messages import refusal
from explorer.ui.forms.form_field import FormField
from explorer.ui.frame.room import with_room
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.tables.row_edits import choices, chosen, full_dims, names_taken
from explorer.ui.widgets.buttons import answer_buttons
from explorer.ui.widgets.plain_text import PlainLabel, set_tip, set_title


def _labels() -> dict[str, str]:
    return {
        "weights": tr("Weights"),
        "activations": tr("Activations"),
        "kv": tr("KV cache"),
        "output": tr("Output"),
        "accumulate": tr("Accumulator"),
    }


class RowForm(QDialog):
    """Edits one row in one undo step."""

    def __init__(self, session: Session, row: OperatorRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._row = row
        self._evaluation = session.state.evaluation
        set_title(self, row.name)
        self.form = QFormLayout(self)
        self.fields: dict[str, FormField] = {}
        self.dims: dict[str, FormField] = {}
        self.boxes: dict[str, QComboBox] = {}
        if row.own is not None:
            self._own_part(row.own)
        for key, label in _labels().items():
            self._choice(key, label)
        self.fused = QCheckBox(tr("Runs inside another kernel (fused)"), self)
        self.fused.setChecked(bool(getattr(row.own or row.override, "fused", False)))
        self.form.addRow("", self.fused)
        self.enabled_box = QCheckBox(tr("Counts in the step"), self)
        self.enabled_box.setChecked(row.enabled)
        if row.own is not None:
            self.form.addRow("", self.enabled_box)
        else:
            self.enabled_box.hide()
        self.summary = PlainLabel(self)
        self.summary.setAccessibleName(tr("What the row comes to"))
        self.summary.setWordWrap(True)
        self.form.addRow(with_room(self.summary, 3))
        self.buttons = answer_buttons(self, QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        self.form.addRow(self.buttons)
        self.setMinimumWidth(44 * self.fontMetrics().height())
        self._refresh()

    def _own_part(self, own: OwnRow) -> None:
        taken = names_taken(self._evaluation, own.name)
        self.fields["name"] = self._field(tr("Name"), own.name, lambda t: read_name(t, taken))
        self._choice("kind", tr("Kind"))
        self.fields["count"] = self._field(tr("Calls"), number_text(own.count), read_calls)
        self._dims_at = self.form.rowCount()
        self._fill_dims(full_dims(own, self._row))

    def _field(self, label: str, text: str, read: Any, at: int = -1, tip: str = "") -> FormField:
        field = FormField(text, label, read, self._sentence, self._refresh, self)
        set_tip(field.line, tip)
        words = PlainLabel(label, self)
        words.setBuddy(field.line)
        self.form.insertRow(at if at >= 0 else self.form.rowCount(), words, field)
        return field

    def _choice(self, key: str, label: str) -> None:
        box = QComboBox(self)
        box.setAccessibleName(label)
        offered = choices(self._row, key, self._evaluation)
        for text, value in offered:
            box.addItem(text, value)
        now = chosen(self._row, key)
        box.setCurrentIndex(max(0, next((i for i, (_, v) in enumerate(offered) if v == now), 0)))
        box.currentIndexChanged.connect(self._rekind if key == "kind" else self._refresh)
        self.boxes[key] = box
        self.form.addRow(label, box)

    def _fill_dims(self, dims: dict[str, float]) -> None:
        """One field for each dim of the kind, explained by the kind."""
        for field in self.dims.values():
            self.form.removeRow(field)
        compiled = self._evaluation.evaluator.kinds.get(self.boxes["kind"].currentData())
        self.dims = {}
        for i, dim in enumerate(compiled.kind.dims if compiled is not None else ()):
            value = dims.get(dim.name, dim.default)
            label = tr("{dim}: {meaning}", dim=dim.name, meaning=dim.meaning) if dim.meaning else dim.name
            text = number_text(value) if value < UNLIMITED else ""
            field = self._field(label, text, _dim_reader(dim), self._dims_at + i, dim.meaning)
            field.line.setPlaceholderText(tr("no limit") if dim.default >= UNLIMITED else "")
            self.dims[dim.name] = field

    def _rekind(self) -> None:
        typed = {name: field.value for name, field in self.dims.items() if field.value is not None}
        self._fill_dims(typed)
        self._refresh()

    def row(self) -> OwnRow | None:
        """The own row as typed, None while something is refused."""
        own = self._row.own
        fields = [*self.fields.values(), *self.dims.values()]
        if own is None or any(f.value is None for f in fields):
            return None
        kind = self._evaluation.evaluator.kinds.get(self.boxes["kind"].currentData())
        if kind is None:
            return None
        formats = {key: self.boxes[key].currentData() for key in FORMAT_FIELDS}
        return replace(
            with_kind(own, kind.kind),
            name=self.fields["name"].value,
            count=self.fields["count"].value,
            dims={name: f.value for name, f in self.dims.items()},
            fused=self.fused.isChecked(),
            enabled=self.enabled_box.isChecked(),
            **formats,
        )

    def accept(self) -> None:
        store, row = self._session.store, self._row
        words = tr("Edit {name}", name=row.name)
        if row.own is None:
            formats = {key: self.boxes[key].currentData() for key in FORMAT_FIELDS}
            study = override_row(store.study, row.name, fused=self.fused.isChecked(), **formats)
        else:
            new = self.row()
            if new is None or not self.buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled():
                return
            fields = {f: getattr(new, f) for f in new.__struct_fields__ if f != "id"}
            study = change_row(store.study, row.own.id, **fields)
        super().accept()
        store.replace(study, words)

    def _sentence(self, refused: Refused) -> str:
        return refusal(refused, self._session.look)

    def _refresh(self) -> None:
        if not hasattr(self, "buttons") or self._row.own is None:
            return
        ok, text = self._summary()
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(ok)
        self.summary.setText(text)

    def _summary(self) -> tuple[bool, str]:
        new = self.row()
        if new is None:
            return False, ""
        evaluator = self._evaluation.evaluator
        try:
            costs = checked_costs(as_row(new, self._evaluation.study), evaluator.kinds[new.kind], evaluator.formats)
        except Refused as refused:
            return False, self._sentence(refused)
        return True, call_text(costs)


def _dim_reader(dim: Dim) -> Callable[[str], float]:
    """Reads a dim; nothing typed means no limit where the kind has none."""
    if dim.default < UNLIMITED:
        return read_dim
    return lambda text: read_dim(text) if text.strip() else dim.default


def call_text(costs: Costs) -> str:
    """FLOPs, bytes and intensity in one line."""
    moved = float(costs.bytes_read + costs.bytes_written)
    return tr(
        "{flops}, {bytes}, {intensity} FLOP/byte per call",
        flops=scaled(float(costs.flops), "FLOP"),
        bytes=scaled(moved, "B"),
        intensity=significant(float(costs.flops) / moved) if moved else "–",
    )
