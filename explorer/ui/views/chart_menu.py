"""The chart's own context menu: view, picture, switches."""

from collections.abc import Callable
from functools import partial
from typing import Protocol

from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu, QWidget

from explorer.analysis.study.study import View
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
    _add(menu, tr("Fit"), target.fit, "Home")
    _add(menu, tr("Zoom to a box"), target.box_zoom)
    _add(menu, tr("Zoom back"), target.zoom_back, "Alt+Left", enabled=target.can_zoom_back())
    _add(menu, tr("Zoom forward"), target.zoom_forward, "Alt+Right", enabled=target.can_zoom_forward())
    menu.addSeparator()
    _add(menu, tr("Copy picture"), target.copy_picture, "Ctrl+Shift+C")
    _add(menu, tr("Export figure…"), target.export, "Ctrl+E")
    menu.addSeparator()
    _switch(menu, tr("Point area shows share of time"), target, "area_is_share", on=view.area_is_share)
    _switch(menu, tr("Colour by what an operator waits for"), target, "colour_by", on=view.colour_by == "bound")
    _switch(menu, tr("FLOP per value instead of per byte"), target, "per_value", on=view.per_value)
    return menu


def _add(menu: QMenu, text: str, act: Callable[[], None], keys: str = "", *, enabled: bool = True) -> None:
    action = add_action(menu, text)
    action.triggered.connect(lambda _checked=False: act())
    action.setEnabled(enabled)
    if keys:
        action.setShortcut(QKeySequence(keys))
        action.setShortcutVisibleInContextMenu(True)


def _switch(menu: QMenu, text: str, target: MenuTarget, name: str, *, on: bool) -> None:
    action = menu.addAction(text)
    action.setCheckable(True)
    action.setChecked(on)
    action.triggered.connect(lambda _checked=False: target.switch(name))


def _add_rows(menu: QMenu, target: MenuTarget, rows: tuple[str, ...]) -> None:
    for row in rows[:MOST_ROWS]:
        _add(menu, tr("Select {name}", name=row), partial(target.choose, row))
