"""What stands in a list that holds nothing: why, and what can be done about it."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QPalette
from PySide6.QtWidgets import QPushButton, QVBoxLayout, QWidget

from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import PlainLabel

Offer = tuple[str, Callable[[], object]]


class EmptyOffers(QWidget):
    """Covers the room of a list; its buttons act and are made anew each time."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
        self.label = PlainLabel(self)
        self.label.setWordWrap(True)
        self.label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.label.setForegroundRole(QPalette.ColorRole.PlaceholderText)
        self.label.setAccessibleName(tr("Why the list is empty"))
        self.buttons: list[QPushButton] = []
        self._box = QVBoxLayout(self)
        self._box.addWidget(self.label)
        self._box.addStretch(1)
        over.installEventFilter(self)
        self.hide()

    def show_offers(self, text: str, offers: Sequence[Offer]) -> None:
        """Say why, and offer what helps; nothing where there is no text."""
        self.label.setText(text)
        for button in self.buttons:
            button.hide()
            button.deleteLater()
        self.buttons = [self._button(words, act) for words, act in offers]
        for place, button in enumerate(self.buttons, start=1):
            self._box.insertWidget(place, button, 0, Qt.AlignmentFlag.AlignHCenter)
        self.setGeometry(self._over.rect())
        self.setVisible(bool(text))

    def _button(self, words: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(words, self)
        button.setAutoDefault(False)
        # the button goes with the act: not before its click is over
        button.clicked.connect(act, Qt.ConnectionType.QueuedConnection)
        return button

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._over and event.type() == QEvent.Type.Resize:
            self.setGeometry(self._over.rect())
        return super().eventFilter(watched, event)
