"""A window that the system asks to end keeps its edits for the next start, asks nothing, and ends."""

import os
import signal
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from explorer.document.kept import left_behind
from explorer.files.study.study import read_study

WINDOW = """
    from PySide6.QtCore import QTimer
    from PySide6.QtWidgets import QApplication, QMessageBox
    from explorer import app
    from explorer.ui.failures import ending
    def edited():
        window = next(w for w in QApplication.topLevelWidgets() if hasattr(w, "session"))
        if not window.findChildren(ending.Ending):
            return QTimer.singleShot(10, edited)
        window.session.store.edit("Rename", name="edited")
        if {asking}:
            QTimer.singleShot(50, lambda: print("ready", flush=True))
            QMessageBox(window).exec()
        else:
            print("ready", flush=True)
    app.make_application()
    QTimer.singleShot(0, edited)
    raise SystemExit(app.main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals end programs on POSIX")
@pytest.mark.parametrize("asking", [False, True], ids=["at rest", "while a box waits"])
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_a_window_asked_to_end_keeps_its_last_edit_and_ends(own_settings, root, name, asking):
    env = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(root)}
    code = textwrap.dedent(WINDOW.format(asking=asking))
    number = getattr(signal, name)
    with subprocess.Popen([sys.executable, "-c", code], cwd=root, env=env, stdout=subprocess.PIPE, text=True) as window:
        assert window.stdout is not None
        assert window.stdout.readline() == "ready\n"
        window.send_signal(number)
        assert window.wait(timeout=60) == 128 + number
    folder = next(Path(os.environ["XDG_DATA_HOME"]).rglob("autosave"))
    assert [read_study(p).name for p in left_behind(folder)] == ["edited"]
