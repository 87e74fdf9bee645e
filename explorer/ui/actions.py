"""The window's actions, from the table in `presentation/actions.py`: here is only what each of them calls."""

from collections.abc import Callable, Mapping
from functools import partial
from itertools import zip_longest
from typing import Final, Protocol

from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMenu, QMenuBar, QWidget

from explorer.presentation.actions import ACTIONS, MENUS, VIEW_KEYS, Action
from explorer.presentation.views.declared import tab_views
from explorer.ui.look.text import tr
from explorer.ui.widgets.plain_text import set_tip


class ActionTarget(Protocol):
    """What a window does."""

    def new_study(self) -> None: ...
    def open_file(self) -> None: ...
    def save(self) -> None: ...
    def save_as(self) -> None: ...
    def revert(self) -> None: ...
    def add_preset(self) -> None: ...
    def add_config(self) -> None: ...
    def import_measurements(self) -> None: ...
    def export_figure(self) -> None: ...
    def copy_figure(self) -> None: ...
    def export_table(self) -> None: ...
    def preferences(self) -> None: ...
    def quit(self) -> None: ...
    def find_in_table(self) -> None: ...
    def clear_selection(self) -> None: ...
    def edit_kinds(self) -> None: ...
    def study_notes(self) -> None: ...
    def prefill(self) -> None: ...
    def decode(self) -> None: ...
    def batch_up(self) -> None: ...
    def batch_down(self) -> None: ...
    def context_up(self) -> None: ...
    def context_down(self) -> None: ...
    def fit(self) -> None: ...
    def zoom_back(self) -> None: ...
    def zoom_forward(self) -> None: ...
    def per_value(self) -> None: ...
    def area_is_share(self) -> None: ...
    def colour_by_bound(self) -> None: ...
    def swap_baseline(self) -> None: ...
    def present(self) -> None: ...
    def read_notice(self) -> None: ...
    def measure_operators(self) -> None: ...
    def measure_ceilings(self) -> None: ...
    def trace_model(self) -> None: ...
    def fit_measurements(self) -> None: ...
    def diagnose_counters(self) -> None: ...
    def shortcuts(self) -> None: ...
    def conventions(self) -> None: ...
    def about(self) -> None: ...


# bound methods: Qt holds those of its own objects weakly, a function that knows the window would keep it alive
SLOTS: Final[Mapping[str, Callable[[ActionTarget], Callable[[], None]]]] = {
    "new_study": lambda window: window.new_study,
    "open_file": lambda window: window.open_file,
    "save": lambda window: window.save,
    "save_as": lambda window: window.save_as,
    "revert": lambda window: window.revert,
    "add_preset": lambda window: window.add_preset,
    "add_config": lambda window: window.add_config,
    "import_measurements": lambda window: window.import_measurements,
    "export_figure": lambda window: window.export_figure,
    "copy_figure": lambda window: window.copy_figure,
    "export_table": lambda window: window.export_table,
    "preferences": lambda window: window.preferences,
    "quit": lambda window: window.quit,
    "find_in_table": lambda window: window.find_in_table,
    "clear_selection": lambda window: window.clear_selection,
    "edit_kinds": lambda window: window.edit_kinds,
    "study_notes": lambda window: window.study_notes,
    "prefill": lambda window: window.prefill,
    "decode": lambda window: window.decode,
    "batch_up": lambda window: window.batch_up,
    "batch_down": lambda window: window.batch_down,
    "context_up": lambda window: window.context_up,
    "context_down": lambda window: window.context_down,
    "fit": lambda window: window.fit,
    "zoom_back": lambda window: window.zoom_back,
    "zoom_forward": lambda window: window.zoom_forward,
    "per_value": lambda window: window.per_value,
    "area_is_share": lambda window: window.area_is_share,
    "colour_by_bound": lambda window: window.colour_by_bound,
    "swap_baseline": lambda window: window.swap_baseline,
    "present": lambda window: window.present,
    "read_notice": lambda window: window.read_notice,
    "measure_operators": lambda window: window.measure_operators,
    "measure_ceilings": lambda window: window.measure_ceilings,
    "trace_model": lambda window: window.trace_model,
    "fit_measurements": lambda window: window.fit_measurements,
    "diagnose_counters": lambda window: window.diagnose_counters,
    "shortcuts": lambda window: window.shortcuts,
    "conventions": lambda window: window.conventions,
    "about": lambda window: window.about,
}


def make_actions(target: ActionTarget, parent: QWidget) -> dict[str, QAction]:
    """One QAction for every action of a menu."""
    return {action.key: _made(action, target, parent) for action in in_menus()}


def in_menus() -> tuple[Action, ...]:
    """The actions of the menu bar."""
    return tuple(a for a in ACTIONS if a.menu)


def _made(of: Action, target: ActionTarget, parent: QWidget) -> QAction:
    action = QAction(tr(of.text), parent)
    action.setObjectName(of.key)
    action.setShortcut(QKeySequence(of.shortcut))
    action.setStatusTip(tr(of.tip) if of.tip else "")
    set_tip(action, tr(of.tip) if of.tip else action.text().replace("&", ""))
    action.setCheckable(of.checkable)
    action.triggered.connect(SLOTS[of.key](target))
    return action


def fill_menus(bar: QMenuBar, actions: Mapping[str, QAction]) -> dict[str, QMenu]:
    """The menu bar's menus, filled in the table's order."""
    menus = {key: bar.addMenu(tr(title)) for key, title in MENUS}
    for action in in_menus():
        menu = menus[action.menu]
        if action.separator and not menu.isEmpty():
            menu.addSeparator()
        menu.addAction(actions[action.key])
    return menus


def fill_views(menu: QMenu, choose: Callable[[str], None]) -> dict[str, QAction]:
    """A menu's line for each view that has a tab, with its key."""
    made: dict[str, QAction] = {}
    for view, key in zip_longest(tab_views(), VIEW_KEYS[: len(tab_views())]):
        made[view.name] = action = menu.addAction(tr(view.tab))
        action.setShortcut(QKeySequence(key or ""))
        action.triggered.connect(partial(choose, view.name))
    return made


def shortcut_rows() -> list[tuple[str, str]]:
    """Every key with its words, for the help: the window's, then those of the chart and of the tables."""
    return [
        *((_native(a.shortcut), _words(a)) for a in ACTIONS if a.shortcut),
        *((_native(key), tr("View: {view}", view=tr(v.tab))) for v, key in zip(tab_views(), VIEW_KEYS, strict=False)),
        *((_native(*a.on_chart), tr("Chart: {action}", action=_words(a))) for a in ACTIONS if a.on_chart),
        *((_native(a.on_table), tr("Tables: {action}", action=_words(a))) for a in ACTIONS if a.on_table),
    ]


def _words(action: Action) -> str:
    return tr(action.text).replace("&", "")


def _native(*keys: str) -> str:
    return ", ".join(QKeySequence(k).toString(QKeySequence.SequenceFormat.NativeText) for k in keys)
