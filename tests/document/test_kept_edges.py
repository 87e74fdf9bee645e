"""Kept edits: the figures that decide how a kept file is looked at."""

import json
import os
import platform

import pytest

from explorer.analysis.problem import Refused
from explorer.analysis.study.study import FORMAT, OwnRow, Study
from explorer.document.kept import SUFFIX, Kept, left_behind, look_at, set_aside, tidy, write_kept
from explorer.files.study.study import study_to_text

STUDY = Study(name="B", operators=(OwnRow(id="a", name="a", kind="matmul"),))


def kept(folder, head=None, text=None):
    path = folder / f"1{SUFFIX}"
    lead = "" if head is None else f"# autosave {json.dumps(head)}\n"
    path.write_text(lead + (study_to_text(STUDY) if text is None else text), encoding="utf-8")
    return path


def head(**more):
    return {"name": "told", "host": platform.node(), **more}


def test_the_newest_edits_come_first_and_other_files_are_none(tmp_path):
    for age in (1, 3, 2):
        path = tmp_path / f"{age}{SUFFIX}"
        path.write_text("x")
        os.utime(path, (1000 - age, 1000 - age))
    (tmp_path / "other.yaml").write_text("x")
    assert [p.name[0] for p in left_behind(tmp_path)] == ["1", "2", "3"]
    assert left_behind(tmp_path / "none") == []


@pytest.mark.parametrize(("version", "newer"), [(FORMAT, False), (FORMAT + 1, True)])
def test_a_format_above_ours_is_newer(version, newer):
    assert Kept(path=None, format=version).newer is newer


@pytest.mark.parametrize("end", ["\n", "\r\n", " \t\n"])
def test_the_format_is_read_from_its_own_line(tmp_path, end):
    found = look_at(kept(tmp_path, head(), f"{{}}\nformat:  {FORMAT + 5}{end}"))
    assert (found.format, found.name, found.newer) == (FORMAT + 5, "told", True)


def test_a_format_beyond_the_first_64_kib_is_not_looked_for(tmp_path):
    line = "format: 99\n"
    for size, number in ((65_536, 99), (65_536 + len(line), FORMAT)):
        lead = "# autosave " + json.dumps(head()) + "\n"
        padding = "#" * (size - len(lead) - len(line) - 1) + "\n"
        path = kept(tmp_path, head(), padding + line + " " * 300_000)
        assert look_at(path).format == number


def test_a_small_file_is_read_at_once_and_a_large_one_later(tmp_path):
    lead = len("# autosave " + json.dumps(head()) + "\n")
    broken = f"format: {FORMAT}\nname: ["
    for size, refused in ((262_144, True), (262_145, False)):
        path = kept(tmp_path, head(), broken + "\n" * (size - lead - len(broken)))
        assert path.stat().st_size == size
        if refused:
            with pytest.raises(Refused):
                look_at(path)
        else:
            assert look_at(path).name == "told"


def test_a_large_file_without_a_first_line_is_read_for_its_name(tmp_path):
    path = kept(tmp_path, None, study_to_text(STUDY) + "\n" * 300_000)
    assert look_at(path).name == "B"


def test_the_name_that_is_shown_is_one_printable_line(tmp_path):
    path = kept(tmp_path, head(name="a\nb" * 100), f"format: {FORMAT + 1}\n")
    name = look_at(path).name
    assert name.isprintable()
    assert len(name) == 60


@pytest.mark.parametrize(
    ("stamp", "expected"),
    [([1, 2], (1, 2)), ([1], None), ([1, 2, 3], None), (["1", 2], None), ([1, 2.5], None), (None, None), (3, None)],
)
def test_a_stamp_is_two_whole_numbers_or_none(tmp_path, stamp, expected):
    own = tmp_path / "b.roofline.yaml"
    own.write_text("x")
    found = look_at(kept(tmp_path, head(path=str(own), stamp=stamp)))
    assert (found.file, found.stamp, found.gone) == (own, expected, "")


def test_a_file_that_is_gone_is_named_without_its_folder(tmp_path):
    found = look_at(kept(tmp_path, head(path=str(tmp_path / "was.roofline.yaml"))))
    assert (found.file, found.stamp, found.gone) == (None, None, "was.roofline.yaml")
    assert look_at(kept(tmp_path, head())).gone == ""


@pytest.mark.parametrize("change", [{"host": "another"}, {"path": "relative.yaml"}, {"path": 3}])
def test_a_file_belongs_to_a_study_of_this_machine_by_its_whole_path(tmp_path, change, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "relative.yaml"
    own.write_text("x")
    assert look_at(kept(tmp_path, head(path=str(own)))).file == own
    assert look_at(kept(tmp_path, head(path=str(own)) | change)).file is None


def test_the_path_is_kept_whole_though_the_study_was_opened_by_a_short_one(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    own = tmp_path / "b.roofline.yaml"
    own.write_text("x")
    path = tmp_path / f"1{SUFFIX}"
    write_kept(STUDY, path, own.relative_to(tmp_path), (1, 2))
    assert look_at(path) == Kept(path, "B", own, (1, 2))


def test_writing_pauses_between_the_pieces(tmp_path):
    pauses = []
    write_kept(STUDY, tmp_path / "x", None, None, lambda: pauses.append(1))
    assert len(pauses) > 2


def test_a_damaged_file_goes_beside_itself_under_a_free_name(tmp_path):
    taken = [tmp_path / f"1{SUFFIX}.damaged", tmp_path / f"1{SUFFIX}.damaged~"]
    for place in taken:
        place.write_text("x")
    assert set_aside(kept(tmp_path)) == tmp_path / f"1{SUFFIX}.damaged~~"
    gone = tmp_path / "none"
    assert set_aside(gone) == gone


def test_tidying_takes_away_locks_without_a_file_and_no_others(tmp_path):
    kept(tmp_path)
    for name in (f"1{SUFFIX}.lock", f"2{SUFFIX}.lock"):
        (tmp_path / name).write_text("99999999\nroofline-explorer\n\n")
    (tmp_path / "3.lock").write_text("x")
    tidy(tmp_path)
    assert sorted(p.name for p in tmp_path.iterdir()) == [f"1{SUFFIX}", f"1{SUFFIX}.lock", "3.lock"]


def test_edits_that_another_program_recovers_meanwhile_come_last(tmp_path, monkeypatch):
    names = [f"{i}{SUFFIX}" for i in range(3)]
    for name in names:
        (tmp_path / name).write_text("x")
        os.utime(tmp_path / name, (0.5, 0.5))
    gone = tmp_path / names[0]
    stat = type(gone).stat

    def missing(path, **more):
        if path == gone:
            raise FileNotFoundError
        return stat(path, **more)

    monkeypatch.setattr(type(gone), "stat", missing)
    assert [p.name for p in left_behind(tmp_path)][-1] == names[0]
