"""The command line waits for the worker, and says as much about what went wrong as the window does."""

import sys

import pytest

import explorer.presentation.texts  # noqa: F401 - the sentences
from explorer.bench.drive import drive
from explorer.bench.interpreter import Interpreter
from explorer.presentation.messages import render_problem
from tests.bench.conftest import script
from tests.bench.workers import FIRST_DONE, WRONG

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
