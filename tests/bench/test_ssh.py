"""A Python on another machine: the system's own ssh, here to a server of the test's on the loopback address."""

import getpass
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import explorer.presentation.sentences  # noqa: F401 - the sentences
from explorer.bench.drive import drive
from explorer.bench.interpreter import Interpreter
from explorer.presentation.words.messages import render_problem
from tests.bench.conftest import script
from tests.bench.workers import FIRST_DONE
from tests.hostile import Hostile

GOOD = script(FIRST_DONE + 'row(1); say("done", rows=2, skipped=0)')


def key(path: Path) -> Path:
    subprocess.run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(path)], check=True)
    return path


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


def answers(port: int) -> bool:
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, ...]]:
    """Options of an ssh that reaches a server of ours as "there"."""
    yield from served(tmp_path_factory.mktemp("ssh"))


@pytest.fixture
def hostile(tmp_path: Path) -> Hostile:
    """A login folder as a stranger may have filled it."""
    return Hostile(tmp_path / "hostile")


@pytest.fixture
def hostile_server(hostile: Hostile, tmp_path: Path) -> Iterator[tuple[str, ...]]:
    """The same, with a login into that folder, whose PATH leads into wherever one works."""
    login = f'cd {hostile.folder} && export HOME=$PWD PATH=.:bin:$PATH && exec /bin/sh -c "$SSH_ORIGINAL_COMMAND"'
    (tmp_path / "ssh").mkdir()
    yield from served(tmp_path / "ssh", ForceCommand=login)


def served(folder: Path, **more: str) -> Iterator[tuple[str, ...]]:
    sshd = shutil.which("sshd", path="/usr/sbin:/usr/local/sbin:/usr/bin")
    if sshd is None or shutil.which("ssh") is None:
        pytest.skip("no ssh server installed here")
    host, user, port = key(folder / "host"), key(folder / "user"), free_port()
    shutil.copy(f"{user}.pub", folder / "authorized")
    settings = {
        "Port": port,
        "ListenAddress": "127.0.0.1",
        "HostKey": host,
        "AuthorizedKeysFile": folder / "authorized",
        "PidFile": "none",
        "StrictModes": "no",
        "UsePAM": "no",
        **more,
    }
    (folder / "sshd").write_text("".join(f"{k} {v}\n" for k, v in settings.items()), encoding="utf-8")
    Path("/run/sshd").mkdir(exist_ok=True)
    process = subprocess.Popen([sshd, "-D", "-f", str(folder / "sshd")], stderr=subprocess.DEVNULL)
    known = f"[127.0.0.1]:{port} {Path(f'{host}.pub').read_text(encoding='utf-8')}"
    (folder / "known").write_text(known, encoding="utf-8")
    reach = {
        "HostName": "127.0.0.1",
        "Port": port,
        "User": getpass.getuser(),
        "IdentityFile": user,
        "IdentitiesOnly": "yes",
        "UserKnownHostsFile": folder / "known",
    }
    (folder / "ssh").write_text("Host there\n" + "".join(f"  {k} {v}\n" for k, v in reach.items()), encoding="utf-8")
    while not answers(port):
        if process.poll() is not None:
            pytest.skip("the ssh server does not start here")
    yield ("-F", str(folder / "ssh"))
    process.terminate()
    process.wait()


def test_a_job_runs_on_another_machine(server, two_rows):
    summary = drive(Interpreter(sys.executable, "there", server), two_rows, script=GOOD)
    assert summary.problem is None
    assert [r.row.name for r in summary.results] == ["first", "second"]


def test_a_python_that_is_not_there_is_a_sentence(server, two_rows):
    summary = drive(Interpreter("/no/such/python", "there", server), two_rows, script=GOOD)
    assert "no/such/python" in render_problem(summary.problem)


def test_a_lost_connection_is_a_sentence_and_what_was_measured_is_kept(server, two_rows):
    lost = "time.sleep(0.5)\nos.kill(os.getppid(), signal.SIGKILL)\n"  # the server's side, once the row is through
    wait = "sys.stdin.buffer.read()"  # as the worker does: it ends with the connection
    summary = drive(Interpreter(sys.executable, "there", server), two_rows, script=script(FIRST_DONE + lost + wait))
    assert "The connection to there failed or was lost" in render_problem(summary.problem)
    assert len(summary.results) == 1


def test_a_host_that_does_not_let_us_in_never_asks_for_a_password(server, two_rows, tmp_path):
    text = Path(server[1]).read_text(encoding="utf-8")
    other = tmp_path / "ssh"
    lines = [f"  IdentityFile {key(tmp_path / 'stranger')}" if "IdentityFile" in n else n for n in text.splitlines()]
    other.write_text("\n".join(lines), encoding="utf-8")
    summary = drive(Interpreter(sys.executable, "there", ("-F", str(other))), two_rows, script=GOOD)
    assert "Permission denied" in render_problem(summary.problem)


def test_nothing_of_the_login_folder_is_run(hostile, hostile_server, two_rows, monkeypatch):
    monkeypatch.chdir(hostile.folder)
    for name, value in hostile.environment().items():
        monkeypatch.setenv(name, value)
    summary = drive(Interpreter(sys.executable, "there", hostile_server), two_rows)
    assert "has no torch" in render_problem(summary.problem)
    assert hostile.ran == []


def test_a_bare_name_is_not_looked_for_in_the_login_folder(hostile, hostile_server, two_rows):
    (hostile.folder / "only-here").symlink_to(hostile.folder / "python")
    summary = drive(Interpreter("only-here", "there", hostile_server), two_rows)
    assert "not found" in render_problem(summary.problem)
    assert hostile.ran == []


def test_a_relative_path_starts_at_the_login_folder(hostile, hostile_server, two_rows):
    (hostile.folder / "venv").mkdir()
    (hostile.folder / "venv" / "python").symlink_to(sys.executable)
    summary = drive(Interpreter("venv/python", "there", hostile_server), two_rows, script=GOOD)
    assert summary.problem is None, render_problem(summary.problem)


@pytest.mark.torch
def test_the_real_worker_runs_over_ssh(server, two_rows, torch_python):
    summary = drive(Interpreter(torch_python, "there", server), two_rows)
    assert summary.problem is None
    assert len(summary.results) == 2
    assert summary.hello.torch
