"""Editing a model's config as JSON, checked while it is typed."""

import json
from collections.abc import Callable
from typing import Any

from msgspec.structs import replace
from PySide6.QtCore import QTimer
from PySide6.QtGui import QFontDatabase
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QPlainTextEdit, QVBoxLayout, QWidget

from explorer.analysis.problem import Refused
from explorer.analysis.step.expand import built_model
from explorer.analysis.study.study import ModelEntry
from explorer.files.models.config import parse_config
from explorer.presentation.tables.model_columns import parameters
from explorer.presentation.words.messages import render_problem
from explorer.presentation.words.visible import visible
from explorer.ui.look.text import tr
from explorer.ui.session import Session
from explorer.ui.widgets.buttons import answer_buttons
from explorer.ui.widgets.plain_text import PlainLabel, set_title

_PAUSE_MS = 150  # after the last key


class ConfigForm(QDialog):
    """`done_with` gets the config when it is accepted; a config that is refused says why and cannot be."""

    def __init__(
        self, session: Session, entry: ModelEntry, done_with: Callable[[dict[str, Any]], None],
        parent: QWidget | None = None,
    ) -> None:  # fmt: skip
        super().__init__(parent)
        self._session = session
        self._entry = entry
        self._done_with = done_with
        self._config: dict[str, Any] | None = None
        set_title(self, tr("Config of {name}", name=entry.name))
        self.editor = QPlainTextEdit(_as_json(entry.config or {}), self)
        self.editor.setFont(QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont))
        self.editor.setAccessibleName(tr("Config as JSON"))
        self.status = PlainLabel(self)
        self.status.setWordWrap(True)
        self.status.setAccessibleName(tr("What the config comes to"))
        self.buttons = answer_buttons(self, QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        box = QVBoxLayout(self)
        box.addWidget(self.editor, 1)
        box.addWidget(self.status)
        box.addWidget(self.buttons)
        self._pause = QTimer(self)
        self._pause.setSingleShot(True)
        self._pause.setInterval(_PAUSE_MS)
        self._pause.timeout.connect(self.check)
        self.editor.textChanged.connect(self._pause.start)
        height = self.fontMetrics().height()
        self.resize(36 * height, 34 * height)
        self.check()

    def check(self) -> None:
        """Read the text; say what it comes to or what is wrong."""
        self._pause.stop()
        try:
            config = parse_config(self.editor.toPlainText())
            model = built_model(replace(self._entry, config=config))
        except Refused as refused:
            self._config = None
            self.status.setText(render_problem(refused.problems[0], self._session.look))
        else:
            self._config = config
            count, active = parameters(float(model.parameters)), parameters(float(model.active_parameters))
            words = tr("{count} parameters, {active} active per token.", count=count, active=active)
            self.status.setText(words)
        self.buttons.button(QDialogButtonBox.StandardButton.Ok).setEnabled(self._config is not None)

    def accept(self) -> None:
        self.check()
        if self._config is not None:
            super().accept()
            self._done_with(self._config)


def _as_json(config: dict[str, Any]) -> str:
    """A config as text in which nothing hides: what would is escaped, as JSON does it."""
    text = json.dumps(config, indent=2, ensure_ascii=False)
    return text if visible(text) == text else json.dumps(config, indent=2)
