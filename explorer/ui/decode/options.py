"""Formats and the further options of the decode panel; each edit is one undo step."""

from collections.abc import Iterator
from typing import Any, Literal

from PySide6.QtCore import QEvent, QObject, QPoint, QSignalBlocker, Qt
from PySide6.QtGui import QKeyEvent, QPalette
from PySide6.QtWidgets import (
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QFrame,
    QHBoxLayout,
    QScrollArea,
    QSizePolicy,
    QSpinBox,
    QStyleOptionComboBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from explorer.analysis.step.expand import active_entry, model_in
from explorer.analysis.study.study import Workload
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.widgets.plain_text import PlainLabel, set_tip

_UNITS = {"GB": 1e9, "GiB": 2.0**30}
_BESIDE = 14  # logical pixels to the panel
Operand = Literal["weights", "activations", "kv"]


class FormatCombo(QComboBox):
    """Closed it shows the format alone, not whose choice it is."""

    closed_text = ""

    def initStyleOption(self, option: QStyleOptionComboBox) -> None:
        super().initStyleOption(option)
        if self.currentIndex() == 0:
            option.currentText = self.closed_text


class FormatRow(QWidget):
    """One format; the first choice follows the model."""

    def __init__(
        self, operand: Operand, name: str, session: Session, parent: QWidget | None = None, *, titled: bool = True
    ) -> None:
        super().__init__(parent)
        self._operand: Operand = operand
        self._name = name
        self._session = session
        self._formats: tuple[str, ...] = ()
        self.combo = FormatCombo(self)
        self.combo.setAccessibleName(name)
        self.combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.combo.activated.connect(self._choose)
        self.combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        self.combo.setMinimumContentsLength(5)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(6)
        if titled:
            label = PlainLabel(name, self)
            label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
            label.setBuddy(self.combo)
            row.addWidget(label)
        row.addWidget(self.combo, 1)

    def show_study(self, new: Shown) -> None:
        """Show the study's choice; the list is filled anew only where formats or model changed."""
        of_model = _of_model(new, self._operand)
        own = tr("as the model: {format}", format=of_model)
        if new.evaluation.model is None:
            own = tr("as usual: {format}", format=of_model)
        self.combo.closed_text = of_model
        formats = (own, *_choices(new, self._operand))
        with QSignalBlocker(self.combo):
            if formats != self._formats:
                self._formats = formats
                self.combo.clear()
                self.combo.addItem(own, None)
                for name in formats[1:]:
                    self.combo.addItem(name, name)
                widest = max(self.combo.fontMetrics().horizontalAdvance(text) for text in formats)
                self.combo.view().setMinimumWidth(widest + 3 * self.combo.fontMetrics().height())
            self._choose_shown(getattr(new.study.workload, self._operand))

    def _choose_shown(self, chosen: str | None) -> None:
        """Show a choice; a mix that the list lacks (`UD-…`, `i1-…`) joins it."""
        if chosen is not None and self.combo.findData(chosen) < 0:
            self.combo.addItem(chosen, chosen)
        self.combo.setCurrentIndex(0 if chosen is None else self.combo.findData(chosen))

    def _choose(self, index: int) -> None:
        text = tr("{name} format", name=self._name)
        self._session.store.edit_workload(text, **{self._operand: self.combo.itemData(index)})


def _choices(shown: Shown, operand: Operand) -> tuple[str, ...]:
    catalogue = shown.evaluation.catalogue
    if operand == "weights":
        return catalogue.weights_formats
    return tuple(f.id for f in catalogue.formats if operand == "kv" or "/" not in f.id)


def _of_model(shown: Shown, operand: Operand) -> str:
    entry = active_entry(shown.study)
    if shown.evaluation.model is None or entry is None:
        return "bf16"
    model = model_in(entry, None, shown.evaluation.catalogue.format_by_id)  # whatever mix the study asks for
    return {"weights": model.weights_format, "activations": model.activations_format, "kv": model.kv_format}[operand]


class MoreOptions(QFrame):
    """What is seldom changed, beside the panel so that nothing in it moves; `fold` opens and closes it, Esc closes."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        self.setBackgroundRole(QPalette.ColorRole.Base)
        self._session = session
        self.fold = QToolButton(self)
        self.fold.setText(tr("More options"))
        self.fold.setCheckable(True)
        self.fold.setAutoRaise(True)
        self.fold.setArrowType(Qt.ArrowType.RightArrow)
        self.fold.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.fold.toggled.connect(self._open)
        self.fold.installEventFilter(self)
        self.body = QWidget(self)
        self.activations = FormatRow("activations", tr("Activations"), session, self.body, titled=False)
        self.launch = self._choices("launch", tr("Launch"), (("graph", tr("graphs")), ("eager", tr("every kernel"))))
        self.counting = self._choices(
            "attention_count",
            tr("Attention count"),
            (("causal", tr("pairs the mask keeps")), ("full", tr("all pairs"))),
        )
        self.logits = self._choices(
            "logits", tr("Logits in prefill"), (("last", tr("last position")), ("all", tr("all")))
        )
        self.reserve = self._reserve()
        self.low, self.high = self._percent(tr("Expected, from")), self._percent(tr("Expected, to"))
        self.knee = self._knee()
        self._lay_out()

    def _lay_out(self) -> None:
        form = QFormLayout()
        form.setContentsMargins(0, 0, 0, 0)
        form.setVerticalSpacing(4)
        band = QHBoxLayout()
        band.setSpacing(6)
        band.addWidget(self.low, 1)
        band.addWidget(PlainLabel("–", self.body))
        band.addWidget(self.high, 1)
        for name, field in (
            (tr("Activations"), self.activations),
            (tr("Launch"), self.launch),
            (tr("Attention count"), self.counting),
            (tr("Logits in prefill"), self.logits),
            (tr("Reserve"), self.reserve),
            (tr("Expected at"), band),
            (tr("Knee below"), self.knee),
        ):
            form.addRow(name, field)
        inner = QVBoxLayout(self.body)
        inner.setContentsMargins(12, 10, 12, 12)
        inner.addLayout(form)
        box = QVBoxLayout(self)
        box.setContentsMargins(0, 0, 0, 0)
        box.addWidget(self.body)
        self.hide()

    def _open(self, opened: bool) -> None:
        self.fold.setArrowType(Qt.ArrowType.LeftArrow if opened else Qt.ArrowType.RightArrow)
        if opened:
            self.setParent(self.fold.window())
            self._place()
            self.show()
            self.raise_()
            QWidget.setTabOrder(self.fold, self.activations.combo)
        else:
            self.hide()
            self.fold.setFocus(Qt.FocusReason.OtherFocusReason)

    def _place(self) -> None:
        """Beside the panel where there is room, else under the button."""
        window, size = self.fold.window(), self.sizeHint()
        panel = next((w for w in _above(self.fold) if isinstance(w, QScrollArea)), self.fold)
        left = panel.mapTo(window, QPoint()).x() - size.width() - _BESIDE
        under = self.fold.mapTo(window, QPoint(0, self.fold.height()))
        top = min(under.y(), max(0, window.height() - size.height()))
        self.setGeometry(left if left >= 0 else max(0, window.width() - size.width()), top, size.width(), size.height())

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in {QEvent.Type.Resize, QEvent.Type.Hide} and self.fold.isChecked():
            self.fold.setChecked(False)  # it belongs to the place where its button was
        return super().eventFilter(watched, event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.fold.setChecked(False)
        else:
            super().keyPressEvent(event)

    def _choices(self, field: str, name: str, choices: tuple[tuple[str, str], ...]) -> QComboBox:
        combo = QComboBox(self.body)
        combo.setAccessibleName(name)
        for value, text in choices:
            combo.addItem(text, value)
        combo.activated.connect(lambda i: self._session.store.edit_workload(name, **{field: combo.itemData(i)}))
        return combo

    def _reserve(self) -> QDoubleSpinBox:
        box = QDoubleSpinBox(self.body)
        box.setRange(0.0, 1e6)
        box.setDecimals(1)
        box.setKeyboardTracking(False)
        box.setAccessibleName(tr("Reserve"))
        set_tip(box, tr("Memory kept free of weights and KV cache: activations, runtime, other programs"))
        box.valueChanged.connect(lambda v: self._edit(tr("Reserve"), reserve=v * _UNITS[self._session.look.unit]))
        return box

    def _percent(self, name: str) -> QSpinBox:
        box = QSpinBox(self.body)
        box.setRange(1, 100)
        box.setSuffix(tr(" %"))
        box.setKeyboardTracking(False)
        box.setAccessibleName(name)
        set_tip(box, tr("Part of the roofs that a good implementation reaches"))
        box.valueChanged.connect(lambda _v: self._edit_band())
        return box

    def _knee(self) -> QDoubleSpinBox:
        box = QDoubleSpinBox(self.body)
        box.setRange(1.05, 1.95)
        box.setSingleStep(0.05)
        box.setSuffix("×")
        box.setKeyboardTracking(False)
        box.setAccessibleName(tr("Knee below"))
        set_tip(box, tr("The knee is the batch past which doubling it gains less than this in tokens per second"))
        box.valueChanged.connect(lambda v: self._edit(tr("Knee"), knee_factor=round(v, 2)))
        return box

    def _edit(self, text: str, **fields: Any) -> None:
        self._session.store.edit_workload(text, **fields)

    def _edit_band(self) -> None:
        low, high = sorted((self.low.value() / 100, self.high.value() / 100))
        self._edit(tr("Expected band"), expected=(low, high))

    def show_study(self, new: Shown) -> None:
        """Show the study's choices."""
        work = new.study.workload
        self.activations.show_study(new)
        for combo, value in (
            (self.launch, work.launch),
            (self.counting, work.attention_count),
            (self.logits, work.logits),
        ):
            index = combo.findData(value)
            if combo.currentIndex() != index:
                combo.setCurrentIndex(index)
        self._show_numbers(work)

    def _show_numbers(self, work: Workload) -> None:
        unit = self._session.look.unit
        with QSignalBlocker(self.reserve):
            self.reserve.setSuffix(f" {unit}")
        for box, value in ((self.reserve, work.reserve / _UNITS[unit]), (self.knee, work.knee_factor)):
            with QSignalBlocker(box):
                box.setValue(value)
        for percent, share in zip((self.low, self.high), work.expected, strict=True):
            with QSignalBlocker(percent):
                percent.setValue(round(share * 100))


def _above(widget: QWidget) -> Iterator[QWidget]:
    """The widgets that hold a widget, the nearest first."""
    while (parent := widget.parentWidget()) is not None:
        yield parent
        widget = parent
