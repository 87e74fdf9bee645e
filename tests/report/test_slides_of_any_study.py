"""Slides of random work: conditions are those of the study shown, nothing overlaps, no figure is cut."""

import html
import random
import re

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from explorer.analysis.step.evaluate import Evaluation
from explorer.plot.views.slide import SlideLayout, paint_view
from explorer.presentation.palette import LIGHT
from explorer.presentation.slide.conditions import conditions
from explorer.presentation.slide.slide import built
from explorer.presentation.views.declared import VIEWS
from explorer.report.figure_export import Paper, figure_bytes
from explorer.report.paper_sizes import SIZES
from tests.plot.drawing import CHINESE, decode_study, device, evaluated

pytestmark = pytest.mark.usefixtures("qapp")

SLIDES = [v.name for v in VIEWS.values() if not v.bare]
NAMES = (
    "H100",
    "A card of a name so long that no column has room for all of it",
    CHINESE,
    "x" * 60,
    "昇腾 910B",
    "Tiny",
)


def some_study(seed: int) -> Evaluation:
    rng = random.Random(seed)  # noqa: S311 - of studies, not of secrets
    on = [
        device(name, 10 ** rng.uniform(13, 15.5), 10 ** rng.uniform(11, 13))
        for name in rng.sample(NAMES, rng.randint(1, len(NAMES)))
    ]
    study = decode_study(
        *on,
        batch=2 ** rng.randint(0, 10),
        context=rng.randint(1, 60_000),
        phase=rng.choice(("decode", "prefill")),
        weights=rng.choice((None, "fp8", "int4")),
        activations=rng.choice((None, "fp8")),
        kv=rng.choice((None, "fp8")),
        launch=rng.choice(("graph", "eager")),
        attention_count=rng.choice(("causal", "full")),
        logits=rng.choice(("last", "all")),
        reserve=rng.choice((0.0, 2e9)),
    )
    counted = tuple(replace(e, count=rng.choice((1, 1, 2, 8))) for e in study.hardware)
    return evaluated(replace(study, hardware=counted))


@pytest.mark.parametrize("seed", range(20))
def test_a_slide_of_random_work_says_its_conditions_and_cuts_no_figure(seed: int) -> None:
    found = some_study(seed)
    view, size = SLIDES[seed % len(SLIDES)], list(SIZES.values())[seed % len(SIZES)]
    svg = figure_bytes(found, ".svg", Paper(size=size), view).decode()
    texts = [html.unescape(t) for t in re.findall(r"<text[^>]*>([^<]*)</text>", svg)]
    work = found.study.workload
    said = "".join("".join(texts).split())
    assert "".join(conditions(found).split()) in said
    assert f"batch{work.batch:,},context{work.context:,}" in said
    assert work.phase in said
    assert [t for t in texts if re.search(r"(^|\s)[\d.,]+…", t)] == []
    image = QImage(*size, QImage.Format.Format_RGB32)
    painter = QPainter(image)
    laid = paint_view(view, painter, QRectF(0, 0, *size), built(view, found), LIGHT)
    painter.end()
    assert isinstance(laid, SlideLayout)
    parts = [laid.heading, laid.view, laid.foot, *(rect for _, rect in laid.blocks)]
    for i, one in enumerate(parts):
        assert laid.rect.adjusted(-1, -1, 1, 1).contains(one)
        assert not any(one.adjusted(1, 1, -1, -1).intersects(other) for other in parts[i + 1 :])
