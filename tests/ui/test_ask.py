"""Dialogs do not pile up behind the window."""

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog

from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import opening_study
from explorer.ui.settings import Settings

WAITING = ("about", "conventions", "shortcuts", "preferences", "edit_kinds", "study_notes", "export_figure")


@pytest.fixture
def window(qapp, qtbot):
    made = make_window(opening_study(), Settings())
    made.take_catalogue(load_catalogue())
    made.show()
    qtbot.waitExposed(made)
    return made


def left(window) -> list[str]:
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    return [type(d).__name__ for d in window.findChildren(QDialog)]


@pytest.mark.parametrize("slot", WAITING)
def test_a_dialog_that_was_answered_is_gone(window, monkeypatch, slot):
    seen = []
    monkeypatch.setattr(QDialog, "exec", lambda dialog: seen.append(dialog.windowTitle()) or 0)
    getattr(window, slot)()
    assert len(seen) == 1
    assert left(window) == []


def test_a_device_editor_that_was_answered_is_gone_and_its_device_is_taken(window, monkeypatch):
    monkeypatch.setattr(QDialog, "exec", lambda dialog: dialog.accept() or 1)
    row = next(r for r in window.picker.model.rows if r.kind == "device")
    window.picker.commands.what_if(row)
    assert len(window.session.store.study.hardware) == 4
    assert left(window) == []


@pytest.mark.parametrize("accepted", [True, False])
def test_a_form_that_was_answered_is_gone(window, qtbot, accepted):
    window.tables.models.add_quick()
    form = window.tables.models.quick_form
    assert left(window) == ["QuickForm"]
    form.accept() if accepted else form.reject()
    assert left(window) == []
    assert len(window.session.store.study.models) == 1 + accepted


def test_a_list_of_faults_that_was_closed_is_gone(window):
    QGuiApplication.clipboard().setText("a\tnothing\n")
    window.tables.operators.paste()
    window.tables.operators.problem_list.reject()
    assert left(window) == []
