"""The column chooser: a menu of ticks that stays open while one chooses."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtGui import QMouseEvent
from PySide6.QtWidgets import QMenu, QWidget

from explorer.presentation.look import Look
from explorer.presentation.tables.columns import Column
from explorer.presentation.tables.operator_columns import DEVICE_TIMES
from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import add_action


class StayingMenu(QMenu):
    """Clicking a tick changes it and leaves the menu open."""

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        action = self.activeAction()
        if action is not None and action.isCheckable() and action.isEnabled():
            action.trigger()
            event.accept()
            return
        super().mouseReleaseEvent(event)


def choice_key(column: Column[Any]) -> str:
    """What a column is chosen by: the times of all devices are one choice, for their ids change with the study."""
    return column.key.partition("@")[0]


def column_menu(
    parent: QWidget,
    columns: Sequence[Column[Any]],
    chosen: Sequence[str],
    choose: Callable[[str, bool], None],
    reset: Callable[[], None],
    look: Look,
) -> QMenu:
    """The menu of all columns; the first one, the name, always shows."""
    menu = StayingMenu(parent)
    for column in {choice_key(c): c for c in columns}.values():
        key = choice_key(column)
        title = tr("Each device: bound, time, ratio") if key == DEVICE_TIMES else column.title(look)
        action = add_action(menu, title)
        action.setCheckable(True)
        action.setChecked(key in chosen)
        action.setEnabled(column.style != "name")
        action.toggled.connect(lambda on, key=key: choose(key, on))
    menu.addSeparator()
    menu.addAction(tr("Usual columns")).triggered.connect(reset)
    return menu
