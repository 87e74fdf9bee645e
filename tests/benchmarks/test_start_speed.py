"""Cold start to the first frame that shows the example's roofline, against a bare window with one PlotWidget."""

import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

import pytest

ROUNDS = 7
TAIL = """
import json, resource, sys, time
app.processEvents()
{wait}
print(json.dumps({{"s": time.perf_counter() - started, "kib": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss}}))
import os
os._exit(0)
"""
BARE = """
import time
started = time.perf_counter()
from PySide6.QtWidgets import QApplication, QMainWindow
app = QApplication([])
import pyqtgraph as pg
window = QMainWindow()
plot = pg.PlotWidget()
plot.plot([1, 2, 3], [1, 2, 3])
window.setCentralWidget(plot)
window.resize(1280, 800)
window.show()
""" + TAIL.format(wait="")
OURS = """
import gc, time
started = time.perf_counter()
import explorer.__main__
gc.disable()
from explorer.app import make_application, make_window
app = make_application()
from explorer.files.examples import opening_study
from explorer.ui.settings import Settings
window = make_window(opening_study(), Settings())
painted = []
window.roofline.still.painted.connect(lambda: painted.append(len(window.roofline.still.picture.layout.figure.roofs)))
window.show()
""" + TAIL.format(wait="assert painted[0] == 3")


def run(code: str, root: Path, home: Path) -> dict[str, float]:
    keys = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
    environment = {**keys, "QT_QPA_PLATFORM": "offscreen", "PYTHONPATH": str(root), "XDG_CONFIG_HOME": str(home)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    result: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return result


@pytest.mark.benchmark(group="start")
def test_the_first_roofline_comes_nearly_as_soon_as_a_bare_plot(benchmark, root, tmp_path):
    benchmark.pedantic(lambda: run(OURS, root, tmp_path), rounds=2)
    run(BARE, root, tmp_path)
    pairs = [(run(OURS, root, tmp_path), run(BARE, root, tmp_path)) for _ in range(ROUNDS)]
    seconds = statistics.median(o["s"] for o, _ in pairs), statistics.median(b["s"] for _, b in pairs)
    kib = statistics.median(o["kib"] for o, _ in pairs), statistics.median(b["kib"] for _, b in pairs)
    benchmark.extra_info.update({"start_s": seconds[0], "bare_s": seconds[1], "memory_ratio": kib[0] / kib[1]})
    print(f"start {seconds[0]:.3f} s against {seconds[1]:.3f} s, memory {kib[0] / kib[1]:.2f}")
    assert seconds[0] <= 1.3 * seconds[1]
    assert kib[0] <= 1.3 * kib[1]
