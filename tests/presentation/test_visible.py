"""Characters that hide or forge are spelled out; all others stay."""

import sys
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from explorer.presentation.words.visible import one_line, shortened, visible

HIDDEN = {"Cc", "Cf", "Cs", "Zl", "Zp"}


def test_every_character_that_shows_nothing_is_spelled_out() -> None:
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        if unicodedata.category(character) in HIDDEN:
            assert one_line(character).isascii(), hex(code)
            assert one_line(character).startswith("\\")


def test_letters_signs_and_blanks_of_every_script_stay() -> None:
    text = "Größe 模型 é\u2009µs \u00a0 \u3000 👍 ✓ – “x”"
    assert one_line(text) == text
    assert visible(f"{text}\n\t{text}") == f"{text}\n\t{text}"


def test_how_hidden_characters_are_spelled() -> None:
    assert one_line("a\x1b[0m\x00\n\t\u202e\ud800\U000e0041") == r"a\x1b[0m\x00\n\t\u202e\ud800\U000e0041"


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_becomes_one_printable_line(text: str) -> None:
    shown = one_line(text)
    assert "\n" not in shown
    assert not {unicodedata.category(c) for c in shown} & HIDDEN
    assert one_line(shown) == shown
    shown.encode()


@given(st.text(), st.integers(1, 50))
def test_a_shortened_text_is_never_longer_than_asked(text: str, most: int) -> None:
    assert len(shortened(text, most)) <= most
