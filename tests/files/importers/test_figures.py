"""Figures as tools print them, and what a reader gathers on its way."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.analysis.problem import Refused
from explorer.files.disk import limits
from explorer.files.importers.figures import count, decimal_mark, finite, localised, positive, scaled, size, whole
from explorer.files.importers.findings import Findings


@pytest.mark.parametrize(
    ("given", "value"),
    [
        ("1.5", 1.5), (" 2 ", 2.0), (3, 3.0), (0, 0.0), ("0" * 399 + "7", 7.0), ("0" * 400 + "7", None), ("inf", None),
        ("nan", None), (math.inf, None), (None, None), ([], None), ("x", None), (10**400, None), (True, 1.0),
    ],
)  # fmt: skip
def test_a_plain_figure_is_finite_and_not_endless(given, value):
    assert finite(given) == value


@pytest.mark.parametrize(("given", "value"), [("0", None), ("-1", None), ("1e-9", 1e-9), ("x", None)])
def test_a_positive_figure_is_over_zero(given, value):
    assert positive(given) == value


@pytest.mark.parametrize(
    ("given", "value"),
    [("0", 0), ("7.0", 7), ("7.5", None), ("-1", None), (1e18, 10**18), (1.1e18, None), (None, None)],
)
def test_a_whole_figure_is_a_count_from_zero_up(given, value):
    assert whole(given) == value


MARKS = [
    (["117.344"], "."),
    (["117,344"], "."), (["1234.567"], "."), (["1234,567"], ","), (["0,344"], ","), (["0.344"], "."),
    (["27.595.520"], ","), (["27,595,520"], "."), (["1.234,5"], ","), (["1,234.5"], "."), (["65,77"], ","),
    (["65.77"], "."), (["1,2345"], ","), ([",344"], ","), ([".344"], "."), (["-117,344"], "."), (["+1234,567"], ","),
    (["7", "117,344", "65,7", "1.5"], ","), (["12", "x"], "."), (["1 234,5"], ","), (["1’234.5"], "."), ([], "."),
]  # fmt: skip


@pytest.mark.parametrize(("texts", "mark"), MARKS)
def test_the_decimal_mark_is_told_by_the_first_figure_that_can_be_read_one_way_only(texts, mark):
    assert decimal_mark(texts) == mark


@pytest.mark.parametrize(
    ("text", "mark", "value"),
    [
        ("1,234.5", ".", 1234.5), ("1.234,5", ",", 1234.5), ("1 234,5", ",", 1234.5), ("1'234", ".", 1234.0),
        ("1_000", ".", 1000.0), ("-1.5e3", ".", -1500.0), (",5", ",", 0.5), ("1..2", ".", None), ("x", ".", None),
        ("", ".", None), ("1e999", ".", None), ("0" * 399 + "7", ".", 7.0), ("0" * 400 + "7", ".", None),
        ("1.2.3", ",", 123.0), ("1.2.3", ".", None),
    ],
)  # fmt: skip
def test_a_figure_is_read_under_its_decimal_mark(text, mark, value):
    assert localised(text, mark) == value


@given(st.integers(0, 10**12))
def test_thousands_marks_change_no_figure(value):
    assert localised(f"{value:,}", ".") == localised(f"{value:,}".replace(",", "."), ",") == value


PREFIXES = {"": 1.0, "n": 1e-9, "u": 1e-6, "µ": 1e-6, "m": 1e-3, "K": 1e3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12}


@pytest.mark.parametrize(("prefix", "value"), [*PREFIXES.items(), ("x", None), ("kk", None)])
def test_a_unit_may_have_a_prefix(prefix, value):
    assert scaled(f"{prefix}byte/s", ("second", "byte/s")) == value
    assert scaled(f"{prefix}second", ("second", "byte/s")) == value
    assert scaled("byte", ("second", "byte/s")) is None


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4.36 GiB", round(4.36 * 2**30)), ("7 B", 7.0), ("1KiB", 1024.0), ("3 MiB", 3.0 * 2**20),
        ("2 TiB", 2.0 * 2**40), ("1 KB", 1e3), ("1 MB", 1e6), ("1 GB", 1e9), ("1 TB", 0.0), ("1.2.3 B", None),
        ("4 GiB x", None), ("GiB", None),
    ],
)  # fmt: skip
def test_sizes_are_bytes(text, value):
    assert size(text) == value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("7", 7.0),
        ("7.62 B", 7.62e9),
        ("8K", 8e3),
        ("9 M", 9e6),
        ("1 T", 1e12),
        ("1.2.3 M", None),
        ("x", None),
        ("", None),
    ],
)
def test_counts_of_parameters_have_b_for_a_billion(text, value):
    assert count(text) == value


def kept(found):
    return [(s.where, s.why.code, dict(s.why.values), s.count) for s in found.imported().skipped]


def test_parts_left_out_for_one_shared_reason_are_one_line_with_a_count():
    found = Findings("tool", "points")
    for i in range(3):
        found.skip(f"line {i}", "import.row", together="same", text=f"t{i}")
    found.skip("line 9", "import.row", text="t9")
    found.skip("line 10", "import.other", together="same", given=3)
    assert kept(found) == [
        ("line 0", "import.row", {"text": "t0"}, 3),
        ("line 9", "import.row", {"text": "t9"}, 1),
        ("line 10", "import.other", {"given": 3}, 1),
    ]


def test_a_thousand_lines_left_out_are_listed_and_the_rest_is_counted_by_reason():
    found = Findings("tool", "points")
    found.skip("first", "import.row", together="same")
    for i in range(1_001):
        found.skip(f"line {i}", "import.row")
    found.skip("last", "import.other")
    found.skip("first again", "import.row", together="same")
    listed = kept(found)
    assert len(listed) == 1_002
    assert [(w, c, n) for w, c, _, n in (listed[0], *listed[-3:])] == [
        ("first", "import.row", 2), ("line 998", "import.row", 1), ("line 999", "import.row", 2),
        ("last", "import.other", 1),
    ]  # fmt: skip


def test_long_words_of_a_file_are_shortened_for_the_list():
    found = Findings("tool", "points")
    found.skip("w" * 200, "import.row", text="t" * 200)
    ((where, _, values, _),) = kept(found)
    assert (len(where), len(values["text"])) == (120, 80)


def test_remarks_on_a_file_are_made_once():
    found = Findings("tool", "points")
    for number in (1, 1, 2):
        found.note("import.cut_short", number=number)
    assert [n.values["number"] for n in found.imported().notes] == [1, 2]


def test_more_points_than_an_import_may_hold_are_refused(monkeypatch):
    monkeypatch.setattr(limits, "TOOL_POINTS", 2)
    found = Findings("tool", "points")
    found.points.append(1)
    found.points.append(2)
    with pytest.raises(Refused) as refused:
        found.points.append(3)
    assert refused.value.problems[0].values == {"limit": 2}


@pytest.mark.parametrize("text", ["", "x", "1.", "1,", "1,,5", "12,.5", "1e", ",", "1 us", "0x1", "nan", "inf", "--1"])
@pytest.mark.parametrize("mark", [".", ","])
def test_what_only_resembles_a_figure_is_none_under_either_mark(text, mark):
    assert localised(text, mark) is None
