"""What a worker says is heard where it can be so, as plain text; each of its codes has a sentence."""

import ast
import json
import re
import string
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

import explorer.presentation.sentences  # noqa: F401 - the sentences
from explorer.bench import worker
from explorer.bench.conversation import LONGEST_LINE, Conversation
from explorer.bench.gathering import Gathering
from explorer.bench.interpreter import Interpreter
from explorer.bench.jobs import Job
from explorer.bench.protocol import Fault, Operators, RowSkipped, TracedOperator, heard, one_line
from explorer.bench.reasons import FAULTS, REMARKS, SKIPS, note_of_remark, note_of_skip, problem_of_fault
from explorer.bench.traced import traced_rows
from explorer.presentation.words.messages import TEMPLATES, of_note, render, render_problem

HELLO = b'{"type": "hello", "protocol": 1, "python": "3.11", "torch": "2.13"}\n'
OURS = {"python"}  # filled by the program
TEXT = "\x1b[31mred\x07\x00\x9b2J\u202eevil\u2066\u200b\nline\u2028\t{python} %s"


def fields(code: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(TEMPLATES[code]) if name}


@pytest.mark.parametrize("code", FAULTS)
def test_each_known_fault_fills_its_sentence(code):
    assert fields(f"measure.{code}") - OURS == set(FAULTS[code])


@pytest.mark.parametrize("code", SKIPS)
def test_each_known_reason_fills_its_sentence(code):
    assert {f.removesuffix("_gb") for f in fields(f"measure.skip.{code}")} == set(SKIPS[code])


@pytest.mark.parametrize("code", sorted(REMARKS))
def test_each_known_remark_is_a_sentence_alone(code):
    assert fields(f"measure.note.{code}") == set()


def test_every_code_of_the_worker_is_known():
    text = Path(worker.__file__).read_text(encoding="utf-8")
    calls = [n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)]
    said = {(n.func.id, n.args[0].value): {k.arg for k in n.keywords} for n in calls if n.func.id in {"Stop", "Skip"}}
    assert len(said) > 12
    for (kind, code), values in said.items():
        known = FAULTS if kind == "Stop" else SKIPS
        assert set(known[code]) <= values, code
    assert set(re.findall(r'return "(\w+)", \{', text)) <= set(SKIPS)
    assert set(re.findall(r'code="(\w+)"', text)) <= set(FAULTS)


@pytest.mark.parametrize("values", [{}, {"text": None}, {"text": [1]}, {"text": {"a": 1}}, {"text": True}, {"x": "y"}])
def test_a_reason_without_its_values_shows_its_code(values):
    assert "does not know: “raised”" in render_problem(problem_of_fault(Fault("raised", values), "/py"))
    assert "does not know: “unsupported”" in render(
        of_note(note_of_skip(RowSkipped("0", "unsupported", values=values)))
    )


@pytest.mark.parametrize("number", ["x", None, -1, True, 1e300, float("inf"), float("nan"), 10**400])
def test_a_figure_that_is_none_shows_the_code(number):
    said = RowSkipped("0", "memory", values={"need": number, "free": 1.0})
    assert "does not know: “memory”" in render(of_note(note_of_skip(said)))


def test_no_text_of_a_worker_steers_a_terminal_or_turns_a_line():
    hello = {"type": "hello", "protocol": 1, "python": TEXT, "torch": TEXT, "host": TEXT, "system": TEXT}
    said = heard(json.dumps({**hello, "devices": [{"id": TEXT, "name": TEXT}]}).encode())
    texts = [said.python, said.torch, said.host, said.system, said.devices[0].id, said.devices[0].name]
    assert all(t.isprintable() and "red" in t and "\n" not in t for t in texts)
    row = {"type": "row", "id": "0", "median_s": 1, "low_s": 1, "high_s": 1, "min_s": 1, "runs": 1}
    said = heard(json.dumps({**row, "note": TEXT, "call": TEXT, "name": TEXT}).encode())
    assert all(t.isprintable() for t in (said.note, said.call, said.name, render(of_note(note_of_remark(said.note)))))
    for code in ("raised", TEXT):
        said = heard(json.dumps({"type": "error", "code": code, "values": {"text": TEXT, TEXT: TEXT}}).encode())
        assert render_problem(problem_of_fault(said, "/py")).isprintable()


@given(st.text())
def test_others_words_are_one_printable_line(text):
    line = one_line(text, 40)
    assert line.isprintable()
    assert len(line) <= 40


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_time_grows_with_what_is_said_however_it_is_cut(size):
    def seconds(length: int) -> float:
        talk = Conversation(Interpreter("/py"))
        talk.feed(HELLO)
        chunk, start = b"a" * size, process_time()
        for _ in range(length // size):
            talk.feed(chunk)
        return process_time() - start

    small = max(0.01, min(seconds(60_000 * size) for _ in range(2)))
    assert seconds(240_000 * size if size < 4096 else LONGEST_LINE - size) < 16 * small


@pytest.mark.parametrize("module", ["a.b{i}.c{i}.proj", "same", "?{i}", ".a" * 140 + ".b{i}.c", "a" * 300 + ".{i}"])
def test_a_trace_of_many_rows_is_read_in_a_time_that_grows_with_them(module):
    def seconds(count: int) -> float:
        found = [
            TracedOperator(
                op="aten::mm",
                module=module.format(i=i),
                inputs=(("float32", (i + 1, 8)), ("float32", (8, 8))),
                outputs=(("float32", (i + 1, 8)),),
            )
            for i in range(count)
        ]
        start = process_time()
        rows = traced_rows(found).rows
        assert len({r.name for r in rows}) == len({r.id for r in rows}) == count
        assert all(len(r.name) <= 200 and len(r.id) <= 200 for r in rows)
        return process_time() - start

    small = max(0.02, min(seconds(2000) for _ in range(2)))
    # eight times the rows; with the square of them it would be 64
    assert min(seconds(16_000) for _ in range(2)) < 32 * small


sizes = st.integers(-(2**70), 2**70) | st.sampled_from([0, 1, 2**31, 2**62])
shapes = st.lists(st.lists(sizes, max_size=6), max_size=4)
anything = st.none() | sizes | st.floats() | st.text(max_size=5) | st.lists(sizes, max_size=4)


@given(
    st.sampled_from(["mm", "bmm", "convolution", "native_layer_norm", "embedding", "add", "cat", "rms_norm"]),
    shapes, shapes, st.lists(anything, max_size=9), sizes,
)  # fmt: skip
def test_a_trace_of_any_figures_is_rows_that_can_be(name, inputs, outputs, arguments, count):
    operator = {
        "op": f"aten::{name}", "module": TEXT, "count": count, "arguments": arguments,
        "inputs": [["float32", s] for s in inputs], "outputs": [["float32", s] for s in outputs],
    }  # fmt: skip
    said = heard(json.dumps({"type": "operators", "operators": [operator]}).encode())
    if isinstance(said, Operators):
        found = Gathering(Job(command="trace")).take(said)
        assert all(0 <= v <= 2**62 for row in found.rows for v in row.dims.values())
        assert all(0 <= u.bytes_read < 1e30 for u in found.unknown)
