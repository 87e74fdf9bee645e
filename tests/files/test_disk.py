"""Bytes and texts on disk: limits to the byte, what a message says, what is left behind, what a log keeps."""

import io
import os
import struct
import time
from pathlib import Path
from typing import Literal

import msgspec
import pytest

from explorer.analysis.problem import Problem, Refused
from explorer.files.detect import detect
from explorer.files.disk import failure_log, leftovers, limits
from explorer.files.disk.atomic import stamp_of, write_atomically
from explorer.files.disk.binary import Head, first_bytes, opened_head
from explorer.files.disk.failure_log import log, log_folder, report_of, user_folder, without_home
from explorer.files.disk.faults import convert, joined, led_by_name
from explorer.files.disk.leftovers import hold, sweep, sweep_settings
from explorer.files.disk.places import is_file, is_folder, may_exist
from explorer.files.disk.text import checked, decode, printable, read_start, read_text
from explorer.files.importers.source import SourceText, lines_of, unpacked

POSIX = pytest.mark.skipif(os.name == "nt", reason="as POSIX systems have it")


def refused(call, *args):
    with pytest.raises(Refused) as found:
        call(*args)
    (problem,) = found.value.problems
    return problem


# --- text


@pytest.mark.parametrize(("size", "fits"), [(5, True), (6, False)])
def test_a_text_of_as_many_bytes_as_the_limit_is_read_and_one_more_is_refused(tmp_path, size, fits):
    path = tmp_path / "a"
    path.write_bytes(b"x" * size)
    if fits:
        assert read_text(path, 5) == decode(b"x" * size, 5) == checked("x" * size, 5) == "x" * size
    else:
        for call in ((read_text, path), (decode, b"x" * size), (checked, "x" * size)):
            assert refused(*call, 5).values == {"limit": 5}
    assert read_start(path, 3) == b"xxx"


def test_a_text_is_utf_8_without_a_nul_and_its_fault_has_a_place():
    assert decode(b"\xef\xbb\xbfab", 9) == "ab"
    assert (refused(decode, b"ab\xff", 9).code, refused(decode, b"ab\xff", 9).values) == (
        "file.not_utf8",
        {"offset": 2},
    )
    assert (refused(decode, b"ab\0", 9).code, refused(decode, b"ab\0", 9).values) == ("file.nul", {"offset": 2})


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ("x" * 60, "x" * 60),
        ("x" * 61, "x" * 59 + "…"),
        ("a\nb", "a�b"),
        (3, "3"),
        ([1], "[1]"),
        (["y" * 300], "['" + "y" * 57 + "…"),
        ("", ""),
    ],
)
def test_a_value_is_told_as_one_short_printable_line(value, text):
    assert printable(value) == text


def test_a_value_too_deep_to_spell_is_told_by_its_kind():
    deep = []
    for _ in range(100_000):
        deep = [deep]
    assert printable(deep) == "list"
    while deep:
        deep = deep[0]


@POSIX
def test_what_is_at_a_path_is_told_without_an_error(tmp_path):
    path = tmp_path / "a"
    path.write_text("x")
    assert (is_file(path), is_folder(path), may_exist(path)) == (True, False, True)
    assert (is_file(tmp_path), is_folder(tmp_path), may_exist(tmp_path)) == (False, True, True)
    for odd in (tmp_path / "b", Path("a\0b"), tmp_path / ("x" * 5000)):
        assert (is_file(odd), is_folder(odd), may_exist(odd)) == (False, False, False)


# --- binary


class Counting(io.BytesIO):
    """Counts the bytes that are read, and gives at most some of them at once."""

    most = 1 << 30
    count = 0

    def read(self, size=-1):
        found = super().read(min(size, self.most))
        self.count += len(found)
        return found


def head_of(data, limit=1 << 30, most=1 << 30):
    file = Counting(data)
    file.most = most
    return Head(file, len(data), limit), file


