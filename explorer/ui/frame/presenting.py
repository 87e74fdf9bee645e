"""Presentation mode: answer and view alone, on the whole screen, in larger type."""

import weakref
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtWidgets import QMainWindow, QToolButton, QWidget

from explorer.ui.look.text import tr
from explorer.ui.views.view_tabs import ViewTabs

LARGER: Final = 1.3


class Presenting(QObject):
    """Puts panels away and brings them back as they were; `turned` tells that it is on, or off again."""

    turned = Signal()

    def __init__(self, window: QMainWindow, tabs: ViewTabs, away: Sequence[QWidget]) -> None:
        super().__init__(window)
        self._window: QMainWindow = weakref.proxy(window)
        self._away = (*away, window.menuBar())
        self._before: tuple[Qt.WindowState, list[bool]] | None = None
        self.leave_button = QToolButton(tabs)
        self.leave_button.setText(tr("Leave the presentation"))
        self.leave_button.setAccessibleName(tr("Leave the presentation"))
        self.leave_button.setAutoRaise(True)
        self.leave_button.clicked.connect(self.leave)
        self.leave_button.hide()
        tabs.keep_beside(self.leave_button)

    @property
    def on(self) -> bool:
        """Whether it is on."""
        return self._before is not None

    @property
    def scale(self) -> float:
        """How much larger than usual words are."""
        return LARGER if self.on else 1.0

    def enter(self) -> None:
        """Put everything away but answer and view."""
        if self._before is None:
            state = self._window.windowState()
            self._before = state, [part.isHidden() for part in self._away]
            for part in self._away:
                part.hide()
            self.leave_button.show()
            self.turned.emit()
            self._window.setWindowState(state | Qt.WindowState.WindowFullScreen)

    def leave(self) -> None:
        """Bring all back."""
        if self._before is not None:
            state, hidden = self._before
            self._before = None
            self._window.setWindowState(state)
            self.turned.emit()
            self.leave_button.hide()
            for part, away in zip(self._away, hidden, strict=True):
                part.setHidden(away)
