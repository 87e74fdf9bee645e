"""Every fault of plain data by its place."""

from pathlib import Path
from typing import Literal

import msgspec
import pytest

from explorer.analysis.problem import Problem, Refused
from explorer.files.disk.faults import convert, joined, led_by_name


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
