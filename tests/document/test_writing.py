"""A file written beside the window: told in the window's thread, waited for, or given up."""

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
