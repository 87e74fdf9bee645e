"""Where things stand: transforms, ends of roofs, names, hits."""

import math

import pytest
from msgspec.structs import replace
from msgspec.structs import replace as changed
from PySide6.QtCore import QPointF, QRectF
from PySide6.QtWidgets import QApplication

from explorer.analysis.study.study import View
from explorer.plot.paint.figure import hit, hit_strip, layout
from explorer.presentation.palette import DARK, LIGHT
from explorer.presentation.roofline.build import build_figure
from explorer.presentation.roofline.figure import Figure
from tests.plot.drawing import CHINESE, RECT, decode_study, device, evaluated, matmul_study, measured

pytestmark = pytest.mark.usefixtures("qapp")


@pytest.fixture
def figure(qapp: QApplication) -> Figure:
    return build_figure(evaluated(decode_study()))


def test_a_decade_is_as_long_on_both_axes_until_the_user_zooms(figure: Figure) -> None:
    for rect in (RECT, QRectF(0, 0, 700, 760), QRectF(0, 0, 930, 600)):
        frame = layout(figure, rect, LIGHT).frame
        assert frame.scale_x == pytest.approx(frame.scale_y)
    for rect in (QRectF(0, 0, 300, 900), QRectF(0, 0, 1800, 400)):  # a plot half empty would say less
        frame = layout(figure, rect, LIGHT).frame
        for own, shown in ((figure.x_range, frame.x_range), (figure.y_range, frame.y_range)):
            assert shown[1] - shown[0] <= 1.6 * (own[1] - own[0])
    zoomed = replace(figure, x_range=(0, 1), y_range=(11, 15), fitted=False)
    frame = layout(zoomed, RECT, LIGHT).frame
    assert (frame.x_range, frame.y_range) == ((0, 1), (11, 15))


def test_device_coordinates_and_log_units_convert_both_ways(figure: Figure) -> None:
    frame = layout(figure, RECT, LIGHT).frame
    x, y = frame.to_log(QPointF(frame.x(0.903), frame.y(13.5)))
    assert (x, y) == (pytest.approx(0.903), pytest.approx(13.5))
    assert frame.y(14) < frame.y(13)


def test_a_roof_runs_from_edge_to_edge_of_the_visible_range_and_bends_at_its_ridge(figure: Figure) -> None:
    chart = layout(figure, RECT, LIGHT)
    for lines in chart.static.roofs:
        assert lines.slope is not None
        assert lines.flat is not None
        assert lines.ridge is not None
        roof, frame = lines.roof, chart.frame
        assert lines.slope[0] == pytest.approx(chart.plot.left()) or lines.slope[1] == pytest.approx(
            chart.plot.bottom()
        )
        assert lines.flat[2] == pytest.approx(chart.plot.right())
        assert lines.slope[2:] == pytest.approx(lines.flat[:2])
        assert lines.ridge == pytest.approx(lines.flat[:2])
        assert 10 ** frame.to_log(QPointF(*lines.ridge))[0] == pytest.approx(10 ** (roof.peak - roof.bandwidth))


def test_roofs_follow_a_pan(figure: Figure) -> None:
    moved = replace(figure, x_range=(-3.0, 0.0), y_range=(9.0, 13.0), fitted=False)
    chart = layout(moved, RECT, LIGHT)
    slopes = [r.slope for r in chart.static.roofs]
    assert all(s is not None and s[2] == pytest.approx(chart.plot.right()) for s in slopes)
    assert all(r.flat is None for r in chart.static.roofs)
    assert {t.text for t in chart.static.names} >= {f"{r.name} {r.bandwidth_text}" for r in figure.roofs}


def test_a_roof_without_a_peak_stops_at_the_highest_shown_compute_roof() -> None:
    silent = changed(device("Silent", 1e15, 1e12), peaks=())
    figure = build_figure(evaluated(matmul_study(64, 64, 64, device("Loud", 1e14, 2e12), silent)))
    chart = layout(figure, RECT, LIGHT)
    lines = next(r for r in chart.static.roofs if r.roof.name == "Silent")
    assert lines.flat is None
    assert lines.slope is not None
    assert lines.slope[3] == pytest.approx(chart.frame.y(14.0))


def test_names_of_roofs_keep_off_points_and_off_each_other(figure: Figure) -> None:
    chart = layout(figure, RECT, LIGHT)
    names = [r for t in chart.static.names for r in t.rects]
    assert {r.peak_text for r in figure.roofs} <= {t.text.split(" ", 1)[1] for t in chart.static.names}
    assert not [n for n in names for m in chart.mark_rects if n.intersects(m)]


