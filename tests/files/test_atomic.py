"""Files are the old one or the new one whole, and killed programs leave nothing for good."""

import errno
import os
import random
import signal
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

import explorer.presentation.sentences  # noqa: F401 - registers every sentence
from explorer.analysis.problem import Refused
from explorer.files.disk.atomic import stamp_of, write_atomically
from explorer.files.disk.leftovers import ENDING, hold, sweep, sweep_settings
from explorer.presentation.words.messages import render_problem

posix = pytest.mark.skipif(sys.platform == "win32", reason="links, modes and locks the POSIX way")


def refusal(path: Path, data="x") -> str:
    with pytest.raises(Refused) as refused:
        write_atomically(path, data)
    [problem] = refused.value.problems
    return render_problem(problem)


def test_pieces_become_one_file_and_the_stamp_is_the_files(tmp_path):
    path = tmp_path / "a.yaml"
    assert write_atomically(path, iter(["é\n", "b\n"])) == stamp_of(path)
    assert path.read_bytes() == "é\nb\n".encode()


def test_giving_up_between_pieces_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("old")

    def give_up() -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, iter(["new"]), give_up)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


@posix
def test_a_link_stays_a_link_and_the_file_keeps_its_mode(tmp_path):
    path, link = tmp_path / "a.yaml", tmp_path / "link.yaml"
    path.write_text("old")
    path.chmod(0o640)
    link.symlink_to(path)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert (path.read_text(), stat.S_IMODE(path.stat().st_mode)) == ("new", 0o640)


@posix
def test_a_file_that_must_not_be_written_is_left_alone_whoever_asks(tmp_path):
    path = tmp_path / "a.yaml"
    path.write_text("old")
    path.chmod(0o444)
    assert "read-only" in refusal(path)
    assert path.read_text() == "old"


@posix
def test_a_pipe_or_a_device_never_becomes_a_file(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    assert "not a regular file" in refusal(tmp_path / "pipe")
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


@pytest.mark.parametrize("name", ["x" * 300, "é" * 200, "a\0b"])
def test_a_name_that_cannot_be_is_said_and_leaves_nothing(tmp_path, name):
    assert "cannot be written" in refusal(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_gone_or_is_a_file_is_said(tmp_path):
    (tmp_path / "file").write_text("")
    assert "cannot be written" in refusal(tmp_path / "gone" / "a.yaml")
    assert "cannot be written" in refusal(tmp_path / "file" / "a.yaml")


def test_a_disk_that_fills_up_between_pieces_leaves_the_old_file(tmp_path, monkeypatch):
    path = tmp_path / "a.yaml"
    path.write_text("old")

    def full() -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with pytest.raises(Refused):
        write_atomically(path, iter(["new"]), full)
    assert path.read_text() == "old"
    assert list(tmp_path.iterdir()) == [path]


# --- leftovers


def test_only_what_a_killed_program_left_is_removed(tmp_path):
    mine = tmp_path / f".a.yaml.abcd1234{ENDING}"
    others = [tmp_path / n for n in (".b.yaml.abcd1234.tmp", "a.yaml", f"a.yaml{ENDING}", ".hidden", ".a.yaml.swp")]
    for path in (mine, *others):
        path.write_text("x")
    sweep(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted(others)


def test_in_the_programs_own_folder_the_leftovers_of_older_versions_go_too(tmp_path):
    (tmp_path / ".1-2.autosave.roofline.yaml.k3j_9x0a.tmp").write_text("x")
    sweep(tmp_path, own=True)
    assert list(tmp_path.iterdir()) == []


def test_beside_a_study_only_its_own_leftovers_go(tmp_path):
    for name in ("a", "b"):
        (tmp_path / f".{name}.yaml.abcd1234{ENDING}").write_text("x")
    sweep(tmp_path, "a.yaml")
    assert [p.name for p in tmp_path.iterdir()] == [f".b.yaml.abcd1234{ENDING}"]


@posix
def test_what_a_running_program_writes_is_left_alone(tmp_path):
    path = tmp_path / f".a.yaml.abcd1234{ENDING}"
    with path.open("wb") as file:
        assert hold(file)
        sweep(tmp_path)
        assert path.exists()
    sweep(tmp_path)
    assert not path.exists()


def test_sweeping_a_folder_that_cannot_be_is_no_fault(tmp_path):
    for folder in (tmp_path / "gone", tmp_path / "a\0b", Path("x" * 5000)):
        sweep(folder)


@posix
def test_a_link_or_a_pipe_with_such_a_name_is_neither_followed_nor_waited_for(tmp_path):
    (tmp_path / "precious").write_text("x")
    (tmp_path / f".a.abcd1234{ENDING}").symlink_to(tmp_path / "precious")
    os.mkfifo(tmp_path / f".b.abcd1234{ENDING}")
    sweep(tmp_path, own=True)
    assert sorted(p.name for p in tmp_path.iterdir())[:2] == [f".a.abcd1234{ENDING}", f".b.abcd1234{ENDING}"]
    assert (tmp_path / "precious").exists()


def test_what_qt_left_beside_old_settings_goes_and_new_things_stay(tmp_path):
    file = tmp_path / "Explorer.conf"
    names = ("Explorer.conf.AbCdEf", "Explorer.conf.123456", "other.AbCdEf", "Explorer.conf")
    for name in names:
        (tmp_path / name).write_text("x")
        os.utime(tmp_path / name, (1, 1))
    (tmp_path / "Explorer.conf.GhIjKl").write_text("being written")
    sweep_settings(file)
    assert {p.name for p in tmp_path.iterdir()} == {*names[1:], "Explorer.conf.GhIjKl"}


# --- kills

WRITER = """
import sys
from pathlib import Path
from explorer.files.disk.atomic import write_atomically
path, turn = Path(sys.argv[1]), 0
print("ready", flush=True)
while True:
    turn += 1
    write_atomically(path, (f"{turn}\\n" for _ in range(2000)))
"""


@posix
@pytest.mark.parametrize("seed", range(*map(int, os.environ.get("KILL_SEEDS", "1 6").split())))
def test_a_writer_killed_at_any_moment_leaves_one_whole_file(tmp_path, root, seed):
    path = tmp_path / "a.yaml"
    path.write_text("0\n" * 2000)
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path)],
        cwd=root,
        stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": "."},
    )
    assert writer.stdout is not None
    writer.stdout.readline()
    time.sleep(random.Random(seed).uniform(0.0, 0.05))  # noqa: S311 - the moment of the kill is what varies
    writer.send_signal(signal.SIGKILL)
    writer.wait()
    writer.stdout.close()
    lines = path.read_text().splitlines()
    assert len(lines) == 2000
    assert len(set(lines)) == 1
    sweep(tmp_path, path.name)
    assert list(tmp_path.iterdir()) == [path]
