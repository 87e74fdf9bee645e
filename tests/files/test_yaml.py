"""YAML as it is written and read: layout to the letter, numbers, words, and every refusal with its place."""

import math
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from explorer.analysis.problem import Refused
from explorer.files.disk import limits, yaml_text
from explorer.files.disk.yaml_text import dump_yaml, load_mapping, load_yaml
from explorer.files.disk.yaml_writing import entry_text, item_text

SCALARS = {
    '""': "", '"~"': "~", '"yes"': "yes", '"No"': "No", '"ON"': "ON", '"off"': "off", '"y"': "y", '"N"': "N",
    '"true"': "true", '"null"': "null", "true": True, "false": False, "null": None, "plain text": "plain text",
    '" led"': " led", '"ends "': "ends ", '"a: b"': "a: b", '"-a"': "-a", "a-b": "a-b", '"1"': "1", '"a,b"': "a,b",
    "a (b)*[c]".replace("[c]", ""): "a (b)*", "_x": "_x", '"a\\"b"': 'a"b', '"a\\\\b"': "a\\b", '"é"': "é",
    '"a\\U0000000ab"': "a\nb", '"\\U00000007"': "\a", '"\\U0001f600"'.replace("\\U0001f600", "😀"): "😀",
    '"\\ufffd"': "\ud800", "0": 0, "-7": -7, "12345678901234567890": 12345678901234567890,
    "0.0": 0.0, "1": 1.0, "-1": -1.0, "0.5": 0.5, "-0.25": -0.25, "100": 100.0, "1e3": 1000.0, "1500": 1500.0,
    "12e3": 12000.0, "989.4e12": 989.4e12, "1.23456e3": None, "3.35e12": 3.35e12, "0.01": 0.01, "5e-3": 0.005,
    "0.0125": 0.0125, "0.00125": 0.00125, "1e-6": 1e-6, "123e-9": 1.23e-7, "1e18": 1e18, "1e300": 1e300,
    "123456789.125": 123456789.125, ".nan": math.nan, ".inf": math.inf, "-.inf": -math.inf, "{}": {}, "[]": [],
}  # fmt: skip
del SCALARS["1.23456e3"]


@pytest.mark.parametrize(("written", "value"), SCALARS.items())
def test_a_value_is_written_in_the_shortest_way_that_reads_back(written, value):
    assert entry_text("key", value) == f"key: {written}\n"
    found = load_mapping(f"key: {written}\n")["key"]
    if value == "\ud800":
        assert found == "\ufffd"
    elif isinstance(value, float) and math.isnan(value):
        assert math.isnan(found)
    else:
        assert found == value


NUMBERS = {
    1e-4: "0.0001", 1e-5: "1e-05", 1.2345e-5: "12.345e-6", 1.5e-7: "150e-9", 2.5e-8: "25e-9", 1e21: "1e21",
    1.5e22: "15e21", 1.25e23: "125e21", 1.5e24: "1.5e24", 12_000.0: "12e3", 123_000.0: "123e3", 1.2e6: "1.2e6",
    123_456_000.0: "123456000", 5e-324: "5e-324", 1.7976931348623157e308: "179.76931348623157e306", 3e-3: "3e-3",
    -4.5e-10: "-4.5e-10", 1e19: "1e+19", 2.5e19: "25e18", 2.5e18: "2.5e18", 0.00999: "0.00999", 0.0012: "0.0012",
    1_001_000.0: "1001000", 10_010.0: "10010", 123e15: "123e15",
}  # fmt: skip


@pytest.mark.parametrize(("value", "written"), NUMBERS.items())
def test_a_number_is_written_with_an_exponent_where_that_is_shorter(value, written):
    assert entry_text("k", value) == f"k: {written}\n"
    assert load_mapping(f"k: {written}")["k"] == value


