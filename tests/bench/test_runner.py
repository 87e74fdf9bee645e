"""The worker may do what it likes: the window goes on, one sentence says what happened, what was measured is kept."""

import os
import signal
import sys
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent

import explorer.presentation.sentences  # noqa: F401 - the sentences
from explorer.bench.interpreter import Interpreter
from explorer.bench.runner import Runner
from explorer.presentation.words.messages import render
from tests.bench.conftest import script
from tests.bench.workers import FIRST_DONE, NEVER, ODD, OTHERWISE, WRONG

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and groups of POSIX")
SILENCE_S = 0.7
GOOD = script(FIRST_DONE + 'row(1); say("done", rows=2, skipped=0)')


@pytest.fixture
def runner(qapp):
    made = []

    def make(body: bytes, silence_s: float = 30.0) -> Runner:
        made.append(Runner(silence_s=silence_s, script=body))
        return made[-1]

    yield make
    for each in made:
        each.cancel()
        each.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)


def alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process_id}/stat")
    return not (stat.exists() and stat.read_text().rpartition(")")[2].split()[0] == "Z")


def test_a_job_tells_each_step_as_it_comes(runner, here, two_rows, qtbot):
    one = runner(GOOD)
    told: list[object] = []
    one.started.connect(lambda: told.append("started"))
    one.hello.connect(lambda hello: told.append(hello.torch))
    one.progress.connect(lambda *progress: told.append(progress))
    one.row.connect(lambda result: told.append((result.row.name, result.point.time_s)))
    with qtbot.waitSignal(one.finished) as finished:
        one.start(here, two_rows)
    assert told == ["started", "2.13", ("first", 0.5), (1, 2, 1.0), ("second", 0.5)]
    assert [r.row.name for r in finished.args[0].results] == ["first", "second"]
    assert not one.running


def test_a_row_that_cannot_be_timed_says_why_and_the_rest_goes_on(runner, here, two_rows, qtbot):
    skip = 'say("skipped", id="0", name="first", code="format", values={"format": "fp4"})'
    one = runner(script(f'{skip}; row(1); say("done", rows=1, skipped=1)'))
    reasons: list[tuple[str, str]] = []
    one.skipped.connect(lambda name, why: reasons.append((name, render(why))))
    with qtbot.waitSignal(one.finished):
        one.start(here, two_rows)
    assert reasons == [("first", "torch has no kernels for fp4 on this device.")]
    assert len(one.summary.results) == 1


@pytest.mark.parametrize("name", WRONG)
def test_whatever_goes_wrong_is_one_sentence_and_the_first_row_is_kept(name, runner, here, two_rows, qtbot):
    body, part = WRONG[name]
    one = runner(body, SILENCE_S)
    finished: list[object] = []
    one.finished.connect(finished.append)
    with qtbot.waitSignal(one.failed, timeout=20_000) as failed:
        one.start(here, two_rows)
    assert part in render(failed.args[0])
    assert "\n" not in render(failed.args[0])
    assert [r.row.name for r in one.summary.results] == ["first"]
    assert finished == []
    assert not one.running


@pytest.mark.parametrize("name", ODD)
def test_a_worker_that_keeps_to_nothing_is_one_clear_line_and_soon(name, runner, here, two_rows, qtbot):
    body, parts = ODD[name]
    one = runner(body, SILENCE_S)
    with qtbot.waitSignal(one.failed, timeout=30_000) as failed:
        one.start(here, two_rows)
    text = render(failed.args[0])
    assert any(part in text for part in ([parts] if isinstance(parts, str) else parts)), text
    assert text.isprintable()


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_was_not_asked_for_does_not_count(name, runner, here, two_rows, qtbot):
    one = runner(script(OTHERWISE[name]))
    rows: list[str] = []
    one.row.connect(lambda result: rows.append(result.row.name))
    one.skipped.connect(lambda *left: rows.append(left))
    with qtbot.waitSignal(one.finished, timeout=20_000):
        one.start(here, two_rows)
    assert rows == ["first", "second"]


def test_a_row_that_is_said_to_be_done_and_never_came_is_named(runner, here, two_rows, qtbot):
    one = runner(script('row(0); say("done", rows=2000, skipped=0)'))
    left: list[str] = []
    one.skipped.connect(lambda name, _why: left.append(name))
    with qtbot.waitSignal(one.finished):
        one.start(here, two_rows)
    assert left == ["second"]


