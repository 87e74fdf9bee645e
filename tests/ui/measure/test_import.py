"""Importing other tools' files: read beside the window, matched by the user, added in one step."""

import json
import time
from pathlib import Path

import pytest
from PySide6.QtCore import QTimer

from explorer.ui.measure.import_dialog import ImportDialog
from explorer.ui.window import MainWindow

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
# XiongjieDai/GPU-Benchmarks-on-LLM-Inference, notebook of an A100 SXM
LLAMA = """
  Device 0: NVIDIA A100-SXM4-80GB, compute capability 8.0, VMM: yes
| model                          |       size |     params | backend    | ngl | test       |              t/s |
| ------------------------------ | ---------: | ---------: | ---------- | --: | ---------- | ---------------: |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 | pp 512     |  5947.64 ± 17.92 |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 | tg 512     |    135.04 ± 0.15 |
| llama 8B Q4_K - Medium         |   4.58 GiB |     8.03 B | CUDA       |  99 | broken     |        none      |
"""
STREAM = """BabelStream
Version: 5.0
Implementation: CUDA
Using CUDA device NVIDIA A100-SXM4-80GB
Function    MBytes/sec  Min (sec)   Max         Average
Copy        1700000.0   0.00031     0.00032     0.00031
Triad       1750000.0   0.00046     0.00047     0.00046
"""


def opened(window: MainWindow, qtbot, path: Path) -> ImportDialog:
    window.documents.open(path)
    qtbot.waitUntil(lambda: any(n.startswith("import") for n in window.measuring.dialogs), timeout=10_000)
    return next(d for n, d in window.measuring.dialogs.items() if n.startswith("import"))


@pytest.fixture
def llama(tmp_path: Path) -> Path:
    path = tmp_path / "a name that says nothing.txt"
    path.write_text(LLAMA, "utf-8")
    return path


def test_llama_bench_rows_are_matched_and_judged(window, qtbot, llama):
    dialog = opened(window, qtbot, llama)
    (device,) = dialog.devices.values()
    (model,) = dialog.models.values()
    assert device.currentText() == "NVIDIA A100 SXM4 80GB"
    assert model.currentText() == "Llama-3.1-8B"
    assert "broken" in dialog.reasons.toPlainText()
    dialog.accept()
    study = window.session.store.study
    assert [m.phase for m in study.measurements] == ["prefill", "decode"]
    table = window.tables.measurements
    window.tables.setCurrentWidget(table)
    table.later.finish()
    shares = [r.gap.efficiency for r in table.model.rows]
    assert shares == pytest.approx([0.27, 0.306], abs=0.01)
    assert window.session.store.undo_stack.count() == 1


def test_the_user_corrects_what_was_proposed(window, qtbot, llama):
    dialog = opened(window, qtbot, llama)
    (device,) = dialog.devices.values()
    device.setCurrentIndex(device.findText("NVIDIA L40S"))
    dialog.accept()
    study = window.session.store.study
    added = study.hardware[-1]
    assert added.device.name == "NVIDIA L40S"
    assert {m.device for m in study.measurements} == {added.id}


def test_cancelling_adds_nothing(window, qtbot, llama):
    before = window.session.store.study
    opened(window, qtbot, llama).reject()
    assert window.session.store.study is before


def test_ceilings_become_hardware_of_the_study_and_of_the_user(window, qtbot, tmp_path, settings):
    path = tmp_path / "stream.txt"
    path.write_text(STREAM, "utf-8")
    dialog = opened(window, qtbot, path)
    dialog.name.setText("My A100")
    dialog.accept()
    added = window.session.store.study.hardware[-1].device
    assert added.name == "My A100"
    assert added.bandwidth == pytest.approx(1.75e12)
    assert len(list(settings.hardware_folder.glob("*.yaml"))) == 1


def test_a_file_that_no_tool_wrote_is_refused_in_one_sentence(window, qtbot, tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("nothing measured here", "utf-8")
    window.measuring.import_file(path)
    qtbot.waitUntil(lambda: window.measuring.job is None, timeout=10_000)
    assert "notes.txt was not imported." in window.notice.label.text()


def trace(path: Path, events: int) -> Path:
    """A torch trace of many kernels."""
    one = {"ph": "X", "cat": "kernel", "name": "gemm_kernel", "pid": 0, "tid": 7, "dur": 12.5, "args": {"stream": 7}}
    with path.open("w", encoding="utf-8") as file:
        file.write('{"schemaVersion": 1, "deviceProperties": [{"id": 0, "name": "T"}], "traceEvents": [\n')
        file.write(",\n".join(json.dumps({**one, "ts": 20.0 * i}) for i in range(events)))
        file.write("]}")
    return path


def test_a_long_file_is_read_beside_the_window_and_can_be_cancelled(window, qtbot, tmp_path):
    path = trace(tmp_path / "trace.json", 400_000)  # some 50 MB
    qtbot.waitUntil(lambda: window.roofline.chart is not None, timeout=20_000)
    beats: list[float] = []
    timer = QTimer()
    timer.setInterval(5)
    timer.timeout.connect(lambda: beats.append(time.perf_counter()))
    timer.start()
    window.measuring.import_file(path)
    job = window.measuring.job
    told: list[int] = []
    job.told.connect(told.append)
    qtbot.waitUntil(lambda: bool(told) and told[-1] >= 60, timeout=60_000)
    job.cancel()
    qtbot.waitUntil(lambda: window.measuring.job is None, timeout=20_000)
    timer.stop()
    assert beats  # the window went on while the file was read
    assert window.measuring.dialogs == {}