LAYOUT = {
    "name": "x",
    "short": [1, "a b", None],
    "map": {"a": 1, "b c": "d"},
    "empty": {"a": {}, "b": []},
    "nested": {"inner": {"a": 1}, "list": [1, [2, 3]], "last": 4},
    "items": [{"a": 1, "b": 2}, {"a": {"x": 1}, "b": 2}, [1, [2]], 5],
    "long": ["x" * 20] * 8,
}
TEXT = (
    """\
name: x
short: [1, a b, null]
map: {a: 1, b c: d}
empty: {a: {}, b: []}
nested:
  inner: {a: 1}
  list:
    - 1
    - [2, 3]
  last: 4
items:
  - {a: 1, b: 2}
  - a: {x: 1}
    b: 2
  -
    - 1
    - [2]
  - 5
long:
  - xxxxxxxxxxxxxxxxxxxx
"""
    + "  - xxxxxxxxxxxxxxxxxxxx\n" * 7
)


def test_short_parts_stand_on_one_line_and_long_ones_below_each_other():
    assert dump_yaml(LAYOUT) == TEXT
    assert load_mapping(TEXT) == LAYOUT
    assert item_text({"a": {"x": {"z": 1}}, "b": 2}, "  ") == "  - a:\n      x: {z: 1}\n    b: 2\n"


@pytest.mark.parametrize("short", [0, 1])
def test_a_line_is_shorter_than_150_letters(short):
    value = ["x" * (150 - len("key:") - len("[]") - short)]
    assert entry_text("key", value).count("\n") == (1 if short else 2)
    value = ["x" * (150 - len("    ") - len("[]") - short)]
    assert item_text(value, "    ").count("\n") == (1 if short else 2)


@pytest.mark.parametrize("length", [79, 80, 239, 240, 2000])
def test_long_keys_and_texts_are_read_back_as_they_were(length):
    data = {"k" * length: 1, "a": {"m" * length: {"x": {"y": 2}}, "n" * length: "t" * length}, "é" * length: ["é"]}
    assert load_mapping(dump_yaml(data)) == data
    assert dump_yaml(data).startswith("? " if length >= 240 else "k")


LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-(10**30), 10**30), st.floats(allow_nan=False),
    st.text(max_size=20), st.text("ab \t:-,[]{}#&*!|>'\"%@`~.0e\n", max_size=12),
)  # fmt: skip
VALUES = st.recursive(
    LEAVES,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5), st.dictionaries(st.text(max_size=12).filter(lambda t: "\ud800" not in t), inner)
    ),
    max_leaves=20,
)


@settings(max_examples=150, deadline=None)
@given(VALUES)
def test_whatever_is_written_reads_back_the_same(value):
    assert load_mapping(dump_yaml({"key": value})) == {"key": value}


@settings(max_examples=300, deadline=None)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_reads_back_the_same_and_is_never_longer_than_python_writes_it(value):
    written = entry_text("k", value)[3:-1]
    assert load_mapping(f"k: {written}")["k"] == value
    assert len(written) <= max(len(repr(value)), 3)


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 99_999), st.integers(-40, 40))
def test_a_number_with_an_exponent_has_one_that_is_a_multiple_of_three(digits, power):
    written = entry_text("k", float(f"{digits}e{power}"))[3:-1]
    if "e" in written and not written.endswith(repr(float(f"{digits}e{power}"))):
        assert int(written.partition("e")[2]) % 3 == 0


WORDS = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None, "nULL": "nULL", "true": True, "True": True,
    "TRUE": True, "tRue": "tRue", "false": False, "False": False, "FALSE": False, "no": "no", "yes": "yes",
    ".inf": math.inf, "+.Inf": math.inf, ".INF": math.inf, "-.inf": -math.inf, "-.INF": -math.inf, "inf": "inf",
    "1": 1, "+1": 1, "-1": -1, "0x1F": "0x1F", "010": 10, "1_000": "1_000", "1.": 1.0, ".5": 0.5, "-.5e3": -500.0,
    "1e3": 1000.0, "1E-2": 0.01, "989.4e12": 989.4e12, "1e": "1e", ".": ".", "+": "+", "1.2.3": "1.2.3",
    "1:30": "1:30", "2020-01-01": "2020-01-01", "9" * 40: int("9" * 40), "9" * 41: float("9" * 41), '"1"': "1",
    "'true'": "true", "1e999": math.inf,
}  # fmt: skip


@pytest.mark.parametrize(("text", "value"), WORDS.items())
def test_words_and_numbers_are_those_of_yaml_1_2(text, value):
    found = load_mapping(f"k: {text}")["k"]
    assert (found, type(found)) == (value, type(value))


