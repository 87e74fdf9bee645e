"""Measuring from the window: results as they come, pause, stop, and whatever a worker does wrong."""

import errno
import os
import signal
import sys

import pytest

from explorer.analysis.study.study import Study
from explorer.files.study.study import read_study, write_study
from explorer.ui.measure.ceilings_dialog import CeilingsDialog
from explorer.ui.measure.measure_dialog import MeasureDialog
from explorer.ui.measure.trace_dialog import TraceDialog
from tests.ui.measure.conftest import worker

pytestmark = pytest.mark.qt_log_ignore("This plugin does not support propagateSizeHints")
TIMED = """
for i, row in enumerate(job["rows"]):
    say("progress", done=i, total=len(job["rows"]), remaining_s=3.0, id=row["id"], name=row["name"])
    if row["name"] == "embed_tokens":
        say("skipped", id=row["id"], name=row["name"], code="slow", values={"seconds": 99})
    else:
        say("row", id=row["id"], name=row["name"], median_s=1e-3, low_s=0.9e-3, high_s=1.2e-3, min_s=0.8e-3, runs=9)
say("done", rows=1, skipped=1)
"""
HANGS = """
row = job["rows"][0]
say("row", id=row["id"], name=row["name"], median_s=1e-3, low_s=1e-3, high_s=1e-3, min_s=1e-3, runs=9)
time.sleep(600)
"""
DIES = """
row = job["rows"][0]
say("row", id=row["id"], name=row["name"], median_s=1e-3, low_s=1e-3, high_s=1e-3, min_s=1e-3, runs=9)
sys.exit(3)
"""
CEILINGS = """
say("ceiling", name="triad", level="memory", way="triad", rate=21e9)
say("ceiling", name="matmul fp32", format="fp32", rate=0.25e12, size=2048)
say("done", rows=2, skipped=0)
"""
TRACED = """
say("operators", operators=[
    {"op": "aten::mm", "module": "fc", "inputs": [["float32", [8, 64]], ["float32", [64, 32]]],
     "outputs": [["float32", [8, 32]]], "count": 2},
    {"op": "aten::odd_one", "module": "x", "inputs": [["float32", [8]]], "outputs": [["float32", [8]]]},
])
say("done", rows=2, skipped=0)
"""


def measuring(window, qtbot, body: str) -> MeasureDialog:
    dialog = MeasureDialog(window.session, window.settings, window, script=worker(body))
    dialog.choice.python.setEditText(sys.executable)
    dialog.show()
    return dialog


def run(dialog, qtbot) -> None:
    dialog.start()
    qtbot.waitUntil(lambda: not dialog.runner.running, timeout=20_000)


def test_results_join_the_study_as_one_undo_step(window, qtbot):
    dialog = measuring(window, qtbot, TIMED)
    dialog.check_all(on=False)
    for i in range(3):
        dialog.list.item(i).setCheckState(dialog.list.item(0).checkState().Checked)
    names = dialog.checked()
    run(dialog, qtbot)
    measurements = window.session.store.study.measurements
    assert [m.row for m in measurements] == [n for n in names if n != "embed_tokens"]
    assert all(m.quartiles_s == (0.9e-3, 1.2e-3) and m.runs == 9 for m in measurements)
    assert window.session.store.undo_stack.count() == 1
    rows = {r.name: r for r in dialog.rows.rows}
    assert rows["embed_tokens"].remark.startswith("One run would take 99 s")
    assert rows[names[1]].efficiency is not None
    dialog.close()


def test_measured_operators_show_on_the_chart_under_their_roof(window, qtbot):
    dialog = measuring(window, qtbot, TIMED)
    run(dialog, qtbot)
    qtbot.waitUntil(lambda: window.roofline.chart is not None)
    marks = [m for m in window.roofline.chart.figure.marks if m.measured]
    assert marks
    assert all(m.spread is not None and m.y < m.ceiling for m in marks)
    dialog.close()


def test_stopping_keeps_what_was_measured(window, qtbot):
    dialog = measuring(window, qtbot, HANGS)
    dialog.start()
    qtbot.waitUntil(lambda: len(window.session.store.study.measurements) == 1, timeout=20_000)
    dialog.stop_button.click()
    qtbot.waitUntil(lambda: not dialog.runner.running, timeout=20_000)
    assert len(window.session.store.study.measurements) == 1
    assert dialog.start_button.isEnabled()
    dialog.close()


def test_closing_the_dialog_ends_the_worker(window, qtbot):
    dialog = measuring(window, qtbot, HANGS)
    dialog.start()
    qtbot.waitUntil(lambda: len(window.session.store.study.measurements) == 1, timeout=20_000)
    dialog.close()
    assert not dialog.runner.running
    assert len(window.session.store.study.measurements) == 1


