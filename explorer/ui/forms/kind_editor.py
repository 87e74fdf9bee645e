"""The editor of operator kinds: built-in ones to read and copy, own ones to edit, with a live check."""

from msgspec.structs import replace
from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHBoxLayout,
    QListWidget,
    QListWidgetItem,
    QPushButton,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

import explorer.presentation.words.kind_texts  # noqa: F401 - the sentences of this editor
from explorer.analysis.catalogue.kind_check import KindCheck, check_kind, put_kind, remove_kind
from explorer.analysis.catalogue.kinds import Dim, OperatorKind
from explorer.analysis.problem import Refused
from explorer.analysis.study.edit_rows import unique_name
from explorer.presentation.words.messages import refusal
from explorer.ui.forms.kind_form import KindForm
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.widgets.buttons import answer_buttons
from explorer.ui.widgets.plain_text import PlainLabel, guard_copies, set_title

_NEW = OperatorKind(
    id="my_operator",
    dims=(Dim(name="values", default=4194304.0),),
    flops="values",
    bytes_read="a * values",
    bytes_written="o * values",
)
_ID = Qt.ItemDataRole.UserRole
_Button = QDialogButtonBox.StandardButton


class KindEditor(QDialog):
    """OK saves the shown kind as one undo step; a kind that is wrong cannot be saved."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        self._draft: OperatorKind | None = None  # a new kind that is not saved yet
        self._check = KindCheck()
        self._loaded: OperatorKind | None = None
        set_title(self, tr("Operator kinds"))
        self.list = QListWidget(self)
        guard_copies(self.list)
        self.list.setAccessibleName(tr("Operator kinds"))
        self.list.setMaximumWidth(16 * self.fontMetrics().height())
        self.form = KindForm(session.look, self._refresh, self)
        self.remark = PlainLabel(self)
        self.remark.setWordWrap(True)
        self.remark.setForegroundRole(self.palette().ColorRole.BrightText)
        self.remark.setAccessibleName(tr("Remark on the kind"))
        self.new_button = self._button(tr("New"), self.new_kind)
        self.copy_button = self._button(tr("Duplicate to edit"), self.duplicate)
        self.delete_button = self._button(tr("Delete"), self.delete)
        self.buttons = answer_buttons(self, _Button.Ok | _Button.Apply | _Button.Cancel)
        self.buttons.button(_Button.Apply).clicked.connect(self.save)
        self._lay_out()
        self.list.currentItemChanged.connect(self._chosen)
        self._fill(self._own()[0].id if self._own() else self._session.catalogue.kinds[0].id)
        em = self.fontMetrics().height()
        self.resize(58 * em, 45 * em)

    # what the buttons do

    def new_kind(self) -> None:
        """Begin a kind from a small example."""
        self._begin(replace(_NEW, id=unique_name(_NEW.id, self._ids())))

    def duplicate(self) -> None:
        """Begin a kind from the shown one."""
        shown = self.form.kind() or self._loaded
        if shown is not None:
            copy = unique_name(tr("{id}_copy", id=shown.id), self._ids())
            self._begin(replace(shown, id=copy.replace(" ", "_"), en=shown.en, zh="", note=""))

    def delete(self) -> None:
        """Delete the shown kind, unless rows use it."""
        if self._loaded is None:
            return
        store, kind_id = self._session.store, self._loaded.id
        if self._draft is None:
            try:
                store.replace(remove_kind(store.study, kind_id), tr("Delete kind {name}", name=kind_id))
            except Refused as refused:
                self.remark.setText(self._sentence(refused))
                return
        self._draft = None
        self._fill(self._session.catalogue.kinds[0].id)

    def save(self) -> bool:
        """Save the shown kind as one undo step; says why where that cannot be."""
        kind = self.form.kind()
        if kind is None or self._check.problems or self._loaded is None:
            return False
        if not self._editable(self._loaded.id):
            return True
        old = "" if self._draft is not None else self._loaded.id
        store = self._session.store
        try:
            study = put_kind(store.study, kind, self._session.catalogue.format_by_id, old)
        except Refused as refused:
            self.remark.setText(self._sentence(refused))
            return False
        words = tr("Edit kind {name}", name=kind.id) if old else tr("Add kind {name}", name=kind.id)
        store.replace(study, words)
        self._draft = None
        self._fill(kind.id)
        return True

    def accept(self) -> None:
        if self.save():
            super().accept()

    # what is shown

    def _own(self) -> tuple[OperatorKind, ...]:
        own = self._session.store.study.kinds
        return (*own, self._draft) if self._draft is not None else own

    def _ids(self) -> set[str]:
        return {k.id for k in (*self._own(), *self._session.catalogue.kinds)}

    def _editable(self, kind_id: str) -> bool:
        return any(k.id == kind_id for k in self._own())

    def _begin(self, kind: OperatorKind) -> None:
        self._draft = kind
        self._fill(kind.id)
        self.form.name.line.setFocus()
        self.form.name.line.selectAll()

    def _fill(self, show: str) -> None:
        self.list.blockSignals(True)  # noqa: FBT003 - Qt's own signature
        self.list.clear()
        for kind in self._own():
            self._item(kind.id, tr("{id} (yours)", id=kind.id))
        for kind in self._session.catalogue.kinds:
            self._item(kind.id, kind.id)
        self.list.blockSignals(False)  # noqa: FBT003 - Qt's own signature
        for i in range(self.list.count()):
            if self.list.item(i).data(_ID) == show:
                self.list.setCurrentRow(i)
        self._chosen()

    def _item(self, kind_id: str, text: str) -> None:
        item = QListWidgetItem(text, self.list)
        item.setData(_ID, kind_id)

    def _chosen(self, *_items: object) -> None:
        if self.list.currentRow() < 0:
            return
        kind_id = self.list.currentItem().data(_ID)
        kind = next(k for k in (*self._own(), *self._session.catalogue.kinds) if k.id == kind_id)
        self.remark.setText("")
        self._loaded = kind
        editable = self._editable(kind_id)
        self.delete_button.setEnabled(editable)
        self.form.load(kind, editable=editable)

    def _refresh(self) -> None:
        """Check what is typed."""
        kind = self.form.kind()
        if kind is not None and self._loaded is not None:
            taken = self._ids() - {self._loaded.id}
            self._check = check_kind(kind, self._session.catalogue.format_by_id, taken)
            self.form.show_check(self._check)
        ok = kind is not None and not self._check.problems
        self.buttons.button(_Button.Ok).setEnabled(ok)
        changes = self._loaded is not None and (kind != self._loaded or self._draft is not None)
        self.buttons.button(_Button.Apply).setEnabled(ok and changes)

    def _sentence(self, refused: Refused) -> str:
        return refusal(refused, self._session.look)

    def _button(self, text: str, slot: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setAutoDefault(False)
        button.clicked.connect(slot)
        return button

    def _lay_out(self) -> None:
        left = QVBoxLayout()
        left.addWidget(self.list, 1)
        for button in (self.new_button, self.copy_button, self.delete_button):
            left.addWidget(button)
        area = QScrollArea(self)
        area.setWidgetResizable(True)
        area.setFrameShape(QScrollArea.Shape.NoFrame)
        area.setWidget(self.form)
        hint = PlainLabel(
            tr(
                "Formulas may use the dims, the derived figures, and a, w, o, kv: bytes per activation, weight, output "
                "and KV-cache value; + - * / // % **, min, max, ceil, floor, log2."
            ),
            self,
        )
        hint.setWordWrap(True)
        hint.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        right = QVBoxLayout()
        right.addWidget(hint)
        right.addWidget(area, 1)
        right.addWidget(self.remark)
        right.addWidget(self.buttons)
        box = QHBoxLayout(self)
        box.addLayout(left)
        box.addLayout(right, 1)
