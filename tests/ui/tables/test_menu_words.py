"""What the menu bar and a table both offer has one name in both."""

from PySide6.QtWidgets import QToolButton
from pytestqt.qtbot import QtBot

from explorer.presentation.actions import action_of
from explorer.ui.session import Session
from explorer.ui.tables.measurements_table import MeasurementsTable
from explorer.ui.tables.models_table import ModelsTable
from explorer.ui.tables.panel import TablePanel

BOTH = {"import_measurements": "Import…", "measure_operators": "Measure…", "fit_measurements": "Fit…"}
OF_MODELS = {"add_preset": "Add preset…", "add_config": "Add file…"}


def names_are_the_menus(panel: TablePanel, wanted: dict[str, str]) -> None:
    buttons = {b.text(): b for b in panel.findChildren(QToolButton)}
    for key, short in wanted.items():
        words, button = action_of(key).text.replace("&", ""), buttons[short]
        assert button.accessibleName() == words
        assert button.defaultAction().text() == words  # in the table's own menu
        assert words.rstrip("…") in button.toolTip()
        assert action_of(key).tip in button.toolTip().replace("&#x27;", "'")


def test_buttons_are_named_as_the_menu_names_what_they_do(
    qtbot: QtBot, session: Session, kept: object, models: ModelsTable
) -> None:
    table = MeasurementsTable(session, kept)  # type: ignore[arg-type]
    qtbot.addWidget(table)
    names_are_the_menus(table, BOTH)
    names_are_the_menus(models, OF_MODELS)
