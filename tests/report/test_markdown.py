"""Names in Markdown are read back as they are."""

import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from explorer.presentation.words.visible import one_line
from explorer.report.markdown import inline, paragraph
from tests.strangers import FORMULAS, NAMES, ODD_NAMES

parser: Any = pytest.importorskip("markdown_it").MarkdownIt("commonmark").enable(["table", "strikethrough"])


def read(markdown: str) -> tuple[list[str], str]:
    """The kinds of tokens in a text's only block, and its words."""
    opened, block, closed = parser.parse(markdown)
    assert (opened.type, closed.type) == ("paragraph_open", "paragraph_close")
    return sorted({t.type for t in block.children}), "".join(t.content for t in block.children)


@pytest.mark.parametrize("name", [*NAMES, *FORMULAS, *ODD_NAMES, "* x", "> x", "1) x", "---", "===", "\\|", "a\\"])
def test_a_name_is_a_paragraph_of_plain_words(name: str) -> None:
    assert read(paragraph(name)) == (["text"], one_line(name)) or read(paragraph(name))[0] == ["text", "text_special"]
    assert read(paragraph(name))[1] == one_line(name)


@pytest.mark.parametrize("name", [*NAMES, *FORMULAS, *ODD_NAMES])
def test_a_name_is_one_cell_of_a_table(name: str) -> None:
    table = f"| a | b |\n| --- | --- |\n| {inline(name)} | end |\n"
    cells = [t for t in parser.parse(table) if t.type == "inline"]
    assert ["".join(c.content for c in t.children) for t in cells] == ["a", "b", one_line(name).strip(), "end"]
    assert {c.type for t in cells for c in t.children} <= {"text", "text_special"}


def test_names_of_operators_stay_readable() -> None:
    for name in ("model.layers.0.self_attn.q_proj", "m=8 n=4,096", "2.5 TB/s", "R&D", "a-b", "7B Q4_0", "< 0.1 %"):
        assert inline(name) == name


@given(st.text(st.characters(exclude_categories=("C", "Z")), min_size=1, max_size=20))
def test_any_name_is_read_back(name: str) -> None:
    assert read(paragraph(name))[1] == name
    assert not re.search(r"<\w", inline(name))