@pytest.mark.parametrize("most", [1 << 30, 1000])
def test_a_head_is_read_piece_by_piece_and_what_is_skipped_is_not_read(most):
    data = os.urandom(3 << 20)
    head, file = head_of(data, most=most)
    assert head.take(10) == data[:10]
    assert file.count == 1 << 20
    assert head.take(2 << 20) == data[10 : 10 + (2 << 20)]
    head.skip(100)
    at = head.position
    assert head.number(struct.Struct("<I")) == int.from_bytes(data[at : at + 4], "little")
    head.skip((3 << 20) - head.position - 5)
    assert head.take(5) == data[-5:]
    assert head.position == 3 << 20


def test_passing_over_a_large_part_reads_none_of_it():
    head, file = head_of(bytes(8 << 20))
    head.take(1)
    head.skip(6 << 20)
    head.take(1)
    assert file.count == 2 << 20


@pytest.mark.parametrize("most", [1 << 30, 7])
def test_strings_are_passed_over_wherever_a_piece_ends(most):
    words = [os.urandom(n % 50) for n in range(200)]
    if most > 7:
        words += [bytes((1 << 20) - 30 + n) for n in range(0, 60, 7)]
    data = b"".join(struct.pack("<Q", len(w)) + w for w in words) + b"end"
    head, _ = head_of(data, most=most)
    head.skip_strings(len(words))
    assert head.take(3) == b"end"


@pytest.mark.parametrize(
    ("use", "code"),
    [
        (lambda h: h.take(10), None),
        (lambda h: h.take(11), "binary.ends"),
        (lambda h: h.take(-1), "binary.ends"),
        (lambda h: h.skip(10), None),
        (lambda h: h.skip(11), "binary.ends"),
        (lambda h: h.skip_strings(1), None),
        (lambda h: h.skip_strings(2), "binary.ends"),
        (lambda h: (h.skip(3), h.number(struct.Struct("<Q"))), "binary.ends"),
        (lambda h: (h.skip(2), h.number(struct.Struct("<Q"))), None),
    ],
    ids=range(9),
)
def test_running_past_the_end_is_refused(use, code):
    head, _ = head_of(struct.pack("<Q", 2) + b"ab")
    if code is None:
        use(head)
    else:
        assert refused(use, head).values == {"size": 10}


def test_a_string_that_runs_past_the_end_is_refused_and_one_that_ends_there_is_not():
    for length, fits in ((2, True), (3, False), (2**63, False)):
        head, _ = head_of(struct.pack("<Q", length) + b"ab")
        if fits:
            head.skip_strings(1)
        else:
            assert refused(head.skip_strings, 1).code == "binary.ends"


def test_reading_past_the_limit_is_refused_with_it():
    head, _ = head_of(bytes(100), limit=10)
    head.take(10)
    assert refused(head.take, 1).values == {"limit": 10}
    assert refused(head.skip, 1).values == {"limit": 10}


def test_a_file_that_shrinks_while_it_is_read_is_refused():
    head = Head(io.BytesIO(b"abc"), 10, 100)
    assert refused(head.take, 5).values == {"size": 10}


def test_the_first_bytes_are_fewer_where_the_file_is_shorter(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"abc")
    assert (first_bytes(path, 2), first_bytes(path, 9)) == (b"ab", b"abc")
    with opened_head(path, 9) as head:
        assert head.size == 3
    assert refused(first_bytes, tmp_path, 1).code in {"file.not_a_file", "file.read"}
    assert refused(first_bytes, tmp_path / "gone", 1).code == "file.read"
    assert refused(first_bytes, Path("a\0b"), 1).code == "file.not_a_file"


# --- atomic writing


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


# --- leftovers


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


# --- the log of failures


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


# --- faults of plain data


class Inner(msgspec.Struct, forbid_unknown_fields=True):
    a: int
    b: Literal["x", "y"] = "x"


