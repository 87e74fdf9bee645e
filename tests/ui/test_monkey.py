"""Whatever a user does in whatever order: no exception, no warning, and a study that can always be saved."""

import itertools
import os
import sys

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QInputDialog, QMessageBox

from explorer.analysis.check import study_problems
from explorer.analysis.evaluate import evaluate
from explorer.app import make_window
from explorer.files.catalogue import load_catalogue
from explorer.files.examples import opening_study
from explorer.files.study import study_from_text, study_to_text
from explorer.presentation.result import evaluation_json
from explorer.ui.settings import Settings
from tests.ui.monkey import Monkey

ACTIONS = int(os.environ.get("MONKEY_ACTIONS", "150"))
SEEDS = range(*map(int, os.environ.get("MONKEY_SEEDS", "1 4").split()))


@pytest.fixture(scope="module")
def catalogue():
    return load_catalogue()


@pytest.fixture
def window(qapp, qtbot, catalogue):
    made = make_window(opening_study(), Settings())
    made.take_catalogue(catalogue)
    made.resize(1280, 800)
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.mark.qt_log_ignore("This plugin does not support")  # of the offscreen platform, not ours
@pytest.mark.parametrize("seed", SEEDS)
def test_no_order_of_actions_breaks_the_window_or_the_study(window, catalogue, monkeypatch, tmp_path, qtlog, seed):
    monkey = Monkey(window, seed)
    names, caught = itertools.count(), []
    monkeypatch.setattr(sys, "excepthook", lambda *what: caught.append(what[1]))
    monkeypatch.setattr(QDialog, "exec", lambda dialog: monkey.answer(dialog))  # noqa: PLW0108 - to be bound
    monkeypatch.setattr(QMessageBox, "exec", lambda _box: QMessageBox.StandardButton.Discard)
    monkeypatch.setattr(QInputDialog, "getInt", lambda *_: (monkey.rng.choice((1, 8, 1024)), True))
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(tmp_path / f"file {next(names)}"), ""))
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: ("", ""))
    checked = None
    for step in range(ACTIONS):
        try:
            monkey.act()
            assert caught == []
            assert [r.message for r in qtlog.records if r.log_type_name != "QtDebugMsg" and not r.ignored] == []
            study = window.session.store.study
            if study is not checked:
                check_study(study, catalogue)
                checked = study
            if step % 15 == 0:
                check_shown(window)
        except BaseException as error:
            error.add_note("did: " + "; ".join(monkey.did[-25:]))
            raise
    assert window.autosave.save()
    QApplication.processEvents()


def check_study(study, catalogue) -> None:
    """The study can be saved and reads back equal."""
    assert study_problems(study, catalogue) == ()
    assert study_from_text(study_to_text(study)) == study


def check_shown(window) -> None:
    """What is shown is what a fresh evaluation says."""
    session = window.session
    fresh = evaluate(session.store.study, session.catalogue)
    assert session.state.study is session.store.study
    assert evaluation_json(session.state.evaluation) == evaluation_json(fresh)
