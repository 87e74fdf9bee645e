"""A registered phase is a choice of the window, and its step is shown."""

import pytest
from pytestqt.qtbot import QtBot

from explorer.app import make_window
from explorer.files.study.examples import opening_study
from explorer.ui.settings import Settings
from tests.verify_phase import VERIFY, register_verify


def test_the_header_offers_a_registered_phase(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    register_verify(monkeypatch)
    window = make_window(opening_study(), Settings())
    window.show()
    qtbot.waitExposed(window)
    qtbot.waitUntil(lambda: window.roofline.chart is not None)
    window.header.phases.buttons["verify"].click()
    assert window.session.state.evaluation.phase is VERIFY
    assert window.decode_panel.title.text() == "Verify"
    assert window.decode_panel.tiles["streamed_s"].isVisibleTo(window.decode_panel)
    assert "checking takes at least" in window.answer.line.accessibleName()
