"""The command line waits for the worker, and says as much about what went wrong as the window does."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

import explorer.presentation.sentences  # noqa: F401 - the sentences
from explorer.bench.drive import drive
from explorer.bench.interpreter import Interpreter
from explorer.presentation.words.messages import render_problem
from tests.bench.conftest import script
from tests.bench.workers import FIRST_DONE, ODD, OTHERWISE, WRONG

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="signals and groups of POSIX")


def test_a_job_is_done_to_its_end(here, two_rows):
    told: list[str] = []
    body = script(FIRST_DONE + 'print("noise"); row(1); say("done", rows=2, skipped=0)')
    summary = drive(here, two_rows, lambda said: told.append(type(said).__name__), script=body)
    assert summary.problem is None
    assert [r.row.name for r in summary.results] == ["first", "second"]
    assert told == ["Hello", "RowTimed", "Progress", "RowTimed", "Done"]


@pytest.mark.parametrize("name", WRONG)
def test_whatever_goes_wrong_is_one_sentence_and_the_first_row_is_kept(name, here, two_rows):
    body, part = WRONG[name]
    summary = drive(here, two_rows, silence_s=0.7, script=body)
    assert part in render_problem(summary.problem)
    assert [r.row.name for r in summary.results] == ["first"]


def test_an_interpreter_that_is_not_there_is_a_sentence(two_rows):
    summary = drive(Interpreter("/no/such/python"), two_rows)
    assert "could not be started" in render_problem(summary.problem)


def test_a_python_without_torch_says_so(here, two_rows):
    summary = drive(here, two_rows)
    assert render_problem(summary.problem) == f"{sys.executable} has no torch; install it there or choose another."


def test_ctrl_c_keeps_what_was_measured(here, two_rows):
    def interrupt(said):
        if type(said).__name__ == "RowTimed":
            raise KeyboardInterrupt

    summary = drive(here, two_rows, interrupt, script=script(FIRST_DONE + "time.sleep(3600)"))
    assert summary.cancelled
    assert len(summary.results) == 1


@pytest.mark.parametrize("name", ODD)
def test_a_worker_that_keeps_to_nothing_is_one_clear_line_and_soon(name, here, two_rows):
    body, parts = ODD[name]
    start = time.monotonic()
    text = render_problem(drive(here, two_rows, silence_s=0.7, script=body).problem)
    assert any(part in text for part in ([parts] if isinstance(parts, str) else parts)), text
    assert text.isprintable()
    assert time.monotonic() - start < 30


@pytest.mark.parametrize("name", OTHERWISE)
def test_what_was_not_asked_for_does_not_count(name, here, two_rows):
    summary = drive(here, two_rows, script=script(OTHERWISE[name]))
    assert summary.problem is None
    assert [r.row.name for r in summary.results] == ["first", "second"]
    assert [r.said.median_s for r in summary.results] == [0.5, 0.5]
    assert (summary.skipped, summary.ceilings, summary.traced) == ((), (), None)
    assert summary.hello.torch == "2.13"


def test_a_row_that_is_said_to_be_done_and_never_came_is_named(here, two_rows):
    summary = drive(here, two_rows, script=script('row(0); say("done", rows=2000, skipped=0)'))
    assert [(s.where, s.why.code) for s in summary.skipped] == [("second", "measure.skip.unanswered")]


def is_alive(process_id: int) -> bool:
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{process_id}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] not in "ZX"


def test_what_a_dead_worker_left_running_is_ended_too(here, two_rows, tmp_path):
    pid = tmp_path / "pid"
    leaves = f"import subprocess; open({str(pid)!r}, 'w').write(str(subprocess.Popen(['sleep', '600']).pid))\n"
    start = time.monotonic()
    drive(here, two_rows, script=script(leaves + "os._exit(7)"))
    while is_alive(int(pid.read_text())) and time.monotonic() - start < 30:
        time.sleep(0.01)
    assert time.monotonic() - start < 30


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="memory as Linux tells it")
def test_a_flood_takes_no_more_memory_than_a_few_lines(root, two_rows, tmp_path):
    """Beside a reader that is slower than its worker, nothing piles up."""
    worker = tmp_path / "worker"
    worker.write_text(
        "#!/bin/sh\n"
        """echo '{"type":"hello","protocol":1,"python":"3","torch":"2"}'\n"""
        "exec tr '\\0' 'a' < /dev/zero\n"
    )
    worker.chmod(0o755)
    program = (
        "import resource, sys; from explorer.bench.drive import drive; from explorer.bench.jobs import Job\n"
        "from explorer.bench.interpreter import Interpreter\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024\n"
        "before = peak(); print(drive(Interpreter(sys.argv[1]), Job()).problem.code, peak() - before)"
    )
    line = [sys.executable, "-c", program, str(worker)]
    done = subprocess.run(line, cwd=root, capture_output=True, text=True, check=True)
    code, megabytes = done.stdout.split()
    assert code == "measure.long_line"
    assert int(megabytes) < 200


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("wrong-version", "speaks version 99"),
        ("unknown-code", "does not know: “no.such”"),
        ("one-endless-line", "a line of more than 8 MB"),
    ],
)
def test_the_collected_workers_are_one_clear_line(name, part, two_rows, shared):
    worker = shared / "cases" / "hostile" / f"worker-{name}.sh"
    summary = drive(Interpreter(str(worker)), two_rows)
    assert part in render_problem(summary.problem)
    assert summary.hello is None or summary.hello.python.isprintable()
    assert summary.results == ()
