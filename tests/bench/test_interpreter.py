"""How another Python is started: never with what our own process needs, never as someone else's option."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from explorer.analysis.problem import Refused
from explorer.bench import python_search
from explorer.bench.interpreter import Interpreter, command, sent
from explorer.bench.programs import clean_environment
from explorer.bench.python_search import candidates, probe


def test_what_the_packed_program_set_is_put_back():
    dirty = {
        "PATH": "/usr/bin",
        "LD_LIBRARY_PATH": "/app/_internal",
        "LD_LIBRARY_PATH_ORIG": "/opt/cuda/lib64",
        "_PYI_ARCHIVE_FILE": "x",
        "_PYI_APPLICATION_HOME_DIR": "x",
        "PYTHONHOME": "x",
        "PYTHONPATH": "x",
        "QT_PLUGIN_PATH": "x",
        "QT_QPA_PLATFORM": "x",
        "QML2_IMPORT_PATH": "x",
        "OMP_NUM_THREADS": "4",
    }
    assert clean_environment(dirty, frozen=True) == {
        "PATH": "/usr/bin",
        "LD_LIBRARY_PATH": "/opt/cuda/lib64",
        "OMP_NUM_THREADS": "4",
    }


def test_a_packed_program_on_a_system_without_library_path_leaves_none():
    assert clean_environment({"LD_LIBRARY_PATH": "/app/_internal"}, frozen=True) == {}


def test_the_users_own_library_path_stays_when_run_from_a_checkout():
    assert clean_environment({"LD_LIBRARY_PATH": "/opt/cuda"}, frozen=False) == {"LD_LIBRARY_PATH": "/opt/cuda"}


@pytest.mark.parametrize("host", ["-oProxyCommand=evil", "two words", "line\nbreak"])
def test_a_host_can_never_be_an_option(host):
    with pytest.raises(Refused):
        command(Interpreter("python3", host))


def test_another_machines_shell_gets_the_path_quoted_and_its_home_found():
    program, arguments = command(Interpreter("~/my env/bin/python; rm x", "gpu"))
    assert program == "ssh"
    assert "BatchMode=yes" in arguments
    assert arguments[-3:-1] == ["--", "gpu"]
    assert arguments[-1].startswith("cd / && exec ~/'my env/bin/python; rm x' -u -c ")


@pytest.mark.parametrize(
    ("python", "told"), [("python3", "python3"), ("/a/python", "/a/python"), ("venv/bin/python", "~/venv/bin/python")]
)
def test_a_relative_path_on_another_machine_starts_at_its_home(python, told):
    assert command(Interpreter(python, "gpu"))[1][-1].startswith(f"cd / && exec {told} -u -c ")


def test_the_worker_comes_over_stdin_and_leaves_the_rest_to_the_job(here):
    program, arguments = command(here)
    worker = b"import sys; print(sys.path[0] != '', sys.stdin.buffer.readline())"
    done = subprocess.run([program, *arguments], input=sent(b"the job", worker), capture_output=True, check=True)
    assert done.stdout.strip() == b"True b'the job\\n'"


def test_an_old_python_says_that_it_is_one(here):
    _, arguments = command(here)
    old = f"import sys; sys.version_info, sys.version = (3, 6, 15), '3.6.15 (default)'; exec({arguments[-1]!r})"
    done = subprocess.run([here.python, "-c", old], capture_output=True, check=False)
    assert json.loads(done.stdout) == {"type": "error", "code": "python_old", "values": {"version": "3.6.15"}}


def fake_python(folder: Path, answer: str = "") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / "python"
    path.write_text(f"#!/bin/sh\n{answer}\n", encoding="utf-8")
    path.chmod(0o755)
    return path


@pytest.mark.skipif(os.name == "nt", reason="programs of shell lines")
def test_candidates_come_from_environment_path_conda_and_pyenv_none_twice(tmp_path, monkeypatch):
    home = tmp_path / "home"
    active = fake_python(tmp_path / "active" / "bin")
    on_path = fake_python(tmp_path / "usr" / "bin")
    conda = fake_python(home / "miniconda3" / "envs" / "ml" / "bin")
    pyenv = fake_python(home / ".pyenv" / "versions" / "3.12.1" / "bin")
    variables = {"VIRTUAL_ENV": str(active.parent.parent), "PATH": f"{active.parent}:{on_path.parent}:/no/such"}
    found = {(f.where, Path(f.path)) for f in candidates(variables, home)}
    assert found == {("venv", active), ("path", on_path), ("conda", conda), ("pyenv", pyenv)}


@pytest.mark.skipif(os.name == "nt", reason="programs of shell lines")
def test_a_probe_tells_versions_and_survives_what_is_no_python(tmp_path):
    answer = json.dumps({"python": "3.12.1", "torch": "2.13.0"})
    good = fake_python(tmp_path / "a", f"echo banner; echo '{answer}'")
    bad = fake_python(tmp_path / "b", "echo nonsense")
    slow = fake_python(tmp_path / "c", "exec sleep 60")
    one = probe(python_search.FoundPython(str(good), "path"))
    assert (one.python, one.torch) == ("3.12.1", "2.13.0")
    for path, timeout in ((bad, 5.0), (slow, 0.2), (tmp_path / "gone", 1.0)):
        assert probe(python_search.FoundPython(str(path), "path"), timeout).torch is None


@pytest.mark.parametrize(
    ("module", "unwanted"),
    [
        ("explorer.cli.measure", ("PySide6",)),
        ("explorer.bench.runner", ("PySide6.QtGui", "PySide6.QtWidgets")),
    ],
)
def test_measuring_needs_no_window(module, unwanted, root):
    program = f"import sys, {module}; print([m for m in {unwanted!r} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
