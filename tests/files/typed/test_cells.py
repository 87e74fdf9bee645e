"""What people type into cells: each limit and each word."""

import pytest

from explorer.analysis.problem import Refused
from explorer.analysis.study.check import LARGEST_DIM
from explorer.files.catalogue import load_catalogue
from explorer.files.typed.cells import LARGEST_CALLS, read_calls, read_dim, read_dims, read_name, read_number
from explorer.files.typed.pasted_measurements import read_whole

CATALOGUE = load_catalogue()


MATMUL = CATALOGUE.kind_by_id["matmul"]


def refused(call, *args, **more):
    with pytest.raises(Refused) as found:
        call(*args, **more)
    (problem,) = found.value.problems
    return problem


NUMBERS = {
    "1": 1.0, "+1": 1.0, "-1": -1.0, "1.": 1.0, "1k": 1e3, "1K": 1e3, "1M": 1e6, "1G": 1e9, "1T": 1e12, "1Ki": 2.0**10,
    "1Mi": 2.0**20, "1Gi": 2.0**30, "1Ti": 2.0**40, "1\u00a0k": 1e3, "1\u2009k": 1e3, "1e3k": 1e6, "0.123": 0.123,
    "1234.567": 1234.567, "1.2345": 1.2345, "-0.5": -0.5,
}  # fmt: skip


@pytest.mark.parametrize("text", NUMBERS)
def test_a_number_may_have_a_prefix(text):
    assert read_number(text) == NUMBERS[text]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("1,5", "typed.two_ways"),
        ("1.234", "typed.two_ways"),
        ("12.345.678", "typed.two_ways"),
        ("-123.456", "typed.two_ways"),
        ("x", "typed.number"),
        ("1B", "typed.number"),
        ("1e308k", "typed.number"),
        ("1kk", "typed.number"),
    ],
)
def test_what_is_no_number_is_told_with_its_place_and_its_beginning(text, code):
    problem = refused(read_number, text, "here")
    assert (problem.code, problem.path, problem.values) == (code, "here", {"got": text})
    assert refused(read_number, "x" * 50).values == {"got": "x" * 40}
    assert refused(read_number, "," * 50).values == {"got": "," * 40}


@pytest.mark.parametrize(
    ("read", "low", "high", "below", "above"),
    [
        (read_dim, 0, LARGEST_DIM, -1, LARGEST_DIM * 1.01),
        (read_calls, 1e-9, LARGEST_CALLS, 0, LARGEST_CALLS * 1.01),
        (lambda t: read_whole(t, 50), 1, 50, 0, 51),
    ],
    ids=["dim", "calls", "whole"],
)
def test_a_figure_is_within_its_limits_both_ends_included(read, low, high, below, above):
    assert read(repr(low)) == low
    assert read(repr(high)) == high
    for odd in (below, above):
        assert refused(read, repr(odd)).values["got"] == odd


def test_calls_are_at_most_a_million_millions_and_a_whole_figure_has_no_rest():
    assert LARGEST_CALLS == 1e12
    assert refused(read_calls, "0").path == "count"
    assert refused(read_whole, "1.5", 50, "here").path == "here"


@pytest.mark.parametrize(
    ("text", "dims"),
    [
        ("", {}),
        (" ; ", {}),
        ("m=1", {"m": 1.0}),
        ("m : 1;n=2 , k=3", {"m": 1.0, "n": 2.0, "k": 3.0}),
        ("m=1\u00a0n=2\u2009k=3", {"m": 1.0, "n": 2.0, "k": 3.0}),
        ("m=1\tn=2", {"m": 1.0, "n": 2.0}),
    ],
)
def test_dims_are_read_whatever_stands_between(text, dims):
    assert read_dims(text, MATMUL) == dims


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ("x m=1", "typed.dims", "dims"),
        ("m=1 x", "typed.dims", "dims"),
        ("m=1 m=2", "typed.dim_twice", "dims"),
        ("z=1", "study.dim", "dims"),
        ("m=x", "typed.number", "dims.m"),
        ("m=-1", "study.range", "dims.m"),
        ("m=1" + " " * 1998, "typed.dims", "dims"),
    ],
)
def test_dims_that_cannot_be_are_told_with_their_place(text, code, path):
    problem = refused(read_dims, text, MATMUL)
    assert (problem.code, problem.path) == (code, path)


def test_dims_may_be_two_thousand_letters_long_and_unknown_for_an_unknown_kind():
    assert read_dims("m=1" + " " * 1997, MATMUL) == {"m": 1.0}
    assert read_dims("z=1", None) == {"z": 1.0}


def test_a_name_is_one_printable_line_of_at_most_200_letters_that_is_free():
    assert read_name(" a b ") == "a b"
    assert read_name("x" * 200)
    for odd in ("", " ", "x" * 201, "a\nb"):
        assert refused(read_name, odd).values == {"limit": 200}
    assert refused(read_name, "a", {"a"}).code == "typed.name_taken"


@pytest.mark.parametrize(
    ("read", "text", "told"),
    [
        (read_dim, "-1", {"got": -1.0, "low": 0, "high": LARGEST_DIM}),
        (read_calls, "0", {"got": 0.0, "high": LARGEST_CALLS}),
        (lambda text: read_whole(text, 64), "0.5", {"got": 0.5, "low": 1, "high": 64}),
        (lambda text: read_whole(text, 64), "65", {"got": 65.0, "low": 1, "high": 64}),
    ],
)
def test_a_figure_out_of_its_range_is_told_with_the_range(read, text, told):
    assert refused(read, text).values == told