class Outer(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    size: float | None = None
    inner: Inner | None = None
    many: tuple[Inner, ...] = ()
    by_name: dict[str, int] = {}
    pair: tuple[int, str] = (1, "a")
    flag: bool = False
    other: int | str = 0


def faults(data):
    with pytest.raises(Refused) as found:
        convert(data, Outer, "top")
    return [
        (p.code.removeprefix("field."), p.path.removeprefix("top").lstrip("."), p.values.get("got", ""))
        for p in found.value.problems
    ]


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (3, [("mapping", "", "3")]),
        ({}, [("missing", "name", "")]),
        (
            {"name": 3, "size": "x", "flag": 1, "zoo": 1, "a b": 1},
            [
                ("unknown", "zoo", ""),
                ("unknown", '"a b"', ""),
                ("text", "name", "3"),
                ("number", "size", "x"),
                ("boolean", "flag", "1"),
            ],
        ),
        ({"name": "n", "size": True}, [("number", "size", "True")]),
        ({"name": "n", "inner": {"a": 1.5, "b": "z"}}, [("integer", "inner.a", "1.5"), ("choice", "inner.b", "z")]),
        ({"name": "n", "many": [{"a": 1}, {"b": "x"}, 3]}, [("missing", "many[1].a", ""), ("mapping", "many[2]", "3")]),
        ({"name": "n", "many": "ab"}, [("list", "many", "ab")]),
        ({"name": "n", "many": {}}, [("list", "many", "{}")]),
        ({"name": "n", "by_name": {"a": "x", "b": 1}}, [("integer", "by_name.a", "x")]),
        ({"name": "n", "by_name": [1]}, [("mapping", "by_name", "[1]")]),
        ({"name": "n", "pair": [1]}, [("list", "pair", "[1]")]),
        ({"name": "n", "pair": "ab"}, [("list", "pair", "ab")]),
        ({"name": "n", "pair": ["x", 2]}, [("integer", "pair[0]", "x"), ("text", "pair[1]", "2")]),
        ({"name": "n", "inner": 3}, [("mapping", "inner", "3")]),
        ({"name": None}, [("text", "name", "None")]),
        ({"name": "n", "other": 1.5}, [("integer", "other", "1.5")]),
    ],
    ids=range(16),
)
def test_every_fault_of_plain_data_is_named_with_its_place(data, expected):
    assert faults(data) == expected


def test_fifty_faults_are_named_and_sound_data_are_converted():
    assert len(faults({"name": "n", "many": [3] * 60})) == 50
    found = convert({"name": "n", "size": 3, "inner": {"a": 1}, "pair": [2, "b"], "other": "x"}, Outer)
    assert (found.size, found.inner, found.pair, found.other) == (3.0, Inner(1), (2, "b"), "x")


@pytest.mark.parametrize(
    ("path", "key", "found"),
    [
        ("", "a", "a"),
        ("x", "a-1", "x.a-1"),
        ("x", "1a", 'x."1a"'),
        ("", "", '""'),
        ("", "a" * 61, "a" * 61),
        ("", "a" * 62, f'"{"a" * 59}…"'),
    ],
)
def test_an_odd_key_is_quoted(path, key, found):
    assert joined(path, key) == found


def test_faults_of_a_file_are_led_by_its_name_once():
    for problem, path in (
        (Problem("a.b", "x"), "f.yaml: x"),
        (Problem("a.b"), "f.yaml"),
        (Problem("a.b", "", {"file": "f"}), ""),
    ):
        with pytest.raises(Refused) as found, led_by_name(Path("d/f.yaml")):
            raise Refused(problem)
        assert (found.value.problems[0].code, found.value.problems[0].path) == ("a.b", path)


# --- what a file is


