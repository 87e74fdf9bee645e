"""What a study remembers of its slides is checked like all else that a file brings."""

from typing import Any

import pytest

from explorer.analysis.study.check import study_problems
from explorer.analysis.study.slides import LONGEST, slide_of, with_slide
from explorer.analysis.study.study import SlideChoice, SlideTexts, Study


@pytest.mark.parametrize(
    ("slides", "code", "path"),
    [
        ((SlideChoice(view=""),), "study.id", "slides[0].view"),
        ((SlideChoice(view="a\nb"),), "study.id", "slides[0].view"),
        ((SlideChoice(view="time"), SlideChoice(view="time")), "study.twice", "slides[1].view"),
        (
            (SlideChoice(view="time", texts=SlideTexts(title="x" * (LONGEST + 1))),),
            "study.long",
            "slides[0].texts.title",
        ),
        ((SlideChoice(view="time", texts=SlideTexts(read="a\x07b")),), "study.printable", "slides[0].texts.read"),
        ((SlideChoice(view="time", blocks=("a\tb",)),), "study.line", "slides[0].blocks[0]"),
        ((SlideChoice(view="time", blocks=("a",) * 31),), "study.many", "slides[0].blocks"),
        ((SlideChoice(view="time", size=(10, 900)),), "study.range", "slides[0].size[0]"),
        ((SlideChoice(view="time", size=(1600, 10**9)),), "study.range", "slides[0].size[1]"),
    ],
)
def test_a_slide_that_cannot_be_is_refused_by_its_field(slides: Any, code: str, path: str) -> None:
    assert [(p.code, p.path) for p in study_problems(Study(slides=slides))] == [(code, path)]


def test_what_can_be_has_no_fault() -> None:
    slide = SlideChoice(view="of a later version", texts=SlideTexts(help="a\nb", title=""), blocks=(), theme="dark")
    assert study_problems(Study(slides=(slide,))) == ()


def test_a_slide_takes_the_place_of_the_views_own_and_goes_when_it_says_nothing() -> None:
    one, other = SlideChoice(view="time", texts=SlideTexts(title="A")), SlideChoice(view="memory", theme="dark")
    study = with_slide(with_slide(Study(), one), other)
    assert study.slides == (one, other)
    changed = SlideChoice(view="time", texts=SlideTexts(title="B"))
    assert with_slide(study, changed).slides == (changed, other)
    assert with_slide(study, SlideChoice(view="time")).slides == (other,)
    assert slide_of(study, "memory") == other
    assert slide_of(study, "decode") == SlideChoice(view="decode")
