"""A slide as painted: whatever the view, its footer is whole."""

from functools import lru_cache

import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from explorer.analysis.catalogue.catalogue import Catalogue
from explorer.analysis.step.evaluate import evaluate
from explorer.files.catalogue import load_catalogue
from explorer.files.study.examples import example_path
from explorer.files.study.study import read_study
from explorer.plot.views.registered import register_painter
from explorer.plot.views.slide import paint_slide
from explorer.presentation.palette import LIGHT
from explorer.presentation.slide.slide import Slide, build_slide
from explorer.presentation.views.declared import VIEWS
from explorer.report.paper_sizes import SIZES

pytestmark = pytest.mark.usefixtures("qapp")

STUDIES = ("bert-large", "resnet-50", "a100-to-h100", "llama-8b-decode", "mistral-h200")


class Blank:
    """The figure of a slide that shows nothing."""


register_painter(Blank, lambda *_args: None)


@lru_cache(maxsize=1)
def known() -> Catalogue:
    return load_catalogue(devices=False)


def foot(slide: Slide, size: tuple[int, int]) -> QImage:
    image = QImage(*size, QImage.Format.Format_RGB32)
    with QPainter(image) as painter:
        laid = paint_slide(painter, QRectF(0, 0, *size), slide, LIGHT)
    scale, place = laid.scale, laid.foot
    return image.copy(0, int(place.top() * scale), size[0], size[1] - int(place.top() * scale))


@pytest.mark.parametrize("view", [v.name for v in VIEWS.values() if not v.bare])
@pytest.mark.parametrize("study", STUDIES)
def test_the_footer_is_that_of_a_slide_that_shows_nothing_else(study: str, view: str) -> None:
    found = evaluate(read_study(example_path(study)), known())
    slide = build_slide(found, view=view)
    alone = Slide(slide.view, slide.title, slide.subtitle, Blank(), (), slide.conditions, slide.footer, slide.day)
    for size in SIZES.values():
        assert foot(slide, size) == foot(alone, size), size