def nested(depth):
    return "k: " + "[" * depth + "]" * depth


REFUSALS = {
    "a: 1\nb: &x 2": ("yaml.alias", {"line": 2, "column": 4}),
    "a: 1\nb: *x": ("yaml.alias", {"line": 2, "column": 4}),
    "a: 1\n&x b: 2": ("yaml.alias", {"line": 2, "column": 1}),
    "a: !!str 2": ("yaml.tag", {"line": 1, "column": 4, "tag": "tag:yaml.org,2002:str"}),
    "!!str a: 2": ("yaml.tag", {"line": 1, "column": 1, "tag": "tag:yaml.org,2002:str"}),
    "a: 1\n? [1]\n: 2": ("yaml.key", {"line": 2, "column": 3}),
    "a: 1\nb: {c: 1, c: 2}": ("yaml.duplicate_key", {"line": 2, "column": 11, "key": "c"}),
    "a: 1\n---\nb: 1": ("yaml.documents", {"line": 2, "column": 1}),
    "a: [1, 2": ("yaml.syntax", {"line": 2, "column": 1}),
    "a: 1\n  b: 2": ("yaml.syntax", {"line": 2, "column": 4}),
    "a: \x07": ("yaml.characters", {}),
    "a: \ud800": ("yaml.characters", {}),
    "- 1": ("yaml.not_mapping", {}),
    "": ("yaml.not_mapping", {}),
    "3": ("yaml.not_mapping", {}),
    nested(40): ("yaml.too_deep", {"line": 1, "column": 43}),
    "%TAG" * 101: ("yaml.tag", {"line": 1, "column": 1, "tag": "%TAG"}),
}


@pytest.mark.parametrize("text", REFUSALS, ids=range(len(REFUSALS)))
def test_what_is_no_plain_mapping_is_refused_with_its_place(text):
    with pytest.raises(Refused) as refused:
        load_mapping(text)
    (problem,) = refused.value.problems
    assert (problem.code, problem.values) == REFUSALS[text]


def test_lists_and_mappings_may_be_as_deep_as_a_study_needs():
    assert load_mapping(nested(39))
    assert load_yaml("- " * 39 + "[]") is not None
    with pytest.raises(Refused):
        load_yaml("- " * 40 + "[]")


def test_an_empty_text_is_nothing_and_directives_in_small_number_are_words():
    assert load_yaml("# nothing") is None
    assert load_mapping("k: x" + "%TAG" * 100)


def test_as_many_values_as_a_study_has_are_read_and_more_are_refused(monkeypatch):
    text = "k: [1, 2, 3]" + " " * 20  # one ": ", one "[", two ","
    for limit, refused in ((4, False), (3, True)):
        monkeypatch.setattr(limits, "YAML_VALUES", limit)
        if refused:
            with pytest.raises(Refused) as found:
                load_yaml(text)
            assert [(p.code, p.values) for p in found.value.problems] == [("yaml.many", {"limit": 3})]
        else:
            assert load_yaml(text) == {"k": [1, 2, 3]}
    assert load_yaml("k: 1") == {"k": 1}


def test_the_limit_of_values_is_four_million():
    assert limits.YAML_VALUES == 4_000_000
    with pytest.raises(Refused) as found:
        load_yaml("k:" + "\n" * 4_000_001)
    assert found.value.problems[0].code == "yaml.many"
    assert load_mapping("k:" + "\n" * 4_000_000) == {"k": None}


def test_the_parser_is_let_go_whatever_comes_of_a_text(monkeypatch):
    gone = []

    class Loader(yaml_text._LOADER):
        def dispose(self):
            gone.append(1)
            super().dispose()

    monkeypatch.setattr(yaml_text, "_LOADER", Loader)
    load_yaml("a: 1")
    with pytest.raises(Refused):
        load_yaml("a: [")
    assert gone == [1, 1]


@pytest.mark.parametrize("letters", [100, 10_000])
def test_a_long_text_is_not_held_in_memory_once_it_is_written(letters):
    text = "made now: " * (letters // 10)
    before = sys.getrefcount(text)
    assert load_yaml(dump_yaml({"notes": text})) == {"notes": text}
    assert sys.getrefcount(text) == before