@pytest.mark.parametrize("python", ["/no/such/python", "/", "", "/dev/null"])
def test_an_interpreter_that_is_not_there_is_a_sentence(python, runner, two_rows, qtbot):
    one = runner(GOOD)
    with qtbot.waitSignal(one.failed) as failed:
        one.start(Interpreter(python), two_rows)
    assert render(failed.args[0])
    assert not one.running


def test_an_interpreter_that_vanishes_while_it_runs_changes_nothing(runner, two_rows, qtbot, tmp_path):
    python = tmp_path / "python"
    python.symlink_to(sys.executable)
    one = runner(script(FIRST_DONE + f"os.remove({str(python)!r}); row(1); say('done', rows=2, skipped=0)"))
    with qtbot.waitSignal(one.finished):
        one.start(Interpreter(str(python)), two_rows)
    with qtbot.waitSignal(one.failed) as failed:
        one.start(Interpreter(str(python)), two_rows)
    assert "could not be started" in render(failed.args[0])


def test_cancel_ends_the_whole_tree_at_once_and_keeps_what_was_measured(runner, here, two_rows, qtbot, tmp_path):
    pids = tmp_path / "pids"
    child = "import subprocess; c = subprocess.Popen(['sleep', '3600'])"
    child += f"; open({str(pids)!r}, 'w').write(f'{{os.getpid()}} {{c.pid}}')\n"
    one = runner(script(child + FIRST_DONE + NEVER))
    one.start(here, two_rows)
    qtbot.waitUntil(lambda: one.summary is not None and len(one.summary.results) == 1)
    with qtbot.waitSignal(one.finished) as finished:
        one.cancel()
    assert finished.args[0].cancelled
    assert [r.row.name for r in finished.args[0].results] == ["first"]
    numbers = [int(n) for n in pids.read_text().split()]
    qtbot.waitUntil(lambda: not any(alive(n) for n in numbers))


def test_a_listener_may_cancel_in_the_middle_of_a_message(runner, here, two_rows, qtbot):
    one = runner(GOOD)
    one.row.connect(lambda _: one.cancel())
    with qtbot.waitSignal(one.finished) as finished:
        one.start(here, two_rows)
    assert finished.args[0].cancelled
    assert len(finished.args[0].results) == 1


def test_a_second_job_may_start_from_the_end_of_the_first(runner, here, two_rows, qtbot):
    one = runner(GOOD)
    ends: list[object] = []
    one.finished.connect(lambda summary: (ends.append(summary), one.start(here, two_rows) if len(ends) < 2 else None))
    one.start(here, two_rows)
    qtbot.waitUntil(lambda: len(ends) == 2)
    assert [len(e.results) for e in ends] == [2, 2]


def test_pause_and_resume_reach_the_worker(runner, here, two_rows, qtbot):
    heard = "assert json.loads(sys.stdin.buffer.readline())['control'] == "
    body = f"{heard}'pause'; row(0)\n{heard}'resume'; row(1); say('done', rows=2, skipped=0)"
    one = runner(script(body))
    one.start(here, two_rows)
    one.pause()
    assert one.paused
    qtbot.waitUntil(lambda: one.summary is not None and len(one.summary.results) == 1)
    with qtbot.waitSignal(one.finished):
        one.resume()
    assert not one.paused


def test_a_program_that_forgets_its_runner_leaves_no_worker_behind(here, two_rows, qtbot, tmp_path):
    pids = tmp_path / "pids"
    one = Runner(script=script(f"open({str(pids)!r}, 'w').write(str(os.getpid()))\n" + FIRST_DONE + NEVER))
    one.start(here, two_rows)
    qtbot.waitUntil(lambda: one.summary is not None and len(one.summary.results) == 1)
    number = int(pids.read_text())
    one.cancel()
    one.deleteLater()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    qtbot.waitUntil(lambda: not alive(number))


@pytest.mark.parametrize("moment_ms", [0, 20, 60, 120, 250])
def test_killing_the_worker_at_any_moment_is_one_sentence(moment_ms, runner, here, two_rows, qtbot):
    one = runner(script("time.sleep(0.05)\n" + FIRST_DONE + NEVER))
    with qtbot.waitSignal(one.started):
        one.start(here, two_rows)
    number = one._process_id
    qtbot.wait(moment_ms)
    with qtbot.waitSignal(one.failed) as failed:
        os.kill(number, signal.SIGKILL)
    assert "killed" in render(failed.args[0])
    assert len(one.summary.results) in {0, 1}
