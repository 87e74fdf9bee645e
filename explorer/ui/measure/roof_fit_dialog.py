"""Fitting a roof to the measurements of a device: what they tell, how surely, and what may be made of it."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from explorer.analysis.measured.gap import Gap
from explorer.analysis.measured.gap_memory import remembered_gap
from explorer.analysis.measured.predict import Prediction, Predictor
from explorer.analysis.measured.roof_fit import RoofFit, Sample, fit_roof, judging_format, sheet_ridge
from explorer.analysis.problem import Refused
from explorer.analysis.step.machines.single import Machine
from explorer.analysis.study.edit_measurements import fitted_device, set_roof_fit
from explorer.analysis.study.edits import add_hardware
from explorer.analysis.study.study import HardwareEntry
from explorer.presentation.hardware.device_names import device_names, whole_names
from explorer.presentation.measured.gap import roof_fit_lines, roof_fit_remarks
from explorer.presentation.quantities.numbers import percent, seconds
from explorer.presentation.words.messages import Message, refusal, render
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.widgets.buttons import answer_buttons
from explorer.ui.widgets.plain_text import PlainLabel, guard_copies, set_tip, set_title

_MOST = 2000  # measurements listed; a fit needs no more


class RoofFitDialog(QDialog):
    """Fits as rows are ticked; the fitted roof can be drawn as hardware and can stand for what is expected."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        set_title(self, tr("Fit measurements"))
        self.fit: RoofFit | None = None
        self._gaps: list[Gap] = []
        self.device = QComboBox(self)
        self.device.setAccessibleName(tr("Hardware whose measurements are fitted"))
        self.list = QListWidget(self)
        guard_copies(self.list)
        self.list.setAccessibleName(tr("Measurements to fit"))
        self.list.setSpacing(1)
        self.told = self._label(tr("What the fit tells"))
        self.remarks = self._label(tr("How well it fits"))
        self.buttons = answer_buttons(self, QDialogButtonBox.StandardButton.Close)
        self.draw_button = self._button(tr("Add fitted roof"), tr("A device with the fitted figures"), self.draw)
        self.expect_button = self._button(
            tr("Use for “expected”"), tr("The expected band of this hardware comes from the fit"), self.expect
        )
        self.forget_button = self._button(
            tr("Forget the fit"), tr("The expected band comes from the workload's efficiencies again"), self.forget
        )
        form = QFormLayout()
        form.addRow(tr("Hardware"), self.device)
        box = QVBoxLayout(self)
        box.addLayout(form)
        box.addWidget(self.list, 1)
        for widget in (self.told, self.remarks, self.buttons):
            box.addWidget(widget)
        em = self.fontMetrics().height()
        self.resize(44 * em, 34 * em)
        self._fill()
        self.device.currentIndexChanged.connect(self._list)
        self.list.itemChanged.connect(lambda _item: self._refit())

    def _label(self, name: str) -> PlainLabel:
        label = PlainLabel(self)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setAccessibleName(name)
        return label

    def _button(self, text: str, tip: str, slot: object) -> QPushButton:
        button = self.buttons.addButton(text, QDialogButtonBox.ButtonRole.ActionRole)
        set_tip(button, tip)
        button.setAutoDefault(False)
        button.clicked.connect(slot)
        return button

    def _fill(self) -> None:
        study = self._session.store.study
        measured = {m.device for m in study.measurements}
        names = whole_names(study.hardware, self._session.look)
        for entry in study.hardware:
            if entry.id in measured or entry.device.id in measured:
                self.device.addItem(names[entry.id], entry.id)
        self._list()

    def _entry(self) -> HardwareEntry | None:
        wanted = self.device.currentData()
        return next((e for e in self._session.store.study.hardware if e.id == wanted), None)

    def _list(self) -> None:
        """The device's measurements that have a bound, all ticked but those that beat it."""
        entry = self._entry()
        predictor = Predictor(self._session.state.evaluation)
        mine = [m for m in self._session.store.study.measurements if predictor.entry_of(m) is entry][:_MOST]
        self._gaps = [g for g in (remembered_gap(predictor, m) for m in mine) if g.efficiency is not None]
        self.list.blockSignals(True)  # noqa: FBT003 - Qt's own signature
        self.list.clear()
        for gap in self._gaps:
            words = tr(
                "{name}: {measured}, {share} of its bound", name=gap.measurement.name,
                measured=seconds(gap.measured_s), share=percent(gap.efficiency),
            )  # fmt: skip
            item = QListWidgetItem(words, self.list)
            honest = gap.verdict != "over" and not gap.measurement.cached
            item.setCheckState(Qt.CheckState.Checked if honest else Qt.CheckState.Unchecked)
        self.list.blockSignals(False)  # noqa: FBT003 - Qt's own signature
        self._refit()

    def chosen(self) -> list[Gap]:
        """The ticked measurements."""
        ticked = Qt.CheckState.Checked
        return [g for i, g in enumerate(self._gaps) if self.list.item(i).checkState() == ticked]

    def _predictions(self) -> list[Prediction]:
        return [g.prediction for g in self.chosen() if g.prediction is not None]

    def _format(self) -> str:
        return judging_format(self._predictions())

    def _refit(self) -> None:
        entry, chosen, look = self._entry(), self.chosen(), self._session.look
        self.fit = None
        if entry is None:
            self.told.setText(render(Message("fit_roof.no_device"), look))
        else:
            samples = [Sample(g.measured_s or 0.0, g.prediction.parts) for g in chosen if g.prediction is not None]
            try:
                self.fit = fit_roof(samples, sheet_ridge(self._predictions(), entry))
            except Refused as refused:
                self.told.setText(refusal(refused, look))
        self.remarks.setText("")
        if self.fit is not None and entry is not None:
            lines = roof_fit_lines(self.fit, entry, self._format(), look)
            self.told.setText("\n".join(tr("{label}: {figure}", label=n, figure=v) for n, v in lines))
            names = [g.measurement.name for g in chosen]
            self.remarks.setText("\n".join(roof_fit_remarks(self.fit, names, look)))
        self.draw_button.setEnabled(self.fit is not None)
        self.expect_button.setEnabled(self.fit is not None)
        self.forget_button.setEnabled(entry is not None and entry.fitted is not None)

    def _names(self, entry: HardwareEntry) -> tuple[str, str]:
        """A device's whole name and its short one, as the study's other surfaces have them."""
        hardware, look = self._session.store.study.hardware, self._session.look
        return whole_names(hardware, look)[entry.id], device_names(hardware, look=look)[entry.id].plain

    def _source(self, entry: HardwareEntry) -> str:
        values: dict[str, str | int | float] = {"rows": len(self.chosen()), "device": self._names(entry)[0]}
        return render(Message("fit_roof.source", values), self._session.look)[:200]

    def draw(self) -> None:
        """Add the fitted roof as hardware."""
        entry, store = self._entry(), self._session.store
        if self.fit is None or entry is None:
            return
        named = Message("fit_roof.name", {"device": self._names(entry)[1]})
        name = render(named, self._session.look)[:100]
        device = fitted_device(entry, self.fit, self._format(), self._source(entry), name)
        store.replace(add_hardware(store.study, device), tr("Add {name}", name=name))

    def expect(self) -> None:
        """Let the fit say what is expected of this hardware."""
        entry, store = self._entry(), self._session.store
        if self.fit is not None and entry is not None:
            roof = self.fit.roof(self._format(), self._source(entry), Machine.of(entry))
            store.replace(set_roof_fit(store.study, entry.id, roof), tr("Expected from a fit"))
            self._refit()

    def forget(self) -> None:
        """Back to the workload's efficiencies."""
        entry, store = self._entry(), self._session.store
        if entry is not None:
            store.replace(set_roof_fit(store.study, entry.id, None), tr("Forget the fit"))
            self._refit()
