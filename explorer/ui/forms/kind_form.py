"""The form of one operator kind: dims, derived figures, formulas, each with its value or its fault beside it."""

from collections.abc import Callable

from msgspec.structs import replace
from PySide6.QtWidgets import QComboBox, QFormLayout, QPlainTextEdit, QWidget

from explorer.analysis.catalogue.kind_check import KindCheck
from explorer.analysis.catalogue.kinds import Derived, Dim, OperatorKind
from explorer.analysis.problem import Problem, Refused
from explorer.analysis.step.costs import Costs
from explorer.files.typed.cells import read_dims
from explorer.presentation.look import Look
from explorer.presentation.quantities.dims import number_text
from explorer.presentation.quantities.numbers import scaled, significant
from explorer.presentation.tables.columns import number
from explorer.presentation.words.messages import of_problem, refusal, render
from explorer.ui.forms.form_field import FormField
from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import PlainLabel

UNITS = {"flops": "FLOP", "bytes_read": "B", "bytes_written": "B", "weight_bytes": "B", "kv_bytes": "B", "kernels": ""}


def _labels() -> dict[str, str]:
    return {
        "flops": tr("FLOPs"),
        "bytes_read": tr("Bytes read"),
        "bytes_written": tr("Bytes written"),
        "weight_bytes": tr("Of these, weights"),
        "kv_bytes": tr("Of these, KV cache"),
        "kernels": tr("Kernels"),
    }


class KindForm(QWidget):
    """Shows and reads a kind; `changed` is called after each key."""

    def __init__(self, look: Look, changed: Callable[[], None], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._look = look
        self._changed = changed
        self._loading = False
        self._old: OperatorKind | None = None
        self.derived_fault = ""
        self.form = QFormLayout(self)
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        self.name = self._field(tr("Name"), str.strip)
        self.meaning = self._field(tr("Meaning"), str.strip)
        self.unit = QComboBox(self)
        self.unit.addItem(tr("vector units"), "vector")
        self.unit.addItem(tr("tensor (matrix) units"), "tensor")
        self.unit.setAccessibleName(tr("Executed by"))
        self.unit.currentIndexChanged.connect(self._tell)
        self.form.addRow(tr("Executed by"), self.unit)
        self.dims = self._field(tr("Dims and defaults"), lambda t: read_dims(t, None))
        self.dims.line.setPlaceholderText("m=1 n=4096 k=4096")
        self.derived = QPlainTextEdit(self)
        self.derived.setAccessibleName(tr("Derived figures"))
        self.derived.setPlaceholderText("pairs = S_q * S_k")
        self.derived.setTabChangesFocus(True)
        self.derived.setFixedHeight(4 * self.fontMetrics().lineSpacing())
        self.derived.textChanged.connect(self._tell)
        self.derived_note = PlainLabel(self)
        self.derived_note.setForegroundRole(self.palette().ColorRole.BrightText)
        self.derived_note.setWordWrap(True)
        self.form.addRow(tr("Derived figures"), self.derived)
        self.form.addRow("", self.derived_note)
        self.formulas = {key: self._field(label, str.strip) for key, label in _labels().items()}
        self.summary = PlainLabel(self)
        self.summary.setWordWrap(True)
        self.summary.setAccessibleName(tr("What a call comes to"))
        self.form.addRow("", self.summary)

    def _field(self, label: str, read: Callable[[str], object]) -> FormField:
        field = FormField("", label, read, self._sentence, self._tell, self)
        self.form.addRow(label, field)
        return field

    def load(self, kind: OperatorKind, *, editable: bool) -> None:
        """Show a kind."""
        self._loading = True
        self._old = kind
        self.name.line.setText(kind.id)
        self.meaning.line.setText(kind.en)
        self.unit.setCurrentIndex(self.unit.findData(kind.unit))
        self.dims.line.setText(" ".join(f"{d.name}={number_text(d.default)}" for d in kind.dims))
        self.derived.setPlainText("\n".join(f"{d.name} = {d.formula}" for d in kind.derived))
        for key, field in self.formulas.items():
            field.line.setText(getattr(kind, key))
            field.line.setCursorPosition(0)
        for line in (self.name, self.meaning, self.dims, *self.formulas.values()):
            line.line.setReadOnly(not editable)
        self.derived.setReadOnly(not editable)
        self.unit.setEnabled(editable)
        self._loading = False
        self._tell()

    def kind(self) -> OperatorKind | None:
        """The kind as typed, None while dims or derived figures cannot be read."""
        dims, derived = self.dims.value, self._derived()
        if dims is None or derived is None or self._old is None:
            return None
        known = {d.name: d for d in self._old.dims}
        return replace(
            self._old,
            id=self.name.line.text().strip(),
            en=self.meaning.line.text().strip(),
            unit=self.unit.currentData(),
            dims=tuple(replace(known.get(n, Dim(name=n)), default=v) for n, v in dims.items()),
            derived=derived,
            **{key: field.line.text().strip() for key, field in self.formulas.items()},
        )

    def show_check(self, check: KindCheck) -> None:
        """Put values and faults beside the fields."""
        self._note(self.name, check.problems.get("id"), "")
        if self.dims.value is not None:
            self._note(self.dims, check.problems.get("dims"), "")
        derived = next((p for path, p in check.problems.items() if path.startswith("derived")), None)
        self._show_derived_fault("" if derived is None else render(of_problem(derived), self._look))
        for key, field in self.formulas.items():
            value = check.values.get(key)
            self._note(field, check.problems.get(key), "" if value is None else _figure(value, UNITS[key]))
        self.summary.setText("" if check.costs is None else default_call_text(check.costs))

    def _note(self, field: FormField, problem: Problem | None, value: str) -> None:
        text = value if problem is None else render(of_problem(problem), self._look)
        field.show_note(text, fault=problem is not None)

    def _derived(self) -> tuple[Derived, ...] | None:
        found: list[Derived] = []
        for i, line in enumerate(self.derived.toPlainText().splitlines(), start=1):
            name, sign, formula = line.partition("=")
            if not line.strip():
                continue
            if not sign or not formula.strip():
                problem = Problem("kind.derived_line", "derived", {"line": i})
                self._show_derived_fault(render(of_problem(problem), self._look))
                return None
            found.append(Derived(name=name.strip(), formula=formula.strip()))
        self._show_derived_fault("")
        return tuple(found)

    def _show_derived_fault(self, text: str) -> None:
        self.derived_fault = text
        self.derived_note.setText(text)
        self.derived_note.setVisible(bool(text))
        self.derived.setAccessibleDescription(text)

    def _sentence(self, refused: Refused) -> str:
        return refusal(refused, self._look)

    def _tell(self) -> None:
        if not self._loading and self._old is not None:
            self._changed()


def _figure(value: float, unit: str) -> str:
    return tr("= {value}", value=scaled(value, unit) if unit else number(value))


def default_call_text(costs: Costs) -> str:
    """One call at the default dims in one line."""
    moved = float(costs.bytes_read + costs.bytes_written)
    return tr(
        "A call at the default dims in bf16: {flops}, {bytes}, intensity {intensity} FLOP/byte",
        flops=scaled(float(costs.flops), "FLOP"),
        bytes=scaled(moved, "B"),
        intensity=significant(float(costs.flops) / moved) if moved else "–",
    )
