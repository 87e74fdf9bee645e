"""Choosing presets: a list that words narrow down."""

from collections.abc import Callable

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QLineEdit,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from explorer.analysis.models import Model
from explorer.analysis.problem import Refused
from explorer.analysis.step.expand import built_model
from explorer.analysis.study.study import ModelEntry
from explorer.files.models.presets import load_presets
from explorer.presentation.quantities.numbers import NOTHING
from explorer.presentation.tables.columns import number
from explorer.presentation.tables.model_columns import parameters
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.widgets.buttons import answer_buttons
from explorer.ui.widgets.plain_text import set_title

_RIGHT = Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter
_STRETCHED = 1
_FIGURES = (3, 4, 5)
_ROW = 1.7  # heights of the font
_GAP = 1.2


def _widest(tree: QTreeWidget, column: int) -> int:
    """Width of a column's longest text, in sight or not."""
    items = [tree.headerItem(), *(tree.topLevelItem(i) for i in range(tree.topLevelItemCount()))]
    return max(tree.fontMetrics().horizontalAdvance(i.text(column)) for i in items if i is not None)


class PresetDialog(QDialog):
    """Asks for presets; `done_with` gets those chosen."""

    def __init__(
        self, session: Session, done_with: Callable[[list[ModelEntry]], None], parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._done_with = done_with
        set_title(self, tr("Add preset"))
        self.presets = session.catalogue.presets or load_presets()
        self.needle = QLineEdit(self)
        self.needle.setPlaceholderText(tr("Find: llama 8b, moe, mla…"))
        self.needle.setAccessibleName(tr("Find a preset"))
        self.needle.setClearButtonEnabled(True)
        self.needle.textChanged.connect(self.filter_presets)
        self.list = self._make_list()
        self.buttons = answer_buttons(self, QDialogButtonBox.StandardButton.Cancel)
        self.add_button = self.buttons.addButton(tr("Add"), QDialogButtonBox.ButtonRole.AcceptRole)
        box = QVBoxLayout(self)
        for widget in (self.needle, self.list, self.buttons):
            box.addWidget(widget)
        height = self.fontMetrics().height()
        self.resize(62 * height, 36 * height)
        self.list.itemSelectionChanged.connect(self._refresh)
        self.filter_presets("")
        self.needle.setFocus()

    def _make_list(self) -> QTreeWidget:
        found = QTreeWidget(self)
        found.setAccessibleName(tr("Presets"))
        found.setRootIsDecorated(False)
        found.setUniformRowHeights(True)
        found.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        found.setHeaderLabels(
            [tr("Model"), tr("Layers"), tr("Source"), tr("Parameters"), tr("Active per token"), tr("Max context")]
        )
        height = self.fontMetrics().height()
        for preset in self.presets:
            item = _item(preset)
            item.setSizeHint(_STRETCHED, QSize(0, round(_ROW * height)))
            found.addTopLevelItem(item)
        header = found.header()
        header.setStretchLastSection(False)
        for column in range(found.columnCount()):
            header.resizeSection(column, _widest(found, column) + round(_GAP * height))
        header.setSectionResizeMode(_STRETCHED, QHeaderView.ResizeMode.Stretch)
        for column in _FIGURES:
            found.headerItem().setTextAlignment(column, _RIGHT)
        found.itemDoubleClicked.connect(lambda _item, _column: self.accept())
        return found

    def _items(self) -> list[QTreeWidgetItem]:
        return [item for i in range(self.list.topLevelItemCount()) if (item := self.list.topLevelItem(i)) is not None]

    def filter_presets(self, text: str) -> None:
        """Show the presets that hold every word, the first of them selected."""
        words = text.lower().split()
        first = None
        for item in self._items():
            hidden = not all(word in item.data(0, Qt.ItemDataRole.UserRole) for word in words)
            item.setHidden(hidden)
            first = item if first is None and not hidden else first
        self.list.clearSelection()
        if first is not None:
            self.list.setCurrentItem(first)
        self._refresh()

    def chosen(self) -> list[ModelEntry]:
        """The selected presets in sight, in the list's order."""
        return [
            preset
            for preset, item in zip(self.presets, self._items(), strict=True)
            if item.isSelected() and not item.isHidden()
        ]

    def accept(self) -> None:
        found = self.chosen()
        if found:
            super().accept()
            self._done_with(found)

    def _refresh(self) -> None:
        self.add_button.setEnabled(bool(self.chosen()))


def _item(preset: ModelEntry) -> QTreeWidgetItem:
    try:
        model: Model | None = built_model(preset)
    except Refused:
        model = None
    cells = [preset.name, _layers(model), preset.source, *_figures(model)]
    item = QTreeWidgetItem(cells)
    item.setData(0, Qt.ItemDataRole.UserRole, " ".join(cells).lower())
    for column in _FIGURES:
        item.setTextAlignment(column, _RIGHT)
    return item


def _layers(model: Model | None) -> str:
    """Kinds of attention and of feed-forward blocks."""
    if model is None:
        return NOTHING
    attention = dict.fromkeys(layer.attention for layer in model.layers)
    return f"{' + '.join(attention)} · {', '.join(dict.fromkeys(layer.mlp for layer in model.layers))}"


def _figures(model: Model | None) -> list[str]:
    """Parameters, those active per token, longest context."""
    if model is None:
        return [NOTHING] * len(_FIGURES)
    longest = None if model.max_context is None else float(model.max_context)
    return [parameters(float(model.parameters)), parameters(float(model.active_parameters)), number(longest)]