def test_a_worker_that_dies_is_one_sentence_and_keeps_what_was_measured(window, qtbot):
    dialog = measuring(window, qtbot, DIES)
    run(dialog, qtbot)
    assert "ended with code 3" in dialog.status.text()
    assert len(window.session.store.study.measurements) == 1
    dialog.close()


def test_a_killed_worker_leaves_the_window_and_a_study_that_can_be_saved(window, qtbot, tmp_path):
    says = f"import os; open({str(tmp_path / 'pid')!r}, 'w').write(str(os.getpid()))\n"
    says += 'say("progress", done=0, total=9, remaining_s=3.0, id="0", name="embed_tokens")'
    dialog = measuring(window, qtbot, says + HANGS)
    dialog.start()
    qtbot.waitUntil(lambda: len(window.session.store.study.measurements) == 1, timeout=20_000)
    os.kill(int((tmp_path / "pid").read_text()), getattr(signal, "SIGKILL", signal.SIGTERM))
    qtbot.waitUntil(lambda: not dialog.runner.running, timeout=20_000)
    assert "what was measured before is kept" in dialog.status.text()
    assert dialog.start_button.isEnabled()
    study = window.session.store.study
    write_study(study, tmp_path / "kept.roofline.yaml")
    assert read_study(tmp_path / "kept.roofline.yaml").measurements == study.measurements
    dialog.close()


