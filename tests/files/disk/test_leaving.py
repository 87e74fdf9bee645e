"""Writing in one step, what killed programs leave behind, and what the log of failures keeps."""

import errno
import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from explorer.analysis.problem import Refused
from explorer.files.disk import failure_log, leftovers
from explorer.files.disk.atomic import stamp_of, write_atomically
from explorer.files.disk.failure_log import log, log_folder, report_of, user_folder, without_home
from explorer.files.disk.leftovers import hold, sweep, sweep_settings

POSIX = pytest.mark.skipif(os.name == "nt", reason="as POSIX systems have it")


def refused(call, *args):
    with pytest.raises(Refused) as found:
        call(*args)
    (problem,) = found.value.problems
    return problem


@POSIX
def test_a_file_keeps_its_mode_and_a_new_one_has_the_usual_one(tmp_path):
    new, old = tmp_path / "new", tmp_path / "old"
    old.write_text("x")
    old.chmod(0o640)
    stamps = [write_atomically(p, "text\n") for p in (new, old)]
    mask = os.umask(0)
    os.umask(mask)
    assert new.stat().st_mode & 0o7777 == 0o666 & ~mask
    assert old.stat().st_mode & 0o7777 == 0o640
    assert stamps == [stamp_of(new), stamp_of(old)]
    assert sorted(p.name for p in tmp_path.iterdir()) == ["new", "old"]


def test_pieces_are_written_in_their_order_with_a_pause_after_each(tmp_path):
    path, pauses = tmp_path / "a", []
    write_atomically(path, ["é", "b\n"], lambda: pauses.append(1))
    assert (path.read_bytes(), len(pauses)) == ("éb\n".encode(), 2)
    write_atomically(path, b"\xff", lambda: pauses.append(1))
    assert (path.read_bytes(), len(pauses)) == (b"\xff", 2)


def test_a_write_that_is_broken_off_leaves_the_old_file_and_nothing_else(tmp_path):
    path = tmp_path / "a"
    path.write_text("old")

    def stop():
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_atomically(path, "new", stop)
    assert [p.name for p in tmp_path.iterdir()] == ["a"]
    assert path.read_text() == "old"


@POSIX
def test_what_cannot_be_written_is_refused_with_the_reason(tmp_path):
    guarded = tmp_path / "guarded"
    guarded.write_text("x")
    guarded.chmod(0o444)
    loop = tmp_path / "loop"
    loop.symlink_to("loop")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    cases = {
        guarded: "the file is read-only",
        pipe: "not a regular file",
        tmp_path / "none" / "a": os.strerror(2),
        Path("a\0b"): os.strerror(22),
    }
    for path, reason in cases.items():
        assert refused(write_atomically, path, "new").values["reason"] == reason
    assert refused(write_atomically, loop, "new").code == "file.write"
    assert refused(write_atomically, tmp_path, "new").values["file"] == tmp_path.name
    assert guarded.read_text() == "x"


@POSIX
def test_a_link_goes_on_pointing_at_the_file_it_names(tmp_path):
    real, link = tmp_path / "real", tmp_path / "link"
    real.write_text("old")
    link.symlink_to(real)
    write_atomically(link, "new")
    assert link.is_symlink()
    assert real.read_text() == "new"


def test_a_file_that_cannot_be_looked_at_has_no_stamp(tmp_path):
    assert stamp_of(tmp_path / "gone") is stamp_of(Path("a\0b")) is None


@POSIX
def test_leftovers_of_one_file_or_of_a_folder_go_and_others_stay(tmp_path):
    mine, other, older = ".a.yaml.abcd_234.roofline.tmp", ".b.yaml.abcd1234.roofline.tmp", ".c.yaml.abcd1234.tmp"
    kept = ["a.yaml", ".a.yaml.abcd1234.roofline.tmp.x", ".a.yaml.abcd1234.roofline.txt", "x.abcd1234.roofline.tmp"]
    for name in (mine, other, older, *kept):
        (tmp_path / name).write_text("x")
    (tmp_path / ".d.abcd1234.roofline.tmp").mkdir()
    kept.append(".d.abcd1234.roofline.tmp")

    def there():
        return {p.name for p in tmp_path.iterdir()}

    sweep(tmp_path, "a.yaml")
    assert there() == {other, older, *kept}
    sweep(tmp_path)
    assert there() == {older, *kept}
    sweep(tmp_path, own=True)
    assert there() == set(kept)
    sweep(tmp_path / "none")
    sweep(Path("a\0b"))


@POSIX
def test_a_leftover_that_another_program_holds_stays(tmp_path):
    path = tmp_path / ".a.abcd1234.roofline.tmp"
    with path.open("wb") as file, path.open("ab") as other:
        assert hold(file) is True
        assert hold(other) is False
        sweep(tmp_path)
        assert path.exists()
    sweep(tmp_path)
    assert not path.exists()


@POSIX
def test_a_file_with_a_long_name_has_a_leftover_that_is_known_by_its_beginning(tmp_path):
    name = "n" * 60
    assert leftovers.beginning(name) == f".{'n' * 40}."
    path = tmp_path / f"{leftovers.beginning(name)}abcd1234.roofline.tmp"
    path.write_text("x")
    sweep(tmp_path, name)
    assert not path.exists()


