"""Cold start to the first frame that shows the example's roofline, against a bare window with one PlotWidget."""

import json
import os
import subprocess
import sys
from pathlib import Path
from statistics import median

from tests.benchmarks.judged import Judge

TAIL = """
    import json, os, resource
    spent = {"wall": time.perf_counter() - wall, "cpu": time.process_time() - cpu}
    print(json.dumps({**spent, "kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}), flush=True)
    os._exit(0)
"""
HEAD = "import time\nwall, cpu = time.perf_counter(), time.process_time()\n"
BARE = f"""{HEAD}
def done():
{TAIL}
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
import pyqtgraph as pg
window = QMainWindow()
plot = pg.PlotWidget()
plot.plot([1, 2, 3], [1, 2, 3])
window.setCentralWidget(plot)
window.resize(1280, 800)
window.show()
app.processEvents()
done()
"""
# All that the program itself does, up to the first that the frame does not need. Its `gc.disable()` is the last thing
# before it imports the window: the place to lie in wait inside the window's modules without importing any too early.
OURS = f"""{HEAD}
import gc, sys
from types import SimpleNamespace
import explorer.__main__ as program
def done(roofline):
    layout = roofline.still.picture.layout  # made when it is painted
    if layout is None or len(layout.figure.roofs) != 3:
        sys.exit("went on before the first frame")
{TAIL}
def disable():
    gc.disable()
    import explorer.app
    explorer.app._after_first_frame = lambda window, _path: done(window.roofline)
    explorer.ui.roofline_tab.RooflineTab.go_live = done
program.gc = SimpleNamespace(disable=disable)
sys.argv = ["explorer"]
program.main()
"""


def run(code: str, root: Path, home: Path) -> dict[str, float]:
    keys = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    places = {f"XDG_{name}_HOME": str(home / name) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    environment = {**keys, **places, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(root)}
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stderr
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


def test_the_first_roofline_comes_nearly_as_soon_as_a_bare_plot(judge: Judge, root: Path, tmp_path: Path) -> None:
    for code in (OURS, BARE):
        run(code, root, tmp_path)  # compiles, and fills the caches of the system
    pairs = [(run(OURS, root, tmp_path), run(BARE, root, tmp_path)) for _ in range(judge.rounds)]

    def ratio(what: str) -> float:
        return median(o[what] / b[what] for o, b in pairs)

    bare, ms = "bare plot windows", min(o["wall"] for o, _ in pairs) * 1e3
    print(f"on the wall {ms:.0f} ms, {ratio('wall'):.2f} of {bare}")
    judge.ratio("start: memory at the first frame", bare, ratio("kib"), goal=1.1, limit=1.3)
    judge.ratio("start: first frame", bare, ratio("cpu"), goal=1.2, limit=1.5, ms=ms)
