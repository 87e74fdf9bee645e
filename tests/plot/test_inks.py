"""What is written is written in a colour that can be read: those whose contrast is tried, on every sheet."""

import pytest

from explorer.presentation.palette import DARK, LIGHT, Theme
from tests.plot.sheets import SHEETS, drawn

pytestmark = pytest.mark.usefixtures("qapp")


def inks(theme: Theme) -> set[str]:
    """The colours of texts that `tests/presentation/words/test_contrast.py` tries on their grounds."""
    return {theme.text, theme.muted, theme.accent, theme.on_accent, theme.warning, *theme.inks}


@pytest.mark.parametrize("name", SHEETS)
def test_every_text_is_written_in_a_colour_that_can_be_read(name: str) -> None:
    written = {d.pen.partition("/")[0] for d in drawn(name) if d.kind == "text" and d.text}
    assert written <= inks(LIGHT) or written <= inks(DARK), sorted(written)
