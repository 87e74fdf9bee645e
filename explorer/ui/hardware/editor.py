"""The device editor: every figure of a device, checked as it is typed."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFormLayout,
    QGridLayout,
    QLineEdit,
    QVBoxLayout,
    QWidget,
)

from explorer.analysis.catalogue.device import Device
from explorer.analysis.catalogue.device_check import ACCUMULATORS, OPERANDS
from explorer.analysis.problem import Problem
from explorer.presentation.hardware.device_form import (
    Author,
    Form,
    Part,
    bare_ending,
    figure_unit,
    form_of,
    read_form,
)
from explorer.presentation.look import Look
from explorer.presentation.quantities.bare import completed, figure_in, stored_text
from explorer.presentation.words.messages import render_problem
from explorer.ui.grid.ghost_line import GhostLine
from explorer.ui.hardware.parts_table import CellColumn, PartsTable
from explorer.ui.look.text import tr
from explorer.ui.widgets.buttons import answer_buttons
from explorer.ui.widgets.flat_tabs import FlatTabWidget
from explorer.ui.widgets.plain_text import PlainLabel, set_tip, set_title

CLASSES = ("gpu", "cpu", "apu", "tpu", "npu")
CONFIDENCES = ("high", "medium", "low")
KINDS = ("datasheet", "derived", "paper", "measured", "recalled", "typed")


class DeviceEditor(QDialog):
    """Edits a copy; `device` is the result once accepted."""

    def __init__(
        self,
        device: Device,
        title: str,
        look: Look,
        *,
        taken: frozenset[str] = frozenset(),
        fixed_id: bool = False,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        set_title(self, title)
        self.device = device
        self._original = device
        self._look = look
        self._taken = taken
        form = form_of(device)
        self.fields: dict[str, QLineEdit | QComboBox] = {}
        self._build(form, fixed_id=fixed_id)
        self._check()
        em = self.fontMetrics().horizontalAdvance("M")
        self.resize(em * 74, self.fontMetrics().height() * 40)

    def _build(self, form: Form, *, fixed_id: bool) -> None:
        self.peaks = self._peaks(form)
        self.memory = self._memory(form)
        self.links = self._links(form)
        self.sources = self._sources(form)
        tabs = FlatTabWidget(self)
        tabs.setAccessibleName(tr("Parts of the device"))
        tabs.addTab(self.peaks, tr("Peaks"))
        tabs.addTab(self.memory, tr("Memory"))
        tabs.addTab(self.links, tr("Links"))
        tabs.addTab(self._others(form.fields), tr("Other figures"))
        tabs.addTab(self.sources, tr("Sources"))
        self.kind = QComboBox(self)
        self.kind.setAccessibleName(tr("Where the changed figures come from"))
        set_tip(self.kind, tr("Figures that you change are marked as yours, never as the datasheet's"))
        for kind, text in (
            ("typed", tr("typed, by the user")),
            ("recalled", tr("recalled, by the user")),
            ("measured", tr("measured, by the user")),
            ("derived", tr("derived, by the user")),
        ):
            self.kind.addItem(text, kind)
        self.kind.currentIndexChanged.connect(lambda _index: self._check())
        mark = QFormLayout()
        mark.addRow(tr("Figures that I change are"), self.kind)
        self.problem = PlainLabel(self)
        self.problem.setWordWrap(True)
        self.problem.setAccessibleName(tr("What is wrong"))
        self.problem.setMinimumHeight(self.fontMetrics().lineSpacing() * 2)
        self.problem.setAlignment(Qt.AlignmentFlag.AlignTop)
        kinds = QDialogButtonBox.StandardButton
        self.buttons = answer_buttons(self, kinds.Ok | kinds.Cancel)
        box = QVBoxLayout(self)
        box.addLayout(self._names(form.fields, fixed_id=fixed_id))
        box.addWidget(tabs, 1)
        box.addLayout(mark)
        box.addWidget(self.problem)
        box.addWidget(self.buttons)

    def _names(self, texts: dict[str, str], *, fixed_id: bool) -> QGridLayout:
        grid = QGridLayout()
        places = (
            ("name", tr("Name"), 0, 0),
            ("short", tr("Short name"), 0, 2),
            ("vendor", tr("Vendor"), 1, 0),
            ("form", tr("Form"), 1, 2),
            ("class", tr("Class"), 2, 0),
            ("year", tr("Year"), 2, 2),
            ("id", tr("Id"), 3, 0),
        )
        for name, label, line, column in places:
            if name == "class":
                widget: QWidget = self._choice(name, texts[name], CLASSES, label)
            else:
                widget = self._line(name, texts[name], label)
            text = PlainLabel(label, self)
            text.setBuddy(widget)
            grid.addWidget(text, line, column)
            grid.addWidget(widget, line, column + 1, 1, 3 if name == "id" else 1)
            if name == "id" and fixed_id:
                text.hide()
                widget.hide()
        grid.setColumnStretch(1, 2)
        grid.setColumnStretch(3, 1)
        return grid

    def _others(self, texts: dict[str, str]) -> QWidget:
        page = QWidget(self)
        form = QFormLayout(page)
        for name, label, tip in (
            ("launch_overhead", tr("Launch overhead"), tr("From one kernel's launch to the next, for example 2.4 µs")),
            ("cores", tr("Cores"), tr("Multiprocessors, compute units or CPU cores")),
            ("on_chip_per_core", tr("On-chip memory per core"), tr("What one kernel may use, for example 228 KiB")),
            ("tdp_w", tr("Power"), tr("For example 700 W")),
            ("price_per_hour", tr("Price per hour"), tr("In your own currency")),
            ("note", tr("Note"), ""),
        ):
            line = self._line(name, texts[name], label)
            set_tip(line, tip)
            form.addRow(label, line)
        return page

    def _line(self, name: str, text: str, label: str) -> QLineEdit:
        line = GhostLine(text, self)
        line.setAccessibleName(label)
        unit = figure_unit(name)
        if unit is not None:
            ending = bare_ending(name, text, unit)
            before = figure_in(text, unit)
            line.textEdited.connect(lambda t: line.set_ghost(stored_text(t, unit, ending, before, self._look)))
            line.editingFinished.connect(lambda: self._complete(line, ending))
        line.textChanged.connect(lambda _text: self._check())
        self.fields[name] = line
        return line

    def _complete(self, line: GhostLine, ending: str) -> None:
        """Say the unit of a bare number."""
        line.setText(completed(line.text(), ending))
        line.set_ghost("")

    def _choice(self, name: str, text: str, options: tuple[str, ...], label: str) -> QComboBox:
        box = QComboBox(self)
        box.setAccessibleName(label)
        box.addItems(list(options))
        box.setCurrentText(text)
        box.currentTextChanged.connect(lambda _text: self._check())
        self.fields[name] = box
        return box

    # tables

    def _origin_columns(self) -> tuple[CellColumn, ...]:
        return (
            CellColumn("source", tr("Source"), "", self._source_keys),
            CellColumn("confidence", tr("Confidence"), "medium", lambda: CONFIDENCES),
            CellColumn("note", tr("Note"), stretch=True),
        )

    def _source_keys(self) -> list[str]:
        return ["", *(p.cells["key"] for p in self.sources.parts())]

    def _peaks(self, form: Form) -> PartsTable:
        columns = (
            CellColumn("format", tr("Format"), "bf16", lambda: OPERANDS),
            CellColumn("accumulate", tr("Accumulator"), "fp32", lambda: ACCUMULATORS),
            CellColumn("unit", tr("Unit"), "tensor", lambda: ("tensor", "vector")),
            CellColumn("rate", tr("Dense peak"), unit="FLOP/s"),
            CellColumn("measured", tr("Measured"), unit="FLOP/s", like="rate"),
            *self._origin_columns(),
        )
        return self._table(tr("Peaks, dense, one per format, accumulator and unit"), columns, form.peaks)

    def _memory(self, form: Form) -> PartsTable:
        columns = (
            CellColumn("level", tr("Level")),
            CellColumn("capacity", tr("Capacity"), unit="B"),
            CellColumn("bandwidth", tr("Bandwidth"), unit="B/s"),
            CellColumn("measured", tr("Measured"), unit="B/s", like="bandwidth"),
            CellColumn("latency", tr("Latency"), unit="s"),
            *self._origin_columns(),
        )
        table = self._table(tr("Memory levels, the outermost first"), columns, form.memory)
        set_tip(
            table.table,
            tr("80 GB means 80e9 bytes; a GPU sold with 80 GB usually has 80 GiB. What is not known stays empty."),
        )
        return table

    def _links(self, form: Form) -> PartsTable:
        columns = (
            CellColumn("name", tr("Link")),
            CellColumn("per_direction", tr("Per direction"), unit="B/s"),
            *self._origin_columns(),
        )
        return self._table(tr("Links between devices, rates in one direction"), columns, form.links)

    def _sources(self, form: Form) -> PartsTable:
        columns = (
            CellColumn("key", tr("Key")),
            CellColumn("kind", tr("Kind"), "recalled", lambda: KINDS),
            CellColumn("title", tr("Title"), stretch=True),
            CellColumn("url", tr("Address")),
            CellColumn("note", tr("Note")),
        )
        return self._table(tr("Sources of the figures"), columns, form.sources)

    def _table(self, name: str, columns: tuple[CellColumn, ...], parts: list[Part]) -> PartsTable:
        table = PartsTable(name, columns, parts, self._look, self)
        table.edited.connect(self._check)
        return table

    # checking

    def form(self) -> Form:
        """Everything as typed."""
        texts = {n: w.currentText() if isinstance(w, QComboBox) else w.text() for n, w in self.fields.items()}
        return Form(texts, self.peaks.parts(), self.memory.parts(), self.links.parts(), self.sources.parts())

    def problems(self) -> tuple[Problem, ...]:
        """What is wrong now; without any, `device` is what the form describes."""
        author = Author(self.kind.currentData(), tr("Entered by the user"))
        device, problems = read_form(self.form(), self._original, author)
        if device is not None and device.id in self._taken:
            return (Problem("hardware.id_taken", "id", {"id": device.id}),)
        if device is not None:
            self.device = device
        return problems

    def _check(self) -> None:
        if not hasattr(self, "buttons"):  # still being built
            return
        problems = self.problems()
        text = render_problem(problems[0], self._look) if problems else ""
        if len(problems) > 1:
            text = tr("{why} ({count} more)", why=text, count=len(problems) - 1)
        if self.problem.text() != text:
            self.problem.setText(text)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(not problems)

    def accept(self) -> None:
        if not self.problems():
            super().accept()
