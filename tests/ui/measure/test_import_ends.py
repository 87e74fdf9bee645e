"""However an import ends: failed, cancelled, or with the window closed in the middle of it."""

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QProgressDialog

from explorer.analysis.problem import Refused
from explorer.analysis.study.study import Study
from explorer.files import importers
from explorer.files.study.study import write_study
from explorer.ui import background as beside
from explorer.ui.measure.import_dialog import ImportDialog
from tests.presentation.llama import CONFIG

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
LLAMA = "| model | test | t/s |\n| --- | --- | --- |\n| m | tg8 | 4.0 |\n"
CLOSES = """
import sys, threading
from pathlib import Path
from PySide6.QtCore import QTimer
from explorer import app
from explorer.files import importers
from explorer.ui.window import MainWindow

begun = threading.Event()

def endless(path, progress):
    begun.set()
    {blocks}

importers.read_measurements = endless
path = Path(sys.argv[1])

def close():
    window = next(w for w in app.QApplication.topLevelWidgets() if isinstance(w, MainWindow))
    if window.measuring.job is None and not begun.is_set():
        window.documents.open(path)
    if begun.is_set():
        timer.stop()
        window.close()

timer = QTimer(interval=20)
timer.timeout.connect(close)
application = app.make_application()
timer.start()
code = app.main()
assert begun.is_set()
sys.exit(code)
"""


@pytest.fixture
def llama(tmp_path: Path) -> Path:
    path = tmp_path / "bench.md"
    path.write_text(LLAMA, "utf-8")
    return path


@pytest.fixture
def held(monkeypatch) -> threading.Event:
    """A reader that goes on only when the event is set, and asks nobody whether it may."""
    event = threading.Event()

    def read(_path, _progress):
        event.wait(60)
        raise RuntimeError("too late")

    monkeypatch.setattr(importers, "read_measurements", read)
    yield event
    event.set()


@pytest.mark.parametrize(
    "error", [ZeroDivisionError("x"), UnicodeEncodeError("utf-8", "\ud800", 0, 1, "x"), SystemExit(3)]
)
def test_any_exception_of_a_reader_is_said_and_handed_on(window, qtbot, llama, monkeypatch, error):
    def fail(_path, _progress):
        raise error

    handed = []
    monkeypatch.setattr(importers, "read_measurements", fail)
    monkeypatch.setattr(sys, "excepthook", lambda *told: handed.append(told))
    window.documents.open(llama)
    qtbot.waitUntil(lambda: window.measuring.job is None)
    assert window.notice.label.text().startswith("bench.md was not imported: ")
    assert type(error).__name__ in window.notice.label.text()
    assert [told[1] for told in handed] == [error]


def test_a_reader_that_hangs_can_be_cancelled_and_leaves_the_study_alone(window, qtbot, llama, held):
    before = window.session.store.study
    window.documents.open(llama)
    qtbot.waitUntil(window.measuring.progress.isVisible)
    window.measuring.progress.canceled.emit()
    assert window.measuring.job is None
    assert window.measuring.dialogs == {}
    assert window.session.store.study is before


def test_the_next_file_is_read_after_one_that_hung_was_cancelled(window, qtbot, llama, held, monkeypatch):
    window.documents.open(llama)
    hung = window.measuring.job
    window.documents.open(llama)
    monkeypatch.undo()
    hung.cancel()
    assert window.measuring.job is not hung
    qtbot.waitUntil(lambda: any(n.startswith("import") for n in window.measuring.dialogs), timeout=10_000)


@pytest.mark.parametrize(
    "blocks",
    ["threading.Event().wait()", "while progress(0.5): pass\n    raise importers.Cancelled"],
    ids=["hung", "busy"],
)
def test_the_window_closes_in_the_middle_of_an_import(llama, tmp_path, root, blocks):
    environment = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(root)}
    for variable in ("HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"):
        environment[variable] = str(tmp_path)
    script = CLOSES.format(blocks=blocks)
    done = subprocess.run(
        [sys.executable, "-c", script, llama], env=environment, capture_output=True, timeout=120, check=False
    )
    assert (done.returncode, done.stderr.decode()) == (0, "")


def test_work_beside_the_window_gives_its_result_or_raises_its_fault(window, qtbot):
    def refuse():
        raise Refused

    assert beside.waited(lambda: 7, "t", "l", window) == 7
    with pytest.raises(Refused):
        beside.waited(refuse, "t", "l", window)


def progresses(window):
    return [p for p in window.findChildren(QProgressDialog) if p.isVisible()]


def test_work_that_takes_long_shows_so_within_a_second_and_no_longer_than_it_takes(window, qtbot):
    seen = threading.Event()
    timer = QTimer(window, interval=10)
    timer.timeout.connect(lambda: progresses(window) and seen.set())
    timer.start()
    assert beside.waited(lambda: seen.wait(2), "t", "l", window), "shown late"
    assert not progresses(window)  # a question may follow, and would stand behind it


def test_the_progress_of_quick_work_does_not_come_up_afterwards(window, qtbot, monkeypatch):
    monkeypatch.setattr(beside, "SHOWN_MS", 1000)
    beside.waited(lambda: 7, "t", "l", window)
    clocks = [t for p in window.findChildren(QProgressDialog) for t in p.findChildren(QTimer)]
    assert clocks
    assert not any(t.isActive() for t in clocks)


def test_a_file_that_is_imported_again_takes_the_place_of_its_dialog(window, qtbot, llama):
    seen = []
    for _ in range(2):
        window.documents.open(llama)
        qtbot.waitUntil(lambda: window.measuring.job is None)
        seen += window.measuring.dialogs.values()
    first, second = seen
    assert first is not second
    assert second.isVisible()
    assert [d for d in window.findChildren(ImportDialog) if d.isVisible()] == [second]


def test_of_files_dropped_together_the_study_is_opened_first(window, qtbot, llama, tmp_path):
    study = tmp_path / "s.roofline.yaml"
    write_study(Study(name="dropped"), study)
    config = tmp_path / "config.json"
    config.write_text(json.dumps(CONFIG), "utf-8")
    window.documents.open_all([llama, config, study])
    now = window.session.store.study
    assert (now.name, len(now.models)) == ("dropped", 1)
    qtbot.waitUntil(lambda: any(n.startswith("import") for n in window.measuring.dialogs), timeout=10_000)


def test_a_large_model_is_read_while_the_window_lives(window, qtbot, tmp_path, monkeypatch):
    from PySide6.QtCore import QThread

    from explorer.files.models import model_file as models

    threads = []
    original = models.read_model

    def read(path):
        threads.append(threading.current_thread())
        return original(path)

    monkeypatch.setattr(models, "read_model", read)
    text = (
        tmp_path.joinpath("config.json"),
        '{"model_type": "llama", "architectures": ["X"], "pad": "' + "x" * 100_000 + '"}',
    )
    text[0].write_text(text[1], "utf-8")
    assert not window.documents.open(text[0])  # no model, but read to its end
    assert "config.json was not opened" in window.notice.label.text()
    assert threads != [threading.main_thread()]
    assert len(threads) == 1
    assert QThread.currentThread() is window.thread()
