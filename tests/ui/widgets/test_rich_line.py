"""Where a sentence may be broken, in scripts with spaces and in those without."""

import pytest

from explorer.ui.widgets import rich_line

TEXTS = (
    "",
    "  Prefill of Llama-3-8B takes 5.76 ms at least, 1,389 tok/s; batch 8.",
    "0.5 × 12 GB … naïve\u00a0words, 3 % – 4 %",
    "两台设备：7.24 ms，快 2.1×。下一句",
)


@pytest.mark.parametrize("text", TEXTS)
def test_words_are_the_same_however_they_are_found(text: str) -> None:
    runs = [(text, False)]
    assert rich_line._words(runs) == [(word, False) for word in rich_line._wide_word().findall(text)]


@pytest.mark.parametrize(("sign", "wide"), [("a", False), ("—", False), ("中", True), ("한", True), ("：", True)])
def test_scripts_without_spaces_break_between_any_two_signs(sign: str, wide: bool) -> None:
    assert rich_line._is_wide(sign) is wide


def test_a_number_stays_with_its_unit() -> None:
    assert ("5.76 ms ", True) in rich_line._words([("takes ", False), ("5.76 ms at least", True)])
