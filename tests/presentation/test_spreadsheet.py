"""Cells that spreadsheets would take for formulas."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.presentation.tables.spreadsheet import cell, cell_of_file, from_cell
from tests.strangers import FORMULAS, ODD_NAMES

SIGNS = "=+-@\uff1d\uff0b\uff0d\uff20"


@pytest.mark.parametrize("name", [*FORMULAS[:-1], " =1", "\u00a0=1", '" =1', "\u3000@x"])
def test_a_name_like_a_formula_is_marked_as_text_and_comes_back(name: str) -> None:
    shown = cell(name)
    assert shown.startswith("'")
    if name.isprintable():
        assert from_cell(shown) == name


@pytest.mark.parametrize("name", ["mlp.up_proj", "x=1", "a-b", "it's", "'quoted'", "'", "", "7B Q4_0", "–", "−5"])
def test_other_names_stay_as_they_are(name: str) -> None:
    assert cell(name) == name
    assert from_cell(name) == name


def test_a_cell_is_one_line_whatever_the_name_holds() -> None:
    for name in ODD_NAMES:
        assert not set("\n\r\t\x00\x1b\u2028") & set(cell(name))
    assert cell("a\n=1+1") == "a\\n=1+1", "a line end may not begin a cell of its own"


def test_a_file_is_safe_where_a_semicolon_parts_the_cells() -> None:
    assert cell_of_file("x;=1+1") == "x;'=1+1"
    assert cell_of_file("x; +1;a") == "x; '+1;a"


@given(st.text(st.characters(exclude_categories=("C", "Z")) | st.sampled_from(list(SIGNS + "'\" ")), max_size=12))
def test_no_cell_begins_like_a_formula_and_every_name_comes_back(name: str) -> None:
    shown = cell(name)
    assert shown.startswith("'") or shown.lstrip(" \"'")[:1] not in set(SIGNS)
    assert from_cell(shown) == name
