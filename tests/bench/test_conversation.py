"""Whatever a worker says or however it ends, there is one clear sentence and nothing else goes wrong."""

import json
import signal

import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer.presentation.sentences  # noqa: F401 - the sentences
from explorer.bench.conversation import NOISE, Conversation
from explorer.bench.interpreter import Interpreter
from explorer.bench.protocol import Hello, Progress
from explorer.presentation.words.messages import render_problem

HELLO = b'{"type": "hello", "protocol": 1, "python": "3.11", "torch": "2.13"}\n'
AT_A_ROW = b'{"type": "progress", "done": 0, "total": 2, "remaining_s": 3.5, "id": "0", "name": "q_proj"}\n'
DONE = b'{"type": "done", "rows": 1, "skipped": 0}\n'


@pytest.fixture
def talk() -> Conversation:
    return Conversation(Interpreter("/py"))


def sentence(talk: Conversation) -> str:
    assert talk.problem is not None
    return render_problem(talk.problem)


def test_messages_come_out_whole_however_they_are_cut(talk):
    told = HELLO + AT_A_ROW + DONE
    found = [said for i in range(len(told)) for said in talk.feed(told[i : i + 1])]
    assert [type(said).__name__ for said in found] == ["Hello", "Progress", "Done"]
    assert talk.done.rows == 1


def test_greetings_of_a_shell_before_the_hello_are_passed_over(talk):
    found = talk.feed(b"Welcome to the machine!\n\nLast login: today\n" + HELLO)
    assert [type(said) for said in found] == [Hello]
    assert talk.problem is None


def test_noise_among_the_messages_is_passed_over(talk):
    found = talk.feed(HELLO + b"\xff\xfe garbage\n{\n[1]\nnull\n" + AT_A_ROW)
    assert [type(said) for said in found] == [Hello, Progress]


@pytest.mark.parametrize("noise", [b"spam and eggs\n" * (NOISE // 10), b"spam and eggs" + b"x" * (2 * NOISE)])
def test_endless_garbage_is_told_by_its_first_words(talk, noise):
    talk.feed(noise)
    assert sentence(talk).startswith("/py answered with “spam and eggs")
    assert len(sentence(talk)) < 300


def test_a_program_that_is_no_python_is_told_by_what_it_printed(talk):
    talk.feed(b"hello world\n")
    talk.ended(0)
    assert sentence(talk) == "/py answered with “hello world” instead of measurements."


def test_no_torch_is_said_in_words(talk):
    talk.feed(b'{"type": "error", "code": "no_torch", "values": {}}\n')
    assert sentence(talk) == "/py has no torch; install it there or choose another."


def test_a_kill_names_the_row_and_the_likely_reason(talk):
    talk.feed(HELLO + AT_A_ROW)
    talk.ended(-signal.SIGKILL)
    assert "killed at “q_proj”, perhaps because memory ran out" in sentence(talk)


def test_a_crash_names_the_signal(talk):
    talk.feed(HELLO + AT_A_ROW)
    talk.ended(-signal.SIGSEGV)
    assert "crashed at “q_proj” (SIGSEGV)" in sentence(talk)


def test_an_early_end_brings_the_interpreters_last_words(talk):
    talk.feed_errors(b"Traceback\n  File x\nSyntaxError: no\n\n")
    talk.ended(1)
    assert sentence(talk) == "/py ended with code 1 before it measured: SyntaxError: no"


def test_a_lost_connection_names_the_host():
    talk = Conversation(Interpreter("python3", "gpu-box"))
    talk.feed(HELLO + AT_A_ROW)
    talk.feed_errors(b"Connection to gpu-box closed by remote host.\n")
    talk.ended(255)
    assert sentence(talk).startswith("The connection to gpu-box failed or was lost (Connection to gpu-box closed")


def test_silence_is_a_hang_only_after_the_hello(talk):
    talk.silent(90)
    assert sentence(talk) == "/py said nothing for 90 s and was stopped."
    other = Conversation(Interpreter("/py"))
    other.feed(HELLO + AT_A_ROW)
    other.silent(90)
    assert sentence(other).startswith("The worker hung for 90 s at “q_proj”")


def test_nothing_after_the_end_changes_it(talk):
    talk.feed(HELLO + DONE)
    talk.ended(1)
    assert talk.problem is None


@given(st.lists(st.binary(max_size=200), max_size=8))
def test_no_bytes_whatever_break_it(chunks):
    talk = Conversation(Interpreter("/py"))
    for chunk in chunks:
        talk.feed(chunk)
        talk.feed_errors(chunk)
    talk.ended(1)
    assert sentence(talk)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(), lambda c: st.lists(c) | st.dictionaries(st.text(), c)
    )
)
def test_no_json_whatever_breaks_it(value):
    talk = Conversation(Interpreter("/py"))
    kinds = ("hello", "progress", "row", "skipped", "ceiling", "operators", "done", "error", "?")
    for kind in kinds:
        talk.feed(json.dumps({"type": kind, "values": value, "id": value, "code": "x"}).encode() + b"\n")
    talk.ended(3)
    assert sentence(talk)
