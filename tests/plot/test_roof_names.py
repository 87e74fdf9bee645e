"""Names of roofs: each by its own roof, clear of the others, whole before short."""

import pytest
from PySide6.QtCore import QRectF

from explorer.plot.paint.geometry import level_plates
from explorer.plot.paint.layout import ChartLayout, layout
from explorer.presentation.palette import LIGHT
from explorer.presentation.roofline.build import build_figure
from tests.plot.drawing import decode_study, evaluated

pytestmark = pytest.mark.usefixtures("qapp")
SIZES = [(560, 440), (600, 460), (720, 560), (900, 600), (1500, 900)]


@pytest.fixture(params=SIZES, ids=lambda s: f"{s[0]}x{s[1]}")
def chart(request: pytest.FixtureRequest) -> ChartLayout:
    return layout(build_figure(evaluated(decode_study())), QRectF(0, 0, *request.param), LIGHT)


def test_no_other_roof_lies_between_a_roof_and_its_name(chart: ChartLayout) -> None:
    flats = {r.roof.name: r.flat[1] for r in chart.static.roofs if r.flat is not None}
    named = [(t, own) for t in chart.static.names for own in flats if t.angle == 0 and t.text.startswith(own)]
    assert named
    for text, own in named:
        middle = text.y - text.face.cap / 2
        low, high = sorted((middle, flats[own]))
        assert not [name for name, y in flats.items() if name != own and low < y < high], text.text


def test_no_name_stands_on_another_roof(chart: ChartLayout) -> None:
    flats = [r.flat[1] for r in chart.static.roofs if r.flat is not None]
    for text in chart.static.names:
        if text.angle == 0 and not text.text.startswith("ridge"):
            assert not [y for y in flats if text.y - text.face.cap < y < text.y]


def test_a_plate_over_the_edge_of_a_zone_has_both_colours(chart: ChartLayout) -> None:
    zone = chart.figure.zone
    assert zone is not None
    edge = chart.frame.x(zone)
    left, right = level_plates(LIGHT, chart.frame, zone, edge - 30, 80)
    assert (left[1], right[0]) == (30, 30)
    assert (left[2], right[2]) == (LIGHT.memory_zone, LIGHT.compute_zone)
    assert len(level_plates(LIGHT, chart.frame, zone, edge + 30, 80)) == 1
