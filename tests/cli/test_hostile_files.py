"""A stranger's file on the command line: one clear line and exit code 2, or an answer, and in little time."""

import os
import time
from pathlib import Path

import pytest

COMMANDS = (("import",), ("model",), ("hardware",), ("evaluate",))
QUICK_S = 1.0  # CPU, of the whole command; a reader's share is judged in the tests of readers
TRACE = (
    '{"schemaVersion": 1, "traceEvents": [{"ph": "X", "cat": "cpu_op", "name": "aten::mm", "ts": 1, "dur": 5, '
    '"args": {"Input Dims": [[8, 8], [8, 8]], "Input type": ["\\ud800"]}}]}'
)
INSERT = "INSERT INTO t (model_type, n_prompt, n_gen, avg_ts) VALUES ("
TEXTS = {
    "quotes": INSERT + "'m', '0', '8', '4.0');\n" + INSERT + "'" * 400,
    "newlines": "\n" * 20_000,
    "spaces": "  100.5 GFLOPs\n  900.0 L1\n   50.0 DRAM\n 5 a" + " " * 100_000 + "x\n",
    "half a character": TRACE,
    "nested": '{"a":' * 50_000,
    "laughs": "a: &a [x]\nb: [*a, *a]\n",
    "digits": '{"model_type": ' + "9" * 100_000 + "}",
    "nul": "a\0b",
    "controls": '{"model_type": "\x1b[2J"}',
}


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
@pytest.mark.parametrize("name", TEXTS)
def test_a_hostile_text_is_one_line(run, tmp_path, command, name):
    path = tmp_path / "x.json"
    path.write_text(TEXTS[name], "utf-8")
    started = time.process_time()
    done = run(*command, str(path))
    assert time.process_time() - started < QUICK_S
    if done.code != 0:
        assert done.code == 2
        assert done.out == ""
        assert done.err.count("\n") == 1
    assert done.code == 2 or (command == ("import",) and name in {"quotes", "spaces"})


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes with names")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_pipe_nobody_writes_to_is_refused_at_once(run, tmp_path, command):
    path = tmp_path / "pipe.yaml"
    os.mkfifo(path)
    done = run(*command, str(path))
    assert (done.code, done.err.count("\n")) == (2, 1)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_every_handed_hostile_file_is_one_line(run, shared: Path, command):
    for path in sorted((shared / "cases" / "hostile").glob("*")):
        started = time.process_time()
        done = run(*command, str(path))
        assert time.process_time() - started < QUICK_S, path.name
        assert done.code in {0, 2}, path.name
        assert done.code == 0 or done.err.count("\n") == 1, path.name
        assert "Traceback" not in done.err, path.name
