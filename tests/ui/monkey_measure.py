"""Hands for measuring: dialogs whose worker times, hangs, dies or talks nonsense."""

import sys
from pathlib import Path

from PySide6.QtWidgets import QApplication, QDialog

from explorer.bench.interpreter import worker_text
from explorer.bench.python_search import FoundPython
from explorer.ui.measure.job_dialog import JobDialog
from explorer.ui.measure.trace_dialog import TraceDialog
from tests.bench.conftest import script
from tests.bench.workers import WRONG
from tests.ui.monkey_files import FileHands

_REAL = worker_text()
# The real worker with its own ways of hearing and speaking; only the timing is made up.
_FAKE = b"""
import subprocess
PACE_S = 0.0
def import_torch(): return 0.0
def hello(channel, import_s):
    channel.send("hello", protocol=PROTOCOL, python="3.11", torch="2.13", host="here", system="x", threads=2,
                 devices=[{"id": "cpu", "name": "Test CPU"}, {"id": "cuda"}], busy=0.0, import_s=0.0)
def _measured(channel, job):
    rows = job["rows"]
    for i, row in enumerate(rows):
        time.sleep(PACE_S)
        channel.wait_while_paused()
        channel.send("progress", done=i, total=len(rows), remaining_s=1.0, id=row["id"], name=row["name"])
        if i % 5 == 4:
            channel.send("skipped", id=row["id"], name=row["name"], code="slow", values={"seconds": 99})
        else:
            t = 1e-6 * (1 + i)
            channel.send("row", id=row["id"], name=row["name"], median_s=t, low_s=t, high_s=2 * t, min_s=t, runs=9)
    return {"rows": len(rows), "skipped": 0, "timed_s": 0.0}
def _ceilings(channel, job):
    time.sleep(PACE_S)
    channel.send("ceiling", name="triad", level="memory", way="triad", rate=21e9)
    time.sleep(PACE_S)
    channel.send("ceiling", name="matmul fp32", format="fp32", rate=0.25e12, size=2048)
    return {"rows": 2, "skipped": 0, "timed_s": 0.0}
def _traced(channel, job):
    time.sleep(PACE_S)
    found = [{"op": "aten::mm", "module": "fc", "inputs": [["float32", [8, 64]], ["float32", [64, 32]]],
              "outputs": [["float32", [8, 32]]], "count": 2},
             {"op": "aten::odd_one", "module": "x", "inputs": [["float32", [8]]], "outputs": [["float32", [8]]]}]
    channel.send("operators", operators=found)
    return {"rows": 2, "skipped": 0, "timed_s": 0.0}
COMMANDS.update(measure=_measured, ceilings=_ceilings, trace=_traced)
"""
_MAIN = b'\nif __name__ == "__main__":\n'


def fake_worker(pace_s: float = 0.0) -> bytes:
    """The program's worker, whose torch is made up."""
    before, main, after = _REAL.rpartition(_MAIN)
    assert before
    return before + _FAKE.replace(b"PACE_S = 0.0", b"PACE_S = %f" % pace_s) + main + after


WORKERS = (
    fake_worker(), fake_worker(), fake_worker(0.02), fake_worker(30.0), *(text for text, _said in WRONG.values()),
    script('say("row", id="0", median_s=float("nan"), low_s=-1, high_s=0, min_s=0, runs=0); say("done")'),
    script('say("error", code="raised", values={"text": "<b>x</b>", "where": "y"})'), script("", hello=False),
    script("1 / 0", hello=False), b"import sys; sys.exit(0)", b"not python at all",
)  # fmt: skip
ROUGH = (
    script('say("hello", protocol=99, python="3.11", torch="2.13", host="x", threads=2, devices=[])', hello=False),
    script('say("error", code="never heard of", values={"text": "\\x1b[31m"})'), script("print('x' * 9_000_000)"),
    script("import subprocess; subprocess.Popen(['sleep', '60']); sys.exit(1)"),
    script("print('x' * 300_000, end='', flush=True); time.sleep(60)"),
)  # fmt: skip


class MeasureHands(FileHands):
    """Measures with a worker chosen for each conversation."""

    def worker(self) -> bytes:
        return self.rng.choice((*WORKERS, *ROUGH) if self.rough else WORKERS)

    def pythons(self) -> tuple[FoundPython, ...]:
        """What is found on the machine."""
        return self.rng.choice(((), (FoundPython(sys.executable, "path"),), (FoundPython("/bin/false", "path"),)))

    def do_measure(self) -> None:
        slot = self.rng.choice(("measure_operators", "measure_operators", "measure_ceilings", "trace_model"))
        self.note(slot)
        getattr(self.window, slot)()

    def do_fit(self) -> None:
        self.window.fit_measurements()

    def do_counters(self) -> None:
        self.window.diagnose_counters()

    def answer(self, dialog: QDialog) -> int:
        if isinstance(dialog, JobDialog):
            self.use(dialog)
            return 0
        return super().answer(dialog)

    def use(self, dialog: JobDialog) -> None:
        """Start, pause, stop, start again, close: at any moment."""
        self.note(f"[{type(dialog).__name__}]")
        dialog.choice.python.setEditText(self.rng.choice((sys.executable, sys.executable, "/no/such", "", "/bin/true")))
        dialog.choice.host.setText("")
        self.fill_job(dialog)
        for _ in range(self.rng.randrange(1, 4)):
            dialog.start()
            self.while_it_runs(dialog)
        dialog.close()
        QApplication.processEvents()
        assert not dialog.runner.running

    def fill_job(self, dialog: JobDialog) -> None:
        if isinstance(dialog, TraceDialog):
            path: Path = self.rng.choice((*self.samples.models, self.any_file(), self.folder))
            dialog.file.setText(str(path))
        elif self.rng.random() < 0.5:
            self.fill(dialog)
            dialog.choice.host.setText("")

    def while_it_runs(self, dialog: JobDialog) -> None:
        for _ in range(self.rng.randrange(4)):
            self.wait(lambda: not dialog.runner.running, self.rng.choice((0.0, 0.02, 0.1, 0.4)))
            what = self.rng.choice(("pause", "stop", "undo", "batch", "python", "autosave"))
            self.note(what)
            if what == "pause":
                dialog.pause_button.click()
            elif what == "stop":
                dialog.stop_button.click()
            elif what == "undo":
                self.store.undo_stack.undo()
            elif what == "batch":
                self.store.edit_workload("Batch", batch=self.rng.randrange(1, 64))
            elif what == "python":
                dialog.choice.changed.emit()
            else:
                self.autosave_at_once()
