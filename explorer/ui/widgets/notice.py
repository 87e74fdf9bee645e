"""What happened, a line each, above the panels: nothing moves for it, it can be closed, problems open no dialog."""

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from explorer.presentation.words.visible import one_line
from explorer.ui.look.text import tr
from explorer.ui.widgets.card import RADIUS
from explorer.ui.widgets.plain_text import PlainLabel

MOST: Final = 3  # sentences at a time
UNREAD_S: Final = 10.0  # a sentence stays this long beside the ones that follow it
_WIDEST: Final = 38  # text heights
_AXIS: Final = 4  # text heights kept free at the foot, where an axis has its numbers and its title
_CLEAR: Final = 12  # logical pixels to the edges of what it floats over

Act = Callable[[], object]


class NoticeLine(QWidget):
    """One sentence with its buttons."""

    def __init__(self, text: str, close: Callable[["NoticeLine"], None], parent: QWidget) -> None:
        super().__init__(parent)
        self.said_at = time.monotonic()
        self.label = PlainLabel(self)
        self.label.setWordWrap(True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.label.setAccessibleName(tr("Message"))
        self.label.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        self.label.setText(text)
        self.action = QPushButton(tr("Do it"), self)
        self.action.hide()
        self.closing = QPushButton(tr("Close"), self)
        self.closing.clicked.connect(lambda: close(self))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.label, 1)
        row.addWidget(self.action)
        row.addWidget(self.closing)
        self._close = close

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self._close(self)
        else:
            super().keyPressEvent(event)


class Notice(QWidget):
    """Sentences in a layer of their own, the newest first; hidden while there is nothing to say."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines: list[NoticeLine] = []
        self._offer: NoticeLine | None = None
        self._act: Act | None = None
        self._dismissed: Act | None = None
        self._box = QVBoxLayout(self)
        self._box.setContentsMargins(14, 7, 8, 5)
        self._box.setSpacing(4)
        self._newest = self._made("")
        self._over: QWidget | None = None
        self._before: QWidget | None = None  # what had the keyboard before the notice took it
        self.hide()

    def float_over(self, panel: QWidget) -> None:
        """Stand at the foot of a panel of the same window, or at its head where the keyboard is at the foot."""
        self._over = panel
        panel.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._over and event.type() in {QEvent.Type.Resize, QEvent.Type.Move, QEvent.Type.Show}:
            self.place()
        return super().eventFilter(watched, event)

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        if event.type() in {QEvent.Type.LayoutRequest, QEvent.Type.FontChange}:
            self.place()
        return done

    def place(self) -> None:
        """Take the place that covers nothing in use."""
        over, parent = self._over, self.parentWidget()
        if over is None or parent is None or self.isHidden():
            return
        room = QRect(over.mapTo(parent, over.rect().topLeft()), over.size())
        text = self.fontMetrics().height()
        room.adjust(_CLEAR, 3 * _CLEAR + text, -_CLEAR, -_CLEAR - _AXIS * text)
        width = min(room.width(), self.fontMetrics().height() * _WIDEST)
        here = QRect(room.topLeft(), QSize(width, max(1, self._box.heightForWidth(width))))
        here.moveCenter(room.center())
        here.moveBottom(room.bottom())
        if self._covers_keyboard(here, parent):
            here.moveTop(room.top())
            if self._covers_keyboard(here, parent):
                here.moveBottom(room.bottom())
        self.setGeometry(here)
        self.raise_()

    def _covers_keyboard(self, here: QRect, parent: QWidget) -> bool:
        used = parent.window().focusWidget()
        if used is None or self.isAncestorOf(used) or not parent.isAncestorOf(used):
            return False
        return here.intersects(QRect(used.mapTo(parent, used.rect().topLeft()), used.size()))

    def take_keyboard(self) -> None:
        """Move the keyboard to the newest sentence; it goes back where it was when that is closed."""
        if self.isVisible():
            self._before = self.window().focusWidget()
            newest = self._lines[0] if self._lines else self._offer
            if newest is not None:
                newest.closing.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def _give_back(self) -> None:
        before, self._before = self._before, None
        if before is not None and before.isVisible():
            before.setFocus(Qt.FocusReason.OtherFocusReason)

    @property
    def label(self) -> PlainLabel:
        """The sentence that was said last."""
        return self._newest.label

    @property
    def action(self) -> QPushButton:
        """The button of what is offered."""
        return (self._offer or self._newest).action

    @property
    def sentences(self) -> list[str]:
        """What is said, from top to bottom."""
        lines = [*self._lines, *([self._offer] if self._offer is not None else [])]
        return [line.label.text() for line in lines]

    def say(self, text: str) -> None:
        """Show a sentence until it is closed or others have taken its place."""
        text = one_line(text)
        now = time.monotonic()
        stay = [x for x in self._lines if now - x.said_at < UNREAD_S and x.label.text() != text][: MOST - 1]
        for line in self._lines:
            if line not in stay and line is not self._newest:
                self._drop(line)
        self._lines = stay
        line = self._put(text, first=True)
        self._lines = [line, *stay]

    def unsay(self, text: str) -> None:
        """Take back a sentence that is no longer true."""
        text = one_line(text)
        for line in self._lines:
            if line.label.text() == text:
                self._close(line)
                return

    def offer(self, text: str, button: str, act: Act, dismissed: Act | None = None) -> None:
        """Show a sentence with one thing to do about it, until that is done or dismissed.

        An `act` that answers False was not done: the offer stays.
        """
        old, self._offer = self._offer, None
        if old is not None and old is not self._newest:
            self._drop(old)
        self._offer = self._put(one_line(text), first=False)
        self._act, self._dismissed = act, dismissed
        self._offer.action.setText(button)
        self._offer.action.clicked.connect(self._on_action)
        self._offer.action.show()

    def _made(self, text: str) -> NoticeLine:
        line = NoticeLine(text, self._close, self)
        line.hide()
        return line

    def _put(self, text: str, *, first: bool) -> NoticeLine:
        """A new line in the bar; the one before goes, if nothing else keeps it."""
        before, self._newest = self._newest, self._made(text)
        if before not in self._lines and before is not self._offer:
            self._drop(before)
        self._box.insertWidget(0 if first else self._box.count(), self._newest)
        self._newest.show()
        self.show()
        self.place()
        return self._newest

    def _close(self, line: NoticeLine) -> None:
        """Close one sentence; the last one closes the bar."""
        dismissed = self._dismissed if line is self._offer else None
        self._take_away(line)
        if dismissed is not None:
            dismissed()

    def _take_away(self, line: NoticeLine) -> None:
        if line is self._offer:
            self._offer = self._act = self._dismissed = None
        self._lines = [x for x in self._lines if x is not line]
        if self._newest is not line:
            self._drop(line)
        else:
            line.hide()
            self._box.removeWidget(line)
        self.setVisible(bool(self._lines) or self._offer is not None)
        self._give_back()
        self.place()

    def _drop(self, line: NoticeLine) -> None:
        line.hide()
        self._box.removeWidget(line)
        line.deleteLater()

    def _on_action(self) -> None:
        offer, act = self._offer, self._act
        if offer is None or act is None or act() is False:
            return
        if self._offer is offer:  # and no other one has taken its place
            self._take_away(offer)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        shape = QPainterPath()
        shape.addRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), RADIUS, RADIUS)
        painter.fillPath(shape, self.palette().base())
        painter.setClipPath(shape)
        painter.fillRect(0, 0, 4, self.height(), self.palette().highlight())
        painter.setClipping(False)
        painter.strokePath(shape, QPen(self.palette().placeholderText().color(), 1.0))
        painter.end()
