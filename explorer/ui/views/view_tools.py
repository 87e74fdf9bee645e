"""What a view offers beside the tabs: its actions as flat buttons, or one menu of them where there is little room."""

from collections.abc import Sequence

from PySide6.QtCore import QSize
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import set_tip


class ViewTools(QWidget):
    """Shows the actions of one view after another."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._room = 0
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 4, 0)
        self._row.setSpacing(2)
        self.buttons: list[QToolButton] = []
        self._kept: list[QToolButton] = []
        self.more = self._button()
        self.more.setText("⋯")
        self.more.setAccessibleName(tr("What the view offers"))
        set_tip(self.more, tr("What the view offers"))
        self.menu = QMenu(self.more)
        self.more.clicked.connect(lambda: self.menu.popup(self.more.mapToGlobal(self.more.rect().bottomLeft())))
        self.more.hide()

    def _button(self) -> QToolButton:
        button = QToolButton(self)
        button.setAutoRaise(True)
        self._row.insertWidget(self._row.count() - len(self._kept), button)
        return button

    def show_actions(self, actions: Sequence[QAction]) -> None:
        """Offer these."""
        for old in self.buttons:
            self._row.removeWidget(old)
            old.hide()
            old.deleteLater()
        self.buttons = []
        self.menu.clear()
        for action in actions:
            button = self._button()
            button.setDefaultAction(action)
            button.setAccessibleName(action.text().replace("&", ""))
            self.buttons.append(button)
            self.menu.addAction(action)
        self._fit()

    def keep(self, button: QToolButton) -> None:
        """A button that stands last whatever the view offers, while it is not hidden."""
        self._kept.append(button)
        self._row.addWidget(button)

    def fit(self, room: int) -> None:
        """Take as much room as there is."""
        self._room = room
        self._fit()

    def _fit(self) -> None:
        whole = self._whole() <= self._room
        for button in self.buttons:
            button.setVisible(whole)
        self.more.setVisible(bool(self.buttons) and not whole)
        self.updateGeometry()

    def _whole(self) -> int:
        seen = [*self.buttons, *(b for b in self._kept if not b.isHidden())]
        return sum(b.sizeHint().width() + self._row.spacing() for b in seen) + 4

    def sizeHint(self) -> QSize:
        seen = [b for b in (*self.buttons, self.more, *self._kept) if not b.isHidden()]
        wide = sum(b.sizeHint().width() + self._row.spacing() for b in seen) + 4
        return QSize(wide, max((b.sizeHint().height() for b in seen), default=0))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()
