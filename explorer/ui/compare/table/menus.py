"""Menus of the compare table: what can be done with a row, and which columns are shown."""

from collections.abc import Callable, Sequence

from PySide6.QtWidgets import QMenu, QWidget

from explorer.presentation.compare.table import ComparedTable
from explorer.ui.grid.column_menu import StayingMenu
from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import add_action

Does = Callable[[], object]


def row_menu(parent: QWidget, offers: Sequence[tuple[str, Does]]) -> QMenu:
    """What can be done where one clicked."""
    menu = QMenu(parent)
    for words, does in offers:
        add_action(menu, words).triggered.connect(does)
    menu.aboutToHide.connect(menu.deleteLater)
    return menu


def figure_menu(
    parent: QWidget, table: ComparedTable, shown: Sequence[str], choose: Callable[[tuple[str, ...]], None]
) -> QMenu:
    """Ticks of all columns, which stays open while one chooses."""
    menu = StayingMenu(parent)
    chosen = list(shown)

    def toggle(figure: str, on: bool) -> None:
        kept = [f for f in chosen if f != figure]
        chosen[:] = [*kept, figure] if on else kept or chosen
        choose(tuple(chosen))

    for column in table.columns:
        action = add_action(menu, column.alone)
        action.setCheckable(True)
        action.setChecked(column.figure in chosen)
        action.toggled.connect(lambda on, figure=column.figure: toggle(figure, on))
    menu.addSeparator()
    menu.addAction(tr("Usual columns")).triggered.connect(lambda: choose(()))
    menu.aboutToHide.connect(menu.deleteLater)
    return menu
