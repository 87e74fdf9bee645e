"""When the program itself fails: one dialog, a report, a log; the program goes on with the last good study."""

import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer, QtMsgType
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QWidget

from explorer.app import make_window, watched
from explorer.files.catalogue import load_catalogue
from explorer.files.disk.failure_log import NAME
from explorer.files.study.examples import opening_study
from explorer.files.study.study import read_study
from explorer.ui import session as session_module
from explorer.ui.settings import Settings


@pytest.fixture
def window(qapp, qtbot):
    made = make_window(opening_study(), Settings())
    made.take_catalogue(load_catalogue(devices=False))
    made.show()
    qtbot.waitExposed(made)
    return made


@pytest.fixture
def failures(window, monkeypatch):
    """What would be installed, fed by hand: a hook in place would hide the failures of tests."""
    made = watched(window)
    yield made
    if made.dialog is not None:
        made.dialog.close()


def fail(failures, error=None):
    def raising():
        raise error or ZeroDivisionError("a tenth of nothing")

    try:
        raising()
    except Exception as found:  # noqa: BLE001 - handed on
        failures._on_exception(type(found), found, found.__traceback__)


def logged(failures) -> str:
    return (failures.folder / NAME).read_text("utf-8")


def test_a_failure_is_one_dialog_with_a_report_that_can_be_copied(window, failures, qtbot, monkeypatch):
    monkeypatch.setenv("HOME", str(Path(__file__).parents[2]))
    window.session.store.edit_workload("Batch", batch=9)
    fail(failures)
    qtbot.waitUntil(lambda: failures.dialog is not None)
    report = failures.dialog.report.toPlainText()
    assert "ZeroDivisionError: a tenth of nothing" in report
    assert "Qt 6" in report
    assert "Python 3" in report
    assert "Last edits:\n  Batch" in report
    assert str(Path(__file__).parents[2]) not in report
    failures.dialog.copy.click()
    assert QGuiApplication.clipboard().text() == report
    assert "a tenth of nothing" in logged(failures)
    assert not failures.dialog.isModal()


def test_the_same_failure_is_counted_and_not_shown_again(window, failures, qtbot):
    for _ in range(50):
        fail(failures)
    qtbot.waitUntil(lambda: failures.counted.total() == 50)
    assert "50" in failures.dialog.more.text()
    assert len([w for w in window.findChildren(QDialog) if w.isVisible()]) == 1
    failures.dialog.close()
    qtbot.waitUntil(lambda: failures.dialog is None)
    fail(failures)
    qtbot.waitUntil(lambda: failures.counted.total() == 51)
    assert failures.dialog is None
    assert logged(failures).count("Traceback") == 1


def test_another_failure_joins_the_open_dialog(failures, qtbot):
    fail(failures)
    fail(failures, ValueError("<b>other</b>"))
    qtbot.waitUntil(lambda: failures.counted.total() == 2)
    text = failures.dialog.report.toPlainText()
    assert "ZeroDivisionError" in text
    assert "<b>other</b>" in text


def test_a_failing_thread_is_told_from_the_windows_thread(failures, qtbot):
    threading.Thread(target=lambda: fail(failures)).start()
    qtbot.waitUntil(lambda: failures.dialog is not None)


def test_edits_are_kept_before_anything_else(window, failures, qtbot):
    window.session.store.edit_workload("Batch", batch=77)
    fail(failures)
    qtbot.waitUntil(window.autosave.path.exists)
    qtbot.waitUntil(lambda: window.autosave._writing is None)
    assert read_study(window.autosave.path).workload.batch == 77


def test_a_study_that_cannot_be_shown_gives_way_to_the_last_good_one(window, failures, qtbot, monkeypatch):
    store = window.session.store
    store.edit_workload("Batch", batch=2)
    evaluate = session_module.evaluate

    def bad(study, *more):
        if study.workload.batch == 3:
            raise ZeroDivisionError
        return evaluate(study, *more)

    monkeypatch.setattr(session_module, "evaluate", bad)
    with qtbot.captureExceptions() as caught:
        store.edit_workload("Batch", batch=3)
    assert [e[0] for e in caught] == [ZeroDivisionError]
    failures._on_exception(*caught[0])
    qtbot.waitUntil(lambda: failures.dialog is not None)
    assert store.study.workload.batch == 2
    assert window.session.state.study.workload.batch == 2


def test_a_failure_in_a_modal_dialog_can_be_answered_on_it(window, failures, qtbot):
    above = QDialog(window)

    def meanwhile():
        fail(failures)
        qtbot.waitUntil(lambda: failures.dialog is not None)
        assert failures.dialog.parent() is above
        failures.dialog.close()
        above.reject()

    QTimer.singleShot(0, above, meanwhile)
    above.exec()
    qtbot.waitUntil(lambda: failures.dialog is None)


def test_a_log_that_cannot_be_written_hides_no_failure(window, failures, qtbot, tmp_path):
    failures.folder = tmp_path / "file"
    failures.folder.write_text("in the way")
    failures.watch_crashes()
    fail(failures)
    qtbot.waitUntil(lambda: failures.dialog is not None)


def test_grave_messages_of_qt_are_logged(failures, capsys):
    failures._on_message(QtMsgType.QtCriticalMsg, None, "grave")
    failures._on_message(QtMsgType.QtDebugMsg, None, "light")
    assert "grave" in logged(failures)
    assert "light" not in logged(failures)
    assert capsys.readouterr().err == "grave\nlight\n"


def test_the_hooks_go_in_and_come_out_whole(failures, monkeypatch, qtbot):
    before = sys.excepthook, threading.excepthook, sys.unraisablehook
    monkeypatch.setattr("explorer.ui.failures.failures.qInstallMessageHandler", lambda _handler: None)
    failures.install()
    try:
        assert sys.excepthook != before[0]
        sys.excepthook(KeyboardInterrupt, KeyboardInterrupt(), None)
    finally:
        failures.uninstall()
    assert (sys.excepthook, threading.excepthook, sys.unraisablehook) == before
    assert failures.counted.total() == 0


def test_the_log_stays_small(failures):
    for i in range(40):
        failures._on_message(QtMsgType.QtCriticalMsg, None, f"{i}" * 30_000)
    sizes = [p.stat().st_size for p in failures.folder.iterdir()]
    assert len(sizes) <= 4
    assert sum(sizes) < 1_500_000
    assert isinstance(failures.parent(), QWidget)
