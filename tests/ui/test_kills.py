"""A window killed at any moment while it saves: its file and its kept edits are whole, and the next run gets them."""

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from explorer.document.kept import left_behind, look_at, tidy
from explorer.files.study.study import read_study

WINDOW = """
    import sys
    from pathlib import Path
    from PySide6.QtCore import QTimer
    from explorer.analysis.study.study import OwnRow, Study
    from explorer.app import make_application, make_window
    from explorer.document import autosave
    from explorer.files.study.study import write_study
    from explorer.ui.settings import Settings
    autosave.INTERVAL_MS = 10
    app = make_application()
    rows = tuple(OwnRow(id=f"r{i}", name=f"row {i}", kind="matmul") for i in range(1500))
    path = Path(sys.argv[1])
    write_study(Study(name="1", operators=rows), path)
    window = make_window(Study(), Settings())
    window.documents.open(path)
    def step():
        store = window.session.store
        store.edit("Rename", name=str(int(store.study.name) + 1))
        if int(store.study.name) % 3 == 0:
            window.documents.save()
        print(store.study.name, flush=True)
    timer = QTimer(interval=2)
    timer.timeout.connect(step)
    timer.start()
    app.exec()
"""


@pytest.mark.skipif(sys.platform == "win32", reason="kills a program the POSIX way")
@pytest.mark.parametrize("seed", range(*map(int, os.environ.get("KILL_SEEDS", "1 4").split())))
def test_a_window_killed_while_it_saves_leaves_whole_files(own_settings, tmp_path, root, seed):
    path = tmp_path / "mine.roofline.yaml"
    env = os.environ | {"QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", textwrap.dedent(WINDOW), str(path)]
    with subprocess.Popen(command, cwd=root, env=env, stdout=subprocess.PIPE, text=True) as window:
        assert window.stdout is not None
        window.stdout.readline()
        time.sleep(random.Random(seed).uniform(0.0, 0.4))  # noqa: S311 - the moment of the kill is what varies
        window.send_signal(signal.SIGKILL)
        last = int((window.stdout.read().split() or ["2"])[-1])
    study = read_study(path)
    assert 1 <= int(study.name) <= last
    assert len(study.operators) == 1500
    folder = next(iter(Path(os.environ["XDG_DATA_HOME"]).rglob("autosave")), own_settings / "none")
    for kept in left_behind(folder):
        assert look_at(kept).file == path
        edits = read_study(kept)
        assert len(edits.operators) == 1500
        assert int(edits.name) <= last + 1
    tidy(folder)
    if folder.exists():
        assert all(p.suffix == ".yaml" for p in folder.iterdir())
