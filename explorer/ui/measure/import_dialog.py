"""What an imported file says, and of which hardware and model: proposed, for the user to confirm or correct."""

from collections.abc import Iterable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QFrame,
    QLineEdit,
    QPlainTextEdit,
    QScrollArea,
    QSizePolicy,
    QVBoxLayout,
    QWidget,
)

from explorer.analysis.catalogue.device import Device
from explorer.analysis.measured.edits import device_of_ceilings
from explorer.analysis.measured.groups import Choice, ModelKey, add_imported, device_choices, model_choices
from explorer.analysis.measured.imported import Imported
from explorer.analysis.measured.match import runs_on
from explorer.analysis.problem import Refused
from explorer.analysis.study.edits import add_hardware
from explorer.analysis.study.study import ModelEntry
from explorer.files.models.presets import load_presets
from explorer.presentation.measured.imported import (
    CEILING_COLUMNS,
    POINT_COLUMNS,
    heading,
    skipped_texts,
    used,
    warnings,
)
from explorer.presentation.quantities.numbers import scaled
from explorer.presentation.tables.model_columns import parameters
from explorer.presentation.words.messages import of_note, render, render_problem
from explorer.presentation.words.visible import one_line
from explorer.ui.hardware.user_folder import UserHardware
from explorer.ui.look.text import tr
from explorer.ui.measure.plain_rows import PlainRows, PlainTable
from explorer.ui.session import Session
from explorer.ui.widgets.buttons import answer_buttons
from explorer.ui.widgets.plain_text import PlainLabel, set_tip, set_title

_LISTED = 500  # reasons shown one by one


