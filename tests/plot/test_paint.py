"""What is on the picture: pixels at positions that the layout names."""

import pytest
from PySide6.QtCore import QPointF
from PySide6.QtGui import QColor, QImage

from explorer.plot.paint.points import clipped
from explorer.presentation.palette import DARK, LIGHT, THEMES, Theme, bound_colour, device_colour
from explorer.presentation.roofline.build import build_figure
from tests.plot.drawing import RECT, decode_study, evaluated, matmul_study, measured, painted

pytestmark = pytest.mark.usefixtures("qapp")


def _near(image: QImage, x: float, y: float, wanted: str, reach: int = 3, tolerance: int = 60) -> bool:
    colour = QColor(wanted)
    for dx in range(-reach, reach + 1):
        for dy in range(-reach, reach + 1):
            px, py = int(x) + dx, int(y) + dy
            if not (0 <= px < image.width() and 0 <= py < image.height()):
                continue
            got = image.pixelColor(px, py)
            parts = zip(got.getRgb()[:3], colour.getRgb()[:3], strict=True)
            if sum(abs(a - b) for a, b in parts) <= tolerance:
                return True
    return False


def _luminance(name: str) -> float:
    def linear(value: float) -> float:
        return value / 12.92 if value <= 0.03928 else ((value + 0.055) / 1.055) ** 2.4

    red, green, blue = (linear(v / 255) for v in QColor(name).getRgb()[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    high, low = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_roofs_points_and_zones_have_their_colours_where_the_layout_says(theme: Theme) -> None:
    image, chart = painted(build_figure(evaluated(decode_study())), theme)
    active = next(r for r in chart.static.roofs if r.roof.active)
    assert active.slope is not None
    assert active.flat is not None
    middle = ((active.flat[0] + active.flat[2]) / 2, active.flat[1])
    assert _near(image, *middle, device_colour(theme, 0), 2)
    for mark, (x, y) in zip(chart.marks, chart.positions.tolist(), strict=True):
        if mark.active and mark.area > 0.1:
            assert _near(image, x, y, device_colour(theme, mark.colour), 2)
    corner = chart.plot.bottomLeft() + QPointF(chart.plot.width() * 0.4, -12)
    assert _near(image, corner.x(), corner.y(), theme.memory_zone, 4, 12)
    right = chart.plot.topRight() + QPointF(-12, 12)
    assert _near(image, right.x(), right.y(), theme.compute_zone, 4, 12)


def test_lines_and_texts_grow_with_the_scale() -> None:
    figure = build_figure(evaluated(decode_study()))
    once, _ = painted(figure)
    thrice, _ = painted(figure, scale=3.0)
    small = thrice.scaled(once.size(), mode=_smooth())
    assert _difference(once, small) < 2.0


def _smooth():  # type: ignore[no-untyped-def]
    from PySide6.QtCore import Qt

    return Qt.TransformationMode.SmoothTransformation


def _difference(one: QImage, other: QImage) -> float:
    """Mean difference of a channel, of 255."""
    import numpy as np

    arrays = [
        np.frombuffer(i.convertToFormat(QImage.Format.Format_RGB32).constBits(), np.uint8).astype(float)
        for i in (one, other)
    ]
    return float(np.abs(arrays[0] - arrays[1]).mean())


@pytest.mark.parametrize("theme", list(THEMES.values()), ids=list(THEMES))
def test_plot_colours_stand_out_from_every_background(theme: Theme) -> None:
    for background in (theme.panel, theme.memory_zone, theme.compute_zone):
        for colour in (
            *theme.devices,
            *(c for _, c in theme.bounds),
            theme.text,
            theme.muted,
            theme.warning,
            theme.accent,
        ):
            assert _contrast(colour, background) >= 3.0, (colour, background)


def test_a_point_above_its_roof_is_flagged_and_stays_in_the_picture() -> None:
    bound = 2 * 4096**3 / 989.4e12
    figure = build_figure(evaluated(measured(matmul_study(), "matmul", 1.3, bound)))
    mark = next(m for m in figure.marks if m.measured)
    assert mark.over
    image, chart = painted(figure)
    at = chart.positions[chart.marks.index(mark)].tolist()
    assert chart.plot.contains(QPointF(*at))
    assert _near(image, at[0], at[1] - 6, LIGHT.warning, 4)


def test_colour_by_bound_paints_bounds_and_not_devices() -> None:
    evaluation = evaluated(matmul_study(8, 4096, 4096))
    by_bound, chart = painted(build_figure(evaluation, colour_by="bound"))
    at = chart.positions[-1].tolist()
    assert _near(by_bound, *at, bound_colour(LIGHT, "memory"), 2, 10)


def test_lines_are_cut_at_the_plot() -> None:
    box = RECT.adjusted(100, 100, -100, -100)
    line = clipped(QPointF(0, 0), QPointF(1000, 1000), box)
    assert line is not None
    assert box.adjusted(-1, -1, 1, 1).contains(line.p1())
    assert clipped(QPointF(0, 0), QPointF(50, 0), box) is None
    assert clipped(QPointF(200, 200), QPointF(200, 200), box) is None
