"""The export dialog offers the views that `render` would draw; of the others it says why not."""

from typing import cast

import pytest
from msgspec.structs import replace
from PySide6.QtGui import QStandardItemModel
from pytestqt.qtbot import QtBot

from explorer.app import make_window
from explorer.files.study.examples import opening_study
from explorer.presentation.views.declared import VIEWS, body_of
from explorer.report.figure_export import reason_of
from explorer.ui.documents.export_dialog import ExportDialog
from explorer.ui.settings import Settings


@pytest.mark.parametrize("machines", [0, 1, 3])
def test_views_with_nothing_to_show_are_shaded_and_tell_why(qtbot: QtBot, machines: int) -> None:
    study = opening_study()
    window = make_window(replace(study, hardware=study.hardware[:machines]), Settings())
    qtbot.addWidget(window)
    dialog = ExportDialog(window.session, window.settings, "roofline", window)
    qtbot.waitUntil(lambda: not dialog.offers.waiting)
    evaluation, items = window.session.state.evaluation, cast("QStandardItemModel", dialog.form.view.model())
    shaded = []
    for name in (v.name for v in VIEWS.values() if not v.bare):
        item, reason = items.item(dialog.form.view.findData(name)), reason_of(body_of(name, evaluation))
        assert item.isEnabled() == (not reason)
        assert reason in item.toolTip()
        assert item.accessibleDescription() == reason
        shaded += [name] if reason else []
    assert ("speedup" in shaded, "roofline" in shaded) == (machines < 2, machines == 0)
    if machines == 1:
        assert items.item(dialog.form.view.findData("speedup")).toolTip().startswith("One machine stands alone")
