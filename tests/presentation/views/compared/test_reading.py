"""The slide of every view of the comparison says how it is read, in the language of the look."""

import pytest

from explorer.analysis.step.evaluate import evaluate
from explorer.files.catalogue import load_catalogue
from explorer.presentation.look import ENGLISH
from explorer.presentation.slide.slide import build_slide
from explorer.presentation.views.declared import VIEWS
from tests.plot.drawing import A100, H100, MI300X, decode_study

VIEWS_COMPARED = ("compare", "paired", "frontier", "speedup", "rooflines", "years")


@pytest.mark.parametrize("view", VIEWS_COMPARED)
def test_the_block_on_how_to_read_it_has_its_own_sentence(view: str) -> None:
    evaluation = evaluate(decode_study(H100, A100, MI300X), load_catalogue())
    others = {build_slide(evaluation, view=v, blocks=("read",)).read.lines for v in VIEWS_COMPARED if v != view}
    lines = build_slide(evaluation, view=view, blocks=("read",)).read.lines
    assert lines
    assert lines not in others
    assert all(line.endswith(".") for line in lines)


def test_no_view_of_a_slide_is_without_one() -> None:
    evaluation = evaluate(decode_study(H100, A100), load_catalogue())
    for view in (v.name for v in VIEWS.values() if not v.bare):
        assert build_slide(evaluation, ENGLISH, view=view, blocks=("read",)).read.lines, view
