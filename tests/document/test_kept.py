"""Kept edits know what they belong to; what killed programs leave is told apart from what running ones use."""

import json
import os
import sys

import pytest
from PySide6.QtCore import QLockFile

from explorer.analysis.problem import Refused
from explorer.analysis.study.study import OwnRow, Study
from explorer.document import kept as kept_files
from explorer.document.kept import SUFFIX, left_behind, lock_of, look_at, set_aside, tidy, write_kept
from explorer.files.disk.atomic import stamp_of
from explorer.files.study.study import read_study, write_study

STUDY = Study(name="B", operators=(OwnRow(id="a", name="a", kind="matmul"),))


@pytest.fixture
def own(tmp_path):
    path = tmp_path / "studies" / "b.roofline.yaml"
    path.parent.mkdir()
    write_study(STUDY, path)
    return path


@pytest.fixture
def folder(tmp_path):
    made = tmp_path / "autosave"
    made.mkdir()
    return made


def keep(folder, file, stamp=None, study=STUDY):
    path = folder / f"1{SUFFIX}"
    write_kept(study, path, file, stamp)
    return path


def test_kept_edits_name_their_study_file_and_its_state(folder, own):
    kept = look_at(keep(folder, own, stamp_of(own)))
    assert (kept.name, kept.file, kept.stamp, kept.newer) == ("B", own, stamp_of(own), False)
    assert read_study(kept.path) == STUDY


def test_a_study_without_a_file_belongs_to_none(folder):
    assert look_at(keep(folder, None)).file is None


def test_a_file_that_is_gone_or_of_another_machine_is_not_the_studys(folder, own, monkeypatch):
    path = keep(folder, own)
    with monkeypatch.context() as other:
        other.setattr(kept_files.platform, "node", lambda: "another machine")
        assert look_at(path).file is None
    assert look_at(path).file == own
    own.unlink()
    assert look_at(path).file is None


def test_the_path_stands_in_the_kept_file_only(folder, own, tmp_path):
    path = keep(folder, own)
    write_study(read_study(path), tmp_path / "sent.roofline.yaml")
    assert str(own.parent) not in (tmp_path / "sent.roofline.yaml").read_text("utf-8")


@pytest.mark.parametrize(
    "head",
    [
        "{",
        "[" * 100_000,
        "3",
        json.dumps({"path": 3, "host": kept_files.platform.node()}),
        json.dumps({"path": "a\0b", "host": kept_files.platform.node()}),
        json.dumps({"path": "rel/b.yaml", "host": kept_files.platform.node()}),
        json.dumps({"path": "/dev/stdin", "host": kept_files.platform.node(), "stamp": ["x", None]}),
        json.dumps({"path": "/" + "x/" * 5000, "host": kept_files.platform.node()}),
    ],
)
def test_a_first_line_that_cannot_be_is_passed_over(folder, head):
    path = keep(folder, None)
    path.write_text(f"# autosave {head}\n" + path.read_text("utf-8").partition("\n")[2], encoding="utf-8")
    assert look_at(path).file is None
    assert read_study(path) == STUDY


def test_edits_kept_by_an_older_version_have_a_name_and_no_file(folder):
    write_study(STUDY, folder / f"old{SUFFIX}")
    kept = look_at(folder / f"old{SUFFIX}")
    assert (kept.name, kept.file) == ("B", None)


def test_edits_kept_in_an_older_format_are_offered_and_open(folder, own):
    path = keep(folder, own)
    path.write_text(path.read_text("utf-8").replace("format: 2\n", "format: 1\n"), encoding="utf-8")
    kept = look_at(path)
    assert (kept.name, kept.file, kept.newer) == ("B", own, False)
    assert read_study(path) == STUDY


def test_edits_of_a_newer_format_are_told_from_damaged_ones(folder, own):
    path = keep(folder, own)
    path.write_text(path.read_text("utf-8").replace("format: 2\n", "format: 7\nfuture: [1, 2]\n"), encoding="utf-8")
    assert look_at(path).newer
    assert look_at(path).name == "B"


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe\x00", b"format: 1\noperators: 3\n", b"format: 1\nname: [", b"[" * 9999]
)
def test_damaged_edits_are_refused_at_the_first_look(folder, content):
    path = folder / f"1{SUFFIX}"
    path.write_bytes(content)
    with pytest.raises(Refused):
        look_at(path)
    aside = set_aside(path)
    assert aside.read_bytes() == content
    assert left_behind(folder) == []


def test_damaged_files_never_take_each_others_place(folder):
    found = set()
    for content in ("a", "b"):
        path = folder / f"1{SUFFIX}"
        path.write_text(content)
        found.add(set_aside(path).read_text())
    assert found == {"a", "b"}
    assert sorted(p.read_text() for p in folder.iterdir()) == ["a", "b"]


@pytest.mark.skipif(sys.platform == "win32", reason="no such pipes there")
def test_a_pipe_in_the_folder_is_refused_and_never_waited_for(folder):
    os.mkfifo(folder / f"1{SUFFIX}")
    with pytest.raises(Refused):
        look_at(folder / f"1{SUFFIX}")


@pytest.mark.skipif(sys.platform == "win32", reason="no such pipes there")
@pytest.mark.timeout(20, method="thread")  # Qt waits where no signal reaches
@pytest.mark.parametrize("odd", [os.mkfifo, lambda path: path.symlink_to("/dev/zero")], ids=["pipe", "endless"])
def test_a_lock_that_is_no_plain_file_is_never_waited_for_and_holds_nothing(folder, odd):
    path = keep(folder, None)
    odd(path.with_name(f"{path.name}.lock"))
    assert left_behind(folder) == [path]
    assert [p.name for p in folder.iterdir()] == [path.name]


def test_leftovers_and_orphan_locks_go_and_those_of_a_running_program_stay(folder):
    (folder / f".1{SUFFIX}.abcd1234.tmp").write_text("half")
    (folder / f"3{SUFFIX}.lock").write_text("99999999\nroofline-explorer\n\n")
    running = lock_of(folder / f"2{SUFFIX}")
    assert running.tryLock(0)
    kept = keep(folder, None)
    tidy(folder)
    assert {p.name for p in folder.iterdir()} == {kept.name, f"2{SUFFIX}.lock"}
    running.unlock()


def test_edits_of_a_running_program_are_never_offered(folder):
    path = keep(folder, None)
    lock = lock_of(path)
    assert lock.tryLock(0)
    assert left_behind(folder) == []
    lock.unlock()
    assert left_behind(folder) == [path]


def test_a_lock_of_another_machine_holds(folder):
    path = keep(folder, None)
    path.with_name(path.name + ".lock").write_text("99999999\nroofline-explorer\nanother-machine\n\n\n")
    assert isinstance(lock_of(path), QLockFile)
    assert left_behind(folder) == []
