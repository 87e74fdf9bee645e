"""What reaches a terminal."""

import io
import json

import pytest

from explorer.report.terminal import json_text, written
from tests.strangers import NAMES, ODD_NAMES

UTF8 = io.TextIOWrapper(io.BytesIO(), "utf-8")
ENCODINGS = ("utf-8", "ascii", "cp1252", "latin-1", "cp437", "shift_jis", "koi8-r", "gb18030", "utf-16", "utf-7", "hz")


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", [*NAMES, *ODD_NAMES, "名 \ud800 \u202e é"])
def test_a_name_is_shown_and_steers_nothing(name: str, encoding: str) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding)
    text = written(name, stream)
    stream.write(text)
    stream.flush()
    assert not {c for c in text if not c.isprintable()} - {"\n", "\t"}
    assert not set("\x1b\x00\u202e\x9b") & set(text)


def test_a_terminal_that_knows_the_letters_gets_them() -> None:
    assert written("“名” × µs\n\tx\x1b[0m", UTF8) == "“名” × µs\n\tx\\x1b[0m"
    assert written("“名” × µ", io.TextIOWrapper(io.BytesIO(), "ascii")) == '"\\u540d" x u'


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("name", [*NAMES, *ODD_NAMES, "名", "a\U000e0041"])
def test_json_stays_json_and_holds_the_name(name: str, encoding: str) -> None:
    stream = io.TextIOWrapper(io.BytesIO(), encoding)
    text = json_text({"name": [name], name: 1.5}, stream)
    assert json.loads(text) == {"name": [name], name: 1.5}
    assert not {c for c in text if not c.isprintable()} - {"\n"}
    stream.write(text)
    stream.flush()


def test_json_keeps_letters_where_the_terminal_knows_them() -> None:
    assert json_text({"a": "名"}, UTF8) == '{\n  "a": "名"\n}\n'
