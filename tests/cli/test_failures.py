"""A failure of the program itself: one line and a log, never a traceback that nobody asked for."""

import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QStandardPaths

from explorer import __main__ as entry
from explorer.files.disk.failure_log import NAME, log, log_folder, report_of, user_folder, without_home


@pytest.fixture
def home(tmp_path, monkeypatch) -> Path:
    for variable in ("HOME", "APPDATA", "USERPROFILE"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    return tmp_path


@pytest.fixture
def failing(monkeypatch):
    def fail(*_arguments):
        raise ZeroDivisionError("one\ntwo \x1b[31m")

    monkeypatch.setattr(entry, "command_line", fail)


def test_an_uncaught_exception_is_one_line_and_a_log(home, failing, capsys):
    assert entry.main() == 1
    said = capsys.readouterr().err
    assert said.startswith("roofline-explorer: The program itself has failed (ZeroDivisionError: one")
    assert said.count("\n") == 1
    assert "\x1b" not in said
    path = log_folder() / NAME
    assert str(path) in said
    assert "Traceback" in path.read_text("utf-8")


def test_the_traceback_shows_where_it_is_asked_for(home, failing, monkeypatch):
    monkeypatch.setenv("ROOFLINE_TRACEBACK", "1")
    with pytest.raises(ZeroDivisionError):
        entry.main()


def test_a_folder_that_cannot_be_is_no_second_failure(home, failing, monkeypatch, capsys):
    (home / "file").write_text("")
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "file"))
    assert entry.main() == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_the_log_lies_where_the_window_keeps_its_data(home, qapp):
    names = QCoreApplication.organizationName(), QCoreApplication.applicationName()
    QCoreApplication.setOrganizationName("Roofline Explorer")
    QCoreApplication.setApplicationName("Roofline Explorer")
    try:
        place = QStandardPaths.writableLocation(QStandardPaths.StandardLocation.AppDataLocation)
    finally:
        QCoreApplication.setOrganizationName(names[0])
        QCoreApplication.setApplicationName(names[1])
    assert user_folder() == Path(place)


def test_a_report_names_no_home_and_stays_short(home):
    def deeper(n: int) -> None:
        if n:
            deeper(n - 1)
        raise ValueError(str(home / "secret") + "x" * 100_000)

    with pytest.raises(ValueError, match="secret") as raised:
        deeper(500)
    report = report_of(raised.value)
    assert str(home) not in report
    assert without_home(str(home / "a")) == str(Path("~", "a"))
    assert len(report) < 20_000


@pytest.mark.skipif(sys.platform == "win32", reason="no such pipes there")
def test_a_pipe_in_the_logs_place_makes_nobody_wait(home):
    folder = log_folder()
    folder.mkdir(parents=True)
    os.mkfifo(folder / NAME)
    assert log("text", folder) != folder / NAME


WINDOW = """
    import sys
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication
    from explorer import app
    from explorer.ui.failures.failure_dialog import FailureDialog
    from explorer.ui.window import MainWindow
    from explorer.ui.answer_bar import AnswerBar

    fails = {"on": False}
    def paint(self, event):
        if fails["on"]:
            raise ZeroDivisionError("in a paint")
    AnswerBar.paintEvent = paint
    def dialogs():
        return [w for w in QApplication.topLevelWidgets() if isinstance(w, FailureDialog)]
    def begin():
        [window] = [w for w in QApplication.topLevelWidgets() if isinstance(w, MainWindow)]
        window.session.store.edit_workload("Batch", batch=77)
        fails["on"] = True
        again = QTimer(window, interval=5)
        again.timeout.connect(window.answer.update)
        again.start()
        def look():
            if dialogs() and window.autosave.path.exists() and "times" in dialogs()[0].more.text():
                print("dialogs", len(dialogs()), flush=True)
                window.autosave.discard()
                QApplication.exit(7)
        looking = QTimer(window, interval=50)
        looking.timeout.connect(look)
        looking.start()
    QTimer.singleShot(300, begin)
    sys.exit(app.main())
"""


def test_a_window_whose_paint_fails_goes_on_with_one_dialog_and_a_log(home, root):
    program = textwrap.dedent(WINDOW).replace("    QTimer.singleShot(300", "QTimer.singleShot(300")
    program = program.replace("QTimer.singleShot(300, begin)", "app.make_application(); QTimer.singleShot(300, begin)")
    env = os.environ | {
        "QT_QPA_PLATFORM": "offscreen",
        "PYTHONPATH": str(root),
        "XDG_CONFIG_HOME": str(home / "config"),
    }
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, env=env, check=False, timeout=120, capture_output=True, text=True
    )
    assert (done.returncode, done.stdout) == (7, "dialogs 1\n"), done.stderr[-2000:]
    assert (log_folder() / NAME).read_text("utf-8").count("in a paint") == 1
    assert (log_folder() / "crash.log").exists()
