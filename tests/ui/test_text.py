"""Words of the window under a translator who makes mistakes."""

from types import SimpleNamespace

import pytest

from explorer.app import make_window, watched
from explorer.files.catalogue import load_catalogue
from explorer.files.disk.failure_log import NAME
from explorer.files.study.examples import opening_study
from explorer.ui.look import language, text
from explorer.ui.look.text import tr
from explorer.ui.settings import Settings

FAULTS = ("TEXT {nothing}", "TEXT {0} {}", "{a.b.c} TEXT", "TEXT {a[0]}", "{TEXT", "TEXT}", "TEXT {a:>99999999999}")


@pytest.fixture
def spoil(monkeypatch):
    """Makes a language whose every text has a fault of one kind."""

    def translated(fault: str) -> None:
        translator = SimpleNamespace(translate=lambda _context, source: fault.replace("TEXT", source))
        monkeypatch.setattr(text, "QCoreApplication", translator)
        monkeypatch.setattr(language, "QCoreApplication", translator)

    return translated


@pytest.mark.parametrize("fault", FAULTS)
def test_a_text_with_fields_is_shown_in_english_where_the_translation_cannot_be_filled(spoil, fault: str) -> None:
    spoil(fault)
    assert tr("{done} of {total}, {remaining} s left", done=1, total=2, remaining="3") == "1 of 2, 3 s left"
    assert tr("Copy of {name}").format(name="x") == "Copy of x"
    assert tr("Hardware") == "Hardware"


def test_a_window_opens_and_the_faults_stand_in_the_log_of_failures(spoil, qtbot) -> None:
    spoil("{nobody} TEXT {0[")
    window = make_window(opening_study(), Settings())
    failures = watched(window)
    failures.install()
    try:
        window.show()
        qtbot.waitExposed(window)
        window.take_catalogue(load_catalogue())
        assert window.windowTitle().endswith("Roofline Explorer")
        log = (failures.folder / NAME).read_text("utf-8")
        title = "“{name}[*] – Roofline Explorer”"
        assert log.count(title) == 1
        assert failures.dialog is None
    finally:
        failures.uninstall()