@pytest.fixture
def full_disk(monkeypatch):
    """From now on nothing more can be written."""

    def refuse(_descriptor: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr("explorer.files.disk.atomic.os.fsync", refuse)


def test_a_disk_that_fills_up_while_measuring_is_said_and_loses_nothing(window, qtbot, full_disk):
    dialog = measuring(window, qtbot, TIMED)
    run(dialog, qtbot)
    measured = window.session.store.study.measurements
    assert measured
    window.autosave.save()
    qtbot.waitUntil(window.notice.isVisible)
    assert os.strerror(errno.ENOSPC) in window.notice.label.text()
    assert window.session.store.study.measurements == measured
    assert window.session.store.dirty
    dialog.close()


def test_ceilings_found_on_a_full_disk_still_join_the_study(window, qtbot, full_disk):
    dialog = CeilingsDialog(window.session, window.settings, window.picker.user, window, script=worker(CEILINGS))
    dialog.choice.python.setEditText(sys.executable)
    dialog.show()
    run(dialog, qtbot)
    assert window.session.store.study.hardware[-1].device.bandwidth == 21e9
    assert os.strerror(errno.ENOSPC) in dialog.status.text() + window.notice.label.text()
    dialog.close()


def test_a_python_that_is_none_is_one_sentence(window, qtbot, tmp_path):
    dialog = measuring(window, qtbot, TIMED)
    dialog.choice.python.setEditText(str(tmp_path / "python"))
    run(dialog, qtbot)
    assert "could not be started" in dialog.status.text()
    assert window.session.store.study.measurements == ()
    dialog.close()


def test_the_chosen_python_is_asked_for_its_devices_and_kept_in_the_settings(window, qtbot):
    dialog = measuring(window, qtbot, TIMED)
    dialog.choice.host.setText("")
    dialog.ask()
    qtbot.waitUntil(lambda: not dialog.runner.running, timeout=20_000)
    assert "torch 2.13" in dialog.machine.text()
    assert [dialog.device.itemText(i) for i in range(dialog.device.count())] == ["cpu", "cuda"]
    run(dialog, qtbot)
    assert window.settings.measure_python == sys.executable
    dialog.close()


def test_a_sweep_tells_what_its_times_follow(window, qtbot):
    body = """
for i, row in enumerate(job["rows"]):
    t = 6e-6 + row["bytes"] / 21e9
    say("row", id=row["id"], name=row["name"], median_s=t, low_s=t, high_s=t, min_s=t, runs=9)
say("done", rows=1, skipped=0)
"""
    dialog = measuring(window, qtbot, body)
    dialog.sweep.setChecked(True)
    dialog.sweep_row.setCurrentText("lm_head")
    dialog.sweep_dim.setCurrentText("n")
    run(dialog, qtbot)
    assert "21.0 GB/s" in dialog.status.text()
    assert dialog.plot.isVisible()
    assert [p.title for p in dialog.plot.panels] == ["Time against bytes", "Time against FLOPs"]
    assert all(len(p.points) == 6 and p.curve for p in dialog.plot.panels)
    assert not dialog.grab().isNull()
    assert all(m.row is None and m.bytes for m in window.session.store.study.measurements)
    dialog.close()


def test_nothing_ticked_measures_nothing(window, qtbot):
    dialog = measuring(window, qtbot, TIMED)
    dialog.check_all(on=False)
    dialog.start()
    assert not dialog.runner.running
    assert "no operator to time" in dialog.status.text()
    dialog.close()


def test_ceilings_become_hardware_of_the_study_and_of_the_user(window, qtbot):
    dialog = CeilingsDialog(window.session, window.settings, window.picker.user, window, script=worker(CEILINGS))
    dialog.choice.python.setEditText(sys.executable)
    dialog.show()
    run(dialog, qtbot)
    added = window.session.store.study.hardware[-1].device
    assert added.bandwidth == 21e9
    assert added.peaks[0].rate == 0.25e12
    assert all(s.kind == "measured" for s in added.sources.values())
    assert len(list(window.settings.hardware_folder.glob("*.yaml"))) == 1
    dialog.close()


def test_a_trace_becomes_operator_rows_and_lists_the_rest(window, qtbot, tmp_path):
    path = tmp_path / "net.py"
    path.write_text("def model(): ...\n", "utf-8")
    dialog = TraceDialog(window.session, window.settings, window, script=worker(TRACED))
    dialog.choice.python.setEditText(sys.executable)
    dialog.file.setText(str(path))
    dialog.show()
    run(dialog, qtbot)
    (row,) = window.session.store.study.operators
    assert (row.kind, row.count) == ("matmul", 2.0)
    assert [u.name for u in dialog.rows.rows] == ["odd_one"]
    dialog.close()


def test_a_trace_names_the_fields_of_a_config_that_it_left_out(window, qtbot, tmp_path):
    path = tmp_path / "config.json"
    path.write_text('{"model_type": "detr", "backbone": "a/b"}', "utf-8")
    body = TRACED.replace('say("done"', 'assert job["config"]["backbone"] == "a/b"\nsay("done"')
    body = body.replace("])\n", '], dropped=["backbone"])\n')
    dialog = TraceDialog(window.session, window.settings, window, script=worker(body))
    dialog.choice.python.setEditText(sys.executable)
    dialog.file.setText(str(path))
    dialog.show()
    run(dialog, qtbot)
    assert "Left out of the config" in dialog.status.text()
    assert "backbone" in dialog.status.text()
    dialog.close()


@pytest.mark.parametrize("text", ["[1]", "7", "null", '{"a": "\\ud800"}', "[" * 100_000, '{"a": ' + "9" * 5000 + "}"])
def test_a_config_that_is_none_is_one_sentence(text, window, qtbot, tmp_path):
    path = tmp_path / "config.json"
    path.write_text(text, "utf-8")
    dialog = TraceDialog(window.session, window.settings, window, script=worker(TRACED))
    dialog.choice.python.setEditText(sys.executable)
    dialog.file.setText(str(path))
    dialog.start()
    assert not dialog.runner.running
    assert dialog.status.text() == "The JSON is broken."
    dialog.close()


def test_a_row_that_never_came_is_listed_with_its_reason(window, qtbot):
    dialog = measuring(window, qtbot, 'say("done", rows=9, skipped=0)')
    dialog.check_all(on=False)
    dialog.list.item(0).setCheckState(dialog.list.item(0).checkState().Checked)
    run(dialog, qtbot)
    assert [r.remark for r in dialog.rows.rows] == ["The worker brought no figures of it that can be."]
    dialog.close()


def test_a_trace_without_a_file_asks_for_one(window, qtbot):
    dialog = TraceDialog(window.session, window.settings, window, script=worker(TRACED))
    dialog.start()
    assert "Choose a Python file" in dialog.status.text()
    dialog.close()


@pytest.mark.parametrize("action", ["measure_operators", "measure_ceilings", "trace_model", "fit_measurements",
                                    "diagnose_counters"])  # fmt: skip
def test_every_action_of_the_menu_opens_its_dialog_once(window, qtbot, action, monkeypatch):
    monkeypatch.setattr("explorer.ui.measure.interpreter_choice.candidates", lambda: ())
    window.actions_by_name[action].trigger()
    window.actions_by_name[action].trigger()
    (dialog,) = window.measuring.dialogs.values()
    assert dialog.isVisible()
    dialog.close()
    qtbot.waitUntil(lambda: not window.measuring.dialogs)


def test_no_interpreter_is_ever_kept_in_a_study(window, qtbot):
    dialog = measuring(window, qtbot, TIMED)
    run(dialog, qtbot)
    dialog.close()
    study: Study = window.session.store.study
    assert sys.executable not in repr(study)