def test_what_qt_left_beside_settings_goes_after_an_hour(tmp_path):
    settings = tmp_path / "x.ini"
    names = {
        "x.ini.AbCdEf": 3601,
        "x.ini.abcdeg": 3500,
        "x.ini.abcd12": 9999,
        "y.ini.abcdef": 9999,
        "x.ini.abcde": 9999,
        "x.iniabcdef": 9999,
    }
    for name, age in names.items():
        (tmp_path / name).write_text("x")
        os.utime(tmp_path / name, (time.time() - age,) * 2)
    sweep_settings(settings)
    assert {p.name for p in tmp_path.iterdir()} == set(names) - {"x.ini.AbCdEf"}


def test_the_home_folder_stands_in_no_report(monkeypatch):
    monkeypatch.setattr(Path, "home", lambda: Path("/home/me"))
    assert without_home("at /home/me/x and /home/me") == "at ~/x and ~"
    monkeypatch.setattr(Path, "home", lambda: Path("/"))
    assert without_home("/a/b") == "/a/b"


def raised(depth):
    def down(n):
        if n:
            down(n - 1)
        else:
            raise ValueError("x" * 3000)

    try:
        down(depth)
    except ValueError as error:
        return error
    raise AssertionError


def test_a_report_says_where_and_what_in_as_many_lines_as_are_of_use():
    text = report_of(raised(100), "more", "and more")
    lines = text.split("\n")
    assert lines[0].startswith("Roofline Explorer ")
    assert lines[1:4] == ["more", "and more", ""]
    assert lines[4].startswith("Traceback")
    assert text.count("in down") + text.count("repeated") <= 41
    assert max(map(len, lines)) <= 2000
    assert "ValueError: xxx" in text


@POSIX
def test_the_folder_of_this_user_is_that_of_the_system(monkeypatch):
    monkeypatch.setattr(failure_log.sys, "platform", "linux")
    monkeypatch.setenv("HOME", "/home/me")
    name = "Roofline Explorer/Roofline Explorer"
    for chosen, folder in (("", "/home/me/.local/share"), ("relative", "/home/me/.local/share"), ("/data", "/data")):
        monkeypatch.setenv("XDG_DATA_HOME", chosen)
        assert user_folder() == Path(folder, name)
    monkeypatch.setattr(failure_log.sys, "platform", "darwin")
    assert user_folder() == Path("/home/me/Library/Application Support", name)
    monkeypatch.setattr(failure_log.sys, "platform", "win32")
    monkeypatch.delenv("APPDATA", raising=False)
    assert user_folder() == Path("/home/me", name)
    monkeypatch.setenv("APPDATA", "/app")
    assert user_folder() == Path("/app", name)
    assert (log_folder(), log_folder(Path("/x"))) == (Path("/app", name, "log"), Path("/x/log"))


def test_a_log_grows_line_by_line_and_keeps_three_older_ones(tmp_path):
    folder = tmp_path / "new" / "log"
    path = log("first", folder)
    assert path == folder / failure_log.NAME
    log("second", folder)
    assert [line.split(" ", 2)[2] for line in path.read_text().split("\n") if line] == ["first", "second"]
    for i in range(12):
        log(f"{i:02d}" + "x" * 200_000, folder)
    assert len(list(folder.iterdir())) == 4
    assert all(p.stat().st_size <= 262_144 for p in folder.iterdir())
    (line,) = [line for line in path.read_text().split("\n") if "11x" in line]
    assert len(line.split(" ", 2)[2]) == 131_072


@POSIX
def test_where_the_folder_takes_no_log_the_one_for_temporary_files_does(tmp_path, monkeypatch):
    import tempfile

    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "temporary"))
    (tmp_path / "file").write_text("x")
    assert log("text", tmp_path / "file" / "log") == tmp_path / "temporary" / failure_log.NAME
    os.mkfifo(tmp_path / failure_log.NAME)
    assert log("text", tmp_path) == tmp_path / "temporary" / failure_log.NAME
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "file"))
    assert log("text", tmp_path) is None


@POSIX
def test_what_is_written_is_on_the_disk_before_it_takes_the_place_of_the_old_file(tmp_path, monkeypatch):
    path, synced = tmp_path / "a", []
    path.write_text("old")
    sync = os.fsync

    def watched(handle):
        about = os.fstat(handle)
        synced.append((about.st_size if stat.S_ISREG(about.st_mode) else "folder", path.read_text()))
        sync(handle)

    monkeypatch.setattr(os, "fsync", watched)
    write_atomically(path, "newer\n")
    assert synced == [(6, "old"), ("folder", "newer\n")]


@POSIX
def test_reading_the_mask_for_new_files_leaves_it_as_it_was():
    program = "import os; os.umask(0o027); import explorer.files.disk.atomic; print(os.umask(0))"
    run = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert run.stdout.split() == [str(0o027)]


@POSIX
def test_where_a_file_system_has_no_locks_files_are_written_and_leftovers_swept_all_the_same(tmp_path, monkeypatch):
    def no_locks(*_):
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(leftovers.fcntl, "flock", no_locks)
    (tmp_path / f".a.abcd1234{leftovers.ENDING}").write_text("half")
    with (tmp_path / "b").open("wb") as file:
        assert hold(file)
    write_atomically(tmp_path / "b", "text")
    sweep(tmp_path)
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"b": "text"}
