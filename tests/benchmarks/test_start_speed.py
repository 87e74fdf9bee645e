"""Cold start to the first frame that shows the example's roofline, against a bare window with one PlotWidget."""

from pathlib import Path
from statistics import median

from tests.benchmarks.judged import Judge
from tests.first_frame import program, run, script

BARE = """
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
"""


def test_the_first_roofline_comes_nearly_as_soon_as_a_bare_plot(judge: Judge, root: Path, tmp_path: Path) -> None:
    ours, bare = program(), script(BARE)
    for code in (ours, bare):
        run(code, root, tmp_path)  # compiles, and fills the caches of the system
    pairs = [(run(ours, root, tmp_path), run(bare, root, tmp_path)) for _ in range(judge.rounds)]

    def ratio(what: str) -> float:
        return median(o[what] / b[what] for o, b in pairs)

    floor, ms = "bare plot windows", min(o["wall"] for o, _ in pairs) * 1e3
    print(f"on the wall {ms:.0f} ms, {ratio('wall'):.2f} of {floor}")
    judge.ratio("start: memory at the first frame", floor, ratio("kib"), goal=1.1, limit=1.3)
    judge.ratio("start: first frame", floor, ratio("cpu"), goal=1.2, limit=1.35, ms=ms)
