"""Over random studies no chart of a comparison fails, no text lies on another or outside, no figure is cut."""

import random
from itertools import combinations
from typing import Any

import pytest
from msgspec.structs import replace
from PySide6.QtCore import QRectF

from explorer.analysis.study.study import Study
from explorer.plot.views.compared.frontier import paint_frontier
from explorer.plot.views.compared.paired import paint_paired
from explorer.plot.views.compared.rooflines import paint_rooflines
from explorer.plot.views.compared.speedup import paint_speedup
from explorer.presentation.palette import DARK, LIGHT
from explorer.presentation.views.declared import body_of
from tests.plot.drawing import evaluated, random_study
from tests.plot.recorder import Drawn, Measures, Recorder, fixed_fonts

pytestmark = pytest.mark.usefixtures("qapp")

PAINTERS: dict[str, Any] = {
    "paired": paint_paired,
    "frontier": paint_frontier,
    "speedup": paint_speedup,
    "rooflines": paint_rooflines,
}


def letters(thing: Drawn) -> QRectF:
    size = int(thing.font.split("/")[0])
    return QRectF(thing.at[0], thing.at[1] - 0.7 * size, Measures.of(thing.font, thing.text), 0.7 * size)


def seen(study: Study, dice: random.Random) -> Study:
    """The study with another comparison, and some devices several times or without a known memory size."""
    hardware = tuple(replace(e, count=dice.choice((1, 1, 2, 8))) for e in study.hardware)
    kind = dice.choice(("machines", "machines", "machines", "formats", "models"))
    return replace(study, hardware=hardware, view=replace(study.view, vary=kind, selection=()))


@pytest.mark.parametrize("view", list(PAINTERS))
@pytest.mark.parametrize("seed", range(40))
def test_texts_stand_clear_and_inside(view: str, seed: int) -> None:
    dice = random.Random(seed)  # noqa: S311 - it draws studies, not secrets
    figure = body_of(view, evaluated(seen(random_study(seed), dice)))
    room = QRectF(10, 20, dice.uniform(262, 1200), dice.uniform(180, 800))
    painter = Recorder()
    with fixed_fonts():
        PAINTERS[view](painter, room, figure, dice.choice((LIGHT, DARK)))
    painter.end()
    texts = [d for d in painter.drawn if d.kind == "text" and d.text and not d.angle]
    assert texts
    for one, other in combinations(texts, 2):
        common = letters(one) & letters(other)
        assert min(common.width(), common.height()) < 0.5, (one, other)
    for thing in texts:
        assert room.adjusted(-1.5, -1.5, 1.5, 1.5).contains(letters(thing)), thing
        if "…" in thing.text:
            assert not thing.text.endswith("×…")
