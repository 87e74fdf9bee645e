"""A file written beside the window: told in the window's thread, waited for, or given up."""

import sys
import threading
import time

import pytest

from explorer.analysis.problem import Problem, Refused
from explorer.document.writing import Writing

MANY = 1500
FULL = Refused(Problem("file.write", values={"file": "a", "reason": "full"}))


@pytest.fixture
def told():
    return []


def test_the_result_is_told_in_the_windows_thread(qapp, qtbot, told):
    writing = Writing(lambda _pause: (1, 2), lambda result: told.append((result, threading.current_thread())))
    qtbot.waitUntil(lambda: bool(told))
    assert told == [((1, 2), threading.main_thread())]
    writing.join()
    assert len(told) == 1


def test_a_refusal_is_told_as_it_is(qapp, told):
    def refuse(_pause):
        raise FULL

    Writing(refuse, told.append).wait()
    assert told == [FULL]


def test_one_that_has_been_told_of_is_not_waited_for_though_its_thread_lives_on(qapp, told, monkeypatch):
    on = threading.Event()
    run = Writing._run

    def lingering(writing):
        run(writing)
        on.wait(10)

    monkeypatch.setattr(Writing, "_run", lingering)
    writing = Writing(lambda _pause: (1, 2), told.append)
    assert writing._ended.wait(10)
    monkeypatch.setattr(writing, "join", on.set)
    writing.wait()
    assert on.is_set()
    writing._thread.join()


def test_a_write_whose_owner_deletes_it_at_once_is_waited_for_every_time(qapp):
    """The thread may still be telling while what it told of is taken away."""
    done = []

    class Owner:
        def __init__(self, number):
            self.writing = Writing(lambda _pause: (time.sleep(number % 7 * 3e-5), (1, number))[1], self.over)

        def over(self, result):
            self.writing.deleteLater()
            done.append(result)

    for number in range(MANY):
        Owner(number).writing.wait()
    assert done == [(1, number) for number in range(MANY)]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_failure_of_the_program_is_a_refusal_too_and_is_not_hidden(qapp, told, monkeypatch):
    found = []
    monkeypatch.setattr(threading, "excepthook", lambda args: found.append(args.exc_type))

    def fail(_pause):
        raise ZeroDivisionError

    Writing(fail, told.append).wait()
    assert [type(t) for t in told] == [Refused]
    assert found == [ZeroDivisionError]


def test_one_given_up_stops_at_its_next_pause_and_tells_nobody(qapp, told):
    def endless(pause):
        while True:
            pause()

    writing = Writing(endless, told.append)
    writing.give_up()
    qapp.processEvents()
    assert told == []


@pytest.fixture
def pace(monkeypatch):
    """The clock as the test sets it, and the breaths that were taken."""
    clock, breaths = [100.0], []
    monkeypatch.setattr("explorer.document.writing.time.perf_counter", lambda: clock[0])
    monkeypatch.setattr("explorer.document.writing.time.sleep", breaths.append)
    return clock, breaths


def test_others_are_let_in_for_a_breath_every_few_milliseconds(qapp, told, pace):
    clock, breaths = pace
    counts = []

    def write(pause):
        for later in (0.0, 0.001, 0.0029, 0.0002, 0.003, 0.002):
            clock[0] += later
            pause()
            counts.append(len(breaths))
        return 1, 2

    Writing(write, told.append).wait()
    assert counts == [1, 1, 1, 2, 2, 3]
    assert set(breaths) == {5e-5}
    assert told == [(1, 2)]


@pytest.mark.parametrize(("before", "after"), [(0.005, 0.001), (0.0005, 0.0005)])
def test_threads_take_turns_in_short_steps_from_the_first_write_on(qapp, told, before, after):
    usual = sys.getswitchinterval()
    sys.setswitchinterval(before)
    try:
        Writing(lambda _pause: (1, 2), told.append).join()
        assert sys.getswitchinterval() == pytest.approx(after)
    finally:
        sys.setswitchinterval(usual)


def test_giving_up_waits_for_the_thread_and_a_result_after_it_is_told_to_nobody(qapp, told):
    ended = threading.Event()

    def slow(_pause):
        ended.wait(0.05)
        ended.set()
        return 1, 2

    writing = Writing(slow, told.append)
    writing.give_up()
    assert ended.is_set()
    assert not writing._thread.is_alive()
    writing.join()
    qapp.processEvents()
    assert told == []


def test_a_write_is_no_daemon_so_that_the_file_is_finished_at_exit(qapp, told):
    writing = Writing(lambda _pause: (1, 2), told.append)
    assert writing._thread.daemon is False
    writing.join()
    writing.join()
    assert told == [(1, 2)]
