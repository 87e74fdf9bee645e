"""Files of measuring tools as text: blocks, packing, encodings, limits."""

import io

import pytest

from explorer.analysis.problem import Refused
from explorer.files.disk import limits
from explorer.files.importers.source import SourceText, lines_of, unpacked


def refused(call, *args):
    with pytest.raises(Refused) as found:
        call(*args)
    (problem,) = found.value.problems
    return problem


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


@pytest.mark.parametrize("text", ["", "a", "a\n", "\na", "\n\n\na\nb\n", "a\n\nb", "\n"])
def test_lines_are_those_between_line_ends_also_where_the_first_is_empty(text):
    assert list(lines_of(text)) == text.splitlines()


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be", "utf-8"])
@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_blocks_are_utf8_whatever_a_shell_made_of_the_file(tmp_path, encoding, size):
    text = '[{"name": "é 核"}]'
    mark = "" if encoding == "utf-8" else "\ufeff"
    found = source(tmp_path, f"{mark}{text}".encode(encoding))
    assert b"".join(found.utf8_blocks(size)).decode().lstrip("\ufeff") == text