def kind(tmp_path, text, name="x.yaml"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    try:
        return detect(path)
    except Refused as found:
        return found.problems[0].code


LONG = "#" * 99 + "\n"


@pytest.mark.parametrize(
    ("text", "name", "found"),
    [
        ("format: 1", "x", "study"),
        ("format: 1\nname: x", "x", "study"),
        ("name: x", "x", "file.unknown"),
        ("format: 1\nname: x\nmore: 1", "x", "file.unknown"),
        ("kinds: []", "x", "study"),
        ("view: {}", "x", "study"),
        ('"models": []', "x", "study"),
        ("'active_model': a", "x", "study"),
        ("x:1\nmemory: 3", "x", "device"),
        ("memory:3", "x", "file.unknown"),
        ("  memory: 3", "x", "file.unknown"),
        ("a: {memory: 3}", "x", "file.unknown"),
        ("{a: 1, memory: 3}", "x", "device"),
        ("x" * 99 + "{memory: 3}", "x", "device"),
        ("x" * 100 + "{memory: 3}", "x", "file.unknown"),
        ('{"a": {"memory": 1}}', "x", "file.unknown"),
        ('{"a": [{"memory": 1}], "peaks": 2}', "x", "device"),
        ('{"a": "}", "memory": 1}', "x", "device"),
        ('{"a": "\\"", "memory": 1}', "x", "device"),
        ('{"a": "memory", "b": 1}', "x", "file.unknown"),
        ('{"weight_map": {}}', "x", "model"),
        ('  {"model_type": "x"}', "x", "model"),
        ("anything", "x.json", "model"),
        ('{"a": {}, "memory": 1', "x", "device"),
        ('{"a": "b\n, "memory": 1}', "x", "file.unknown"),
        ("[memory: 1]", "x", "file.unknown"),
    ],
    ids=range(26),
)
def test_the_outermost_keys_tell_what_a_file_is(tmp_path, text, name, found):
    assert kind(tmp_path, text, name) == found


def test_the_first_256_kib_are_looked_at_and_no_further(tmp_path):
    line = "memory: 3\n"
    for at, found in ((262_144 - len(line) - 1, "device"), (262_144, "file.unknown")):
        text = LONG * (at // 100) + "#" * (at % 100 - 1) + "\n" if at % 100 else LONG * (at // 100)
        assert kind(tmp_path, text + line + LONG * 1000) == found


@pytest.mark.parametrize("letter", ["x", "é", "€", "😀"])
@pytest.mark.parametrize("shift", range(4))
def test_a_letter_that_the_end_of_the_look_cuts_in_two_does_no_harm(tmp_path, letter, shift):
    assert kind(tmp_path, "memory: 3\n#" + "#" * shift + letter * 300_000) == "device"


@pytest.mark.parametrize("more", [0, 1])
def test_a_file_larger_than_any_kind_is_refused_before_it_is_judged(tmp_path, more):
    path = tmp_path / "x.yaml"
    with path.open("wb") as file:
        file.write(b"memory: 3\n" + LONG.encode() * 3000)
        file.truncate(limits.STUDY + more)
    if more:
        assert refused(detect, path).values == {"limit": limits.STUDY}
    else:
        assert detect(path) == "device"


# --- text of measuring tools


def source(tmp_path, data, progress=None):
    path = tmp_path / "x"
    path.write_bytes(data)
    return SourceText(path, progress)


@pytest.mark.parametrize("size", [1, 2, 3, 5, 100])
@pytest.mark.parametrize("packed", [False, True])
def test_lines_are_the_same_however_the_blocks_end(tmp_path, size, packed):
    import gzip

    text = "\ufeffone\r\ntwo\n\nfour é\rfive\nlast"
    data = text.encode()
    if packed:
        data = gzip.compress(data[:9]) + gzip.compress(data[9:]) + b"\0" * 5
    lines = [line for some in source(tmp_path, data).lines(size) for line in some]
    assert lines == ["one", "two", "", "four é", "five", "last"]
    assert source(tmp_path, data).text() == "one\ntwo\n\nfour é\nfive\nlast"
    assert list(lines_of("a\n\nb")) == ["a", "", "b"]
    assert list(lines_of("a\n")) == ["a"]


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_what_a_windows_shell_redirects_is_read(tmp_path, encoding):
    found = source(tmp_path, "\ufeffa\r\nb".encode(encoding))
    assert (found.encoding, found.text(), list(found.lines()), found.start_lines) == (
        encoding,
        "a\nb",
        [["a", "b"]],
        ["a", "b"],
    )


def test_texts_lines_and_blocks_are_read_up_to_their_limits(tmp_path, monkeypatch):
    found = source(tmp_path, b"abc\nde")
    assert found.text(limit=6)
    assert refused(found.text, 5).values == {"limit": 5}
    monkeypatch.setattr(limits, "TOOL_LINE", 3)
    assert list(found.lines(2)) == [["abc"], ["de"]]
    monkeypatch.setattr(limits, "TOOL_LINE", 1)
    assert refused(lambda: list(found.lines(2))).values == {"limit": 1}
    monkeypatch.setattr(limits, "TOOL_LINES", 1)
    assert found.text()
    monkeypatch.setattr(limits, "TOOL_LINES", 0)
    assert refused(found.text).values == {"limit": 0}


def test_a_packed_file_of_more_pieces_than_any_tool_writes_is_refused(monkeypatch):
    import gzip

    monkeypatch.setattr(limits, "PACKED_MEMBERS", 3)
    assert b"".join(unpacked(io.BytesIO(gzip.compress(b"a") * 3), 10)) == b"aaa"
    with pytest.raises(EOFError):
        list(unpacked(io.BytesIO(gzip.compress(b"a") * 4), 10))
    with pytest.raises(EOFError):
        list(unpacked(io.BytesIO(gzip.compress(b"a" * 99)[:-9]), 10))
    assert max(map(len, unpacked(io.BytesIO(gzip.compress(b"a" * 1000)), 64))) == 64


def test_the_head_is_the_first_part_unpacked_or_not(tmp_path):
    import gzip

    text = b"a" * (limits.HEAD + 10)
    assert len(source(tmp_path, text).head) == len(source(tmp_path, gzip.compress(text)).head) == limits.HEAD
    lines = source(tmp_path, b"\n" * (limits.HEAD_LINES + 5)).start_lines
    assert len(lines) == limits.HEAD_LINES


def test_progress_is_the_share_of_the_file_that_was_read(tmp_path):
    told = []
    found = source(tmp_path, b"x" * 100, lambda done: told.append(done) or True)
    assert len(list(found.blocks(25))) == 4
    assert told == [0.25, 0.5, 0.75, 1.0]
    found.report_progress(7)
    assert told[-1] == 1.0


LIMITS = {
    "HEAD": 256 * 1024,
    "HEAD_LINES": 20_000,
    "DEVICE": 1_000_000,
    "STUDY": 64 * 2**20,
    "YAML_VALUES": 4_000_000,
    "CONFIG": 8 * 2**20,
    "FOLDER_ENTRIES": 20_000,
    "GGUF_HEAD": 64 * 2**20,
    "GGUF_KEYS": 20_000,
    "GGUF_TENSORS": 100_000,
    "GGUF_STRINGS": 4_000_000,
    "GGUF_KEPT_TEXT": 8 * 2**20,
    "GGUF_KEPT_NUMBERS": 500_000,
    "SAFETENSORS_HEAD": 32 * 2**20,
    "SAFETENSORS_TENSORS": 250_000,
    "INDEX": 32 * 2**20,
    "INDEX_TENSORS": 400_000,
    "TOOL_TEXT": 8 * 2**20,
    "TOOL_JSON": 512 * 1024,
    "TOOL_LINES": 400_000,
    "TOOL_TABLE": 24 * 2**20,
    "TOOL_STREAM": 512 * 2**20,
    "TOOL_LINE": 4 * 2**20,
    "TOOL_POINTS": 100_000,
    "TOOL_FIGURES": 1_500_000,
    "TOOL_ROWS": 4_000_000,
    "TOOL_PAGES": 1_000,
    "TOOL_COLUMNS": 20_000,
    "TRACE_EVENTS": 4_000_000,
    "TRACE_SPANS": 1_000_000,
    "TRACE_KINDS": 20_000,
    "PACKED_MEMBERS": 1_000,
}


@pytest.mark.parametrize("name", LIMITS)
def test_a_limit_is_what_it_was_measured_for(tmp_path, name):
    """Each was chosen after measuring time and memory; another one wants another measurement."""
    assert source(tmp_path, b"x" * (LIMITS["HEAD"] + 1)).head == b"x" * LIMITS["HEAD"]
    assert getattr(limits, name) == LIMITS[name]


def test_every_limit_is_held():
    assert set(LIMITS) == {n for n, v in vars(limits).items() if isinstance(v, int)} - {"KIB", "MIB"}
