"""The chart's own context menu: view, picture, switches."""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from explorer.analysis.study.study import View
from explorer.presentation.actions import action_of
from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import add_action

MOST_ROWS = 20


class MenuTarget(Protocol):
    """What the menu does."""

    def fit(self) -> None: ...
    def box_zoom(self) -> None: ...
    def zoom_back(self) -> None: ...
    def zoom_forward(self) -> None: ...
    def copy_picture(self) -> None: ...
    def export(self) -> None: ...
    def switch(self, name: str) -> None: ...
    def choose(self, row: str) -> None: ...
    def can_zoom_back(self) -> bool: ...
    def can_zoom_forward(self) -> bool: ...


def chart_menu(target: MenuTarget, view: View, rows: tuple[str, ...], parent: QWidget) -> QMenu:
    """The menu over a chart; `rows` are the members of the point under the pointer."""
    menu = QMenu(parent)
    if rows:
        _add_rows(menu, target, rows)
        menu.addSeparator()
    _add(menu, "fit", target.fit)
    _add(menu, "box_zoom", target.box_zoom)
    _add(menu, "zoom_back", target.zoom_back, enabled=target.can_zoom_back())
    _add(menu, "zoom_forward", target.zoom_forward, enabled=target.can_zoom_forward())
    menu.addSeparator()
    _add(menu, "copy_figure", target.copy_picture)
    _add(menu, "export_figure", target.export)
    menu.addSeparator()
    _add(menu, "area_is_share", partial(target.switch, "area_is_share"), on=view.area_is_share)
    _add(menu, "colour_by_bound", partial(target.switch, "colour_by"), on=view.colour_by == "bound")
    _add(menu, "per_value", partial(target.switch, "per_value"), on=view.per_value)
    return menu


def _add(menu: QMenu, key: str, act: Callable[[], None], *, enabled: bool = True, on: bool | None = None) -> None:
    """An action of the table, with the key that does the same; `on` is the state of a switch."""
    of = action_of(key)
    action = _plain(menu, tr(of.in_chart), act)
    action.setEnabled(enabled)
    if keys := next(iter(of.on_chart), of.shortcut):
        action.setShortcut(QKeySequence(keys))
        action.setShortcutVisibleInContextMenu(True)
    if on is not None:
        action.setCheckable(True)
        action.setChecked(on)


def _plain(menu: QMenu, text: str, act: Callable[[], None]) -> QAction:
    action = add_action(menu, text)
    action.triggered.connect(lambda _checked=False: act())
    return action


def _add_rows(menu: QMenu, target: MenuTarget, rows: tuple[str, ...]) -> None:
    for row in rows[:MOST_ROWS]:
        _plain(menu, tr("Select {name}", name=row), partial(target.choose, row))