class ImportDialog(QDialog):
    """Shows what was found and left out; adds it in one undo step when accepted."""

    def __init__(
        self, session: Session, user: UserHardware, imported: Imported, path: Path, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._session = session
        self._user = user
        self._imported = imported
        self._path = path
        self.devices: dict[str, QComboBox] = {}
        self.models: dict[ModelKey, QComboBox] = {}
        set_title(self, tr("Import {file}", file=path.name))
        look = session.look
        head = PlainLabel(heading(imported, look), self)
        head.setWordWrap(True)
        ceilings = imported.kind == "ceilings"
        rows = imported.ceilings if ceilings else imported.points
        columns = used(CEILING_COLUMNS if ceilings else POINT_COLUMNS, rows[:2000])
        self.rows = PlainRows(columns, look, self)
        self.rows.add(rows)
        self.table = PlainTable(self.rows, tr("What the file says"), self)
        box = QVBoxLayout(self)
        box.addWidget(head)
        box.addWidget(self._ceiling_form() if ceilings else self._matching())
        box.addWidget(self.table, 2)
        self.reasons = self._make_reasons()
        box.addWidget(self.reasons, 1)
        self.buttons = answer_buttons(self, QDialogButtonBox.StandardButton.Cancel)
        count = len(imported.points)
        some = tr("Add the measurement") if count == 1 else tr("Add {count} measurements", count=count)
        words = tr("Add hardware") if ceilings else some
        self.add_button = self.buttons.addButton(words, QDialogButtonBox.ButtonRole.AcceptRole)
        self.add_button.setDefault(True)
        box.addWidget(self.buttons)
        em = self.fontMetrics().height()
        self.resize(60 * em, 36 * em)

    # ceilings

    def _ceiling_form(self) -> QWidget:
        form = QFormLayout()
        imported = self._imported
        self.name = QLineEdit(imported.device or tr("Measured by {tool}", tool=imported.tool), self)
        self.name.setAccessibleName(tr("Name of the hardware"))
        self.keep = QCheckBox(tr("Keep as a file of my hardware"), self)
        self.keep.setChecked(True)
        form.addRow(tr("Name"), self.name)
        form.addRow("", self.keep)
        holder = QWidget(self)
        form.setContentsMargins(0, 0, 0, 0)
        holder.setLayout(form)
        return holder

    # points

    def _matching(self) -> QWidget:
        """One line for each device and each model that the file names."""
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        known = self._known_devices()
        for choice in device_choices(self._imported, known):
            box = self._device_box(choice, known)
            self.devices[str(choice.key)] = box
            form.addRow(self._label(str(choice.key) or tr("unnamed hardware"), choice.points), box)
        entries = self._known_models()
        for choice in model_choices(self._imported, entries):
            if isinstance(choice.key, ModelKey):
                box = self._model_box(choice, entries)
                self.models[choice.key] = box
                form.addRow(self._label(_model_words(choice.key), choice.points), box)
        holder = QWidget(self)
        holder.setLayout(form)
        return self._scrolled(holder)

    def _scrolled(self, holder: QWidget) -> QWidget:
        area = QScrollArea(self)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setWidgetResizable(True)
        area.setWidget(holder)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        most = 12 * self.fontMetrics().height()
        area.setMaximumHeight(min(most, holder.sizeHint().height() + 4))
        area.setMinimumHeight(area.maximumHeight())
        return area

    def _label(self, name: str, points: int) -> PlainLabel:
        label = PlainLabel(tr("{name} ({count})", name=name[:70], count=points), self)
        set_tip(label, name)
        return label

    def _known_devices(self) -> list[Device]:
        own = [e.device for e in self._session.store.study.hardware]
        ids = {d.id for d in own}
        return [*own, *(d for d in self._session.catalogue.devices if d.id not in ids)]

    def _known_models(self) -> list[ModelEntry]:
        own = list(self._session.store.study.models)
        ids = {m.id for m in own}
        return [*own, *(p for p in self._session.catalogue.presets or load_presets() if p.id not in ids)]

    def _device_box(self, choice: Choice, known: list[Device]) -> QComboBox:
        box = self._box(tr("Hardware of {name}", name=str(choice.key) or self._imported.tool))
        by_id = {d.id: d for d in known}
        proposed = [c.id for c in choice.candidates]
        own = {e.device.id for e in self._session.store.study.hardware}
        order = [*proposed, *(d.id for d in known if d.id in own), *(d.id for d in known if d.id not in own)]
        for ident in dict.fromkeys(order):
            box.addItem(by_id[ident].name, by_id[ident])
        box.insertItem(0, tr("not of this study's hardware"), None)
        active = self._session.state.evaluation.active
        here = [active.entry.device.id] if active is not None and self._may_be(choice, active.entry.device) else []
        box.setCurrentIndex(_place(box, proposed or here))
        return box

    def _may_be(self, choice: Choice, device: Device) -> bool:
        """Whether points without a device's name may be of this one, by the backends that they name."""
        points = [p for p in self._imported.points if p.device == choice.key]
        return not choice.key and all(runs_on(p.backend, device) for p in points)

    def _model_box(self, choice: Choice, known: list[ModelEntry]) -> QComboBox:
        name = choice.key.name if isinstance(choice.key, ModelKey) else ""
        box = self._box(tr("Model of {name}", name=name))
        by_id = {m.id: m for m in known}
        proposed = [c.id for c in choice.candidates]
        for ident in dict.fromkeys([*proposed, *by_id]):
            box.addItem(by_id[ident].name, by_id[ident])
        box.insertItem(0, tr("none of these"), None)
        box.setCurrentIndex(_place(box, proposed))
        return box

    def _box(self, name: str) -> QComboBox:
        box = QComboBox(self)
        box.setAccessibleName(one_line(name))
        box.setMaxVisibleItems(24)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(20)
        box.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        return box

    def _make_reasons(self) -> QPlainTextEdit:
        imported, look = self._imported, self._session.look
        lines = [render(of_note(n), look) for n in imported.notes] + warnings(imported, look)
        lines += skipped_texts(imported.skipped[:_LISTED], look)
        if len(imported.skipped) > _LISTED:
            lines.append(tr("… and {count} more", count=len(imported.skipped) - _LISTED))
        text = QPlainTextEdit("\n".join(map(one_line, lines)), self)
        text.setReadOnly(True)
        text.setAccessibleName(tr("Remarks, and what was left out"))
        text.setFrameShape(QFrame.Shape.NoFrame)
        text.setVisible(bool(lines))
        text.setMaximumHeight(min(9, len(lines) + 2) * self.fontMetrics().height())
        return text

    # adding

    def accept(self) -> None:
        done = self._add_ceilings() if self._imported.kind == "ceilings" else self._add_points()
        if done:
            super().accept()

    def _add_ceilings(self) -> bool:
        store = self._session.store
        taken = {d.id for d in self._session.catalogue.devices} | {e.device.id for e in store.study.hardware}
        try:
            device = device_of_ceilings(self._imported, self.name.text().strip() or self._imported.tool, taken)
            if self.keep.isChecked():
                self._user.save(device)
        except Refused as refused:
            self.reasons.setVisible(True)
            self.reasons.setPlainText(render_problem(refused.problems[0], self._session.look))
            return False
        return store.replace(add_hardware(store.study, device), tr("Add {name}", name=device.name))

    def _add_points(self) -> bool:
        store = self._session.store
        devices = {name: box.currentData() for name, box in self.devices.items() if box.currentData() is not None}
        models = {key: box.currentData() for key, box in self.models.items() if box.currentData() is not None}
        study = add_imported(store.study, self._imported, devices, models)
        return store.replace(study, tr("Import {file}", file=self._path.name))


def _place(box: QComboBox, ids: Iterable[str]) -> int:
    """The first item whose device or model has one of the ids; else the first of all, which is none."""
    for ident in ids:
        for i in range(1, box.count()):
            if box.itemData(i).id == ident:
                return i
    return 0


def _model_words(key: ModelKey) -> str:
    size = scaled(key.size_bytes, "B") if key.size_bytes else ""
    count = parameters(key.parameters) if key.parameters else ""
    return ", ".join(part for part in (key.name or tr("unnamed model"), size, count) if part)
