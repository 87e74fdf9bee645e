"""Texts and heads of files: limits to the byte, and what a message says."""

import io
import os
import struct
from pathlib import Path

import pytest

from explorer.analysis.problem import Refused
from explorer.files.disk.binary import Head, first_bytes, opened_head
from explorer.files.disk.places import is_file, is_folder, may_exist
from explorer.files.disk.text import checked, decode, printable, read_start, read_text

POSIX = pytest.mark.skipif(os.name == "nt", reason="as POSIX systems have it")


def refused(call, *args):
    with pytest.raises(Refused) as found:
        call(*args)
    (problem,) = found.value.problems
    return problem


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
