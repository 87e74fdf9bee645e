"""Labels of points during a drag: they keep their places where they can, and cover nothing."""

import pytest
from msgspec.structs import replace

from explorer.plot.paint.figure import layout
from explorer.plot.paint.layout import ChartLayout
from explorer.presentation.palette import LIGHT
from explorer.presentation.roofline.figure import Figure
from tests.plot.chart_hands import figure, mark
from tests.plot.drawing import RECT

pytestmark = pytest.mark.usefixtures("qapp")


def at(x: float, *others: float) -> Figure:
    marks = [mark(x, 12.5 + x, "main", area=0.5, label="main 50 % of time")]
    marks += [mark(o, 12.5 + o, f"row {o}", area=0.1, label=f"row {o} 10 %") for o in others]
    return figure(marks=tuple(marks))


def offsets(laid: ChartLayout) -> dict[str, tuple[float, float]]:
    """From each labelled point to its label."""
    places = {m.label: p for m, p in zip(laid.marks, laid.positions.tolist(), strict=True)}
    return {t.text: (round(t.x - places[t.text][0], 3), round(t.y - places[t.text][1], 3)) for t in laid.labels}


def dragged(steps: int, *others: float) -> list[ChartLayout]:
    found = [layout(at(0.0, *others), RECT, LIGHT)]
    for i in range(1, steps):
        found.append(layout(at(0.04 * i, *others), RECT, LIGHT, previous=found[-1], hold=True))
    return found


def test_a_label_goes_along_with_its_point_and_does_not_jump() -> None:
    steps = dragged(20)
    assert {offsets(s)["main 50 % of time"] for s in steps} == {offsets(steps[0])["main 50 % of time"]}


def test_no_label_covers_a_point_or_another_label_on_the_way() -> None:
    for laid in dragged(60, 0.5, 0.7, 1.5):
        texts = [r for t in laid.labels for r in t.rects]
        assert not any(r.intersects(m) for r in texts for m in laid.mark_rects)
        assert not any(a.intersects(b) for i, a in enumerate(texts) for b in texts[i + 1 :])


def test_a_label_without_room_comes_back_once_its_point_went_on() -> None:
    crowd = tuple(0.5 + 0.02 * i for i in range(8))
    assert "main 50 % of time" in offsets(dragged(60, *crowd)[-1])


def test_when_the_drag_rests_every_label_stands_where_it_would_have_without_one() -> None:
    last = dragged(30, 0.5, 0.9)[-1]
    rested = layout(last.figure, RECT, LIGHT, previous=last)
    alone = layout(replace(last.figure), RECT, LIGHT)
    assert [(t.text, t.x, t.y) for t in rested.labels] == [(t.text, t.x, t.y) for t in alone.labels]