def test_points_stand_where_the_model_says(figure: Figure) -> None:
    chart = layout(figure, RECT, LIGHT)
    ring = next(i for i, m in enumerate(chart.marks) if "gate_proj" in m.rows and m.active)
    x, y = chart.frame.to_log(QPointF(*chart.positions[ring]))
    # 2 b n k FLOPs over b k + n k + b n values of two bytes, at 3.35 TB/s
    intensity = 2 * 8 * 14336 * 4096 / (2 * (8 * 4096 + 14336 * 4096 + 8 * 14336))
    assert 10**x == pytest.approx(intensity)
    assert 10**y == pytest.approx(intensity * 3.35e12)


def test_point_area_is_the_share_of_time(figure: Figure) -> None:
    chart = layout(figure, RECT, LIGHT)
    sizes = {m.rows[0]: (m.area, r) for m, r in zip(chart.marks, chart.radii, strict=True) if m.active}
    (ring, big), (attention, small) = sizes["gate_proj"], sizes["attention"]
    assert (big / small) ** 2 == pytest.approx(ring / attention)
    same = layout(replace(figure, area_is_share=False), RECT, LIGHT)
    assert len({float(r) for m, r in zip(same.marks, same.radii, strict=True) if m.active}) == 1


def test_a_hit_is_the_nearest_mark_within_reach(figure: Figure) -> None:
    chart = layout(figure, RECT, LIGHT)
    for mark, (x, y) in zip(chart.marks, chart.positions.tolist(), strict=True):
        found = hit(chart, QPointF(x, y))
        assert found is not None
        assert math.hypot(found.x - mark.x, found.y - mark.y) < 0.15
    assert hit(chart, chart.plot.bottomRight()) is None


def test_an_empty_study_is_laid_out_and_hit_without_a_fault(qapp: QApplication) -> None:
    figure = build_figure(evaluated(changed(decode_study(), hardware=(), models=())))
    chart = layout(figure, RECT, LIGHT)
    assert hit(chart, QPointF(300, 300)) is None
    assert figure.empty_text


def test_operators_without_flops_stand_in_the_strip_and_can_be_hit(figure: Figure) -> None:
    chart = layout(figure, RECT, LIGHT)
    assert [s.rows for s, _ in chart.strips] == [("embed_tokens",)]
    strip, rect = chart.strips[0]
    assert rect.right() < chart.plot.left()
    assert hit_strip(chart, rect.center()) is strip
    assert figure.strip_text == "1 operator without FLOPs"


def test_a_slider_step_keeps_the_resting_part_and_a_zoom_does_not(figure: Figure) -> None:
    chart = layout(figure, RECT, LIGHT)
    wider = build_figure(evaluated(decode_study(context=4100)), ranges=None)
    again = layout(replace(wider, x_range=figure.x_range, y_range=figure.y_range), RECT, LIGHT, previous=chart)
    assert again.static is chart.static
    assert again.figure.marks != figure.marks
    zoomed = replace(figure, x_range=(-0.5, 2.0), fitted=False)
    assert layout(zoomed, RECT, LIGHT, previous=chart).static is not chart.static
    assert layout(figure, RECT, DARK, previous=chart).static is not chart.static


def test_names_move_where_a_point_comes_to_lie_under_them(figure: Figure) -> None:
    chart = layout(figure, RECT, LIGHT)
    name = chart.static.names[0].rects[0].center()
    x, y = chart.frame.to_log(name)
    under = replace(figure, marks=(*figure.marks, replace(figure.marks[-1], x=x, y=y)))
    again = layout(under, RECT, LIGHT, previous=chart)
    assert again.static is not chart.static
    assert not [n for t in again.static.names for n in t.rects for m in again.mark_rects if n.intersects(m)]


def test_a_long_chinese_device_name_is_cut_to_its_roof(qapp: QApplication) -> None:
    figure = build_figure(evaluated(matmul_study(4096, 4096, 4096, device(CHINESE, 1e15, 2e12))))
    for rect in (RECT, QRectF(0, 0, 420, 360)):
        chart = layout(figure, rect, LIGHT)
        assert chart.static.names
        assert all(chart.plot.contains(r) for t in chart.static.names for r in t.rects)
        assert any("1,000 TFLOP/s" in t.text for t in chart.static.names)


def test_the_biggest_share_keeps_its_label_where_there_is_little_room(figure: Figure) -> None:
    chart = layout(figure, QRectF(0, 0, 460, 360), LIGHT)
    assert any(t.text == "gate + 7 more · 78 % of time" for t in chart.labels)


def test_a_selected_point_shows_how_far_it_is_from_its_roof(qapp: QApplication) -> None:
    study = measured(matmul_study(4096, 4096, 4096), "matmul", 0.5, 2 * 4096**3 / 989.4e12)
    figure = build_figure(evaluated(changed(study, view=View(selection=("matmul",)))))
    chart = layout(figure, RECT, LIGHT)
    assert "up to 2.00×" in {t.text for t in chart.labels}
