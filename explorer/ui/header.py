"""The strip beside the menus: which model, which weights, which phase."""

from typing import Final

from PySide6.QtCore import QCoreApplication, QEvent, QSignalBlocker
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QMenuBar, QWidget

from explorer.analysis.step.phases.registry import PHASES, phase_of
from explorer.presentation.look import Look
from explorer.presentation.words.messages import Message, render
from explorer.presentation.words.phases import phase_word
from explorer.ui.look.text import tr
from explorer.ui.session import Session, Shown
from explorer.ui.widgets.plain_text import PlainLabel, set_tip
from explorer.ui.widgets.segmented import Segmented

_WIDEST: Final = 24  # text heights of a model's name: the menus beside it stay


def has_phase(shown: Shown, phase: str) -> bool:
    """Whether the active model, if there is one, has a phase."""
    model = shown.evaluation.model
    return model is None or phase in model.phases


def why_no_phase(shown: Shown, phase: str) -> str:
    """Why the active model lacks a phase; nothing where it has it."""
    model = shown.evaluation.model
    if model is None or has_phase(shown, phase):
        return ""
    return render(Message(f"model.no_{phase_of(phase).runs}", {"model": model.name}), shown.look)


def _named(phase: str) -> str:
    return phase_word(phase, "", Look(translate=QCoreApplication.translate))


class Header(QWidget):
    """Model and phase, always in sight."""

    def __init__(self, session: Session, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._session = session
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 3, 8, 3)
        row.setSpacing(8)
        label = PlainLabel(tr("Model"), self)
        label.setForegroundRole(self.foregroundRole())
        self.model = QComboBox(self)
        self.model.setAccessibleName(tr("Model"))
        set_tip(self.model, tr("The model whose operators are shown"))
        self.model.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.model.setMinimumContentsLength(12)
        self.model.setMaximumWidth(_WIDEST * self.fontMetrics().height())
        self.model.activated.connect(self._choose_model)
        label.setBuddy(self.model)
        row.addWidget(label)
        row.addWidget(self.model)
        self.phases = Segmented([(phase, _named(phase)) for phase in PHASES], self)
        self.phases.chosen.connect(self._choose_phase)
        row.addWidget(self.phases)

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and hasattr(self, "model"):
            self.model.setMaximumWidth(_WIDEST * self.fontMetrics().height())

    def apply(self, old: Shown | None, new: Shown) -> None:
        study = new.study
        if old is None or old.study.models != study.models or old.study.active_model != study.active_model:
            self._fill_models(new)
        if old is None or old.study.workload.phase != study.workload.phase:
            self.phases.choose(study.workload.phase)
        if old is None or old.evaluation.model is not new.evaluation.model or old.look is not new.look:
            for phase in PHASES:
                self.phases.allow(phase, allowed=has_phase(new, phase), why=why_no_phase(new, phase))

    def _fill_models(self, new: Shown) -> None:
        with QSignalBlocker(self.model):
            self.model.clear()
            self.model.addItem(tr("No model"), "")
            for entry in new.study.models:
                self.model.addItem(entry.name, entry.id)
            self.model.setCurrentIndex(max(0, self.model.findData(new.study.active_model)))
            set_tip(self.model, f"{self.model.currentText()}\n{tr('The model whose operators are shown')}")
        bar = self.parentWidget()
        if isinstance(bar, QMenuBar):  # it asks its corner for a width only when its own size changes
            QCoreApplication.sendEvent(bar, QResizeEvent(bar.size(), bar.size()))

    def _choose_model(self, index: int) -> None:
        chosen = str(self.model.itemData(index))
        self._session.store.edit(tr("Choose model"), active_model=chosen)

    def _choose_phase(self, phase: str) -> None:
        self._session.store.edit_workload(_named(phase), phase=phase)
